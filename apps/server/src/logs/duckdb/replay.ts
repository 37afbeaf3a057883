import type { AccessLogRecord } from '@breakwater/contract/access-log-record';
import {
  cleanRequestsMin,
  replayDimensions,
  replayTopMax,
  type LineColumn,
  type ReplayDimension,
} from '@breakwater/contract/rule-replay';
import type { Scope } from '../../scope.ts';
import {
  attackSection,
  freedBit,
  inOrder,
  lineOf,
  newlyBit,
  quarterSeconds,
  refusedBefore,
  robotPattern,
  robotsMax,
  samplesMax,
  samplesPerCode,
  stoppedBit,
  wellKnown,
  type LineValues,
  type ReplayCode,
  type ReplayJudge,
  type ReplayQuestion,
  type ReplayTally,
} from '../replay-question.ts';
import { type Row, type Run, timestamp, type Values } from './database.ts';
import { recordColumnList } from './schema.ts';

/**
 * Requests of the past, each kind decided once: they are grouped by what the rules read, the groups are handed out a page at a
 * time, and what came of them stands in a table beside the lines, by which they are told of. The tables are of this
 * connection alone, and gone when it is done.
 */

const groupsPerPage = 4000;
const linesPerPage = 20_000;
const shares = 10_000;

const text = (value: string) => `'${value}'`;
const kind = `split_part(decision, ' ', 1)`;

/** Each column as it is worked out of a record, and its type. */
const columns: Record<LineColumn, [expression: string, type: string]> = {
  method: ['method', 'VARCHAR'],
  scheme: ['scheme', 'VARCHAR'],
  host: ['host', 'VARCHAR'],
  protocol: ['protocol', 'VARCHAR'],
  path: [`split_part(request_uri, '?', 1)`, 'VARCHAR'],
  request_uri: ['request_uri', 'VARCHAR'],
  remote_addr: ['remote_addr', 'VARCHAR'],
  raw_remote_addr: ['raw_remote_addr', 'VARCHAR'],
  remote_port: ['remote_port', 'INTEGER'],
  referer: ['referer', 'VARCHAR'],
  user_agent: ['user_agent', 'VARCHAR'],
  tls_version: ['tls_version', 'VARCHAR'],
  ja4: [`coalesce(ja4, '')`, 'VARCHAR'],
  country: [`coalesce(country, '')`, 'VARCHAR'],
  province: [`coalesce(province, '')`, 'VARCHAR'],
  carrier: [`coalesce(carrier, '')`, 'VARCHAR'],
  asn: ['coalesce(asn, 0)', 'BIGINT'],
  robot_addr: [
    `CASE WHEN regexp_matches(lower(user_agent), ${text(robotPattern)}) THEN remote_addr ELSE '' END`,
    'VARCHAR',
  ],
  quarter: [`(epoch_ms(time) // ${quarterSeconds * 1000})`, 'BIGINT'],
  minute: ['(epoch_ms(time) // 60000)', 'BIGINT'],
  node_id: ['node_id', 'INTEGER'],
  refused_by: [
    `CASE WHEN ${kind} IN (${refusedBefore.map(text).join(', ')}) THEN ${kind} ELSE '' END`,
    'VARCHAR',
  ],
  own_target: [
    `CASE WHEN starts_with(request_uri, ${text(wellKnown)}) THEN request_uri ELSE '' END`,
    'VARCHAR',
  ],
  attack_noted: [`contains(waf, ${text(attackSection)})`, 'BOOLEAN'],
  answer_status: [`CASE WHEN decision = '' THEN status ELSE 0 END`, 'INTEGER'],
  answer_cache: [`CASE WHEN decision = '' THEN cache_status ELSE '' END`, 'VARCHAR'],
};

/** What each dimension is called by. */
const dimensions: Record<ReplayDimension, string> = {
  country: 'country',
  path: 'path',
  client: 'client_id::VARCHAR',
  site: 'site_id::VARCHAR',
  user_agent: 'user_agent',
  address: 'remote_addr',
};

