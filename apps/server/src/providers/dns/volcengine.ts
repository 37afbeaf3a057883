import { dnsProviders } from '@breakwater/contract';
import * as z from 'zod';
import { allPages, callVendor, readAnswer, type Vendor } from '../call-vendor.ts';
import { defineProvider, type ProviderContext } from '../define-provider.ts';
import type { Reach } from '../reach.ts';
import {
  basicTime,
  canonicalQuery,
  canonicalRequest,
  scopedSignature,
  sha256,
  type SignedParts,
} from '../signature.ts';
import { dnsClient, hostOf, isKnownType, nameOf, withoutDot, zoneIds, type DnsClient } from './dns-client.ts';
import { fromHostValue, toHostValue, type ValueForm } from './dns-values.ts';
import { byRecord, type HostRecord, type KnownRecord } from './record-host.ts';

/**
 * Volcengine DNS, API of 2018-08-01: https://www.volcengine.com/docs/6758/155086, its errors https://www.volcengine.com/docs/6758/163143;
 * its signature: https://www.volcengine.com/docs/6369/67269.
 */

const form: ValueForm = { text: 'plain', names: 'dot', priority: 'within' };
const recordsPerPage = 500;
const zonesPerPage = 100;

const envelope = z.object({
  ResponseMetadata: z.object({
    Error: z.object({ Code: z.string(), Message: z.string().optional() }).optional(),
  }),
  Result: z.unknown().optional(),
});
const zonePage = z.object({
  Total: z.int(),
  Zones: z.array(z.object({ ZID: z.int(), ZoneName: z.string() })).nullish(),
});
const recordPage = z.object({
  TotalCount: z.int(),
  Records: z
    .array(
      z.object({
        RecordID: z.string(),
        Host: z.string(),
        Type: z.string(),
        Line: z.string(),
        TTL: z.int(),
        Value: z.string(),
      }),
    )
    .nullish(),
});

interface VolcengineKey {
  keyId: string;
  secret: string;
  region: string;
  service: string;
}

/** The `Authorization` of a call whose headers have `x-date`. */
export function volcengineAuthorization(
  parts: SignedParts,
  { keyId, secret, region, service }: VolcengineKey,
): string {
  const algorithm = 'HMAC-SHA256';
  const time = parts.headers['x-date'] ?? '';
  const canonical = canonicalRequest(parts);
  const scope = [time.slice(0, 8), region, service, 'request'];
  const signature = scopedSignature({ algorithm, time, scope, key: secret }, canonical.text);
  return `${algorithm} Credential=${keyId}/${scope.join('/')}, SignedHeaders=${canonical.signedHeaders}, Signature=${signature}`;
}

type Params = z.output<typeof dnsProviders.volcengine.params>;

const issues = {
  InvalidAccessKey: 'provider_key',
  InvalidCredential: 'provider_key',
  SignatureDoesNotMatch: 'provider_key',
  InvalidAuthorization: 'provider_key',
  AccessDenied: 'provider_forbidden',
  FlowLimitExceeded: 'provider_limited',
  AccountFlowLimitExceeded: 'provider_limited',
  ErrInternalServer: 'provider_down',
  ErrZoneNotFound: 'dns_zone_unknown',
  ErrDBNotFound: 'dns_record_gone',
  ErrDBDuplicated: 'dns_record_exists',
} as const satisfies Vendor['issues'];

type Call = (
  method: 'GET' | 'POST',
  action: string,
  params: Record<string, string | number>,
) => Promise<unknown>;

