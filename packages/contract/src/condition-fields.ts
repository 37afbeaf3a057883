import { carriers, provinces } from './ip-place.ts';
import { searchRobots } from './search-robots.ts';

/**
 * What a condition can look at, and how. A new field is a line here, its value in `packages/edge/lua/front/facts.ts` and in
 * `packages/policy/src/conditions/request-facts.ts`, and its name in the console's `condition.text.ts`.
 */

/**
 * `text`; `choice`: one of a few texts; `names`: several texts at once; `number`; `time`: of the day, as HH:MM; `date`: as
 * YYYY-MM-DD; `address`: of the internet; `country`: two letters of ISO 3166-1; `list`: address lists, by their ids; `robot`: of a search engine.
 */
export type ConditionKind =
  | 'text'
  | 'choice'
  | 'names'
  | 'number'
  | 'time'
  | 'date'
  | 'address'
  | 'country'
  | 'list'
  | 'robot';

const textOperators = [
  'equals',
  'contains',
  'contains_all',
  'contains_word',
  'contains_all_words',
  'starts_with',
  'ends_with',
  'wildcard',
  'regex',
  'exists',
  'is_empty',
  'longer_than',
  'shorter_than',
] as const;
const numberOperators = ['equals', 'greater_than', 'at_least', 'less_than', 'at_most', 'in_range'] as const;

/** Of several values a text operator needs one, unless its name says all. */
export const conditionOperators = [
  ...textOperators,
  ...numberOperators.slice(1),
  'in',
  'has',
  'has_all',
] as const;
export type ConditionOperator =
  | (typeof textOperators)[number]
  | (typeof numberOperators)[number]
  | 'in'
  | 'has'
  | 'has_all';

export const operatorsOf: Record<ConditionKind, readonly ConditionOperator[]> = {
  text: textOperators,
  choice: ['equals'],
  names: ['has', 'has_all', 'is_empty'],
  number: [...numberOperators, 'exists'],
  time: ['in_range', 'at_least', 'less_than'],
  date: ['in_range', 'equals', 'at_least', 'less_than'],
  address: ['in'],
  country: ['equals'],
  list: ['in'],
  robot: ['exists', 'equals'],
};
/** These take no values. */
export const bareOperators: ReadonlySet<ConditionOperator> = new Set(['exists', 'is_empty']);

/**
 * What a text is decoded by before a test looks at it, one after the other; `lower`: ASCII letters in lower case. `length` comes
 * last: the test is of the number of bytes.
 */
export const conditionDecoders = ['url', 'base64', 'hex', 'html', 'unicode', 'lower', 'length'] as const;
export type ConditionDecoder = (typeof conditionDecoders)[number];
export const conditionDecodersMax = 5;

interface ConditionField {
  kind: ConditionKind;
  /** What stands behind the field's dot: a name, or the distance of a clock from UTC. */
  name?: 'name' | 'zone';
  options?: readonly string[];
  /** Of a number. */
  min?: number;
  max?: number;
  /** It stands in the request's content, so only rules that are asked once content is read can have it. */
  content?: true;
  /** It stands in the answer, so only rules that are asked once that is there can have it. */
  answer?: true;
}

/** Where an answer came from, as the log and `X-Cache` say it. */
export const answerCacheStates = [
  'HIT',
  'MISS',
  'EXPIRED',
  'STALE',
  'UPDATING',
  'REVALIDATED',
  'BYPASS',
] as const;

export const conditionFields = {
  method: { kind: 'text' },
  scheme: { kind: 'choice', options: ['http', 'https'] },
  host: { kind: 'text' },
  path: { kind: 'text' },
  extension: { kind: 'text' },
  uri: { kind: 'text' },
  query: { kind: 'text' },
  argument: { kind: 'text', name: 'name' },
  argument_names: { kind: 'names' },
  header: { kind: 'text', name: 'name' },
  header_names: { kind: 'names' },
  cookie: { kind: 'text', name: 'name' },
  cookie_names: { kind: 'names' },
  user_agent: { kind: 'text' },
  referer: { kind: 'text' },
  referer_host: { kind: 'text' },
  content_type: { kind: 'text' },
  content_length: { kind: 'number' },
  form: { kind: 'text', name: 'name', content: true },
  form_names: { kind: 'names', content: true },
  json: { kind: 'text', name: 'name', content: true },
  file_name: { kind: 'text', content: true },
  file_extension: { kind: 'text', content: true },
  http_version: { kind: 'choice', options: ['1.0', '1.1', '2', '3'] },
  ip: { kind: 'address' },
  socket_ip: { kind: 'address' },
  address_list: { kind: 'list' },
  country: { kind: 'country' },
  province: { kind: 'choice', options: provinces },
  carrier: { kind: 'choice', options: carriers },
  asn: { kind: 'number', min: 1, max: 4_294_967_295 },
  verified_robot: { kind: 'robot', options: searchRobots },
  false_robot: { kind: 'robot', options: searchRobots },
  tags: { kind: 'names' },
  client_port: { kind: 'number', max: 65_535 },
  server_port: { kind: 'number', max: 65_535 },
  tls_version: { kind: 'choice', options: ['none', 'TLSv1', 'TLSv1.1', 'TLSv1.2', 'TLSv1.3'] },
  ja4: { kind: 'text' },
  sni: { kind: 'text' },
  hour: { kind: 'number', name: 'zone', max: 23 },
  weekday: { kind: 'number', name: 'zone', min: 1, max: 7 },
  time_of_day: { kind: 'time', name: 'zone' },
  date: { kind: 'date', name: 'zone' },
  response_status: { kind: 'number', min: 100, max: 999, answer: true },
  response_header: { kind: 'text', name: 'name', answer: true },
  response_content_type: { kind: 'text', answer: true },
  response_size: { kind: 'number', answer: true },
  response_cache: { kind: 'choice', options: answerCacheStates, answer: true },
  response_origin_ms: { kind: 'number', answer: true },
} as const satisfies Record<string, ConditionField>;
export type ConditionFieldName = keyof typeof conditionFields;
export const conditionFieldNames = Object.keys(conditionFields) as ConditionFieldName[];

/** The kind of what a test looks at: of a text whose length is asked for, a number. */
export function kindOfLeaf({
  field,
  decode,
}: {
  field: ConditionFieldName;
  decode?: readonly ConditionDecoder[] | undefined;
}): ConditionKind {
  return decode?.at(-1) === 'length' ? 'number' : fieldOf(field).kind;
}

/** Fields of the request's content and of the answer, which few rules can have. */
export const isOfContent = (name: ConditionFieldName): boolean => fieldOf(name).content === true;
export const isOfAnswer = (name: ConditionFieldName): boolean => fieldOf(name).answer === true;

export const fieldOf = (name: ConditionFieldName): ConditionField => conditionFields[name];
