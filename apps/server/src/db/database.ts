import { drizzle, type NodePgDatabase } from 'drizzle-orm/node-postgres';
import { migrate } from 'drizzle-orm/node-postgres/migrator';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { deliveryCounter } from './schema.ts';
import * as schema from './schema.ts';

type Drizzle = NodePgDatabase<typeof schema>;
export type Transaction = Parameters<Parameters<Drizzle['transaction']>[0]>[0];
/** What store functions take: the database, or a transaction of it. */
export type Db = Drizzle | Transaction;

export interface Database {
  db: Drizzle;
  pool: pg.Pool;
  url: string;
  close(): Promise<void>;
}

/** A database that takes no connection by then is away. */
const connectMilliseconds = 30_000;

/** Opens a pool. `onError` hears of connections that broke while nothing was asked of them, which is no reason to stop. */
export function openDatabase(url: string, onError: (error: Error) => void = () => {}): Database {
  const pool = new pg.Pool({
    connectionString: url,
    max: 20,
    connectionTimeoutMillis: connectMilliseconds,
    application_name: 'breakwater',
  });
  pool.on('error', onError);
  // In a transaction the pool does not listen: unheard, the error would end the process.
  pool.on('connect', (client) => client.on('error', onError));
  return { db: drizzle({ client: pool, schema, casing: 'snake_case' }), pool, url, close: () => pool.end() };
}

const migrationsFolder = fileURLToPath(new URL('./migrations', import.meta.url));

/** Brings the schema up to date. Several servers starting at once take turns on an advisory lock. */
export async function migrateDatabase(database: Database): Promise<void> {
  const lock = await database.pool.connect();
  try {
    await lock.query('SELECT pg_advisory_lock($1)', [migrationLock]);
    await migrate(database.db, { migrationsFolder });
    await database.db.insert(deliveryCounter).values({}).onConflictDoNothing();
  } finally {
    await lock.query('SELECT pg_advisory_unlock($1)', [migrationLock]);
    lock.release();
  }
}
const migrationLock = 728_141_902;
