import type { ConditionGroup, ConditionLeaf } from '@breakwater/contract/condition';
import type { ConditionFieldName } from '@breakwater/contract/condition-fields';
import type { LineColumn } from '@breakwater/contract/rule-replay';
import type { AddressLookups } from '../conditions/address-fact.ts';
import { isContentField } from '../conditions/content-facts.ts';
import type { DescribedRequest } from '../conditions/request-facts.ts';

/** What a line of the access log tells of the request that it is about, and what it does not. */

/** Columns that nobody asked for are empty, and 0. */
export interface ReplayLine {
  method: string;
  scheme: string;
  host: string;
  protocol: string;
  /** Path and query, or the path alone where nobody asks for more. */
  target: string;
  remote_addr: string;
  raw_remote_addr: string;
  remote_port: number;
  referer: string;
  user_agent: string;
  tls_version: string;
  ja4: string;
  country: string;
  province: string;
  carrier: string;
  asn: number;
  /** Seconds since 1970, as exactly as it was asked for. */
  time: number;
  /** What kept it from the site before anything that is replayed was asked; empty: nothing. */
  refused_by: string;
  /** Of paths below `/.well-known/` the target; else empty. */
  own_target: string;
  /** System rules found something in it then, wherever in the request. */
  attack_noted: boolean;
  /** 0, and empty: a rule decided then, so that nobody knows what the site would have answered. */
  answer_status: number;
  answer_cache: string;
}

/** What a site leaves out of its lines. */
export interface LogContents {
  referer: boolean;
  user_agent: boolean;
  query: boolean;
  /** Arguments whose values are masked. */
  masked: readonly string[];
}

/** The columns from which a field is told. */
const columns: { [Field in ConditionFieldName]?: LineColumn[] } = {
  method: ['method'],
  scheme: ['scheme'],
  host: ['host'],
  path: ['path'],
  extension: ['path'],
  uri: ['request_uri'],
  query: ['request_uri'],
  argument: ['request_uri'],
  argument_names: ['request_uri'],
  user_agent: ['user_agent'],
  referer: ['referer'],
  referer_host: ['referer'],
  http_version: ['protocol'],
  ip: ['remote_addr'],
  socket_ip: ['raw_remote_addr'],
  client_port: ['remote_port'],
  tls_version: ['tls_version'],
  // A line of a site that does not log it has none.
  ja4: ['ja4', 'scheme', 'protocol'],
  country: ['country'],
  province: ['province'],
  carrier: ['carrier'],
  asn: ['asn'],
  address_list: ['remote_addr'],
  verified_robot: ['user_agent', 'robot_addr'],
  false_robot: ['user_agent', 'robot_addr'],
  hour: ['quarter'],
  weekday: ['quarter'],
  date: ['quarter'],
  time_of_day: ['minute'],
  tags: [],
  response_status: ['answer_status'],
  response_cache: ['answer_cache'],
};

/** The header fields that lines have. */
const headers: Record<string, LineColumn> = { 'user-agent': 'user_agent', referer: 'referer', host: 'host' };

/** Which columns tell it; nothing: no line does. */
export function columnsOf(
  field: ConditionFieldName,
  name: string,
  log: LogContents,
): LineColumn[] | undefined {
  if (field === 'header') {
    const column = headers[name.toLowerCase()];
    return column === undefined || !isKept(column, log) ? undefined : [column];
  }
  const found = columns[field];
  if (found === undefined) return undefined;
  if (field === 'argument')
    for (const masked of log.masked) if (masked === name.toLowerCase()) return undefined;
  for (const column of found) if (!isKept(column, log)) return undefined;
  return found;
}

function isKept(column: LineColumn, log: LogContents): boolean {
  if (column === 'referer') return log.referer;
  if (column === 'user_agent') return log.user_agent;
  return column !== 'request_uri' || log.query;
}

/** The field as it is named to people: `header.x-a`. */
const nameOfField = ({ field, name }: Pick<ConditionLeaf, 'field' | 'name'>): string =>
  name === undefined || name === '' ? field : `${field}.${name}`;

/** What a condition reads: columns, and the first field that no line tells. */
export interface Reads {
  columns: { [Column in LineColumn]?: true };
  unlogged: string | undefined;
  robots: boolean;
  tags: boolean;
}

export const noReads = (): Reads => ({ columns: {}, unlogged: undefined, robots: false, tags: false });

const isGroup = (item: ConditionLeaf | ConditionGroup): item is ConditionGroup =>
  (item as Partial<ConditionGroup>).items !== undefined;

