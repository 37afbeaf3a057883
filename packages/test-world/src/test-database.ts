import { randomBytes } from 'node:crypto';
import pg from 'pg';

export interface TestDatabase {
  url: string;
  drop(): Promise<void>;
}

/** A fresh database with the current schema: a clone of the run's template, made in a few milliseconds. */
export async function cloneDatabase(templateUrl: string): Promise<TestDatabase> {
  const template = new URL(templateUrl);
  const name = `test_${randomBytes(8).toString('hex')}`;
  const url = new URL(templateUrl);
  url.pathname = `/${name}`;
  const maintenance = new URL(templateUrl);
  maintenance.pathname = '/postgres';
  const run = async (sql: string) => {
    const client = new pg.Client({ connectionString: maintenance.href });
    await client.connect();
    try {
      await client.query(sql);
    } finally {
      await client.end();
    }
  };
  // As files: half of the processors' time of a copy by way of the log, which nobody reads.
  await run(`CREATE DATABASE ${name} TEMPLATE ${template.pathname.slice(1)} STRATEGY FILE_COPY`);
  return { url: url.href, drop: () => run(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`) };
}
