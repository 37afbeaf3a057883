import type { ExplainAnswer, RequestStep } from '@breakwater/contract';
import { makeCustomer, makeSite, startWorld, waitFor, type World } from '@breakwater/test-world';
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, inject, it } from 'vitest';

let world: World;
let site: Awaited<ReturnType<typeof makeSite>>;

beforeAll(async () => {
  world = await startWorld({ templateUrl: inject('templateUrl'), edge: true });
  await waitFor('a node that is online', async () => {
    const { list } = await world.admin.get('listNodes', { query: {} });
    return list[0]?.status === 'normal';
  });
  const origin = await world.startOrigin((_request, response) => {
    response.setHeader('Cache-Control', 'max-age=600');
    response.end('content');
  });
  const customer = await makeCustomer(world);
  // An operator's: what the customer adds would wait for the DNS.
  site = await makeSite(world.admin, { port: origin.port, orderId: customer.orderId });
  await waitFor('the site in service', async () => (await world.fetchEdge(site.domain, '/')).status === 200);
});
afterAll(() => world.close());

const ask = (url: string) => world.admin.get('explainSite', { params: { id: site.id }, body: { url } });
const stepsOf = (answer: ExplainAnswer, name: RequestStep) =>
  [answer.node_trace!, answer.model_trace].map(({ steps }) => steps.find(({ step }) => step === name)!);

async function deny(paths: string[]): Promise<void> {
  const { version, value } = await world.admin.get('getAccessControl', { query: { site_id: site.id } });
  const rules = [{ action: 'deny' as const, only_paths: paths }];
  await world.admin.get('updateAccessControl', {
    query: { site_id: site.id },
    body: { version, value: { ...value, rules } },
  });
}

it('a node and the stored configuration say the same, and what a visitor gets is that', async () => {
  await deny(['/closed/']);
  await waitFor(
    'the rule in service',
    async () => (await world.fetchEdge(site.domain, '/closed/')).status === 403,
  );
  const blocked = await ask(`http://${site.domain}/closed/a`);
  expect(blocked).toMatchObject({ node_problem: null, differing: [], causes: [] });
  for (const step of stepsOf(blocked, 'access_control'))
    expect(step).toMatchObject({ outcome: 'stopped', reason: 'denied_by_rule' });
  const open = await ask(`http://${site.domain}/open`);
  expect(open.differing).toEqual([]);
  expect(stepsOf(open, 'cache').map(({ reason }) => reason)).toEqual(['looked_up', 'looked_up']);
  expect(stepsOf(open, 'origin')[0]!.facts.filter(({ name }) => name === 'server')).toMatchObject([
    { live: true, value: expect.stringMatching(/ in$/) as string },
  ]);
});

it('says where they differ while a node has an older revision, and why', async () => {
  const { db } = world.server.services;
  const before = await ask(`http://${site.domain}/closed/a`);
  // Stored, and nobody is told: as it is for the moment between a save and the node's pull.
  await db.execute(
    sql`UPDATE edge_document SET revision = revision + 100000, body = replace(body, '/closed/', '/other/')
        WHERE kind = 'site' AND key = ${String(site.id)}`,
  );
  const answer = await ask(`http://${site.domain}/closed/a`);
  expect(answer.causes).toEqual(['site_revision']);
  expect(answer.differing).toContain('access_control');
  expect(answer.node_trace).toEqual(before.node_trace);
  expect(answer.model_trace.revision).toBeGreaterThan(answer.node_trace!.revision!);
  await db.execute(
    sql`UPDATE edge_document SET revision = revision - 100000, body = replace(body, '/other/', '/closed/')
        WHERE kind = 'site' AND key = ${String(site.id)}`,
  );
  expect((await ask(`http://${site.domain}/closed/a`)).differing).toEqual([]);
});

it('explains a request of the log by what the log holds, at the node that answered it', async () => {
  const { headers } = await world.fetchEdge(site.domain, '/closed/b?c=1');
  const requestId = String(headers['x-request-id']);
  await waitFor('the line in the log', async () => {
    const { total } = await world.admin.get('listAccessLogs', { query: { request_id: requestId } });
    return total === 1;
  });
  const answer = await world.admin.get('explainLoggedRequest', {
    params: { id: site.id },
    body: { request_id: requestId },
  });
  const { list } = await world.admin.get('listNodes', { query: {} });
  expect(answer.node).toEqual({ id: list[0]!.id, name: list[0]!.name });
  expect(answer.request).toMatchObject({ target: '/closed/b?c=1', host: site.domain, method: 'GET' });
  expect(answer.logged).toMatchObject({ status: 403, decision: 'access_control 1', request_id: requestId });
  expect(stepsOf(answer, 'access_control')[0]).toMatchObject({ outcome: 'stopped' });
  const other = await makeCustomer(world);
  const stranger = await makeSite(other.api);
  const asked = { params: { id: stranger.id }, body: { request_id: requestId } };
  expect(
    await other.api.send('POST', `/prod-api/site/${asked.params.id}/explain_request`, asked.body),
  ).toMatchObject({ status: 404 });
});

it('shows the stored configuration alone while the node is away', async () => {
  await world.stopAgent();
  const answer = await ask(`http://${site.domain}/open`);
  expect(answer).toMatchObject({ node_trace: null, node_problem: 'away', differing: [] });
  expect(answer.model_trace.steps.length).toBeGreaterThan(10);
  const left = await world.server.services.db.execute(sql`SELECT count(*)::int AS count FROM node_command`);
  expect(left.rows[0]).toEqual({ count: 0 });
});
