import { migrateDatabase, openDatabase } from '@breakwater/server/db/database';
import { startEmbeddedPostgres } from '@breakwater/server/db/embedded';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import type { TestProject } from 'vitest/node';

declare module 'vitest' {
  interface ProvidedContext {
    /** The database that every test's own is cloned from. */
    templateUrl: string;
  }
}

/** One PostgreSQL for a whole run, with a migrated database to clone. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const folder = await mkdtemp(join(tmpdir(), 'breakwater-pg-'));
  await chmod(folder, 0o755);
  const postgres = await startEmbeddedPostgres(folder, () => {});
  await forgoDurability(postgres.url);
  const database = openDatabase(postgres.url);
  await migrateDatabase(database);
  await liftLimits(postgres.url);
  await database.close();
  project.provide('templateUrl', postgres.url);
  return async () => {
    await postgres.stop();
    await rm(folder, { recursive: true, force: true });
  };
}

/** One account of a test asks for more in a minute than people do in an hour. */
async function liftLimits(url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const most = {
    requests_per_minute: 1e6,
    expensive_per_minute: 1e6,
    uploads_per_hour: 1e6,
    refreshes_per_hour: 1e6,
  };
  try {
    await client.query("INSERT INTO setting (key, value, version) VALUES ('account_limits', $1, 1)", [most]);
  } finally {
    await client.end();
  }
}

/** These databases end with the run: nothing of them has to survive a crash, so no commit waits for the disk, and nothing is tidied up. */
async function forgoDurability(url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    for (const setting of ['fsync', 'synchronous_commit', 'full_page_writes', 'autovacuum', 'jit'])
      await client.query(`ALTER SYSTEM SET ${setting} = off`);
    await client.query('SELECT pg_reload_conf()');
  } finally {
    await client.end();
  }
}
