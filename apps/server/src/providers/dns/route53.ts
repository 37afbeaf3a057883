import { dnsProviders, type DnsRecordType } from '@breakwater/contract';
import type * as z from 'zod';
import { allPages, callVendor, type Vendor } from '../call-vendor.ts';
import { defineProvider, ProviderProblem, type ProviderContext } from '../define-provider.ts';
import type { Reach } from '../reach.ts';
import {
  basicTime,
  canonicalQuery,
  canonicalRequest,
  scopedSignature,
  sha256,
  type SignedParts,
} from '../signature.ts';
import {
  dnsClient,
  isKnownType,
  onceMore,
  withoutDot,
  zoneIds,
  type DnsClient,
  type HostRecordSet,
} from './dns-client.ts';
import { fromHostValue, type ValueForm } from './dns-values.ts';
import { elementsOf, textOf, xmlEscaped } from './xml.ts';

/**
 * AWS Route 53, API of 2013-04-01: https://docs.aws.amazon.com/Route53/latest/APIReference/API_ChangeResourceRecordSets.html; Signature
 * Version 4: https://docs.aws.amazon.com/IAM/latest/UserGuide/create-signed-request.html. Sets with a routing policy and aliases are left
 * alone.
 */

const form: ValueForm = { text: 'quoted', names: 'dot', priority: 'within' };
/** https://docs.aws.amazon.com/general/latest/gr/r53.html: it is signed as if it stood in one region. */
const regionOf = {
  'route53.amazonaws.com': 'us-east-1',
  'route53.amazonaws.com.cn': 'cn-northwest-1',
} as const;
const zonesPerPage = 100;
const setsPerPage = 300;
/** Of one request, which takes 1,000 records; an UPSERT counts twice, and sets of ours are small. */
const setsMax = 100;
const namespace = 'https://route53.amazonaws.com/doc/2013-04-01/';

interface SigV4 {
  keyId: string;
  secret: string;
  region: string;
  service: string;
}

/** The `Authorization` of a call whose headers have `x-amz-date`. */
export function sigV4Authorization(parts: SignedParts, { keyId, secret, region, service }: SigV4): string {
  const algorithm = 'AWS4-HMAC-SHA256';
  const time = parts.headers['x-amz-date'] ?? '';
  const canonical = canonicalRequest(parts);
  const scope = [time.slice(0, 8), region, service, 'aws4_request'];
  const signature = scopedSignature({ algorithm, time, scope, key: `AWS4${secret}` }, canonical.text);
  return `${algorithm} Credential=${keyId}/${scope.join('/')}, SignedHeaders=${canonical.signedHeaders}, Signature=${signature}`;
}

type Params = z.output<typeof dnsProviders.route53.params>;
type Change = { action: 'UPSERT' | 'DELETE'; set: HostRecordSet };

const issues = {
  InvalidClientTokenId: 'provider_key',
  UnrecognizedClientException: 'provider_key',
  SignatureDoesNotMatch: 'provider_key',
  MissingAuthenticationToken: 'provider_key',
  AccessDenied: 'provider_forbidden',
  AccessDeniedException: 'provider_forbidden',
  Throttling: 'provider_limited',
  ThrottlingException: 'provider_limited',
  // Another change of the same zone is still being done.
  PriorRequestNotComplete: 'provider_limited',
  NoSuchHostedZone: 'dns_zone_unknown',
} as const satisfies Vendor['issues'];

/** Answers the XML. */
type Call = (
  method: 'GET' | 'POST',
  path: string,
  more: { query?: object; body?: string },
) => Promise<string>;

function callsOf(params: Params, reach: Reach, base: string): Call {
  const { access_key_id: keyId, secret_access_key: secret = '', endpoint } = params;
  const { host } = new URL(base);
  const key = { keyId, secret, region: regionOf[endpoint], service: 'route53' };
  const vendor: Vendor = {
    reach,
    secrets: [secret],
    fault: ({ status, text }) =>
      status < 300 ? undefined : { code: textOf(text, 'Code') ?? '', message: textOf(text, 'Message') },
    issues,
  };
  return async (method, path, { query: parameters, body = '' }) => {
    const query = canonicalQuery({ ...parameters });
    const { text } = await callVendor(vendor, () => {
      const headers = {
        host,
        'x-amz-content-sha256': sha256(body),
        'x-amz-date': basicTime(new Date()),
        ...(body === '' ? {} : { 'content-type': 'application/xml' }),
      };
      const authorization = sigV4Authorization({ method, path, query, headers, body }, key);
      return {
        method,
        url: `${base}${path}${query === '' ? '' : `?${query}`}`,
        headers: { ...headers, authorization, accept: 'application/xml' },
        ...(body === '' ? {} : { body }),
      };
    });
    if (!/<\w+Response[\s>]/.test(text)) throw new ProviderProblem('provider_answer');
    return text;
  };
}

