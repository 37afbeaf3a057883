import { makeSite, startWorld, waitFor, type World } from '@breakwater/test-world';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';

/** From a setting in the console to what the console shows: server, agent, nginx and origins, all of them real. */

let world: World;
const health = { one: 200, two: 200 };
let ports: number[];
let siteId: number;
let host: string;

beforeAll(async () => {
  world = await startWorld({ templateUrl: inject('templateUrl'), edge: true });
  const origins = await Promise.all(
    (['one', 'two'] as const).map((name) =>
      world.startOrigin((request, response) =>
        response.writeHead(request.url === '/health' ? health[name] : 200).end(name),
      ),
    ),
  );
  ports = origins.map(({ port }) => port);
  ({ id: siteId, domain: host } = await makeSite(world.admin, { port: ports[0]! }));
  const { version, value } = await world.admin.get('getOriginServerConfig', { query: { site_id: siteId } });
  const [first] = value.origins;
  const second = { ...first!, http_port: ports[1]!, state: 'backup' as const };
  await world.admin.get('updateOriginServerConfig', {
    query: { site_id: siteId },
    body: { version, value: { ...value, origins: [first!, second] } },
  });
});
afterAll(() => world.close());

async function setCheck(change: object): Promise<void> {
  const query = { site_id: siteId };
  const { version, value } = await world.admin.get('getBackendHealthCheck', { query });
  await world.admin.get('updateBackendHealthCheck', {
    query,
    body: { version, value: { ...value, ...change } },
  });
  await waitFor('the delivery', async () => {
    const { documents } = await world.admin.get('getSiteDelivery', { params: { id: siteId } });
    return documents[0]!.nodes.every(({ status }) => status === 'applied');
  });
}

let visits = 0;
/** Each of another address, so that the cache answers none. */
const visit = async () => (await world.fetchEdge(host, `/${++visits}`)).body;
const serves = (name: string) => waitFor(`pages of ${name}`, async () => (await visit()) === name, 30);
const listHealth = () => world.admin.get('listOriginHealth', { params: { id: siteId }, query: {} });
const statesShown = async () =>
  Object.fromEntries((await listHealth()).list.map(({ port, state }) => [ports.indexOf(port), state]));
const shows = (states: object) =>
  waitFor(
    `states ${JSON.stringify(states)}`,
    async () => JSON.stringify(await statesShown()) === JSON.stringify(states),
    30,
  );
const history = async () =>
  (await world.admin.get('listOriginHealthEvents', { params: { id: siteId }, query: {} })).list;
const killNginx = () => process.kill(world.agent!.edge.pid, 'SIGKILL');

describe('checks of origins', () => {
  it('show each origin of each node once they are on', async () => {
    expect((await listHealth()).list).toEqual([]);
    await setCheck({
      enabled: true,
      path: '/health',
      expected_codes: ['200'],
      interval_seconds: 2,
      timeout_seconds: 2,
      fall: 1,
      rise: 1,
      hold_down_seconds: 0,
    });
    await shows({ 0: 'up', 1: 'up' });
    const { list, ...rest } = await listHealth();
    expect(rest).toMatchObject({ nodes_total: 1, nodes_reporting: 1 });
    for (const row of list) expect(row).toMatchObject({ address: '127.0.0.1', error: null, stale: false });
    expect(await history()).toEqual([]);
  });

  it('show who went down, when and why, and who came back', async () => {
    const before = Date.now();
    health.one = 503;
    await serves('two');
    await shows({ 0: 'down', 1: 'up' });
    expect((await listHealth()).list[0]).toMatchObject({ error: { code: 'status', detail: '503' } });
    health.one = 200;
    await serves('one');
    await waitFor('two events', async () => (await history()).length === 2);
    const [back, went] = await history();
    expect([went!.state, went!.error]).toEqual(['down', { code: 'status', detail: '503' }]);
    expect(back).toMatchObject({ state: 'up', error: null, port: ports[0] });
    expect(Date.parse(went!.at)).toBeGreaterThanOrEqual(before);
    expect(Date.parse(back!.at)).toBeGreaterThan(Date.parse(went!.at));
  });

  it('hold over a restart of nginx', async () => {
    health.one = 503;
    await serves('two');
    // Before the next check nobody but the agent's memory knows.
    await setCheck({ interval_seconds: 3600 });
    const former = world.agent!.edge.pid;
    killNginx();
    await waitFor('another nginx', () => world.agent!.edge.pid !== former, 30);
    await serves('two');
    for (let time = 0; time < 10; time++) expect(await visit()).toBe('two');
    await setCheck({ interval_seconds: 2 });
  });

  it('keep what happened while the control plane was away', async () => {
    const before = (await history()).length;
    await world.stopControlPlane();
    health.one = 200;
    await serves('one');
    const returned = Date.now();
    await world.startControlPlane();
    await waitFor('the event', async () => (await history()).length > before, 40);
    const [event] = await history();
    expect(event).toMatchObject({ state: 'up', port: ports[0] });
    expect(Date.parse(event!.at)).toBeLessThanOrEqual(returned);
  });

  it('begin anew with another agent, and end an outage that was over by then', async () => {
    health.one = 503;
    await shows({ 0: 'down', 1: 'up' });
    await world.stopAgent();
    health.one = 200;
    await world.startAgent();
    await shows({ 0: 'up', 1: 'up' });
    expect((await history())[0]).toMatchObject({ state: 'up', port: ports[0] });
    expect((await history()).map(({ state }) => state)).toEqual(['up', 'down', 'up', 'down', 'up', 'down']);
  });

  it('leave no state behind when they are switched off', async () => {
    await setCheck({ enabled: false });
    await waitFor('no states', async () => (await listHealth()).total === 0, 30);
    expect((await history()).length).toBe(6);
  });
});
