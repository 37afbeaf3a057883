import type { ConditionFieldName } from '@breakwater/contract/condition-fields';
import { isPlaceField, placeFact } from '@breakwater/policy/conditions/address-fact';
import { clockFact } from '@breakwater/policy/conditions/clock';
import {
  evaluateCondition,
  type Asked,
  type Fact,
  type PreparedCondition,
  type Verdict,
} from '@breakwater/policy/conditions/condition';
import { answerHeaderFact, isAnswerField } from '@breakwater/policy/conditions/answer-facts';
import {
  contentFact,
  isContentField,
  type ContentOfRequest,
} from '@breakwater/policy/conditions/content-facts';
import { parseAddress } from '@breakwater/policy/address/ip';
import { extensionOf, splitTarget } from '@breakwater/policy/http/path';
import { pathOfTarget } from '@breakwater/policy/http/request-path';
import {
  argumentNames,
  argumentValues,
  cookieNames,
  cookieValues,
  hostOfAddress,
  httpVersion,
} from '@breakwater/policy/http/request-parts';
import { isRobotField, robotFact } from '@breakwater/policy/access/search-robots';
import { lowerAscii, parseWhole } from '@breakwater/policy/lib/text';
import { isListed } from '../documents/address-lists.ts';
import { asnOfText, placeOfText } from '../documents/ip-places.ts';
import { regexOptions } from '../lib/regex.ts';
import { ja4OfRequest } from '../tls/client-hello.ts';
import { robotOf } from './robots.ts';

type Lines = ReturnType<typeof ngx.req.get_headers>;

/** Read when the first test of a condition wants them. */
let lines: Lines | undefined;
let lastTarget = '';
let lastPath = '/';

/**
 * Whether the visitor's request under way suits a condition: in the servers that visitors speak to only, since what goes
 * on to the fetch servers is another request. Nothing in it yields, so one request's values are never taken for another's.
 */
export function verdictOf(condition: PreparedCondition): Verdict {
  lines = undefined;
  return evaluateCondition(condition, asked);
}

const asked: Asked = { facts: factOf, tryRegex, decidedBy: 0 };

/** The same with all that it was asked, for who wants to see how it was decided. `content`: what it carries, where that is known. */
export function askedOfRequest(content?: ContentOfRequest): Asked {
  lines = undefined;
  return { facts: content === undefined ? factOf : factsWith(content), tryRegex, decidedBy: 0 };
}

function factsWith(content: ContentOfRequest): Asked['facts'] {
  return (field, name) => (isContentField(field) ? contentFact(field, name, content) : factOf(field, name));
}

/** Absent: PCRE gave up on a pattern that backtracks too much (`lua_regex_match_limit`). */
export function tryRegex(subject: string, pattern: string, insensitive: boolean): boolean | undefined {
  const options = insensitive ? `${regexOptions}i` : regexOptions;
  const [from, , problem] = ngx.re.find(subject, pattern, options);
  if (problem === undefined) return from !== undefined;
  ngx.log(ngx.WARN, 'pattern ', pattern, ': ', problem);
  return undefined;
}

function factOf(field: ConditionFieldName, name: string): Fact {
  const variables = ngx.var;
  if (field === 'path') return pathOf(variables.request_uri!);
  if (field === 'host') return variables.host;
  if (field === 'method') return variables.request_method;
  if (field === 'ip') return variables.client_addr;
  if (field === 'uri') return variables.request_uri;
  if (field === 'extension') return extensionOf(pathOf(variables.request_uri!));
  if (field === 'hour' || field === 'weekday' || field === 'time_of_day' || field === 'date')
    return clockFact(field, name, ngx.time());
  if (field === 'address_list') return listFact(name);
  if (field === 'tags') return words(variables.edge_waf_tags!);
  if (field === 'asn') return asnOfText(variables.client_addr!);
  if (isPlaceField(field)) return placeFact(field, placeOfText(variables.client_addr!));
  if (isRobotField(field))
    return robotFact(field, lineOf('user-agent'), () => robotOf(variables.client_addr!));
  if (isContentField(field)) return false;
  if (isAnswerField(field)) return answerFactOf(field, name);
  return headerFact(field, name) ?? connectionFact(field) ?? queryFact(field, name);
}