export function readCondition(reads: Reads, condition: ConditionGroup, log: LogContents): void {
  for (const item of condition.items) {
    if (isGroup(item)) {
      readCondition(reads, item, log);
      continue;
    }
    const found = columnsOf(item.field, item.name ?? '', log);
    if (found === undefined) reads.unlogged ??= nameOfField(item);
    else for (const column of found) reads.columns[column] = true;
    if (isSometimesLogged(item.field)) reads.unlogged ??= item.field;
    if (isContentField(item.field)) reads.columns.method = true;
    if (item.field === 'tags') reads.tags = true;
    if (item.field === 'verified_robot' || item.field === 'false_robot') reads.robots = true;
  }
}

/** Lines without one leave open whether there was one. */
const isSometimesLogged = (field: ConditionFieldName): boolean =>
  field === 'ja4' || field === 'response_status' || field === 'response_cache';

const always: ConditionGroup = { match: 'all', negated: false, items: [] };
const never: ConditionGroup = { match: 'any', negated: false, items: [] };

/**
 * The condition as it would be if every test of what is not logged went one way: the way that makes it hold (`holds`), or
 * the other. A request that suits both, or neither, is decided whatever the request carried.
 */
export function bounded(condition: ConditionGroup, log: LogContents, holds: boolean): ConditionGroup {
  const items: ConditionGroup['items'] = [];
  const inner = condition.negated ? !holds : holds;
  for (const item of condition.items) {
    if (isGroup(item)) items.push(bounded(item, log, inner));
    else if (item.field === 'ja4') items.push(boundedJa4(item, inner));
    else if (isSometimesLogged(item.field)) items.push(boundedAnswer(item, inner));
    else if (columnsOf(item.field, item.name ?? '', log) !== undefined) items.push(item);
    else items.push(isContentField(item.field) ? boundedContent(item, inner) : inner ? always : never);
  }
  return { ...condition, items };
}

/** Requests of these methods are taken to carry nothing, so a test of what they carry is known to fail, or to hold if it is turned round. */
const withoutContent = ['GET', 'HEAD', 'OPTIONS'];

function boundedContent({ operator, negated }: ConditionLeaf, holds: boolean): ConditionGroup {
  const holdsWithout = (operator === 'is_empty') !== negated;
  if (holdsWithout === holds) return holds ? always : never;
  const items: ConditionLeaf[] = [
    { field: 'method', operator: 'equals', values: withoutContent, negated: holds, ignore_case: false },
  ];
  return { match: 'all', negated: false, items };
}

/** Of a request that was refused then the line has no answer of the site's. */
function boundedAnswer(item: ConditionLeaf, holds: boolean): ConditionGroup {
  const { field } = item;
  const isThere: ConditionLeaf = {
    field,
    operator: 'exists',
    values: [],
    negated: holds,
    ignore_case: false,
  };
  return { match: holds ? 'any' : 'all', negated: false, items: [isThere, item] };
}

/** A line without one is of a site that does not log it, but where there is none: over HTTP, and over HTTP/3. */
function boundedJa4(item: ConditionLeaf, holds: boolean): ConditionGroup {
  const leaf = (field: ConditionFieldName, operator: ConditionLeaf['operator'], values: string[]) => ({
    field,
    operator,
    values,
    negated: false,
    ignore_case: false,
  });
  const untold: ConditionGroup = {
    match: 'all',
    negated: !holds,
    items: [
      leaf('ja4', 'is_empty', []),
      leaf('scheme', 'equals', ['https']),
      { ...leaf('http_version', 'equals', ['3']), negated: true },
    ],
  };
  return { match: holds ? 'any' : 'all', negated: false, items: [untold, item] };
}

/** An address that nobody has, where none was asked for. */
const anyAddress = '0.0.0.0';

export function requestOfLine(line: ReplayLine): DescribedRequest {
  const lines: DescribedRequest['headers'] = [];
  if (line.user_agent !== '') lines.push({ name: 'User-Agent', value: line.user_agent });
  if (line.referer !== '') lines.push({ name: 'Referer', value: line.referer });
  const request: DescribedRequest = {
    method: line.method,
    scheme: line.scheme,
    host: line.host,
    target: line.target,
    headers: lines,
    ip: line.remote_addr === '' ? anyAddress : line.remote_addr,
    socketIp: line.raw_remote_addr,
    clientPort: line.remote_port,
    protocol: line.protocol,
    time: line.time,
  };
  if (line.tls_version !== '') request.tlsVersion = line.tls_version;
  request.ja4 = line.ja4;
  request.answer = {};
  if (line.answer_status > 0) request.answer.status = line.answer_status;
  if (line.answer_cache !== '') request.answer.cache = line.answer_cache;
  return request;
}

/** Places are those that the line was stored with. */
export function lookupsOfLine(line: ReplayLine, of: AddressLookups): AddressLookups {
  return {
    isListed: of.isListed,
    placeOf: () => ({ country: line.country, province: line.province, carrier: line.carrier }),
    asnOf: () => (line.asn === 0 ? undefined : line.asn),
    robotOf: of.robotOf,
  } as AddressLookups;
}
