import { setImmediate } from 'node:timers/promises';
import type { AccessLogRecord } from '@breakwater/contract/access-log-record';
import type { Scope } from '../../scope.ts';
import {
  inOrder,
  lineOf,
  valueOf,
  type LineValues,
  type ReplayCode,
  type ReplayGroup,
  type ReplayJudge,
  type ReplayQuestion,
  type ReplayTally,
  samplesMax,
  samplesPerCode,
} from '../replay-question.ts';
import { type HitLine, tallyHits } from '../replay-tally.ts';
import { laterDefaults, type StoredRecord } from './line.ts';
import { ask, scopeFilters, type Query, type Source } from './question.ts';

/** Requests of the past out of a store that others keep: they are read and grouped here, so there is a bound to it. */

const linesMax = 200_000;
const linesPerPage = 5000;
const groupsPerTurn = 4000;
/** Where there are too many lines, parts of the stretch are read, spread over all of it. */
const windows = 100;

const fields = [
  'time',
  'request_id',
  'request_time',
  'site_id',
  'client_id',
  'node_id',
  'host',
  'remote_addr',
  'raw_remote_addr',
  'remote_port',
  'method',
  'scheme',
  'protocol',
  'request_uri',
  'status',
  'cache_status',
  'referer',
  'user_agent',
  'tls_version',
  'ja4',
  'decision',
  'waf',
  'country',
  'province',
  'carrier',
  'asn',
] as const;

interface Read {
  groups: ReplayGroup[];
  lines: (HitLine & { group: number; began: number })[];
}

export async function replayRecords(
  source: Source,
  scope: Scope,
  question: ReplayQuestion,
  judge: ReplayJudge,
): Promise<ReplayTally> {
  const indices = source.names.recordsIn(question.start, question.end);
  const most = Math.min(question.linesMax, linesMax);
  const all = queryOf(scope, question, 1);
  const counted = await ask(source, indices, { size: 0, query: all, track_total_hits: true });
  const total = counted.hits.total?.value ?? 0;
  const query = total <= most ? all : queryOf(scope, question, most / total);
  const { groups, lines } = await readLines(source, indices, query, { ...question, linesMax: most });
  judge.begin({ total, read: lines.length });
  const codes: ReplayCode[] = [];
  for (let from = 0; from < groups.length; from += groupsPerTurn)
    codes.push(...(await judge.groups(groups.slice(from, from + groupsPerTurn))));
  for (const line of lines) line.code = codes[line.group]!;
  const ordered = lines
    .filter(({ code }) => code === inOrder)
    .toSorted((one, other) => one.began - other.began);
  for (let from = 0; from < ordered.length; from += groupsPerTurn) {
    const some = ordered.slice(from, from + groupsPerTurn);
    const found = await judge.lines(some.map(({ group, began }) => ({ group, at: began })));
    for (const [index, line] of some.entries()) line.code = found[index]!;
  }
  source.signal?.throwIfAborted();
  const tally = await tallyHits(lines, question);
  return { total, read: lines.length, ...tally, samples: await readSamples(source, indices, query, lines) };
}

function queryOf(scope: Scope, { start, end, sites }: ReplayQuestion, share: number): Query {
  const within = (from: number, to: number): Query => ({
    range: { time: { gte: from, lt: to, format: 'epoch_millis' } },
  });
  const filter: Query[] = [
    { term: { recorded: true } },
    { terms: { site_id: [...sites] } },
    ...scopeFilters(scope),
    within(start, end),
  ];
  if (share < 1) {
    const length = (end - start) / windows;
    const some = Array.from({ length: windows }, (_, index) => {
      const from = Math.floor(start + index * length);
      return within(from, Math.max(from + 1, Math.floor(from + length * share)));
    });
    filter.push({ bool: { should: some, minimum_should_match: 1 } });
  }
  return { bool: { filter } };
}

async function readLines(
  source: Source,
  indices: string,
  query: Query,
  question: ReplayQuestion,
): Promise<Read> {
  const read: Read = { groups: [], lines: [] };
  const known = new Map<string, number>();
  const sort = [{ time: 'asc' }, { request_id: 'asc' }];
  for (let after: unknown[] | undefined; read.lines.length < question.linesMax;) {
    const size = Math.min(linesPerPage, question.linesMax - read.lines.length);
    const page = { query, sort, size, _source: fields, track_total_hits: false };
    const { hits } = await ask<StoredRecord>(
      source,
      indices,
      after ? { ...page, search_after: after } : page,
    );
    for (const { _source } of hits.hits) addLine(read, known, { ...laterDefaults, ..._source }, question);
    if (hits.hits.length < size) break;
    after = hits.hits.at(-1)?.sort;
    // Each page is some milliseconds of work: whoever else is asking has a turn.
    await setImmediate();
  }
  return read;
}

function addLine(
  { groups, lines }: Read,
  known: Map<string, number>,
  record: AccessLogRecord,
  { columns, groupsMax }: ReplayQuestion,
): void {
  const values: LineValues = {};
  for (const column of columns) values[column] = valueOf(record, column);
  const key = JSON.stringify([record.site_id, ...Object.values(values)]);
  let group = known.get(key);
  if (group === undefined) {
    if (groups.length >= groupsMax) return;
    group = groups.length;
    known.set(key, group);
    groups.push({
      id: group,
      siteId: record.site_id,
      nodeId: record.node_id,
      requests: 0,
      line: lineOf(values),
    });
  }
  groups[group]!.requests += 1;
  const ended = Date.parse(record.time);
  lines.push({
    code: 0,
    group,
    at: ended,
    began: ended * 1000 - Math.round(record.request_time * 1_000_000),
    request_id: record.request_id,
    site: record.site_id,
    client: record.client_id,
    country: record.country,
    path: record.request_uri.split('?', 1)[0] ?? '',
    user_agent: record.user_agent,
    address: record.remote_addr,
    isClean: record.status < 400 && record.decision === '',
  });
}

async function readSamples(
  source: Source,
  indices: string,
  query: Query,
  lines: readonly HitLine[],
): Promise<ReplayTally['samples']> {
  const chosen = new Map<string, ReplayCode>();
  const seen = new Map<ReplayCode, number>();
  for (const { code, request_id } of lines) {
    const before = seen.get(code) ?? 0;
    if (code <= 0 || before >= samplesPerCode || chosen.size >= samplesMax) continue;
    seen.set(code, before + 1);
    chosen.set(request_id, code);
  }
  if (chosen.size === 0) return [];
  const only = { bool: { filter: [query, { terms: { request_id: [...chosen.keys()] } }] } };
  const { hits } = await ask<StoredRecord>(source, indices, {
    query: only,
    sort: [{ time: 'desc' }],
    size: samplesMax,
    track_total_hits: false,
  });
  return hits.hits
    .map(({ _source }) => ({
      code: chosen.get(_source.request_id)!,
      record: { ...laterDefaults, ..._source } as AccessLogRecord,
    }))
    .toSorted((one, other) => other.code - one.code);
}
