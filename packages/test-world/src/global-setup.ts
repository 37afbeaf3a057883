import { migrateDatabase, openDatabase } from '@breakwater/server/db/database';
import { startEmbeddedPostgres } from '@breakwater/server/db/embedded';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
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
  const database = openDatabase(postgres.url);
  await migrateDatabase(database);
  await database.close();
  project.provide('templateUrl', postgres.url);
  return async () => {
    await postgres.stop();
    await rm(folder, { recursive: true, force: true });
  };
}