async function zonesOf(call: Call): Promise<Map<string, string>> {
  let marker: string | undefined;
  const found = await allPages(async () => {
    const query = { maxitems: zonesPerPage, ...(marker === undefined ? {} : { marker }) };
    const answer = await call('GET', '/2013-04-01/hostedzone', { query });
    marker = textOf(answer, 'NextMarker');
    return { items: elementsOf(answer, 'HostedZone'), isLast: textOf(answer, 'IsTruncated') !== 'true' };
  });
  const open = found.filter((zone) => textOf(zone, 'PrivateZone') !== 'true');
  const idOf = (zone: string) => (textOf(zone, 'Id') ?? '').replace(/^\/hostedzone\//, '');
  return new Map(open.map((zone) => [nameFrom(textOf(zone, 'Name') ?? ''), idOf(zone)]));
}

/** @param path of the record sets of a zone. */
async function setsOf(
  call: Call,
  path: string,
  of?: { name: string; type: DnsRecordType },
): Promise<HostRecordSet[]> {
  let start: object = of ? { name: `${of.name}.`, type: of.type } : {};
  const found = await allPages(async () => {
    const query = { maxitems: of ? 1 : setsPerPage, ...start };
    const answer = await call('GET', path, { query });
    start = nextOf(answer);
    return {
      items: elementsOf(answer, 'ResourceRecordSet'),
      isLast: of !== undefined || textOf(answer, 'IsTruncated') !== 'true',
    };
  });
  return found.flatMap(hostSet);
}

async function change(call: Call, path: string, sets: readonly HostRecordSet[]): Promise<void> {
  const changes: Change[] = [];
  for (const set of sets)
    if (set.values.length > 0) changes.push({ action: 'UPSERT', set });
    else {
      // What is taken away has to be named with all its values.
      const known = (await setsOf(call, path, set)).find((each) => isSameSet(each, set));
      if (known) changes.push({ action: 'DELETE', set: known });
    }
  if (changes.length > 0) await call('POST', `${path}/`, { body: batchOf(changes) });
}

export function makeRoute53(
  params: Params,
  { reach }: ProviderContext,
  base = `https://${params.endpoint}`,
): DnsClient {
  const call = callsOf(params, reach, base);
  const zones = zoneIds(() => zonesOf(call));
  const pathOf = async (zone: string) => `/2013-04-01/hostedzone/${await zones.idOf(zone)}/rrset`;
  return dnsClient({
    lines: { default: '' },
    ttlSecondsMin: 0,
    zones: zones.names,
    list: async (zone, of) => setsOf(call, await pathOf(zone), of),
    apply: async (zone, sets) => {
      const path = await pathOf(zone);
      for (let at = 0; at < sets.length; at += setsMax)
        await onceMore(() => change(call, path, sets.slice(at, at + setsMax)));
    },
  });
}

const isSameSet = (one: HostRecordSet, other: HostRecordSet): boolean =>
  one.name === other.name && one.type === other.type;

/** A name as they write it: what is no letter, digit, hyphen or underscore as three octal digits. */
const nameFrom = (text: string): string =>
  withoutDot(text.replace(/\\(\d{3})/g, (_, octal: string) => String.fromCharCode(parseInt(octal, 8))));

function nextOf(answer: string): object {
  const name = textOf(answer, 'NextRecordName');
  const type = textOf(answer, 'NextRecordType');
  const identifier = textOf(answer, 'NextRecordIdentifier');
  return {
    ...(name === undefined ? {} : { name }),
    ...(type === undefined ? {} : { type }),
    ...(identifier === undefined ? {} : { identifier }),
  };
}

function hostSet(xml: string): HostRecordSet[] {
  const type = textOf(xml, 'Type') ?? '';
  if (!isKnownType(type) || textOf(xml, 'SetIdentifier') !== undefined) return [];
  const written = elementsOf(xml, 'ResourceRecord').map((record) => textOf(record, 'Value') ?? '');
  const values = written.flatMap((value) => fromHostValue(type, { value }, form) ?? []);
  if (values.length === 0) return [];
  return [
    { name: nameFrom(textOf(xml, 'Name') ?? ''), type, line: '', ttl: Number(textOf(xml, 'TTL')), values },
  ];
}

const batchOf = (changes: readonly Change[]): string =>
  `<?xml version="1.0" encoding="UTF-8"?><ChangeResourceRecordSetsRequest xmlns="${namespace}"><ChangeBatch><Changes>${changes.map(xmlOf).join('')}</Changes></ChangeBatch></ChangeResourceRecordSetsRequest>`;

function xmlOf({ action, set: { name, type, ttl, values } }: Change): string {
  const records = values.map(
    (value) => `<ResourceRecord><Value>${xmlEscaped(value)}</Value></ResourceRecord>`,
  );
  return `<Change><Action>${action}</Action><ResourceRecordSet><Name>${xmlEscaped(name)}.</Name><Type>${type}</Type><TTL>${ttl}</TTL><ResourceRecords>${records.join('')}</ResourceRecords></ResourceRecordSet></Change>`;
}

export const route53Provider = defineProvider<DnsClient, typeof dnsProviders.route53>(dnsProviders.route53, {
  make: makeRoute53,
  test: async (client) => void (await client.zones()),
});
