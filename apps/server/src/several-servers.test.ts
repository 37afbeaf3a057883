import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { cloneDatabase, type TestDatabase } from '@breakwater/test-world';
import pg from 'pg';
import pino from 'pino';
import { afterEach, beforeEach, describe, expect, inject, it } from 'vitest';
import { startServer, type Server } from './app.ts';
import { readConfig } from './config.ts';
import { lastMigration } from './db/database.ts';
import { schemaLock } from './db/server-locks.ts';

/** Servers that share a database, as far as nothing else is needed. With OpenSearch: `logs/three-servers.test.ts`. */

const keys = { ENCRYPTION_KEYS: 'a'.repeat(43).concat('='), SESSION_KEYS: 'b'.repeat(43).concat('=') };
let database: TestDatabase;
let folders: string[];
let servers: Server[];
beforeEach(async () => {
  database = await cloneDatabase(inject('templateUrl'));
  folders = [];
  servers = [];
});
afterEach(async () => {
  for (const server of servers) await server.close();
  await database.drop();
  for (const folder of folders) await rm(folder, { recursive: true, force: true });
});

async function start(more: Record<string, string> = {}): Promise<Server> {
  const folder = await mkdtemp(join(tmpdir(), 'breakwater-several-'));
  folders.push(folder);
  const env = { BREAKWATER_DATA: folder, DATABASE_URL: database.url, BREAKWATER_HOST: '127.0.0.1', ...keys };
  const config = readConfig({ ...env, ADMIN_PORT: '0', USER_PORT: '0', ...more });
  const server = await startServer(config, pino({ level: 'silent' }));
  servers.push(server);
  return server;
}
const statusOf = async (url: string, path: string) => (await fetch(url + path)).status;

describe('a second server of a database', () => {
  it('is refused where the first keeps logs in DuckDB, until that one has ended', async () => {
    const first = await start();
    await expect(start()).rejects.toThrow(/its own DuckDB.*LOG_STORE_URL for all of them/s);
    await expect(start({ LOG_STORE_URL: 'http://127.0.0.1:9' })).rejects.toThrow(/the same LOG_STORE_URL/);
    await first.close();
    servers = [];
    await start();
  });

  it('is refused where its OpenSearch is another one; with the same, one has the local edge', async () => {
    const [first, second] = await Promise.all(
      [1, 2].map(() => start({ LOG_STORE_URL: 'http://127.0.0.1:9/one' })),
    );
    expect(first!.hasLocalEdge).toBe(!second!.hasLocalEdge);
    await expect(start({ LOG_STORE_URL: 'http://127.0.0.1:9/two' })).rejects.toThrow(/LOG_STORE_URL/);
    // Who writes to it, and in which way it is written, is no other store.
    const third = await start({ LOG_STORE_URL: 'http://me:word@127.0.0.1:9/one/' });
    expect(third.hasLocalEdge).toBe(false);
  });
});

describe('a server of another release', () => {
  it('is not started beside those which run, nor on tables that it does not know', async () => {
    const other = new pg.Client({ connectionString: database.url });
    await other.connect();
    await other.query('SELECT pg_advisory_lock_shared($1, 1)', [schemaLock]);
    await expect(start()).rejects.toThrow(/Stop all of them, then start this one/);
    await other.query('SELECT pg_advisory_unlock_all()');
    await start();
    await servers.pop()!.close();
    const { madeAt } = lastMigration();
    const newer = `INSERT INTO drizzle.__drizzle_migrations (hash, created_at) VALUES ('of tomorrow', ${madeAt + 1})`;
    await other.query(newer);
    await other.end();
    await expect(start()).rejects.toThrow(/upgraded by a newer release/);
  });
});

describe('a server with a part of the roles', () => {
  it('leaves the local edge to one that nodes can call', async () => {
    const store = { LOG_STORE_URL: 'http://127.0.0.1:9' };
    for (const roles of ['admin', 'user', 'worker'])
      expect((await start({ ...store, BREAKWATER_ROLES: roles })).hasLocalEdge).toBe(false);
    expect((await start(store)).hasLocalEdge).toBe(true);
  });

  it('answers what its roles are for, and nothing of the others', async () => {
    const node = await start({ BREAKWATER_ROLES: 'node' });
    expect(node.adminUrl).toBeUndefined();
    expect(await statusOf(node.userUrl!, '/node-api/documents')).toBe(401);
    expect(await statusOf(node.userUrl!, '/prod-api/site')).toBe(404);
    expect(await statusOf(node.userUrl!, '/')).toBe(404);
    expect(await statusOf(node.userUrl!, '/readyz')).toBe(200);
    await servers.pop()!.close();
    const user = await start({ BREAKWATER_ROLES: 'user' });
    expect(await statusOf(user.userUrl!, '/node-api/documents')).toBe(404);
    expect(await statusOf(user.userUrl!, '/prod-api/site')).toBe(401);
    await servers.pop()!.close();
    const worker = await start({ BREAKWATER_ROLES: 'worker' });
    expect([worker.adminUrl, worker.userUrl]).toEqual([undefined, undefined]);
  });
});
