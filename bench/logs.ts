/**
 * How fast batches are stored; then charts, rankings and searches over a week of traffic (Zipf over 2,000 hosts and 200,000
 * URLs), asked of the server over HTTP, against the bare best SQL on the same file; with a tenth of the rows too, for how
 * each grows. What every call costs (connection, session, a setting) is measured beside them by one that asks nothing of
 * the store; the ratios are of what a question takes above it (decision 22), `_whole` of all of it. Rows are made
 * inside DuckDB and summed up by the store's own statements. `node bench/logs.ts [ROWS]`, 20 million unless said.
 */
import { once } from 'node:events';
import { mkdtemp, rm, chmod, stat } from 'node:fs/promises';
import { Agent, request, type IncomingMessage } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { json } from 'node:stream/consumers';
import { DuckDBInstance, type DuckDBConnection } from '@duckdb/node-api';
import { migrateDatabase, openDatabase } from '../apps/server/src/db/database.ts';
import { startEmbeddedPostgres } from '../apps/server/src/db/embedded.ts';
import { addFigures } from '../apps/server/src/logs/duckdb/figures.ts';
import type { columnNames, placeColumns } from '../apps/server/src/logs/duckdb/schema.ts';
import { defaultThreads } from '../apps/server/src/logs/duckdb-log-store.ts';
import { fillPath, routes, type RouteName } from '../packages/contract/src/index.ts';
import { startWorld, type World } from '../packages/test-world/src/index.ts';
import { measureIngest } from './lib/ingest-bench.ts';
import { median, printResult } from './lib/result.ts';

const rows = Number(process.argv[2] ?? 20_000_000);
const rounds = 31;
const dayMs = 24 * 3_600_000;
/** The week before today, so that every day of it is over. */
const end = Math.floor(Date.now() / dayMs) * dayMs;
const start = end - 7 * dayMs;
const hoursPerBatch = 6;
const iso = (time: number) => new Date(time).toISOString();
const day = { start_time: iso(end - 2 * dayMs), end_time: iso(end - dayMs) };
const week = { start_time: iso(start), end_time: iso(end) };
const site = 20;

const folder = await mkdtemp(join(tmpdir(), 'breakwater-bench-'));
await chmod(folder, 0o755);
const postgres = await startEmbeddedPostgres(folder, () => {});
try {
  const database = openDatabase(postgres.url);
  await migrateDatabase(database);
  await database.close();
  // First, before the disk is busy with 20 million rows.
  const { toAppender, figures } = await measureIngest(folder);
  const small = await measure(rows / 10);
  const large = await measure(rows);
  const ratios: Record<string, number> = { ingest: toAppender };
  for (const name of Object.keys(large.bare) as Question[]) {
    ratios[name] = large.above[name] / large.bare[name];
    ratios[`${name}_whole`] = large.api[name] / large.bare[name];
    ratios[`${name}_growth`] = large.api[name] / small.api[name];
  }
  const milliseconds = (times: Record<string, number>, prefix: string) =>
    Object.fromEntries(Object.entries(times).map(([name, time]) => [`${prefix}_${name}_ms`, time]));
  printResult('logs', ratios, {
    rows,
    ...figures,
    bytes_per_row: large.bytesPerRow,
    fill_rows_per_second: Math.round(large.rowsPerSecond),
    ...milliseconds(large.api, 'api'),
    ...milliseconds(large.above, 'above'),
    ...milliseconds(large.bare, 'bare'),
    ...milliseconds(large.records, 'records'),
  });
} finally {
  await postgres.stop();
  await rm(folder, { recursive: true, force: true });
}

type Question = 'day_chart' | 'week_chart' | 'top_urls' | 'search';

async function measure(count: number) {
  const world = await startWorld({ templateUrl: postgres.url });
  try {
    await world.stopControlPlane();
    const file = join(world.dataDir, 'logs', 'logs.duckdb');
    const seconds = await fill(file, count);
    await world.startControlPlane();
    const before = performance.now();
    await world.server.services.logStore.applyRetention({ record_days: 30, rollup_days: 400 }, new Date());
    console.log(`${count} rows: filled in ${seconds.toFixed(0)} s, merged in ${since(before)} s`);
    const bytesPerRow = (await stat(file)).size / count;
    // Nothing writes any more, so the file can be read beside the store.
    const times = await withFile(file, 'READ_ONLY', async (connection) =>
      timesOf(await askApi(world), asker(connection)),
    );
    return { ...times, bytesPerRow, rowsPerSecond: count / seconds };
  } finally {
    await world.close();
  }
}

function since(before: number): string {
  return ((performance.now() - before) / 1000).toFixed(0);
}

