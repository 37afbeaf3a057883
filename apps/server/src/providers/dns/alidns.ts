import { dnsProviders } from '@breakwater/contract';
import { createHmac, randomUUID } from 'node:crypto';
import * as z from 'zod';
import { allPages, callVendor, readAnswer, type Vendor } from '../call-vendor.ts';
import { defineProvider, type ProviderContext } from '../define-provider.ts';
import type { Reach } from '../reach.ts';
import { canonicalQuery, escaped } from '../signature.ts';
import { dnsClient, hostOf, isKnownType, nameOf, withoutDot, type DnsClient } from './dns-client.ts';
import { fromHostValue, toHostValue, type ValueForm } from './dns-values.ts';
import { byRecord, type HostRecord, type KnownRecord } from './record-host.ts';

/**
 * Alibaba Cloud DNS, API of 2015-01-09 in the RPC style: https://help.aliyun.com/zh/dns/api-alidns-2015-01-09-overview; its signature:
 * https://help.aliyun.com/zh/sdk/product-overview/rpc-mechanism; its lines: https://help.aliyun.com/zh/dns/pubz-resolve-line-enumeration.
 */

const form: ValueForm = { text: 'plain', names: 'bare', priority: 'apart' };
const recordsPerPage = 500;
const zonesPerPage = 100;

const fault = z.object({ Code: z.string(), Message: z.string().optional() });
const zonePage = z.object({
  TotalCount: z.int(),
  Domains: z.object({
    Domain: z.array(z.object({ DomainName: z.string(), PunyCode: z.string().optional() })),
  }),
});
const recordPage = z.object({
  TotalCount: z.int(),
  DomainRecords: z.object({
    Record: z.array(
      z.object({
        RecordId: z.string(),
        RR: z.string(),
        Type: z.string(),
        Line: z.string(),
        TTL: z.int(),
        Value: z.string(),
        Priority: z.int().optional(),
      }),
    ),
  }),
});

type Query = Readonly<Record<string, string | number>>;

/** The signature of the RPC style: HMAC-SHA1 over the method and all parameters in their order. */
export const aliyunSignature = (method: string, query: Query, secret: string): string =>
  createHmac('sha1', `${secret}&`)
    .update(`${method}&${escaped('/')}&${escaped(canonicalQuery(query))}`)
    .digest('base64');

type Params = z.output<typeof dnsProviders.alidns.params>;

const issues = {
  InvalidAccessKeyId: 'provider_key',
  SignatureDoesNotMatch: 'provider_key',
  IncompleteSignature: 'provider_key',
  Forbidden: 'provider_forbidden',
  NoPermission: 'provider_forbidden',
  Throttling: 'provider_limited',
  ServiceUnavailable: 'provider_down',
  'InvalidDomainName.NoExist': 'dns_zone_unknown',
  DomainRecordDuplicate: 'dns_record_exists',
  DomainRecordNotBelongToUser: 'dns_record_gone',
  'InvalidRecordId.NoExist': 'dns_record_gone',
  'QuotaExceeded.TTL': 'dns_ttl',
} as const satisfies Vendor['issues'];

type Call = (action: string, params: Query) => Promise<unknown>;

function callsOf(
  { access_key_id: keyId, access_key_secret: secret = '' }: Params,
  reach: Reach,
  base: string,
): Call {
  const vendor: Vendor = {
    reach,
    secrets: [secret],
    fault: ({ json }) => {
      const said = fault.safeParse(json).data;
      return said && { code: said.Code, message: said.Message };
    },
    issues,
  };
  return async (action, params) => {
    const { json } = await callVendor(vendor, () => {
      const query = {
        ...params,
        Action: action,
        Version: '2015-01-09',
        Format: 'JSON',
        AccessKeyId: keyId,
        SignatureMethod: 'HMAC-SHA1',
        SignatureVersion: '1.0',
        SignatureNonce: randomUUID(),
        Timestamp: new Date().toISOString().replace(/\.\d{3}/, ''),
      };
      const Signature = aliyunSignature('POST', query, secret);
      return { method: 'POST', url: `${base}/?${canonicalQuery({ ...query, Signature })}`, headers: {} };
    });
    return json;
  };
}

async function zonesOf(call: Call): Promise<string[]> {
  const found = await allPages(async (PageNumber, before) => {
    const answer = await call('DescribeDomains', { PageNumber, PageSize: zonesPerPage });
    const { TotalCount, Domains } = readAnswer(zonePage, answer);
    return { items: Domains.Domain, isLast: before + Domains.Domain.length >= TotalCount };
  });
  return found.map(({ DomainName, PunyCode }) => withoutDot(PunyCode ?? DomainName));
}

async function recordsOf(
  call: Call,
  zone: string,
  of?: { name: string; type: string },
): Promise<KnownRecord[]> {
  // It finds every name that has this within; `dnsClient` and `byRecord` take the one.
  const only: Query = of ? { RRKeyWord: hostOf(of.name, zone), TypeKeyWord: of.type } : {};
  const found = await allPages(async (PageNumber, before) => {
    const page = { DomainName: zone, PageNumber, PageSize: recordsPerPage, ...only };
    const { TotalCount, DomainRecords } = readAnswer(recordPage, await call('DescribeDomainRecords', page));
    const { Record: items } = DomainRecords;
    return { items, isLast: before + items.length >= TotalCount };
  });
  return found.flatMap((record) => knownRecord(record, zone));
}

export function makeAlidns(
  params: Params,
  { reach }: ProviderContext,
  base = `https://${params.endpoint}`,
): DnsClient {
  const call = callsOf(params, reach, base);
  return dnsClient(
    byRecord({
      lines: {
        default: 'default',
        telecom: 'telecom',
        unicom: 'unicom',
        mobile: 'mobile',
        edu: 'edu',
        overseas: 'oversea',
      },
      ttlSecondsMin: 1,
      planTtlSecondsMin: 600,
      zones: () => zonesOf(call),
      records: (zone, of) => recordsOf(call, zone, of),
      create: (zone, record) => call('AddDomainRecord', { DomainName: zone, ...bodyOf(record, zone) }),
      update: (zone, record) => call('UpdateDomainRecord', { RecordId: record.id, ...bodyOf(record, zone) }),
      remove: (_zone, { id }) => call('DeleteDomainRecord', { RecordId: id }),
    }),
  );
}

type AliyunRecord = z.infer<typeof recordPage>['DomainRecords']['Record'][number];

function knownRecord(
  { RecordId: id, RR, Type: type, Line: line, TTL: ttl, Value, Priority }: AliyunRecord,
  zone: string,
): KnownRecord[] {
  if (!isKnownType(type)) return [];
  const value = fromHostValue(type, { value: Value, priority: Priority }, form);
  return value === undefined ? [] : [{ id, name: nameOf(RR, zone), type, line, ttl, value }];
}

function bodyOf({ name, type, line, ttl, value }: HostRecord, zone: string): Query {
  const { value: Value, priority } = toHostValue(type, value, form);
  const shared = { RR: hostOf(name, zone), Type: type, Line: line, TTL: ttl, Value };
  return priority === undefined ? shared : { ...shared, Priority: priority };
}

export const alidnsProvider = defineProvider<DnsClient, typeof dnsProviders.alidns>(dnsProviders.alidns, {
  make: makeAlidns,
  test: async (client) => void (await client.zones()),
});
