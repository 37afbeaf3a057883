import {
  type FigureColumn,
  type FigureKey,
  figureNames,
  type FigureTable,
  type FigureTableName,
  figureTables,
  hitStates,
  secondsKeptMs,
} from '../figure-tables.ts';

/** How the sums are kept here, and how they are counted from lines. */

const hits = `cache_status IN (${hitStates.map((state) => `'${state}'`).join(', ')})`;
const statusClass = (column: string, hundreds: number) =>
  ({ type: 'BIGINT', of: `count(*) FILTER (${column} // 100 = ${hundreds})` }) as const;

/** Each column of the sums, and how it is counted from lines. */
const figureColumns = {
  requests: { type: 'BIGINT', of: 'count(*)' },
  bytes_sent: { type: 'BIGINT', of: 'sum(bytes_sent)' },
  request_time: { type: 'DOUBLE', of: 'sum(request_time)' },
  hit_bytes: { type: 'BIGINT', of: `coalesce(sum(bytes_sent) FILTER (${hits}), 0)` },
  status_2xx: statusClass('status', 2),
  status_3xx: statusClass('status', 3),
  status_4xx: statusClass('status', 4),
  status_5xx: statusClass('status', 5),
  refused: { type: 'BIGINT', of: `count(*) FILTER (decision <> '')` },
  origin_requests: { type: 'BIGINT', of: `count(*) FILTER (origin_addr <> '')` },
  origin_bytes: { type: 'BIGINT', of: 'sum(origin_bytes)' },
  origin_time: { type: 'DOUBLE', of: 'sum(origin_time)' },
  origin_2xx: statusClass('origin_status', 2),
  origin_3xx: statusClass('origin_status', 3),
  origin_4xx: statusClass('origin_status', 4),
  origin_5xx: statusClass('origin_status', 5),
} as const satisfies Record<FigureColumn, { type: 'BIGINT' | 'DOUBLE'; of: string }>;

const keyTypes = {
  site_id: 'INTEGER',
  client_id: 'INTEGER',
  order_id: 'INTEGER',
  node_id: 'INTEGER',
  host: 'VARCHAR',
  remote_addr: 'VARCHAR',
  country: 'VARCHAR',
  province: 'VARCHAR',
  carrier: 'VARCHAR',
} as const satisfies Record<FigureKey, string>;
export const figureTableNames = Object.keys(figureTables) as FigureTableName[];

const columnsOf = ({ keys, sums }: FigureTable): string[] => [
  'time TIMESTAMP',
  ...keys.map((key) => `${key} ${keyTypes[key]}`),
  ...(sums ? figureNames.map((name) => `${name} ${figureColumns[name].type}`) : []),
  // 0: as it came, there may be more of the same key; 1: one row a key; 2: and in order of site within a day.
  'merged UTINYINT',
];

/** Several rows may carry the same key until they are merged; every reader sums, so it sees no difference. */
export const createFigureTables = figureTableNames.map(
  (name) =>
    `CREATE TABLE IF NOT EXISTS ${name} (${columnsOf(figureTables[name])
      .map((column) => `${column} NOT NULL`)
      .join(', ')})`,
);

/** `time, site_id, …`: what makes a row of the table one of its kind. */
export const keysOf = (name: FigureTableName): string => ['time', ...figureTables[name].keys].join(', ');

/** The sums of rows as columns of the same names, or nothing. */
export const summedColumns = (name: FigureTableName): string =>
  figureTables[name].sums
    ? figureNames.map((column) => `, sum(${column})::${figureColumns[column].type} AS ${column}`).join('')
    : '';

/** Where the host says nothing that can be told apart from noise: requests to no site of ours. */
const hostOfLine = `CASE WHEN site_id = 0 THEN '' ELSE host END`;
const detailOfLine = `site_id, client_id, order_id, node_id, ${hostOfLine} AS host`;
const placeOfLine = `${detailOfLine}, country, province, carrier`;
const sumsOfLines = figureNames.map((name) => `${figureColumns[name].of} AS ${name}`).join(', ');
const fromMinutes = (name: FigureTableName, unit: 'minute' | 'hour') =>
  `INSERT INTO ${name} SELECT date_trunc('${unit}', time) AS time, ${figureTables[name].keys.join(', ')}
     ${summedColumns(name)}, 0 FROM batch_minute GROUP BY ALL`;

/** Statements that add the lines of the table `batch`, of which `moment` is the time, to all sums. */
export const addFigures: readonly string[] = [
  `CREATE OR REPLACE TEMP TABLE batch_minute AS
     SELECT date_trunc('minute', moment) AS time, ${detailOfLine}, ${sumsOfLines}
     FROM batch GROUP BY ALL`,
  `INSERT INTO figure_minute SELECT *, 0 FROM batch_minute`,
  fromMinutes('figure_hour', 'hour'),
  fromMinutes('total_minute', 'minute'),
  fromMinutes('total_hour', 'hour'),
  `INSERT INTO figure_second
     SELECT date_trunc('second', moment), ${detailOfLine}, ${sumsOfLines}, 0
     FROM batch
     WHERE moment > make_timestamp(epoch_us(now())) - INTERVAL ${secondsKeptMs} MILLISECOND
     GROUP BY ALL`,
  `INSERT INTO place_hour
     SELECT date_trunc('hour', moment), ${placeOfLine}, ${sumsOfLines}, 0 FROM batch GROUP BY ALL`,
  `INSERT INTO visitor_hour
     SELECT DISTINCT date_trunc('hour', moment), ${placeOfLine}, remote_addr, 0
     FROM batch`,
];

/** Figures of releases that kept one table of them, by status and cache state. */
export const takeOverRollups: readonly string[] = [
  `INSERT INTO figure_minute
     SELECT minute, site_id, client_id, order_id, node_id, '', sum(requests), sum(bytes_sent), sum(request_time),
       coalesce(sum(bytes_sent) FILTER (${hits}), 0), ${oldClasses('status', 'requests')}, 0,
       sum(origin_requests), sum(origin_bytes), sum(origin_time), ${oldClasses('origin_status', 'origin_requests')}, 0
     FROM rollup_minute GROUP BY ALL`,
  ...(['figure_hour', 'total_minute', 'total_hour'] as const).map(
    (name) => `INSERT INTO ${name} SELECT date_trunc('${figureTables[name].unit}', time) AS time,
       ${figureTables[name].keys.join(', ')} ${summedColumns(name)}, 0 FROM figure_minute GROUP BY ALL`,
  ),
  'DROP TABLE rollup_minute',
];

function oldClasses(status: string, count: string): string {
  return [2, 3, 4, 5]
    .map((hundreds) => `coalesce(sum(${count}) FILTER (${status} // 100 = ${hundreds}), 0)`)
    .join(', ');
}
