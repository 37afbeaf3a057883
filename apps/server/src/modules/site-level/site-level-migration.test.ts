import { readdirSync, readFileSync } from 'node:fs';
import { blockReferer, contentRewrite, speedOptimize } from '@breakwater/contract';
import { makeCustomer, makeSite, startWorld, type Customer, type World } from '@breakwater/test-world';
import { and, eq, sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { edgeDocument, site as siteTable } from '../../db/schema.ts';
import { refreshDocuments } from '../site-publish/site-publish.service.ts';

let world: World;
let customer: Customer;
beforeAll(async () => {
  world = await startWorld({ templateUrl: inject('templateUrl') });
  customer = await makeCustomer(world);
});
afterAll(() => world.close());

describe('sites from before there were levels', () => {
  const folder = new URL('../../db/migrations/', import.meta.url);
  const statementsOf = (migration: string, which: RegExp) => {
    const file = readdirSync(folder).find((name) => name.endsWith(`_${migration}.sql`))!;
    const statements = readFileSync(new URL(file, folder), 'utf8').split('--> statement-breakpoint');
    return statements.filter((statement) => which.test(statement));
  };
  const statements = statementsOf('levels', /own_values|SET "own"/);

  it('set themselves what differs from the defaults, and inherit the rest', async () => {
    const { db } = world.server.services;
    const site = await makeSite(customer.api);
    const whole = {
      cache_rule: { rules: [], cache_header: true, always_online: true },
      speed_optimize: speedOptimize.parse({}),
      certificate_settings: {
        certificate_ids: [],
        min_version: 'TLSv1.3',
        max_version: 'TLSv1.3',
        cipher_level: 'compatible',
        hsts: { enabled: false, max_age_seconds: 31_536_000, include_subdomains: false },
      },
      security: { rate: { period_seconds: 10, burst: 100, requests: 3 }, rate_counts_hits: true },
    };
    await db.execute(
      sql`UPDATE site SET config = config || ${JSON.stringify(whole)}::jsonb, own = '{}' WHERE id = ${site.id}`,
    );
    await db.transaction(async (tx) => {
      for (const statement of statements) await tx.execute(sql.raw(statement));
    });
    const [row] = await db.select().from(siteTable).where(eq(siteTable.id, site.id));
    expect(row!.own).toEqual([
      'cache_rule.always_online',
      'certificate_settings.cipher_level',
      'certificate_settings.max_version',
      'certificate_settings.min_version',
      'security.rate',
    ]);
    expect(row!.config.own).toEqual(row!.own);
    expect(row!.config).toMatchObject({
      certificate_settings: whole.certificate_settings,
      security: whole.security,
    });
  });

  it('keep the referers and the rewriting that they had', async () => {
    const { db } = world.server.services;
    const [site, plain] = [await makeSite(customer.api), await makeSite(customer.api)];
    const redirects = [{ type: 'prefix', from: '/a/', to: '/b/' }];
    const whole = {
      speed_optimize: { gzip: true },
      block_referer: { ...blockReferer.parse({}), enabled: true, status: 404 },
      content_rewrite: contentRewrite.parse({ redirects }),
    };
    const untouched = { block_referer: blockReferer.parse({}), content_rewrite: contentRewrite.parse({}) };
    for (const [{ id }, config] of [
      [site, whole],
      [plain, untouched],
    ] as const)
      await db.execute(
        sql`UPDATE site SET config = config || ${JSON.stringify(config)}::jsonb, own = '{speed_optimize.gzip}' WHERE id = ${id}`,
      );
    await db.transaction(async (tx) => {
      for (const statement of statementsOf('inherit_rewriting', /./s)) await tx.execute(sql.raw(statement));
    });
    const read = async (id: number) => (await db.select().from(siteTable).where(eq(siteTable.id, id)))[0]!;
    const row = await read(site.id);
    expect(row.own).toEqual([
      'block_referer.action',
      'block_referer.enabled',
      'block_referer.redirect_url',
      'block_referer.status',
      'content_rewrite.redirects',
      'speed_optimize.gzip',
    ]);
    expect(row.config).toMatchObject({ ...whole, speed_optimize: { gzip: true }, own: row.own });
    expect((await read(plain.id)).own).toEqual(['speed_optimize.gzip']);
  });

  it('are sent to the nodes again, once', async () => {
    const { services } = world.server;
    const site = await makeSite(customer.api);
    const document = and(eq(edgeDocument.kind, 'site'), eq(edgeDocument.key, String(site.id)));
    const read = async () => (await services.db.select().from(edgeDocument).where(document))[0]!;
    const { revision } = await read();
    await services.db.update(edgeDocument).set({ format: 0 }).where(document);
    expect(await refreshDocuments(services)).toBe(1);
    const after = await read();
    expect(after.revision).toBeGreaterThan(revision);
    expect(JSON.parse(after.body)).toHaveProperty('product_id');
    expect(await refreshDocuments(services)).toBe(0);
  });
});
