import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { globSync } from 'node:fs';
import { readLocalNode } from '@breakwater/server/seed';
import { makeSite, startWorld, waitFor, type World } from '@breakwater/test-world';
import { afterAll, beforeAll, expect, inject, onTestFinished, test } from 'vitest';

let world: World;
beforeAll(async () => {
  world = await startWorld({ templateUrl: inject('templateUrl') });
});
afterAll(() => world.close());

/** The agent as a program with its nginx, both by a clock that is off (libfaketime). */
async function startAgentAt(offset: string): Promise<void> {
  const { services } = world.server;
  const { appId, appSecret } = (await readLocalNode(services.database, services.secrets))!;
  const agent = spawn(process.execPath, [new URL('main.ts', import.meta.url).pathname], {
    stdio: 'ignore',
    env: {
      PATH: process.env.PATH,
      LD_PRELOAD: globSync('/usr/lib/*/faketime/libfaketimeMT.so.1')[0],
      FAKETIME: offset,
      // nginx's workers have no environment that could be read again after ten seconds.
      FAKETIME_CACHE_DURATION: '600',
      // What counts the time since the start is no clock that somebody sets.
      FAKETIME_DONT_FAKE_MONOTONIC: '1',
      DONT_FAKE_MONOTONIC: '1',
      CONTROL_PLANE_URL: world.userUrl,
      NODE_APP_ID: appId,
      NODE_APP_SECRET: appSecret,
      EDGE_DIR: world.edgeDir,
      EDGE_HTTP_PORTS: String(world.edgeHttpPort),
      EDGE_HTTPS_PORTS: String(world.edgeHttpsPort),
      EDGE_LISTEN_ADDRESS: '127.0.0.1',
      EDGE_PRIVATE_ORIGINS: 'true',
    },
  });
  onTestFinished(async () => {
    const ended = once(agent, 'exit');
    // By SIGTERM nginx would be left to the next, with its clock.
    agent.kill('SIGINT');
    await ended;
  });
}

test.each([
  ['+3600s', 3600],
  ['-3600s', -3600],
])(
  'a node whose clock is off by %s is flagged, and its lines have the right times',
  async (offset, ahead) => {
    const { domain } = await makeSite(world.admin);
    await startAgentAt(offset);
    // Its first report is of before nginx starts.
    await waitFor(
      'the report of the node',
      async () => {
        const { list } = await world.admin.get('listNodes', { query: {} });
        return list.find(
          ({ state: told }) =>
            told?.nginx_running === true && Math.abs(told.clock_ahead_seconds - ahead) < 30,
        );
      },
      60,
    );
    const before = Date.now();
    const id = await waitFor('the site', async () => {
      const reply = await world.fetchEdge(domain, '/clock').catch(() => undefined);
      return reply && reply.status !== 421 ? String(reply.headers['x-request-id']) : undefined;
    });
    const record = await waitFor('the record', async () => {
      const { list } = await world.admin.get('listAccessLogs', { query: { request_id: id } });
      return list[0];
    });
    expect(Date.parse(record.time)).toBeGreaterThan(before - 2000);
    expect(Date.parse(record.time)).toBeLessThan(Date.now() + 2000);
  },
  120_000,
);
