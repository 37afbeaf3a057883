import type { ConditionGroup } from '@breakwater/contract/condition';
import type { BasicAuthUser } from '@breakwater/contract/site-config/basic-auth';
import type { EffectiveSite } from '@breakwater/contract/edge-document';
import type { AccessControl, AccessRule } from '@breakwater/contract/site-config/access-control';
import type { BlockReferer } from '@breakwater/contract/site-config/block-referer';
import type { Cors } from '@breakwater/contract/site-config/cors';
import type { UrlSigning } from '@breakwater/contract/site-config/url-signing';
import type { MatchRegex } from '../cache/rule.ts';
import { accessOfVisitor, decideAccess, prepareAccess, type AccessRequest } from '../access/access.ts';
import type { AddressLookups } from '../conditions/address-fact.ts';
import { decodeBase64 } from '../lib/base64.ts';
import { checkBasicAuth } from '../access/basic-auth.ts';
import { countOfSet, isInSet, packAddresses } from '../address/address-set.ts';
import { parseAddress } from '../address/ip.ts';
import { asnIn, placeIn, readPlaces, type Place } from '../address/ip-data.ts';
import { judgeTarget, readTarget } from '../http/request-path.ts';
import { escapeForPath } from '../rewrite/text.ts';
import { isSurelyAmong, mayBeAmong, pathForms } from '../http/path-forms.ts';
import { factsOf, type DescribedRequest } from '../conditions/request-facts.ts';
import { corsFields, preflightFields, varyWith } from '../access/cors.ts';
import { decideReferer, type RefererRequest } from '../access/referer.ts';
import type { Digests } from '../origin/sigv4.ts';
import { checkSignature, type Md5Hex } from '../access/url-signature.ts';
import { complete, plainRequest } from './condition.ts';
import { matchWildcard, starsOnly } from '../conditions/text-match.ts';

/** The vectors of who is let in. */
export function runAccessVector(
  decision: string,
  input: Record<string, unknown>,
  digests: Digests,
  tryRegex: MatchRegex,
): unknown {
  if (decision === 'url-signature') return urlSignature(input as never, digests.md5Hex);
  if (decision === 'cors') return corsAnswer(input as never);
  if (decision === 'vary') return { field: varyWith(input.own as string | undefined, input.name as string) };
  if (decision === 'basic-auth') return basicAuth(input as never, digests);
  if (decision === 'base64') return { bytes: decodeBase64(input.text as string) ?? 'none' };
  if (decision === 'wildcard')
    return { fits: matchWildcard(input.text as string, starsOnly(input.pattern as string)) };
  if (decision === 'address-set') return addressSet(input as never);
  if (decision === 'access-path') return accessPath(input as never);
  if (decision === 'request-path') return requestPath(input as never);
  if (decision === 'ip-data') return ipData(input as never);
  if (decision === 'ip-networks') return ipNetworks(input as never);
  if (decision === 'access') return access(input as never, tryRegex);
  if (decision === 'referer') return referer(input as never);
  return undefined;
}

interface CorsCase {
  settings: Partial<Cors>;
  origin?: string;
  /** Of a preflight; absent: the request itself. */
  method?: string;
  headers?: string;
}

/** As lines of a header. */
function corsAnswer({ settings, origin, method, headers }: CorsCase): unknown {
  const plain: Cors = {
    enabled: true,
    origins: [],
    methods: ['GET', 'HEAD', 'POST'],
    headers: [],
    exposed_headers: [],
    credentials: false,
    max_age_seconds: 600,
    ...settings,
  };
  const fields =
    method === undefined ? corsFields(plain, origin) : preflightFields(plain, { origin, method, headers });
  if (fields === undefined) return { lines: 'refused' };
  const lines: string[] = [];
  for (const { name, value } of fields) lines.push(`${name}: ${value}`);
  return { lines: lines.join('; ') };
}

function basicAuth(
  input: { users: { name: string; password?: string }[]; field?: string },
  { hmac, toHex }: Digests,
): unknown {
  const hmacHex = (key: string, text: string) => toHex(hmac(key, text));
  return { state: checkBasicAuth(input.users as BasicAuthUser[], input.field, hmacHex) };
}

function addressSet(input: { entries: string[]; addresses: string }): unknown {
  const set = packAddresses(input.entries);
  const inside: string[] = [];
  for (const text of input.addresses.split(' ')) {
    const address = parseAddress(text);
    if (address !== undefined && isInSet(address, set)) inside.push(text);
  }
  return { ranges: countOfSet(set), inside: inside.join(' ') };
}

