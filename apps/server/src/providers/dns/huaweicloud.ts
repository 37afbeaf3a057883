import { dnsProviders, type DnsRecordType } from '@breakwater/contract';
import * as z from 'zod';
import { allPages, callVendor, readAnswer, type Vendor } from '../call-vendor.ts';
import type { HttpCall } from '../call-http.ts';
import { defineProvider, type ProviderContext } from '../define-provider.ts';
import type { Reach } from '../reach.ts';
import {
  basicTime,
  canonicalQuery,
  canonicalRequest,
  hmacSha256,
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

/**
 * Huawei Cloud DNS, API v2.1 with lines: https://support.huaweicloud.com/api-dns/dns_api_64001.html and those after it; its signature
 * SDK-HMAC-SHA256: https://support.huaweicloud.com/devg-apisign/api-sign-algorithm.html.
 */

const form: ValueForm = { text: 'quoted', names: 'dot', priority: 'within' };
const perPage = 500;

const fault = z.union([
  z.object({ code: z.string(), message: z.string().optional() }),
  // Of the gateway before it.
  z
    .object({ error_code: z.string(), error_msg: z.string().optional() })
    .transform(({ error_code: code, error_msg: message }) => ({ code, message })),
]);
const metadata = z.object({ total_count: z.int() });
const zonePage = z.object({ zones: z.array(z.object({ id: z.string(), name: z.string() })), metadata });
const setPage = z.object({
  recordsets: z.array(
    z.object({
      id: z.string(),
      name: z.string(),
      type: z.string(),
      ttl: z.int(),
      line: z.string(),
      records: z.array(z.string()).optional(),
    }),
  ),
  metadata,
});
type HuaweiSet = z.infer<typeof setPage>['recordsets'][number];

/** The `Authorization` of a call whose headers have `x-sdk-date`. */
export function huaweiAuthorization(parts: SignedParts, accessKey: string, secretKey: string): string {
  // What is signed ends with a slash, whether or not the path does.
  const path = parts.path.endsWith('/') ? parts.path : `${parts.path}/`;
  const { text, signedHeaders } = canonicalRequest({ ...parts, path });
  const toSign = ['SDK-HMAC-SHA256', parts.headers['x-sdk-date'], sha256(text)].join('\n');
  const signature = hmacSha256(secretKey, toSign).toString('hex');
  return `SDK-HMAC-SHA256 Access=${accessKey}, SignedHeaders=${signedHeaders}, Signature=${signature}`;
}

type Params = z.output<typeof dnsProviders.huaweicloud.params>;

/** https://support.huaweicloud.com/api-dns/ErrorCode.html */
const issues = {
  'APIGW.0301': 'provider_key',
  'APIGW.0303': 'provider_key',
  'DNS.0005': 'provider_key',
  'APIGW.0302': 'provider_forbidden',
  'DNS.0013': 'provider_forbidden',
  'DNS.0030': 'provider_forbidden',
  'APIGW.0308': 'provider_limited',
  'DNS.0014': 'provider_limited',
  'DNS.0021': 'provider_limited',
  'DNS.0302': 'dns_zone_unknown',
  'DNS.1206': 'dns_zone_unknown',
  'DNS.0004': 'dns_record_gone',
  'DNS.0313': 'dns_record_gone',
  'DNS.0312': 'dns_record_exists',
  'DNS.0335': 'dns_record_exists',
  'DNS.0303': 'dns_ttl',
  'DNS.0319': 'dns_ttl',
} as const satisfies Vendor['issues'];

type Call = (
  method: HttpCall['method'],
  path: string,
  more?: { query?: object; body?: object },
) => Promise<unknown>;

function callsOf(
  { access_key: accessKey, secret_key: secretKey = '' }: Params,
  reach: Reach,
  base: string,
): Call {
  const { host } = new URL(base);
  const vendor: Vendor = {
    reach,
    secrets: [secretKey],
    fault: ({ status, json }) => (status < 300 ? undefined : fault.safeParse(json).data),
    issues,
  };
  return async (method, path, more = {}) => {
    const query = canonicalQuery({ ...more.query });
    const body = more.body ? JSON.stringify(more.body) : '';
    const { json } = await callVendor(vendor, () => {
      const headers = {
        host,
        'x-sdk-date': basicTime(new Date()),
        ...(body === '' ? {} : { 'content-type': 'application/json' }),
      };
      const authorization = huaweiAuthorization({ method, path, query, headers, body }, accessKey, secretKey);
      return {
        method,
        url: `${base}${path}${query === '' ? '' : `?${query}`}`,
        headers: { ...headers, authorization },
        ...(body === '' ? {} : { body }),
      };
    });
    return json;
  };
}

async function zonesOf(call: Call): Promise<Map<string, string>> {
  const found = await allPages(async (_page, before) => {
    const query = { type: 'public', limit: perPage, offset: before };
    const { zones: items, metadata: all } = readAnswer(zonePage, await call('GET', '/v2/zones', { query }));
    return { items, isLast: before + items.length >= all.total_count };
  });
  return new Map(found.map(({ id, name }) => [withoutDot(name), id]));
}

/** @param path of the record sets of a zone. */
const setsOf = (
  call: Call,
  path: string,
  of?: { name: string; type: DnsRecordType },
): Promise<HuaweiSet[]> => {
  const only = of ? { name: `${of.name}.`, type: of.type, search_mode: 'equal' } : {};
  return allPages(async (_page, before) => {
    const query = { limit: perPage, offset: before, ...only };
    const { recordsets: items, metadata: all } = readAnswer(setPage, await call('GET', path, { query }));
    return { items, isLast: before + items.length >= all.total_count };
  });
};

async function change(call: Call, path: string, set: HostRecordSet): Promise<void> {
  const { name, type, line, ttl, values } = set;
  const isIt = (each: HuaweiSet) =>
    withoutDot(each.name) === name && each.type === type && each.line === line;
  const known = (await setsOf(call, path, set)).find(isIt);
  const body = { name: `${name}.`, type, ttl, records: values };
  if (values.length > 0 && !known) await call('POST', path, { body: { ...body, line } });
  else if (values.length > 0 && known) await call('PUT', `${path}/${known.id}`, { body });
  else if (known) await call('DELETE', `${path}/${known.id}`);
}

export function makeHuaweicloud(
  params: Params,
  { reach }: ProviderContext,
  base = `https://${params.endpoint}`,
): DnsClient {
  const call = callsOf(params, reach, base);
  const zones = zoneIds(() => zonesOf(call));
  const pathOf = async (zone: string) => `/v2.1/zones/${await zones.idOf(zone)}/recordsets`;
  return dnsClient({
    lines: {
      default: 'default_view',
      telecom: 'Dianxin',
      unicom: 'Liantong',
      mobile: 'Yidong',
      edu: 'Jiaoyuwang',
      overseas: 'Abroad',
    },
    ttlSecondsMin: 1,
    types: ['A', 'AAAA', 'CAA', 'CNAME', 'MX', 'NS', 'SRV', 'TXT'],
    zones: zones.names,
    list: async (zone, of) => (await setsOf(call, await pathOf(zone), of)).flatMap(hostSet),
    apply: async (zone, sets) => {
      const path = await pathOf(zone);
      for (const set of sets) await onceMore(() => change(call, path, set));
    },
  });
}

function hostSet({ name, type, ttl, line, records = [] }: HuaweiSet): HostRecordSet[] {
  if (!isKnownType(type)) return [];
  const values = records.flatMap((value) => fromHostValue(type, { value }, form) ?? []);
  return values.length === 0 ? [] : [{ name: withoutDot(name), type, line, ttl, values }];
}

export const huaweicloudProvider = defineProvider<DnsClient, typeof dnsProviders.huaweicloud>(
  dnsProviders.huaweicloud,
  {
    make: makeHuaweicloud,
    test: async (client) => void (await client.zones()),
  },
);