const has = (bit: number) => `(code & ${bit}) > 0`;
const stops = `count(*) FILTER (${has(stoppedBit)}) AS stopped, count(*) FILTER (${has(newlyBit)}) AS newly,
  count(*) FILTER (${has(freedBit)}) AS freed`;

interface Asked {
  run: Run;
  question: ReplayQuestion;
  judge: ReplayJudge;
  /** Which lines, and what stands in there. */
  where: string;
  values: Values;
}

export async function replayRecords(
  run: Run,
  scope: Scope,
  question: ReplayQuestion,
  judge: ReplayJudge,
): Promise<ReplayTally> {
  const all = whereOf(scope, question);
  const [counted] = await run(`SELECT count(*) AS total FROM access_log ${all.where}`, all.values);
  const total = Number(counted?.total ?? 0);
  // All requests of a visitor or none, so that what is counted by visitor is right.
  const share = total <= question.linesMax ? shares : Math.floor((question.linesMax / total) * shares);
  const some = share < shares ? ` AND hash(remote_addr) % ${shares} < ${share}` : '';
  const asked: Asked = { run, question, judge, where: all.where + some, values: all.values };
  const read = await group(asked);
  judge.begin({ total, read });
  const hasOrder = await judgeGroups(asked);
  if (hasOrder) await judgeLines(asked);
  await gatherHits(asked, hasOrder);
  const tally = { total, read, ...(await tallied(asked)) };
  for (const table of ['group', 'code', 'line', 'hit']) await run(`DROP TABLE IF EXISTS replay_${table}`);
  return tally;
}

function whereOf(scope: Scope, { start, end, sites }: ReplayQuestion): { where: string; values: Values } {
  const parts = ['time >= $start', 'time < $end', among('site_id', sites)];
  if (scope.clients !== 'all') parts.push(among('client_id', scope.clients));
  if (scope.sites !== undefined) parts.push(among('site_id', scope.sites));
  return {
    where: `WHERE ${parts.join(' AND ')}`,
    values: { start: timestamp(start), end: timestamp(end) },
  };
}

/** Ids are whole numbers of ours. */
const among = (column: string, ids: readonly number[]): string =>
  ids.length === 0 ? 'false' : `${column} IN (${ids.map((id) => Math.trunc(id)).join(', ')})`;

/** Answers with how many lines the groups stand for. */
async function group({ run, question, where, values }: Asked): Promise<number> {
  const named = question.columns.map((name) => [name, ...columns[name]] as const);
  await run(`CREATE OR REPLACE TEMP TABLE replay_group (id INTEGER, site_id INTEGER,
    ${named.map(([name, , type]) => `${name} ${type}, `).join('')} requests BIGINT)`);
  await run(`CREATE OR REPLACE TEMP TABLE replay_code (id INTEGER, code INTEGER)`);
  await run(
    `INSERT INTO replay_group SELECT row_number() OVER ()::INTEGER, * FROM (
       SELECT site_id, ${named.map(([name, expression]) => `${expression} AS c_${name}, `).join('')} count(*)
       FROM access_log ${where} GROUP BY ALL)`,
    values,
  );
  await run(`DELETE FROM replay_group WHERE id > ${question.groupsMax}`);
  const [counted] = await run('SELECT coalesce(sum(requests), 0)::BIGINT AS read FROM replay_group');
  return Number(counted?.read ?? 0);
}

/** Whether some depend on what came before them. */
async function judgeGroups({ run, judge }: Asked): Promise<boolean> {
  let hasOrder = false;
  for (let from = 0; ; from += groupsPerPage) {
    const rows = await run(
      `SELECT * FROM replay_group WHERE id > ${from} AND id <= ${from + groupsPerPage} ORDER BY id`,
    );
    if (rows.length === 0) return hasOrder;
    const codes = await judge.groups(rows.map(groupOf));
    hasOrder ||= codes.includes(inOrder);
    await keepCodes(
      run,
      'replay_code',
      rows.map(({ id }) => Number(id)),
      codes,
    );
  }
}