/** Bytes as numbers, each the code of a character. */
function ipNetworks(input: {
  v4: number[];
  v4_numbers: number[];
  v6: number[];
  v6_numbers: number[];
  address: string;
}): unknown {
  const table = {
    v4: textOf(input.v4),
    v4Numbers: textOf(input.v4_numbers),
    v6: textOf(input.v6),
    v6Numbers: textOf(input.v6_numbers),
  };
  return { asn: asnIn(table, parseAddress(input.address)!) ?? 'none' };
}

function ipData(input: {
  v4: number[];
  v4_places: number[];
  v6: number[];
  v6_places: number[];
  places: string[];
  address: string;
}): unknown {
  const table = {
    v4: textOf(input.v4),
    v4Places: textOf(input.v4_places),
    v6: textOf(input.v6),
    v6Places: textOf(input.v6_places),
    places: readPlaces(input.places),
  };
  const place = placeIn(table, parseAddress(input.address)!);
  return place === undefined ? { place: 'none' } : place;
}

function textOf(bytes: number[]): string {
  let text = '';
  for (const byte of bytes) text += String.fromCharCode(byte);
  return text;
}

function requestPath({ target }: { target: string }): unknown {
  const { plain, others, isMarked } = readTarget(target);
  const written: string[] = [];
  for (const reading of others) written.push(escapeForPath(reading));
  return {
    verdict: judgeTarget(target),
    plain: escapeForPath(plain),
    others: written.join(' '),
    marked: isMarked,
  };
}

function accessPath(input: { paths: string[]; path: string }): unknown {
  const forms = pathForms(input.path);
  return { closed: mayBeAmong(input.paths, forms), open: isSurelyAmong(input.paths, forms) };
}

const plainRule = {
  note: '',
  addresses: [],
  address_lists: [],
  countries: [],
  provinces: [],
  carriers: [],
  agents: [],
  empty_agent: false,
  methods: [],
  only_paths: [],
  except_paths: [],
  enabled: true,
};

interface AccessCase {
  section: AccessControl;
  levels?: EffectiveSite['access_levels'];
  request: Omit<AccessRequest, 'asked'> & Partial<Pick<DescribedRequest, 'headers' | 'target'>>;
  lists?: Record<string, string[]>;
  place?: Place;
}

function access(input: AccessCase, tryRegex: MatchRegex): unknown {
  const levels = [];
  for (const level of input.levels ?? []) levels.push({ ...level, rules: completed(level.rules) });
  const prepared = prepareAccess({
    access_control: { ...input.section, rules: completed(input.section.rules) },
    access_levels: levels,
  });
  if (prepared === undefined) return { action: 'allow', level: 'site', index: -1 };
  const lookups: AddressLookups = {
    isListed: (list, address) => {
      const entries = input.lists?.[`${list}`];
      return entries !== undefined && isInSet(address, packAddresses(entries));
    },
    placeOf: () => input.place,
  };
  const { address: ip, method, path, headers = [], target = path } = input.request;
  const facts = factsOf({ ...plainRequest, ip, method, headers, target }, lookups);
  const request = { ...input.request, asked: { facts, tryRegex, decidedBy: 0 } };
  const decided = decideAccess(prepared, request, lookups);
  // With the rules alone that may be about the visitor it is the same.
  const { level, index, action } = decideAccess(
    accessOfVisitor(prepared, request, lookups),
    request,
    lookups,
  );
  const isSame = level === decided.level && index === decided.index && action === decided.action;
  return isSame ? decided : { differs: `${action} ${level} ${index}` };
}

function completed(rules: readonly AccessRule[]): AccessRule[] {
  const whole: AccessRule[] = [];
  for (const rule of rules) whole.push({ ...plainRule, ...rule, ...conditionOf(rule) });
  return whole;
}

/** In vectors what is as by default is left out. */
const conditionOf = ({ condition }: AccessRule) =>
  condition === undefined ? {} : { condition: complete(condition as never) as ConditionGroup };

function referer(input: { settings: BlockReferer; request: RefererRequest }): unknown {
  const plain: BlockReferer = {
    enabled: true,
    allow: [],
    deny: [],
    allow_empty: true,
    allow_same_domain: true,
    check_origin: false,
    only_paths: [],
    except_paths: [],
    action: 'status',
    status: 403,
    redirect_url: '',
  };
  return { reason: decideReferer({ ...plain, ...input.settings }, input.request) };
}

function urlSignature(
  input: { settings: Partial<UrlSigning>; target: string; now: number },
  md5Hex: Md5Hex,
): unknown {
  const plain: UrlSigning = {
    enabled: true,
    type: 'A',
    secret: 'aliyuncdnexp1234',
    valid_seconds: 1800,
    argument: 'auth_key',
  };
  return checkSignature({ ...plain, ...input.settings }, input.target, input.now, md5Hex);
}
