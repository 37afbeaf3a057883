import type { AccessLogLine } from '@breakwater/contract/access-log';
import { createFigureTables, takeOverRollups } from './figures.ts';

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
  cache_reason: 'VARCHAR',
  waf: 'VARCHAR',
  waf_part: 'VARCHAR',
  waf_tags: 'VARCHAR',
  ja4: 'VARCHAR',
} as const satisfies Record<keyof AccessLogLine, string>;

/** Where the visitor's address is and whose network it belongs to: known when the line is stored. */
export const placeColumns = {
  country: 'VARCHAR',
  province: 'VARCHAR',
  carrier: 'VARCHAR',
  asn: 'BIGINT',
} as const;
const typeOfPlace = (type: string): string => (type === 'BIGINT' ? 'BIGINT DEFAULT 0' : `VARCHAR DEFAULT ''`);

export const columnNames = Object.keys(lineColumns) as (keyof AccessLogLine)[];
/** Fields that came later, and what stands for them where a line or a file is older. */
export const laterColumns = {
  raw_remote_addr: "''",
  decision: "''",
  cache_reason: "''",
  waf: "''",
  waf_part: "''",
  waf_tags: "''",
  ja4: "''",
} as const;
export const recordColumnList = [...columnNames, ...Object.keys(placeColumns)].join(', ');

/**
 * All times are UTC. There are no indexes beyond the two small tables: rows arrive about in time order, so DuckDB's
 * minimum and maximum per block of rows already lead a search by time to the few blocks it needs.
 */
export const schema = [
  `CREATE TABLE IF NOT EXISTS access_log (
     node_id INTEGER NOT NULL,
     ${columnNames.map((name) => `${name} ${lineColumns[name]} NOT NULL`).join(',\n     ')},
     ${Object.entries(placeColumns)
       .map(([name, type]) => `${name} ${typeOfPlace(type)}`)
       .join(', ')}
   )`,
  ...Object.entries(laterColumns).map(
    ([name, value]) =>
      `ALTER TABLE access_log ADD COLUMN IF NOT EXISTS ${name} ${lineColumns[name as keyof typeof laterColumns]} DEFAULT ${value}`,
  ),
  ...Object.entries(placeColumns).map(
    ([name, type]) => `ALTER TABLE access_log ADD COLUMN IF NOT EXISTS ${name} ${typeOfPlace(type)}`,
  ),
  ...createFigureTables,
  `CREATE TABLE IF NOT EXISTS log_position (
     node_id INTEGER NOT NULL,
     file VARCHAR NOT NULL,
     position BIGINT NOT NULL,
     broken_lines BIGINT NOT NULL,
     updated_at TIMESTAMP NOT NULL,
     PRIMARY KEY (node_id, file)
   )`,
  `CREATE TABLE IF NOT EXISTS log_covered (
     node_id INTEGER NOT NULL,
     first TIMESTAMP NOT NULL,
     last TIMESTAMP NOT NULL
   )`,
];

/** What files of earlier releases have instead, by the table that is gone when it is done. */
export const takeOver: Readonly<Record<string, readonly string[]>> = {
  rollup_minute: takeOverRollups,
  log_coverage: [
    'INSERT INTO log_covered SELECT node_id, first_minute, last_minute FROM log_coverage',
    'DROP TABLE log_coverage',
  ],
};
