import { readdirSync, readFileSync } from 'node:fs';
import { speedOptimize } from '@breakwater/contract';
import { makeCustomer, makeSite, startWorld, type Customer, type World } from '@breakwater/test-world';
import { and, eq, sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { edgeDocument } from '../../db/delivery-schema.ts';
import { site as siteTable } from '../../db/schema.ts';
import { refreshDocuments } from './site-refresh.ts';

let world: World;
let customer: Customer;
beforeAll(async () => {
  world = await startWorld({ templateUrl: inject('templateUrl') });
  customer = await makeCustomer(world);
});
afterAll(() => world.close());

describe('sites from before there were levels', () => {
  const folder = new URL('../../db/migrations/', import.meta.url);
  const file = readdirSync(folder).find((name) => name.endsWith('_levels.sql'))!;
  const statements = readFileSync(new URL(file, folder), 'utf8')
    .split('--> statement-breakpoint')
    .filter((statement) => /own_values|SET "own"/.test(statement));

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
