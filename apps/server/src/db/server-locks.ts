import { createHash } from 'node:crypto';
import { hostname } from 'node:os';
import type pg from 'pg';
import type { Logger } from 'pino';
import type { Config } from '../config.ts';
import { lastMigration } from './database.ts';
import { PgListener } from '../delivery/pg-listener.ts';

/**
 * What servers of one database must agree on, as advisory locks of PostgreSQL (13.3.5 of its manual), each of two numbers: which
 * lock it is, and what is locked. They are gone with the connection, however its server ended.
 */
const joinLock = 1_112_822_832;
const logStoreLock = 1_112_822_833;
const localEdgeLock = 1_112_822_834;
export const schemaLock = 1_112_822_835;

/** A 32-bit number of a text, as advisory locks take it. */
const numberOf = (text: string): number => createHash('sha256').update(text).digest().readInt32BE();

export interface ServerLocks {
  /** Whether the local edge is this server's to run: it is one node, and one server has it. */
  readonly hasLocalEdge: boolean;
  close(): Promise<void>;
}

/**
 * Takes the locks of a server that starts, before it changes anything. Throws what is to be done where servers of the same database
 * keep their logs elsewhere (each would know a part of the traffic, and bill by it) or know other tables.
 */
export async function takeServerLocks(
  config: Config,
  databaseUrl: string,
  logger: Logger,
): Promise<ServerLocks> {
  const logStore = numberOf(
    config.logStoreUrl ? placeOf(config.logStoreUrl) : `duckdb ${hostname()} ${config.dataDir}`,
  );
  const schema = numberOf(lastMigration().hash);
  let hasLocalEdge = false;
  const onConnect = async (client: pg.Client) => {
    // The locks of a machine that lost its power go within a minute, not after the two hours that systems wait.
    await client.query(
      'SET tcp_keepalives_idle = 30; SET tcp_keepalives_interval = 10; SET tcp_keepalives_count = 3',
    );
    // One after the other, lest two that start at once refuse each other.
    await client.query('SELECT pg_advisory_lock($1, 0)', [joinLock]);
    if (await sharesWithOthers(client, schemaLock, schema)) throw new Error(otherRelease);
    if (await sharesWithOthers(client, logStoreLock, logStore)) throw new Error(refusal(config));
    await client.query('SELECT pg_advisory_unlock($1, 0)', [joinLock]);
    // Its agent calls the server beside it.
    if (!config.localEdge || !config.roles.includes('node')) return;
    const { rows } = await client.query<{ taken: boolean }>('SELECT pg_try_advisory_lock($1, 0) AS taken', [
      localEdgeLock,
    ]);
    hasLocalEdge = rows[0]!.taken;
  };
  const about = 'what servers of a database agree on';
  const connection = await PgListener.open({ databaseUrl, about, logger, onConnect, onMessage: () => {} });
  return { hasLocalEdge, close: () => connection.close() };
}

/** Takes a lock that servers of one mind share; whether one of another mind has it. */
async function sharesWithOthers(client: pg.Client, lock: number, mind: number): Promise<boolean> {
  await client.query('SELECT pg_advisory_lock_shared($1, $2)', [lock, mind]);
  const others = await client.query(
    `SELECT 1 FROM pg_locks WHERE locktype = 'advisory' AND granted AND classid = $1 AND objid <> $2::int4::oid
       AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`,
    [lock, mind],
  );
  return others.rowCount !== 0;
}

/** Passwords may differ from server to server, and say nothing of where it is. */
function placeOf(logStoreUrl: string): string {
  const { host, pathname } = new URL(logStoreUrl);
  return `${host}${pathname.replace(/\/$/, '')}`;
}

const otherRelease =
  'Servers of another release use this database. Stop all of them, then start this one: it changes tables that they work with. ' +
  'See "Upgrade the servers" in docs/operations.md.';

const refusal = ({ logStoreUrl }: Config): string =>
  logStoreUrl
    ? 'Another server of this database uses a different log store. Set the same LOG_STORE_URL for all servers and start again.'
    : 'Another server of this database is running, and this one would store access logs in its own DuckDB. Several servers must share ' +
      'one OpenSearch or Elasticsearch: set LOG_STORE_URL for all of them. See "Several servers" in docs/operations.md.';