const groupOf = (row: Row) => ({
  id: Number(row.id),
  siteId: Number(row.site_id),
  nodeId: Number(row.node_id ?? 0),
  requests: Number(row.requests),
  line: lineOf(row as LineValues),
});

async function keepCodes(
  run: Run,
  table: string,
  ids: readonly number[],
  codes: readonly ReplayCode[],
): Promise<void> {
  const kept = codes.flatMap((code, index) => (code === 0 ? [] : [index]));
  if (kept.length === 0) return;
  const list = (numbers: readonly number[]) => kept.map((index) => numbers[index]).join();
  await run(
    `INSERT INTO ${table} SELECT unnest(string_split($ids, ','))::BIGINT, unnest(string_split($codes, ','))::INTEGER`,
    { ids: list(ids), codes: list(codes) },
  );
}

/** The lines with what made their groups, and the join with these. */
const withGroups = ({ question, where }: Asked): { lines: string; ofGroup: string } => {
  const names = question.columns;
  const made = names.map((name) => `, ${columns[name][0]} AS c_${name}`).join('');
  return {
    lines: `(SELECT *, rowid${made} FROM access_log ${where}) l`,
    ofGroup: ['l.site_id = g.site_id', ...names.map((name) => `l.c_${name} = g.${name}`)].join(' AND '),
  };
};

/** Lines whose group depends on the order, from the oldest on. */
async function judgeLines(asked: Asked): Promise<void> {
  const { run, judge, values } = asked;
  const { lines, ofGroup } = withGroups(asked);
  await run(
    'CREATE OR REPLACE TEMP TABLE replay_line (place INTEGER, line BIGINT, id INTEGER, began BIGINT)',
  );
  await run(
    `INSERT INTO replay_line SELECT row_number() OVER (ORDER BY began, request_id)::INTEGER, line, id, began FROM (
       SELECT l.rowid AS line, g.id, l.request_id,
         (epoch_us(l.time) - (l.request_time * 1000000)::BIGINT) AS began
       FROM ${lines} JOIN replay_group g ON ${ofGroup}
       JOIN replay_code c ON c.id = g.id AND c.code = ${inOrder})`,
    values,
  );
  await run('CREATE OR REPLACE TEMP TABLE replay_line_code (line BIGINT, code INTEGER)');
  for (let from = 0; ; from += linesPerPage) {
    const rows = await run(
      `SELECT line, id, began FROM replay_line WHERE place > ${from} AND place <= ${from + linesPerPage} ORDER BY place`,
    );
    if (rows.length === 0) return;
    const codes = await judge.lines(rows.map(({ id, began }) => ({ group: Number(id), at: Number(began) })));
    const places = rows.map(({ line }) => Number(line));
    await keepCodes(run, 'replay_line_code', places, codes);
  }
}

/** Every line of which there is something to tell. */
async function gatherHits(asked: Asked, hasOrder: boolean): Promise<void> {
  const { run, values } = asked;
  const { lines, ofGroup } = withGroups(asked);
  const shown = `l.request_id, l.site_id, l.client_id, coalesce(l.country, '') AS country,
    split_part(l.request_uri, '?', 1) AS path, l.user_agent, l.remote_addr, epoch_ms(l.time) AS ended`;
  await run(`CREATE OR REPLACE TEMP TABLE replay_hit (code INTEGER, request_id VARCHAR, site_id INTEGER,
    client_id INTEGER, country VARCHAR, path VARCHAR, user_agent VARCHAR, remote_addr VARCHAR, ended BIGINT)`);
  await run(
    `INSERT INTO replay_hit SELECT c.code, ${shown} FROM ${lines}
     JOIN (replay_group g JOIN replay_code c ON c.id = g.id AND c.code > 0) ON ${ofGroup}`,
    values,
  );
  if (!hasOrder) return;
  await run(
    `INSERT INTO replay_hit SELECT c.code, ${shown} FROM ${lines} JOIN replay_line_code c ON c.line = l.rowid`,
    values,
  );
  await run('DROP TABLE replay_line_code');
}

