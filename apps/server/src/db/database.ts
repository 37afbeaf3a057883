import type { ExtractTablesWithRelations } from 'drizzle-orm';
import { drizzle, NodePgSession, type NodePgDatabase } from 'drizzle-orm/node-postgres';
import { readMigrationFiles } from 'drizzle-orm/migrator';
import { migrate } from 'drizzle-orm/node-postgres/migrator';
import { PgDialect } from 'drizzle-orm/pg-core';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { deliveryCounter } from './schema.ts';

type Drizzle = NodePgDatabase;
type NoRelations = ExtractTablesWithRelations<Record<string, never>>;
export type Transaction = Parameters<Parameters<Drizzle['transaction']>[0]>[0];
/** What store functions take: the database, or a transaction of it. */
export type Db = Drizzle | Transaction;

export interface Database {
  db: Drizzle;
  pool: pg.Pool;
  url: string;
  close(): Promise<void>;
}

/** Seconds after which PostgreSQL itself ends a statement, a wait for a lock, or a transaction in which nothing is asked. */
export interface DatabaseLimits {
  statementSeconds: number;
  lockSeconds: number;
  idleSeconds: number;
}

export interface DatabaseOptions {
  /** Hears of connections that broke while nothing was asked of them, which is no reason to stop. */
  onError?: (error: Error) => void;
  /** The most that are open at once. */
  connections?: number;
  /** Absent: nothing is ended. */
  limits?: DatabaseLimits;
}

/** A database that takes no connection by then is away. */
const connectMilliseconds = 30_000;

/** Opens a pool. */
export function openDatabase(url: string, options: DatabaseOptions = {}): Database {
  const { onError = () => {}, connections = 20, limits } = options;
  // The pool waits for it, which its types do not say.
  const beforeUse = limits ? { onConnect: (client: pg.ClientBase) => limit(client, limits) } : {};
  const pool = new pg.Pool({
    connectionString: url,
    max: connections,
    connectionTimeoutMillis: connectMilliseconds,
    application_name: 'breakwater',
    ...beforeUse,
  });
  pool.on('error', onError);
  // In a transaction the pool does not listen: unheard, the error would end the process.
  pool.on('connect', (client) => client.on('error', onError));
  const db = drizzle({ client: pool, casing });
  db.transaction = (run, config) => transact(pool, run, config);
  return { db, pool, url, close: () => pool.end() };
}

/** By statement, not as the connection starts: poolers between refuse parameters that they do not know. */
async function limit(client: pg.ClientBase, limits: DatabaseLimits): Promise<void> {
  await client.query(
    `SET statement_timeout = '${limits.statementSeconds}s'; SET lock_timeout = '${limits.lockSeconds}s';
     SET idle_in_transaction_session_timeout = '${limits.idleSeconds}s'`,
  );
}

const casing = 'snake_case';
/** One for all transactions: it keeps the columns' names, which take longer to make than a statement to run. */
const dialect = new PgDialect({ casing });

/**
 * A transaction on a connection that goes back to the pool whatever happens: drizzle's own keeps it for ever where `begin`
 * fails. One whose begin, commit or rollback failed is closed, for nobody knows what it is in.
 */
async function transact<Result>(
  pool: pg.Pool,
  run: (tx: Transaction) => Promise<Result>,
  config: Parameters<Drizzle['transaction']>[1],
): Promise<Result> {
  const client = await pool.connect();
  let thrown: unknown;
  const attempt = async (tx: Transaction): Promise<Result> => {
    try {
      return await run(tx);
    } catch (error) {
      thrown = error;
      throw error;
    }
  };
  try {
    const result = await new NodePgSession<Record<string, never>, NoRelations>(
      client,
      dialect,
      undefined,
    ).transaction(attempt, config);
    client.release();
    return result;
  } catch (error) {
    client.release(error !== thrown);
    throw error;
  }
}

const migrationsFolder = fileURLToPath(new URL('./migrations', import.meta.url));

/** The last migration that this release knows: when it was made, and what tells it from others. */
export function lastMigration(): { madeAt: number; hash: string } {
  const { folderMillis, hash } = readMigrationFiles({ migrationsFolder }).at(-1)!;
  return { madeAt: folderMillis, hash };
}

/** A release that does not know all of the tables would write into them what the newer one does not expect. */
async function assertNotNewer({ pool }: Database): Promise<void> {
  const { rows } = await pool.query<{ known: string | null }>(
    "SELECT to_regclass('drizzle.__drizzle_migrations') AS known",
  );
  if (rows[0]!.known === null) return;
  const last = await pool.query<{ at: string | null }>(
    'SELECT max(created_at) AS at FROM drizzle.__drizzle_migrations',
  );
  if (Number(last.rows[0]!.at ?? 0) > lastMigration().madeAt)
    throw new Error(
      'The database was upgraded by a newer release. Start that one, or restore a backup from before. See "Upgrade the servers" in docs/operations.md.',
    );
}

/** Brings the schema up to date. Several servers starting at once take turns on an advisory lock. */
export async function migrateDatabase(database: Database): Promise<void> {
  const lock = await database.pool.connect();
  try {
    await lock.query('SELECT pg_advisory_lock($1)', [migrationLock]);
    await assertNotNewer(database);
    await migrate(database.db, { migrationsFolder });
    await database.db.insert(deliveryCounter).values({}).onConflictDoNothing();
  } finally {
    await lock.query('SELECT pg_advisory_unlock($1)', [migrationLock]);
    lock.release();
  }
}
const migrationLock = 728_141_902;
