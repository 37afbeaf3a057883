import { chmod, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { routes, type RouteSpec } from '@breakwater/contract';
import { freePorts, makeApiClient, waitFor, type ApiClient } from '@breakwater/test-world';
import { sql } from 'drizzle-orm';
import pino from 'pino';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { isDatabaseAway } from './api-error.ts';
import { startServer, type Server } from './app.ts';
import { readConfig } from './config.ts';
import { readFirstPassword } from './seed.ts';

/** A server with the embedded PostgreSQL, which is taken away from it. */

let dataDir: string;
let server: Server;
let admin: ApiClient;
beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'breakwater-away-'));
  await chmod(dataDir, 0o755);
  const [adminPort, userPort] = (await freePorts(2)) as [number, number];
  const config = readConfig({ BREAKWATER_DATA: dataDir, BREAKWATER_HOST: '127.0.0.1' });
  server = await startServer(
    { ...config, adminPort, userPort, roles: ['admin', 'user', 'node'] },
    pino({ level: 'silent' }),
  );
  const anonymous = makeApiClient(() => server.adminUrl!);
  const password = (await readFirstPassword(dataDir)) ?? '';
  const { token } = await anonymous.get('signInAdmin', { body: { username: 'admin', password } });
  admin = makeApiClient(() => server.adminUrl!, token);
});
afterAll(async () => {
  await server.close();
  await rm(dataDir, { recursive: true, force: true });
});

const reads = (Object.values(routes) as RouteSpec[]).filter(
  ({ method, transport, access, path }) =>
    method === 'GET' && transport !== 'stream' && path.startsWith('/prod-api/') && access.kind !== 'user',
);
const postgresPid = async () =>
  Number.parseInt(await readFile(join(dataDir, 'postgres/cluster/postmaster.pid'), 'utf8'), 10);
const alive = (pid: number) => {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
};
const works = async () => (await admin.call('listAreas', { query: {} })).status === 200;

describe('while PostgreSQL is away', () => {
  it('every call says that it is not available now, and works once it is back', async () => {
    const ask = () => Promise.all(reads.map(({ path }) => admin.send('GET', path.replace(/\{\w+\}/g, '1'))));
    const before = await ask();
    const pid = await postgresPid();
    process.kill(pid, 'SIGKILL');
    await waitFor('the end of PostgreSQL', () => !alive(pid));
    const away = await ask();
    const body = { username: 'admin', password: 'a wrong one' };
    const writes = [
      await admin.call('createArea', { body: { name: 'while it is away' } }),
      await makeApiClient(() => server.adminUrl!).call('signInAdmin', { body }),
    ];
    const others = [...away.filter((answer, at) => answer.status !== before[at]!.status), ...writes];
    expect(others.filter(({ code }) => code === 50_300).length).toBeGreaterThan(0);
    expect(others.filter(({ status }) => status === 500)).toEqual([]);
    await waitFor('PostgreSQL', works, 60);
  });

  it('a connection that breaks in the middle of a transaction ends that transaction only', async () => {
    const { db } = server.services;
    const pidOf = async (tx: Pick<typeof db, 'execute'>) =>
      Number((await tx.execute(sql`SELECT pg_backend_pid() AS pid`)).rows[0]!['pid']);
    const isThere = async (pid: number) =>
      (await db.execute(sql`SELECT 1 FROM pg_stat_activity WHERE pid = ${pid}`)).rows.length > 0;
    const broken = db.transaction(async (tx) => {
      const pid = await pidOf(tx);
      await db.execute(sql`SELECT pg_terminate_backend(${pid})`);
      await waitFor('its end', async () => !(await isThere(pid)));
      await tx.execute(sql`SELECT 1`);
    });
    const error: unknown = await broken.then(
      () => undefined,
      (reason: unknown) => reason,
    );
    expect(isDatabaseAway(error)).toBe(true);
    expect(await works()).toBe(true);
  });
});