async function tallied(asked: Asked): Promise<Omit<ReplayTally, 'total' | 'read'>> {
  const { run } = asked;
  const by = {} as ReplayTally['by'];
  for (const dimension of replayDimensions) {
    const rows = await run(
      `SELECT ${dimensions[dimension]} AS value, ${stops} FROM replay_hit WHERE code >= ${stoppedBit}
       GROUP BY 1 ORDER BY newly DESC, stopped DESC, freed DESC, 1 LIMIT ${replayTopMax}`,
    );
    by[dimension] = rows.map((row) => ({ value: String(row.value), ...stopsOf(row) }));
  }
  return {
    by,
    series: await readSeries(asked),
    samples: await readSamples(asked),
    robots: await readRobots(run),
    clean: await readClean(asked),
  };
}

const stopsOf = ({ stopped, newly, freed }: Row) => ({
  stopped: Number(stopped),
  newly: Number(newly),
  freed: Number(freed),
});

async function readSeries({ run, question, where, values }: Asked): Promise<ReplayTally['series']> {
  const { start, step } = question;
  const stepOf = (time: string) => `((${time} - ${start}) // ${step})::INTEGER`;
  const rows = await run(
    `SELECT n.step, n.requests, coalesce(h.stopped, 0) AS stopped, coalesce(h.newly, 0) AS newly,
       coalesce(h.freed, 0) AS freed
     FROM (SELECT ${stepOf('epoch_ms(time)')} AS step, count(*) AS requests FROM access_log ${where} GROUP BY 1) n
     LEFT JOIN (SELECT ${stepOf('ended')} AS step, ${stops} FROM replay_hit GROUP BY 1) h ON h.step = n.step
     ORDER BY n.step`,
    values,
  );
  return rows.map((row) => ({
    time: start + Number(row.step) * step,
    requests: Number(row.requests),
    ...stopsOf(row),
  }));
}

async function readSamples({ run, where, values }: Asked): Promise<ReplayTally['samples']> {
  const rows = await run(
    `SELECT code, node_id, ${recordColumnList} FROM
       (SELECT code, request_id FROM replay_hit
        QUALIFY row_number() OVER (PARTITION BY code ORDER BY hash(request_id)) <= ${samplesPerCode}
        ORDER BY code DESC LIMIT ${samplesMax}) h
     JOIN (SELECT * FROM access_log ${where}) l USING (request_id) ORDER BY code DESC, time DESC`,
    values,
  );
  return rows.map(({ code, ...record }) => ({
    code: Number(code),
    record: record as unknown as AccessLogRecord,
  }));
}

async function readRobots(run: Run): Promise<ReplayTally['robots']> {
  const rows = await run(
    `SELECT user_agent, remote_addr, count(*) AS requests FROM replay_hit
     WHERE ${has(newlyBit)} AND regexp_matches(lower(user_agent), ${text(robotPattern)})
     GROUP BY 1, 2 ORDER BY 3 DESC, 1, 2 LIMIT ${robotsMax}`,
  );
  return rows.map(({ user_agent, remote_addr, requests }) => ({
    user_agent: String(user_agent),
    remote_addr: String(remote_addr),
    requests: Number(requests),
  }));
}

async function readClean({ run, where, values }: Asked): Promise<ReplayTally['clean']> {
  const [row] = await run(
    `WITH hit AS (SELECT remote_addr, count(*) AS requests FROM replay_hit WHERE ${has(newlyBit)} GROUP BY 1),
       seen AS (SELECT remote_addr FROM access_log ${where} AND remote_addr IN (SELECT remote_addr FROM hit)
         GROUP BY 1 HAVING count(*) >= ${cleanRequestsMin} AND bool_and(status < 400 AND decision = ''))
     SELECT count(*) AS visitors, coalesce(sum(requests), 0)::BIGINT AS requests FROM hit SEMI JOIN seen USING (remote_addr)`,
    values,
  );
  return { visitors: Number(row?.visitors ?? 0), requests: Number(row?.requests ?? 0) };
}