/** Rows of a batch as the agent's lines would make them, in order of time. */
function makeBatch(from: number, count: number): string {
  const step = (hoursPerBatch * 3_600_000_000) / count;
  const columns: Partial<Record<(typeof columnNames)[number] | keyof typeof placeColumns, string>> = {
    request_id: 'md5(n::VARCHAR || moment::VARCHAR)',
    site_id: 'site::INTEGER',
    client_id: '(1 + site % 300)::INTEGER',
    order_id: '(1 + site % 500)::INTEGER',
    host: `'www' || site || '.example.com'`,
    remote_addr: `'198.' || (visitor // 65536) % 256 || '.' || (visitor // 256) % 256 || '.' || visitor % 256`,
    raw_remote_addr: `'192.0.2.1'`,
    remote_port: '50000',
    method: `'GET'`,
    scheme: `'https'`,
    protocol: `'HTTP/2.0'`,
    request_uri: `'/assets/' || page || '/image.jpg?v=' || n % 7`,
    status:
      '(CASE WHEN luck < 0.93 THEN 200 WHEN luck < 0.97 THEN 304 WHEN luck < 0.99 THEN 404 ELSE 502 END)::INTEGER',
    request_length: '(300 + n % 400)::BIGINT',
    bytes_sent: 'size',
    body_bytes_sent: 'size - 300',
    request_time: 'round(luck, 3)',
    cache_status: `CASE WHEN luck < 0.85 THEN 'HIT' ELSE 'MISS' END`,
    origin_addr: `CASE WHEN luck < 0.85 THEN '' ELSE '192.0.2.10:443' END`,
    origin_status: '(CASE WHEN luck < 0.85 THEN 0 ELSE 200 END)::INTEGER',
    origin_time: 'CASE WHEN luck < 0.85 THEN 0 ELSE 0.05 END::DOUBLE',
    origin_bytes: '(CASE WHEN luck < 0.85 THEN 0 ELSE size END)::BIGINT',
    referer: `'https://www' || site || '.example.com/page/' || page % 50`,
    user_agent: `'Mozilla/5.0 (X11; Linux x86_64) Chrome/' || 100 + n % 40`,
    content_type: `'image/jpeg'`,
    tls_version: `'TLSv1.3'`,
    decision: `''`,
    country: `CASE WHEN visitor % 3 > 0 THEN 'CN' ELSE 'US' END`,
    province: `CASE WHEN visitor % 3 > 0 THEN ['GD', 'BJ', 'SH', 'ZJ'][1 + visitor % 4] ELSE '' END`,
    carrier: `CASE WHEN visitor % 3 > 0 THEN ['telecom', 'mobile', 'unicom'][1 + visitor % 3] ELSE '' END`,
  };
  return `CREATE OR REPLACE TEMP TABLE batch AS
    SELECT 1 AS node_id, moment, ${Object.entries(columns)
      .map(([name, value]) => `${value} AS ${name}`)
      .join(', ')}
    FROM (SELECT n, make_timestamp(${from}000 + (n * ${step})::BIGINT) AS moment,
      floor(pow(2000, random()))::BIGINT AS site, floor(pow(200000, random()))::BIGINT AS page,
      floor(pow(500000, random()))::BIGINT AS visitor, random() AS luck,
      (400 + 60000 * random())::BIGINT AS size FROM range(${count}) numbers(n))`;
}

async function fill(file: string, count: number): Promise<number> {
  const before = performance.now();
  await withFile(file, 'READ_WRITE', async (connection) => {
    const batches = (7 * 24) / hoursPerBatch;
    for (let batch = 0; batch < batches; batch++) {
      await connection.run('BEGIN');
      await connection.run(makeBatch(start + batch * hoursPerBatch * 3_600_000, Math.floor(count / batches)));
      await connection.run(
        'INSERT INTO access_log BY NAME SELECT * EXCLUDE (moment), moment AS time FROM batch',
      );
      for (const statement of addFigures) await connection.run(statement);
      await connection.run('COMMIT');
    }
    await connection.run('CHECKPOINT');
  });
  return (performance.now() - before) / 1000;
}

async function withFile<Result>(
  file: string,
  access_mode: 'READ_ONLY' | 'READ_WRITE',
  work: (connection: DuckDBConnection) => Promise<Result>,
) {
  const instance = await DuckDBInstance.create(file, {
    threads: String(defaultThreads()),
    memory_limit: '1GB',
    access_mode,
  });
  const connection = await instance.connect();
  try {
    return await work(connection);
  } finally {
    connection.closeSync();
    instance.closeSync();
  }
}

type Ask = () => Promise<unknown>;
type Times = Record<Question, number>;

/**
 * The medians in milliseconds. Of each question the API and the bare statement are asked in turn, so that both meet the
 * machine in one state, and the call that asks nothing before them; the first round warms up.
 */
