import type { AccessLogLine } from '@breakwater/contract/access-log';

/** The columns of a record, and with them what a line must convert to; the order is that of the line. */
export const lineColumns = {
  time: 'TIMESTAMP',
  request_id: 'VARCHAR',
  site_id: 'INTEGER',
  client_id: 'INTEGER',
  order_id: 'INTEGER',
  host: 'VARCHAR',
  remote_addr: 'VARCHAR',
  raw_remote_addr: 'VARCHAR',
  remote_port: 'INTEGER',
  method: 'VARCHAR',
  scheme: 'VARCHAR',
  protocol: 'VARCHAR',
  request_uri: 'VARCHAR',
  status: 'INTEGER',
  request_length: 'BIGINT',
  bytes_sent: 'BIGINT',
  body_bytes_sent: 'BIGINT',
  request_time: 'DOUBLE',
  cache_status: 'VARCHAR',
  origin_addr: 'VARCHAR',
  origin_status: 'INTEGER',
  origin_time: 'DOUBLE',
  origin_bytes: 'BIGINT',
  referer: 'VARCHAR',
  user_agent: 'VARCHAR',
  content_type: 'VARCHAR',
  tls_version: 'VARCHAR',
  decision: 'VARCHAR',
} as const satisfies Record<keyof AccessLogLine, string>;

export const columnNames = Object.keys(lineColumns) as (keyof AccessLogLine)[];
/** Fields that came later, and what stands for them where a line or a file is older. */
export const laterColumns = { raw_remote_addr: "''", decision: "''" } as const;
export const lineColumnList = columnNames.join(', ');

/** What a rollup row is about; the rest of its columns are sums. */
export const rollupKeys =
  'minute, site_id, client_id, order_id, node_id, status, cache_status, origin_status';
export const rollupSums = [
  'requests',
  'bytes_sent',
  'request_bytes',
  'request_time',
  'origin_requests',
  'origin_bytes',
  'origin_time',
] as const;

/**
 * All times are UTC. There are no indexes beyond the two small tables: rows arrive about in time order, so DuckDB's
 * minimum and maximum per block of rows already lead a search by time to the few blocks it needs.
 */
export const schema = [
  `CREATE TABLE IF NOT EXISTS access_log (
     node_id INTEGER NOT NULL,
     ${columnNames.map((name) => `${name} ${lineColumns[name]} NOT NULL`).join(',\n     ')}
   )`,
  ...Object.entries(laterColumns).map(
    ([name, value]) =>
      `ALTER TABLE access_log ADD COLUMN IF NOT EXISTS ${name} ${lineColumns[name as keyof typeof laterColumns]} DEFAULT ${value}`,
  ),
  // Several rows may carry the same key until they are merged; every reader sums, so it sees no difference.
  `CREATE TABLE IF NOT EXISTS rollup_minute (
     minute TIMESTAMP NOT NULL,
     site_id INTEGER NOT NULL,
     client_id INTEGER NOT NULL,
     order_id INTEGER NOT NULL,
     node_id INTEGER NOT NULL,
     status INTEGER NOT NULL,
     cache_status VARCHAR NOT NULL,
     origin_status INTEGER NOT NULL,
     requests BIGINT NOT NULL,
     bytes_sent BIGINT NOT NULL,
     request_bytes BIGINT NOT NULL,
     request_time DOUBLE NOT NULL,
     origin_requests BIGINT NOT NULL,
     origin_bytes BIGINT NOT NULL,
     origin_time DOUBLE NOT NULL,
     merged BOOLEAN NOT NULL
   )`,
  `CREATE TABLE IF NOT EXISTS log_position (
     node_id INTEGER NOT NULL,
     file VARCHAR NOT NULL,
     position BIGINT NOT NULL,
     broken_lines BIGINT NOT NULL,
     updated_at TIMESTAMP NOT NULL,
     PRIMARY KEY (node_id, file)
   )`,
  `CREATE TABLE IF NOT EXISTS log_coverage (
     node_id INTEGER NOT NULL PRIMARY KEY,
     first_minute TIMESTAMP NOT NULL,
     last_minute TIMESTAMP NOT NULL
   )`,
];