function callsOf(
  { access_key_id: keyId, secret_access_key: secret = '' }: Params,
  reach: Reach,
  base: string,
): Call {
  const { host } = new URL(base);
  const key = { keyId, secret, region: 'cn-north-1', service: 'DNS' };
  const vendor: Vendor = {
    reach,
    secrets: [secret],
    fault: ({ json }) => {
      const error = envelope.safeParse(json).data?.ResponseMetadata.Error;
      return error && { code: error.Code, message: error.Message };
    },
    issues,
  };
  return async (method, action, params) => {
    const isRead = method === 'GET';
    const query = canonicalQuery({ Action: action, Version: '2018-08-01', ...(isRead ? params : {}) });
    const body = isRead ? '' : JSON.stringify(params);
    const { json } = await callVendor(vendor, () => {
      const headers = {
        host,
        'x-content-sha256': sha256(body),
        'x-date': basicTime(new Date()),
        ...(isRead ? {} : { 'content-type': 'application/json' }),
      };
      const authorization = volcengineAuthorization({ method, path: '/', query, headers, body }, key);
      return {
        method,
        url: `${base}/?${query}`,
        headers: { ...headers, authorization },
        ...(isRead ? {} : { body }),
      };
    });
    return readAnswer(envelope, json).Result;
  };
}

async function zonesOf(call: Call): Promise<Map<string, number>> {
  const found = await allPages(async (PageNumber, before) => {
    const answer = await call('GET', 'ListZones', { PageNumber, PageSize: zonesPerPage });
    const { Total, Zones } = readAnswer(zonePage, answer);
    const items = Zones ?? [];
    return { items, isLast: before + items.length >= Total };
  });
  return new Map(found.map(({ ZID, ZoneName }) => [withoutDot(ZoneName), ZID]));
}

async function recordsOf(
  call: Call,
  { zone, ZID }: { zone: string; ZID: number },
  of?: { name: string; type: string },
): Promise<KnownRecord[]> {
  const only = of ? { Host: hostOf(of.name, zone), Type: of.type, SearchMode: 'exact' } : {};
  const found = await allPages(async (PageNumber, before) => {
    const page = { ZID, PageNumber, PageSize: recordsPerPage, ...only };
    const { TotalCount, Records } = readAnswer(recordPage, await call('GET', 'ListRecords', page));
    const items = Records ?? [];
    return { items, isLast: before + items.length >= TotalCount };
  });
  return found.flatMap((record) => knownRecord(record, zone));
}

export function makeVolcengine(
  params: Params,
  { reach }: ProviderContext,
  base = 'https://open.volcengineapi.com',
): DnsClient {
  const call = callsOf(params, reach, base);
  const zones = zoneIds(() => zonesOf(call));
  return dnsClient(
    byRecord({
      lines: { default: 'default', telecom: 'telecom', unicom: 'unicom', mobile: 'mobile' },
      ttlSecondsMin: 1,
      planTtlSecondsMin: 600,
      types: ['A', 'AAAA', 'CAA', 'CNAME', 'MX', 'NS', 'SRV', 'TXT'],
      zones: zones.names,
      records: async (zone, of) => recordsOf(call, { zone, ZID: await zones.idOf(zone) }, of),
      create: async (zone, record) =>
        call('POST', 'CreateRecord', { ZID: await zones.idOf(zone), ...bodyOf(record, zone) }),
      update: (zone, record) =>
        call('POST', 'UpdateRecord', { RecordID: record.id, ...bodyOf(record, zone) }),
      remove: (_zone, { id }) => call('POST', 'DeleteRecord', { RecordID: id }),
    }),
  );
}

type VolcengineRecord = NonNullable<z.infer<typeof recordPage>['Records']>[number];

function knownRecord(
  { RecordID: id, Host, Type: type, Line: line, TTL: ttl, Value }: VolcengineRecord,
  zone: string,
): KnownRecord[] {
  if (!isKnownType(type)) return [];
  const value = fromHostValue(type, { value: Value }, form);
  // The documents write this line in both ways.
  const known = line === 'Default' ? 'default' : line;
  return value === undefined ? [] : [{ id, name: nameOf(Host, zone), type, line: known, ttl, value }];
}

const bodyOf = ({ name, type, line, ttl, value }: HostRecord, zone: string) => ({
  Host: hostOf(name, zone),
  Type: type,
  Line: line,
  TTL: ttl,
  Value: toHostValue(type, value, form).value,
});

export const volcengineProvider = defineProvider<DnsClient, typeof dnsProviders.volcengine>(
  dnsProviders.volcengine,
  {
    make: makeVolcengine,
    test: async (client) => void (await client.zones()),
  },
);
