import * as z from 'zod';
import { accessLogLine } from './access-log.ts';
import { decidedBy, notedBy } from './rule-ref.ts';
import { asciiDomainPart, inputText, optionalIdText, optionalText, time } from './common.ts';

/** What is searched for in the access log, and found. */

/**
 * An access-log record as searches return it: the line, the node that wrote it, and where the visitor's address was when it was
 * stored. Places are empty where nobody knows them.
 */
export const accessLogRecord = accessLogLine.extend({
  node_id: z.int(),
  /** ISO 3166-1, two letters. */
  country: z.string(),
  /** Of China: ISO 3166-2 without its `CN-`. */
  province: z.string(),
  /** Of China: one of `carriers`. */
  carrier: z.string(),
  /** The number of the network that the address belongs to; 0: nobody knows. */
  asn: z.int(),
});
export type AccessLogRecord = z.infer<typeof accessLogRecord>;

/** A record in a list, with what people know things by. Empty where there is no such thing any more, or it is not for the reader. */
export const accessLogRow = accessLogRecord.extend({
  site_name: z.string(),
  order_name: z.string(),
  /** Of the order, as it is now. */
  line_group_name: z.string(),
  client_name: z.string(),
  node_name: z.string(),
  ...decidedBy,
  ...notedBy,
});
export type AccessLogRow = z.infer<typeof accessLogRow>;

/** Agents, referers and URIs are longer than other texts. */
export const logTextMax = 1000;
export const requestUriTextMax = 2000;
const longText = inputText().trim().max(logTextMax).optional();

export const accessLogFilters = {
  host: inputText().trim().max(253).overwrite(asciiDomainPart).optional(),
  client_id: optionalIdText,
  order_id: optionalIdText,
  site_id: optionalIdText,
  node_id: optionalIdText,
  node_app_id: inputText().trim().length(16).optional(),
  remote_addr: optionalText,
  http_referer: longText,
  status_code: z.coerce.number().int().min(100).max(999).optional(),
  cache_status: optionalText,
  method: optionalText,
  request_uri: inputText().trim().max(requestUriTextMax).optional(),
  user_agent: longText,
  /** Stands in the request's URI or in the agent's name, in small or capital letters. */
  text: longText,
  /** Whether a rule of the site kept the request from it. */
  refused: z.enum(['yes', 'no']).optional(),
  /** What refused it: a section, or one with its rule: `access_control`, `access_control 2`. */
  decision: optionalText,
  /** What protection did, whatever came of it: a section, one with its rule, and what was done: `matcher_rule`, `matcher_rule 2`, `matcher_rule 2=observe`. */
  waf: optionalText,
  ja4: inputText().trim().toLowerCase().max(40).optional(),
  /** One of the tags that rules gave it. */
  waf_tag: optionalText,
  geoip_country_code: optionalText,
  province: optionalText,
  carrier: optionalText,
  asn: z.coerce.number().int().min(1).max(4_294_967_295).optional(),
  request_id: optionalText,
  /** What is not to be found: `field=value`, a line each. */
  exclude: inputText()
    .max(8000)
    .refine((text) => readExclusions(text) !== undefined, { error: 'log_exclusion' })
    .optional(),
  time_sort: z.enum(['asc', 'desc']).default('desc'),
  start_time: time.optional(),
  end_time: time.optional(),
};

/** Fields of which a search can leave a value out. */
export const excludableFields = [
  'host',
  'remote_addr',
  'request_uri',
  'referer',
  'user_agent',
  'ja4',
  'method',
  'status',
  'cache_status',
  'country',
  'site_id',
  'node_id',
] as const;
export type ExcludableField = (typeof excludableFields)[number];
export interface Exclusion {
  field: ExcludableField;
  value: string;
}
const exclusionsMax = 20;
const isExcludable = (text: string): text is ExcludableField =>
  (excludableFields as readonly string[]).includes(text);

/** The lines of a search's `exclude`; undefined where one is none. */
export function readExclusions(text: string): Exclusion[] | undefined {
  const lines = text.split('\n').filter((line) => line !== '');
  const found: Exclusion[] = [];
  for (const line of lines) {
    const at = line.indexOf('=');
    const field = line.slice(0, Math.max(at, 0));
    if (!isExcludable(field)) return undefined;
    found.push({ field, value: line.slice(at + 1) });
  }
  return found.length > exclusionsMax ? undefined : found;
}

export const writeExclusions = (exclusions: readonly Exclusion[]): string =>
  exclusions.map(({ field, value }) => `${field}=${value}`).join('\n');
