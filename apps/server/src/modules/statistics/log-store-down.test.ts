import { ControlPlane } from '@breakwater/agent/delivery/control-plane';
import { makeNode, makeNodeState, startWorld, type World } from '@breakwater/test-world';
import { freePorts } from '@breakwater/test-world/ports';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { makeLine, toBytes } from '../../logs/test-lines.ts';

/** An OpenSearch that is away from the start: the server starts all the same. */
const token = 'a token for the figures';
const hour = 3_600_000;
const range = {
  start_time: new Date(Date.now() - 2 * hour).toISOString(),
  end_time: new Date(Date.now() - hour).toISOString(),
};
let world: World;
let port: number;
beforeAll(async () => {
  port = (await freePorts(1))[0]!;
  world = await startWorld({
    templateUrl: inject('templateUrl'),
    logStoreUrl: `http://writer:s3cret-word@127.0.0.1:${port}`,
    metricsToken: token,
  });
});
afterAll(() => world.close());

describe('without its log store', () => {
  it.each([
    ['en', /log store cannot be reached/],
    ['zh', /无法连接日志库/],
  ] as const)('charts, rankings and searches say so, in %s', async (language, message) => {
    for (const path of [
      'statistics/monitor/cdn/summary',
      'statistics/monitor/cdn/flux',
      'statistics/monitor/cdn/top_url',
      'statistics/usage/site',
      'log_analyzer/site_access',
    ]) {
      const query = new URLSearchParams({ ...range, ...(path.endsWith('flux') ? { interval: '300' } : {}) });
      const answer = await world.admin.send('GET', `/prod-api/${path}?${query.toString()}`, undefined, {
        'accept-language': language,
      });
      expect({ path, ...answer }).toMatchObject({
        path,
        status: 503,
        code: 50301,
        message: expect.stringMatching(message),
      });
      expect(JSON.stringify(answer)).not.toContain('s3cret-word');
    }
  });

  it('where it should be is shown without its password, and its test says what is wrong', async () => {
    const connection = await world.admin.call('getLogStoreConnection', {});
    expect(connection.data).toEqual({
      embedded: false,
      address: `http://127.0.0.1:${port}`,
      signed_in: true,
      encrypted: false,
      prefix: 'breakwater',
    });
    const test = await world.admin.call('testLogStore', {});
    expect(test.data).toMatchObject({ ok: false, message: expect.stringContaining('ECONNREFUSED') });
    expect(await world.admin.call('getLogStoreInfo', {})).toMatchObject({ status: 503, code: 50301 });
    expect(await world.admin.call('listLogIndices', { query: {} })).toMatchObject({
      status: 503,
      code: 50301,
    });
    expect(JSON.stringify([connection, test])).not.toMatch(/s3cret-word|writer/);
  });

  it('everything else works, and the server is ready', async () => {
    expect((await world.admin.call('listSites', { query: {} })).status).toBe(200);
    const ready = await fetch(`${world.adminUrl}/readyz`);
    expect(ready.status).toBe(200);
    expect(await ready.json()).toMatchObject({ logs: 'rejected' });
    const metrics = await fetch(`${world.adminUrl}/metrics`, {
      headers: { authorization: `Bearer ${token}` },
    });
    expect(await metrics.text()).toContain('breakwater_log_store_up 0');
  });

  it('lines of nodes are refused, so that these keep them, and their reports are taken', async () => {
    const node = await makeNode(world, { ip: '192.0.2.78' });
    const ending = new AbortController();
    const credentials = { url: world.userUrl, appId: node.app_id, appSecret: node.app_secret };
    const controlPlane = new ControlPlane(credentials, ending.signal);
    await expect(controlPlane.logPosition('access.1')).rejects.toMatchObject({ code: 50301 });
    const lines = gzipSync(toBytes([makeLine()]));
    await expect(controlPlane.shipLogs('access.1', 0, lines)).rejects.toMatchObject({ code: 50301 });
    await controlPlane.report(makeNodeState());
    const { list } = await world.admin.get('listNodes', { query: {} });
    expect(list.find(({ id }) => id === node.id)).toMatchObject({ state: { log_backlog: 0 } });
    ending.abort();
  });
});
