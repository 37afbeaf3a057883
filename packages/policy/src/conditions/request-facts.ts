import type { ConditionFieldName } from '@breakwater/contract/condition-fields';
import { answerFact, isAnswerField, type DescribedAnswer } from './answer-facts.ts';
import { isPlaceField, placeFact, type AddressLookups } from './address-fact.ts';
import { clockFact } from './clock.ts';
import type { Facts } from './condition.ts';
import { contentFact, isContentField, type ContentOfRequest } from './content-facts.ts';
import { parseAddress } from '../address/ip.ts';
import { extensionOf, normalizePath, splitTarget } from '../http/path.ts';
import {
  argumentNames,
  argumentValues,
  cookieNames,
  cookieValues,
  hostOfAddress,
  httpVersion,
} from '../http/request-parts.ts';
import { isRobotField, robotFact } from '../access/search-robots.ts';
import { lowerAscii, parseWhole } from '../lib/text.ts';

/** A request that is described, not under way: what a condition would say of it. Texts are byte strings. */
export interface DescribedRequest {
  method: string;
  scheme: string;
  /** In lower case, without a port. */
  host: string;
  /** Path and query as a visitor sends them. */
  target: string;
  /** Its lines in their order, names in any case. */
  headers: { name: string; value: string }[];
  ip: string;
  socketIp?: string;
  clientPort?: number;
  serverPort?: number;
  /** `HTTP/1.1`. */
  protocol: string;
  /** `TLSv1.3`; absent without TLS. */
  tlsVersion?: string;
  sni?: string;
  /** Empty: the connection has none. Absent: nobody says. */
  ja4?: string;
  /** What rules marked it with. */
  tags?: string[];
  /** Absent: nobody says what it carries. */
  content?: ContentOfRequest;
  /** Absent: nobody says what it is answered with. */
  answer?: DescribedAnswer;
  /** Seconds since 1970. */
  time: number;
}

/** Without `lookups` nothing is known of lists, places and robots. */
export function factsOf(request: DescribedRequest, lookups?: AddressLookups): Facts {
  const { path, query } = splitTarget(request.target);
  return (field, name) => {
    if (field === 'path') return normalizePath(path);
    if (field === 'extension') return extensionOf(normalizePath(path));
    if (field === 'tags') return request.tags ?? [];
    if (field === 'query') return query ?? '';
    if (field === 'argument') return argumentValues(query ?? '', name);
    if (field === 'argument_names') return argumentNames(query ?? '');
    if (field === 'hour' || field === 'weekday' || field === 'time_of_day' || field === 'date')
      return clockFact(field, name, request.time);
    if (field === 'address_list' || field === 'asn' || isPlaceField(field))
      return addressFact(request, field, name, lookups);
    if (isContentField(field)) return contentFact(field, name, contentOf(request));
    if (isAnswerField(field)) return answerFact(field, name, request.answer);
    if (isRobotField(field))
      return robotFact(field, headerOf(request, 'user-agent'), () => lookups?.robotOf?.(request.ip));
    if (field === 'ja4') return ja4Fact(request);
    return headerFact(request, field, name) ?? connectionFact(request, field);
  };
}

/** Over HTTP and HTTP/3 there is none. */
function ja4Fact({ ja4, scheme, protocol }: DescribedRequest): string | false | undefined {
  if (ja4 !== undefined) return ja4 === '' ? undefined : ja4;
  return scheme === 'http' || httpVersion(protocol) === '3' ? undefined : false;
}

/** Requests that mostly carry nothing are taken to carry nothing, where they do not say that they do. */
export function contentOf(request: DescribedRequest): ContentOfRequest {
  if (request.content !== undefined) return request.content;
  const length = headerOf(request, 'content-length');
  if (length === '0') return 'none';
  if (length !== undefined || headerOf(request, 'transfer-encoding') !== undefined) return 'unread';
  const { method } = request;
  return method === 'GET' || method === 'HEAD' || method === 'OPTIONS' ? 'none' : 'unread';
}

function addressFact(
  { ip }: DescribedRequest,
  field: ConditionFieldName,
  list: string,
  lookups: AddressLookups | undefined,
): string | number | undefined {
  if (lookups === undefined) return undefined;
  const address = parseAddress(ip);
  if (field === 'asn') return address === undefined ? undefined : lookups.asnOf?.(address);
  if (field !== 'address_list')
    return address === undefined ? undefined : placeFact(field, lookups.placeOf(address));
  return address !== undefined && lookups.isListed(parseWhole(list) ?? 0, address) ? 1 : 0;
}

/** The lines of a field as one (RFC 9110 §5.3; of `Cookie` RFC 6265 §5.4). */
function headerOf(request: DescribedRequest, name: string): string | undefined {
  let joined: string | undefined;
  for (const line of request.headers) {
    if (lowerAscii(line.name) !== name) continue;
    const mark = name === 'cookie' ? '; ' : ', ';
    joined = joined === undefined ? line.value : `${joined}${mark}${line.value}`;
  }
  return joined;
}

function headerFact(
  request: DescribedRequest,
  field: ConditionFieldName,
  name: string,
): string | number | string[] | undefined {
  if (field === 'header') return name === 'host' ? request.host : headerOf(request, name);
  if (field === 'user_agent') return headerOf(request, 'user-agent');
  if (field === 'referer') return headerOf(request, 'referer');
  if (field === 'content_type') return headerOf(request, 'content-type');
  if (field === 'cookie') return cookieValues(headerOf(request, 'cookie') ?? '', name);
  if (field === 'cookie_names') return cookieNames(headerOf(request, 'cookie') ?? '');
  if (field === 'content_length') return parseWhole(headerOf(request, 'content-length') ?? '');
  if (field === 'referer_host') {
    const referer = headerOf(request, 'referer');
    return referer === undefined ? undefined : hostOfAddress(referer);
  }
  if (field !== 'header_names') return undefined;
  const names: string[] = ['host'];
  for (const line of request.headers) names.push(lowerAscii(line.name));
  return names;
}

function connectionFact(
  request: DescribedRequest,
  field: ConditionFieldName,
): string | number | string[] | undefined {
  if (field === 'method') return request.method;
  if (field === 'scheme') return request.scheme;
  if (field === 'host') return request.host;
  if (field === 'uri') return request.target;
  if (field === 'http_version') return httpVersion(request.protocol);
  if (field === 'ip') return request.ip;
  if (field === 'socket_ip') return request.socketIp ?? request.ip;
  if (field === 'client_port') return request.clientPort;
  if (field === 'server_port') return request.serverPort ?? (request.scheme === 'https' ? 443 : 80);
  if (field === 'tls_version') return request.tlsVersion ?? 'none';
  if (field === 'sni') return request.sni;
  return undefined;
}