const fromCache: Record<string, boolean> = { HIT: true, STALE: true, UPDATING: true };

/** Of the answer whose header is on its way out; asked in that phase alone. */
function answerFactOf(field: ConditionFieldName, name: string): Fact {
  const variables = ngx.var;
  if (field === 'response_status') return ngx.status;
  if (field === 'response_cache') return variables.cache_status;
  if (field !== 'response_origin_ms') return answerHeaderFact(field, name, answerLines);
  if (fromCache[variables.cache_status ?? ''] === true) return undefined;
  // A request that was sent again has a time for each, with commas between.
  const [seconds] = string.match(variables.upstream_header_time ?? '', '([%d.]+)$');
  return seconds === undefined ? undefined : math.floor(tonumber(seconds)! * 1000);
}

function answerLines(name: string): string[] | undefined {
  const value = ngx.header[name] as string | string[] | undefined;
  if (value === undefined) return undefined;
  return type(value) === 'table' ? (value as string[]) : [tostring(value)];
}

/** What rules marked the request with. */
function words(text: string): string[] {
  const found: string[] = [];
  for (const [word] of string.gmatch(text, '%S+')) found.push(word!);
  return found;
}

function listFact(list: string): number {
  const address = parseAddress(ngx.var.client_addr!);
  return address !== undefined && isListed(parseWhole(list) ?? 0, address) ? 1 : 0;
}

function pathOf(target: string): string {
  if (target !== lastTarget) {
    lastPath = pathOfTarget(target);
    lastTarget = target;
  }
  return lastPath;
}

/** All lines of a field as one, as the origin gets them all (RFC 9110 §5.3; of `Cookie` RFC 6265 §5.4). */
function lineOf(name: string): string | undefined {
  lines ??= ngx.req.get_headers(0);
  const value = lines[name];
  if (value === undefined) return undefined;
  if (type(value) !== 'table') return textOf(value as string | boolean);
  const parts: string[] = [];
  for (const part of value as (string | boolean)[]) parts.push(textOf(part));
  return table.concat(parts, name === 'cookie' ? '; ' : ', ');
}

/** A field without a value comes as true. */
const textOf = (value: string | boolean): string => (type(value) === 'string' ? (value as string) : '');

function headerFact(field: ConditionFieldName, name: string): Fact {
  if (field === 'header') return name === 'host' ? ngx.var.host : lineOf(name);
  if (field === 'user_agent') return lineOf('user-agent');
  if (field === 'referer') return lineOf('referer');
  if (field === 'content_type') return lineOf('content-type');
  if (field === 'cookie') return cookieValues(lineOf('cookie') ?? '', name);
  if (field === 'cookie_names') return cookieNames(lineOf('cookie') ?? '');
  if (field === 'content_length') return parseWhole(lineOf('content-length') ?? '');
  if (field === 'referer_host') {
    const referer = lineOf('referer');
    return referer === undefined ? undefined : hostOfAddress(referer);
  }
  if (field !== 'header_names') return undefined;
  lines ??= ngx.req.get_headers(0);
  const names: string[] = [];
  for (const each in lines) names.push(each);
  return names;
}

function connectionFact(field: ConditionFieldName): Fact {
  const variables = ngx.var;
  if (field === 'scheme') return variables.scheme;
  if (field === 'http_version') return httpVersion(variables.server_protocol!);
  if (field === 'socket_ip') return variables.remote_addr;
  if (field === 'client_port') return parseWhole(variables.remote_port!);
  if (field === 'server_port') return parseWhole(variables.server_port!);
  if (field === 'tls_version') return variables.ssl_protocol ?? 'none';
  if (field === 'ja4') return ja4OfRequest();
  if (field === 'sni') {
    const sni = variables.ssl_server_name;
    return sni === undefined ? undefined : lowerAscii(sni);
  }
  return undefined;
}

function queryFact(field: ConditionFieldName, name: string): Fact {
  if (field !== 'query' && field !== 'argument' && field !== 'argument_names') return undefined;
  const query = splitTarget(ngx.var.request_uri!).query ?? '';
  if (field === 'argument') return argumentValues(query, name);
  return field === 'query' ? query : argumentNames(query);
}
