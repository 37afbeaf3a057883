import { isIP } from 'node:net';
import { crc32 } from 'node:zlib';
import type { AccessLogRecord } from '@breakwater/contract/access-log-record';
import { hitStates } from '../figure-tables.ts';
import type { Places } from '../log-store.ts';

/** A line as it is stored: the record, and what it adds to each sum. */
export type LogDocument = Record<string, unknown> & { time: string; request_id: string };

const texts = [
  'time',
  'request_id',
  'host',
  'remote_addr',
  'method',
  'scheme',
  'protocol',
  'request_uri',
  'cache_status',
  'origin_addr',
  'referer',
  'user_agent',
  'content_type',
  'tls_version',
] as const;
/** Fields that came later: empty in lines of older edges. */
const laterTexts = [
  'raw_remote_addr',
  'decision',
  'cache_reason',
  'waf',
  'waf_part',
  'waf_tags',
  'ja4',
] as const;
const numbers = ['site_id', 'client_id', 'order_id', 'remote_port', 'status', 'origin_status'] as const;
const sizes = ['request_length', 'bytes_sent', 'body_bytes_sent', 'origin_bytes'] as const;
const durations = ['request_time', 'origin_time'] as const;

export const laterDefaults = {
  raw_remote_addr: '',
  decision: '',
  cache_reason: '',
  waf: '',
  waf_part: '',
  waf_tags: '',
  ja4: '',
  asn: 0,
};
/** A record as it is kept, perhaps since before the later fields. */
export type StoredRecord = Omit<AccessLogRecord, keyof typeof laterDefaults> & Partial<AccessLogRecord>;

const sizeMax = 2 ** 47;
const durationMax = 1e9;
const dayMs = 24 * 3_600_000;
const firstMoment = Date.parse('2000-01-01T00:00:00Z');

type Line = Omit<AccessLogRecord, 'node_id' | 'country' | 'province' | 'carrier' | 'asn'> & {
  sample_rate?: unknown;
};

/** Undefined for what is no whole line of the access log: see `keepWhole` of the DuckDB store, which means the same. */
export function parseLine(text: string, now: number): Line | undefined {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return undefined;
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
  const fields = value as Record<string, unknown>;
  const within = (name: string, least: number, below: number, whole: boolean) => {
    const number = fields[name];
    if (typeof number !== 'number' || !(number >= least && number < below)) return false;
    return !whole || Number.isInteger(number);
  };
  const isWhole =
    texts.every((name) => typeof fields[name] === 'string') &&
    laterTexts.every((name) => fields[name] === undefined || typeof fields[name] === 'string') &&
    numbers.every((name) => within(name, -(2 ** 31), 2 ** 31, true)) &&
    sizes.every((name) => within(name, 0, sizeMax, true)) &&
    durations.every((name) => within(name, 0, durationMax, false)) &&
    within('status', 0, 1000, true) &&
    within('origin_status', 0, 1000, true);
  if (!isWhole) return undefined;
  const time = String(fields.time);
  const moment = time.endsWith('Z') ? Date.parse(time) : NaN;
  if (!(moment >= firstMoment && moment <= now + dayMs)) return undefined;
  return { ...(fields as Line), time: new Date(moment).toISOString() };
}

/** Lines that a site wants fewer of are chosen by their request's number, so the same ones if they are sent again. */
const isRecorded = ({ sample_rate, request_id }: Line): boolean =>
  sample_rate === undefined ||
  sample_rate === null ||
  sample_rate === 1 ||
  (Number(sample_rate) > 1 && crc32(request_id) % Number(sample_rate) === 0);

const hundreds = [2, 3, 4, 5] as const;
const classes = (name: 'status' | 'origin', status: number) =>
  Object.fromEntries(
    hundreds.filter((each) => Math.floor(status / 100) === each).map((each) => [`${name}_${each}xx`, 1]),
  );

/** What a line adds to the sums. Nothing stands for zero. */
function figuresOf(line: Line): Record<string, number> {
  return {
    requests: 1,
    bytes_sent: line.bytes_sent,
    request_time: line.request_time,
    ...(hitStates.includes(line.cache_status) ? { hit_bytes: line.bytes_sent } : {}),
    ...classes('status', line.status),
    ...(line.decision ? { refused: 1 } : {}),
    ...(line.origin_addr === '' ? {} : { origin_requests: 1 }),
    origin_bytes: line.origin_bytes,
    origin_time: line.origin_time,
    ...classes('origin', line.origin_status),
  };
}

/** By what each entry of protection is found: `matcher_rule`, `matcher_rule 2`, `matcher_rule 2=block`, `block`. */
function entriesOf(waf: string): string[] {
  const found = new Set<string>();
  for (const entry of waf.split('; ').filter(Boolean)) {
    const [rule = '', action = ''] = entry.split('=');
    const words = rule.split(' ');
    for (const [index] of words.entries()) found.add(words.slice(0, index + 1).join(' '));
    found.add(entry).add(action);
  }
  return [...found];
}

/** Of a line that becomes no record only what the sums need is stored. */
export function documentOf(line: Line, nodeId: number, place: ReturnType<Places['placeOf']>): LogDocument {
  const keys = {
    time: line.time,
    request_id: line.request_id,
    site_id: line.site_id,
    client_id: line.client_id,
    order_id: line.order_id,
    node_id: nodeId,
    host: line.host,
    ...(isIP(line.remote_addr) ? { remote_addr: line.remote_addr } : {}),
    ...place,
  };
  if (!isRecorded(line)) return { ...keys, ...figuresOf(line), recorded: false };
  const fields = Object.fromEntries(
    [...texts, ...numbers, ...sizes, ...durations].map((name) => [name, line[name]]),
  );
  const decision = line.decision ?? '';
  return {
    ...fields,
    ...Object.fromEntries(laterTexts.map((name) => [name, line[name] ?? ''])),
    ...keys,
    remote_addr: line.remote_addr,
    ...figuresOf(line),
    recorded: true,
    // A page is one page, whatever its query.
    url: `${line.host}${line.request_uri.split('?', 1)[0]}`,
    refusal_kind: decision.split(' ', 1)[0],
    waf_entries: entriesOf(line.waf ?? ''),
    waf_tag: (line.waf_tags ?? '').split(' ').filter(Boolean),
  };
}
