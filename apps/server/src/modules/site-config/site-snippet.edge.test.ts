import { exportSite, makeSite, startWorld, waitFor, type World } from '@breakwater/test-world';
import { eq, sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, inject, it } from 'vitest';
import { site as siteTable, siteRevision } from '../../db/schema.ts';
import { workThrough } from '../../jobs/test-work.ts';
import { askNode } from '../../delivery/commands.ts';

let world: World;
beforeAll(async () => {
  world = await startWorld({ templateUrl: inject('templateUrl'), edge: true });
  await waitFor('a node that is online', async () => {
    const { list } = await world.admin.get('listNodes', { query: {} });
    return list[0]?.status === 'normal';
  });
});
afterAll(() => world.close());

it('is tried on a node, refused with what its nginx says, and served where it is taken', async () => {
  const origin = await world.startOrigin((_request, response) => response.end('content'));
  const site = await makeSite(world.admin, { port: origin.port });
  const path = `/prod-api/site_config/advanced_config?site_id=${site.id}`;
  const refused = await world.admin.send('PUT', path, {
    version: 1,
    value: { snippet: 'expires 1h;\nexpires 2h;' },
  });
  expect(refused).toMatchObject({
    status: 400,
    errors: [
      { path: 'value.snippet', message: `Rejected by the nginx of a node: "expires" directive is duplicate` },
    ],
  });
  const { version } = await world.admin.get('getAdvancedConfig', { query: { site_id: site.id } });
  expect(version).toBe(1);

  const saved = await world.admin.send('PUT', path, {
    version: 1,
    value: { snippet: 'add_header X-Own "yes; {}";' },
  });
  const { list } = await world.admin.get('listNodes', { query: {} });
  expect(saved).toMatchObject({ status: 200, data: { version: 2, snippet_tried_on: list[0]!.name } });
  await waitFor('the directives in service', async () => {
    const { headers } = await world.fetchEdge(site.domain, '/');
    return headers['x-own'] === 'yes; {}';
  });
  // The node serves it a moment before it says so.
  await waitFor('the acknowledgement', async () => {
    const { documents } = await world.admin.get('getSiteDelivery', { params: { id: site.id } });
    return documents[0]?.nodes[0]?.status === 'applied';
  });
});

/** nginx takes each of these, and not both. */
const bad = 'expires 1h;\nexpires 2h;';
const refusal = `Rejected by the nginx of a node: "expires" directive is duplicate`;
const snippetOf = async (id: number) =>
  (await world.admin.get('getAdvancedConfig', { query: { site_id: id } })).value.snippet;

/** A site whose first version has directives that a node refuses, as an older node might have taken them. */
async function siteWithBadPast(): Promise<{ id: number; revisionId: number; version: number }> {
  const { id } = await makeSite(world.admin);
  const { db } = world.server.services;
  const { list } = await world.admin.get('listSiteRevisions', { params: { id }, query: {} });
  const revisionId = list[0]!.id;
  const [{ snapshot } = {}] = await db.select().from(siteRevision).where(eq(siteRevision.id, revisionId));
  await db
    .update(siteRevision)
    .set({ snapshot: { ...snapshot!, advanced_config: { ...snapshot!.advanced_config, snippet: bad } } })
    .where(eq(siteRevision.id, revisionId));
  return { id, revisionId, version: 1 };
}

it('is tried before a rollback brings it back', async () => {
  const { id, revisionId, version } = await siteWithBadPast();
  for (const section of [undefined, 'advanced_config'] as const) {
    const body = { version, revision_id: revisionId, ...(section ? { section } : {}) };
    expect(await world.admin.call('rollbackSite', { params: { id }, body })).toMatchObject({
      status: 400,
      errors: [{ path: 'revision_id', message: refusal }],
    });
  }
  expect(await snippetOf(id)).toBe('');
  const other = { version, revision_id: revisionId, section: 'cache_rule' as const };
  expect(await world.admin.call('rollbackSite', { params: { id }, body: other })).toMatchObject({
    status: 200,
  });
});

it('is tried before a file brings it, to a site and as a new one', async () => {
  const { id } = await makeSite(world.admin);
  const file = await exportSite(world.admin, id);
  const broken = { ...file, sections: { ...file.sections, advanced_config: { snippet: bad } } };
  const errors = [{ path: 'file.sections.advanced_config.snippet', message: refusal }];
  const body = { version: 1, file: broken, parts: ['advanced_config' as const] };
  expect(await world.admin.call('importSite', { params: { id }, body })).toMatchObject({
    status: 400,
    errors,
  });
  expect(await snippetOf(id)).toBe('');
  const fresh = { ...broken, domains: ['from-file.example.com'] };
  expect(await world.admin.call('importNewSite', { body: { file: fresh } })).toMatchObject({
    status: 400,
    errors,
  });
  expect((await world.admin.get('listSites', { query: { domain_name: 'from-file' } })).total).toBe(0);
});

it('is tried once for many sites, before the first gets it', async () => {
  const sites = [await makeSite(world.admin), await makeSite(world.admin)];
  const change = async (snippet: string) => {
    const { id } = await world.admin.get('changeSitesSection', {
      body: {
        sites: { site_ids: sites.map(({ id: siteId }) => siteId) },
        section: 'advanced_config',
        value: { snippet },
        fields: ['snippet'],
      },
    });
    await workThrough(world.server.services, id);
    return world.admin.get('listSiteBatchLines', { params: { id }, query: {} });
  };
  const refused = await change(bad);
  expect(refused.list.map(({ status, reason }) => [status, reason])).toEqual(
    sites.map(() => ['failed', `value.snippet: ${refusal}`]),
  );
  expect((await change('charset utf-8;')).list.map(({ status }) => status)).toEqual(['done', 'done']);
  for (const { id } of sites) expect(await snippetOf(id)).toBe('charset utf-8;');

  // The section of one site for others is a batch as well.
  const { db } = world.server.services;
  const [from, to] = [sites[0]!.id, sites[1]!.id];
  const [row] = await db.select().from(siteTable).where(eq(siteTable.id, from));
  const config = { ...row!.config, advanced_config: { ...row!.config.advanced_config, snippet: bad } };
  await db.update(siteTable).set({ config }).where(eq(siteTable.id, from));
  const { id } = await world.admin.get('copySiteSection', {
    params: { id: from },
    body: { section: 'advanced_config', fields: [], sites: { site_ids: [to] } },
  });
  await workThrough(world.server.services, id);
  const { list } = await world.admin.get('listSiteBatchLines', { params: { id }, query: {} });
  expect(list[0]).toMatchObject({ status: 'failed', reason: `value.snippet: ${refusal}` });
  expect(await snippetOf(to)).toBe('charset utf-8;');
});

it('asks one node, and leaves nothing behind when nobody answers', async () => {
  const { db } = world.server.services;
  const { list } = await world.admin.get('listNodes', { query: {} });
  const answer = await askNode(db, list[0]!.id, 'try_snippet', {
    site_id: 1,
    snippet: 'include /etc/shadow;',
  });
  expect(answer?.refused).toContain('line 1');
  expect(await askNode(db, list[0]!.id, 'try_snippet', { site_id: 1, snippet: 'charset utf-8;' })).toEqual(
    {},
  );
  await world.stopAgent();
  expect(
    await askNode(db, list[0]!.id, 'try_snippet', { site_id: 1, snippet: 'charset utf-8;' }, 500),
  ).toBeUndefined();
  const left = await db.execute(sql`SELECT count(*)::int AS count FROM node_command`);
  expect(left.rows[0]).toEqual({ count: 0 });
});