async function timesOf(api: Record<Question | 'call', Ask>, ask: (sql: string) => Ask) {
  const [bare, records] = [askBare(ask), askRecords(ask)];
  const medians = {
    api: {} as Times,
    above: {} as Times,
    bare: {} as Times,
    records: {} as Record<string, number>,
  };
  for (const name of Object.keys(bare) as Question[]) {
    const times = await inTurn({ call: api.call, api: api[name], bare: bare[name] });
    medians.api[name] = times.api;
    medians.above[name] = times.api - times.call;
    medians.bare[name] = times.bare;
  }
  for (const [name, question] of Object.entries(records))
    medians.records[name] = (await inTurn({ question })).question;
  return medians;
}

async function inTurn<Name extends string>(asked: Record<Name, Ask>): Promise<Record<Name, number>> {
  const entries = Object.entries(asked) as [Name, Ask][];
  const times = new Map(entries.map(([name]): [Name, number[]] => [name, []]));
  for (let round = 0; round <= rounds; round++)
    for (const [name, question] of entries) {
      const before = performance.now();
      await question();
      if (round > 0) times.get(name)!.push(performance.now() - before);
    }
  return Object.fromEntries([...times].map(([name, all]) => [name, median(all)])) as Record<Name, number>;
}

/** Over one connection that is kept, as a browser's is, by Node's leanest client: what is asked about is the server. */
async function askApi(world: World): Promise<Record<Question | 'call', Ask>> {
  const body = { username: 'admin', password: world.adminPassword };
  const { token } = await world.anonymous.get('signInAdmin', { body });
  const agent = new Agent({ keepAlive: true });
  const ask = (name: RouteName, params: Record<string, string>, query: Record<string, string | number>) => {
    const search = new URLSearchParams(
      Object.entries(query).map(([key, value]): [string, string] => [key, String(value)]),
    );
    const url = `${world.adminUrl}${fillPath(routes[name].path, params)}?${search.toString()}`;
    return async () => {
      const sent = request(url, { agent, headers: { authorization: `Bearer ${token}` } }).end();
      const [response] = (await once(sent, 'response')) as [IncomingMessage];
      const answer = await json(response);
      if (response.statusCode !== 200) throw new Error(`${url} answered ${JSON.stringify(answer)}`);
      return answer;
    };
  };
  const chart = { side: 'cdn', metric: 'bandwidth' };
  return {
    // A chart reads a setting too, for how long figures are kept.
    call: ask('getRetention', {}, {}),
    day_chart: ask('monitorMetric', chart, { ...day, site_id: site, interval: 300 }),
    week_chart: ask('monitorMetric', chart, { ...week, interval: 3600 }),
    top_urls: ask('rankUrls', { side: 'cdn' }, day),
    search: ask('listAccessLogs', {}, { ...day, site_id: site, status_code: 404 }),
  };
}

function asker(connection: DuckDBConnection): (sql: string) => Ask {
  return (sql) => async () => (await connection.runAndReadAll(sql)).getRowObjects();
}

function within({ start_time, end_time }: typeof day): string {
  return `time >= TIMESTAMP '${start_time.slice(0, 19)}' AND time < TIMESTAMP '${end_time.slice(0, 19)}'`;
}

/** The charts for somebody who has the records alone. */
function askRecords(ask: (sql: string) => Ask) {
  return {
    day_chart: ask(
      `SELECT time_bucket(INTERVAL 5 MINUTE, time) AS step, sum(bytes_sent) FROM access_log
       WHERE ${within(day)} AND site_id = ${site} GROUP BY step`,
    ),
    week_chart: ask(
      `SELECT date_trunc('hour', time) AS step, sum(bytes_sent) FROM access_log WHERE ${within(week)} GROUP BY step`,
    ),
  };
}

/** What somebody who knows the file would write by hand: charts from the smallest sums that answer. */
function askBare(ask: (sql: string) => Ask): Record<Question, Ask> {
  const found = `${within(day)} AND site_id = ${site} AND status = 404`;
  return {
    day_chart: ask(
      `SELECT time_bucket(INTERVAL 5 MINUTE, time) AS step, sum(bytes_sent) FROM figure_minute
       WHERE ${within(day)} AND site_id = ${site} GROUP BY step`,
    ),
    week_chart: ask(`SELECT time, sum(bytes_sent) FROM total_hour WHERE ${within(week)} GROUP BY time`),
    top_urls: ask(
      `SELECT host || split_part(request_uri, '?', 1) AS url, count(*) AS requests, sum(bytes_sent) FROM access_log
       WHERE ${within(day)} GROUP BY url ORDER BY requests DESC LIMIT 100`,
    ),
    search: ask(
      `SELECT *, (SELECT count(*) FROM access_log WHERE ${found}) AS total FROM access_log
       WHERE ${found} ORDER BY time DESC LIMIT 10`,
    ),
  };
}
