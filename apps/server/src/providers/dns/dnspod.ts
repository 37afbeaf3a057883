import { dnsProviders } from '@breakwater/contract';
import * as z from 'zod';
import { allPages, callVendor, readAnswer, type Vendor } from '../call-vendor.ts';
import { defineProvider, ProviderProblem, type ProviderContext } from '../define-provider.ts';
import type { Reach } from '../reach.ts';
import { canonicalRequest, scopedSignature } from '../signature.ts';
import { dnsClient, hostOf, isKnownType, nameOf, withoutDot, type DnsClient } from './dns-client.ts';
import { fromHostValue, toHostValue, type ValueForm } from './dns-values.ts';
import { dnspodDefaultLine } from './vendor-lines.text.ts';
import { byRecord, type HostRecord, type KnownRecord } from './record-host.ts';

/**
 * Tencent Cloud DNSPod, API 3.0 of 2021-03-23: https://cloud.tencent.com/document/product/1427/56193; its signature TC3-HMAC-SHA256:
 * https://cloud.tencent.com/document/api/1427/56189; its lines: https://cloud.tencent.com/document/product/1427/56167.
 */

const form: ValueForm = { text: 'plain', names: 'dot', priority: 'apart' };
const perPage = 3000;

const envelope = z.object({
  Response: z.looseObject({
    Error: z.object({ Code: z.string(), Message: z.string().default('') }).optional(),
  }),
});
const zonePage = z.object({
  DomainCountInfo: z.object({ AllTotal: z.int() }),
  DomainList: z.array(z.object({ Name: z.string(), Punycode: z.string().optional() })),
});
const recordPage = z.object({
  RecordCountInfo: z.object({ TotalCount: z.int() }),
  RecordList: z.array(
    z.object({
      RecordId: z.int(),
      Name: z.string(),
      Type: z.string(),
      LineId: z.string(),
      TTL: z.int(),
      Value: z.string(),
      MX: z.int().optional(),
    }),
  ),
});

interface Tc3 {
  secretId: string;
  secretKey: string;
  service: string;
  host: string;
  action: string;
  body: string;
  at: Date;
}

/** The `Authorization` of a call by POST. */
export function tc3Authorization({ secretId, secretKey, service, host, action, body, at }: Tc3): string {
  const algorithm = 'TC3-HMAC-SHA256';
  const headers = {
    'content-type': 'application/json; charset=utf-8',
    host,
    'x-tc-action': action.toLowerCase(),
  };
  const canonical = canonicalRequest({ method: 'POST', path: '/', query: '', headers, body });
  const scope = [at.toISOString().slice(0, 10), service, 'tc3_request'];
  const time = String(Math.floor(at.getTime() / 1000));
  const signature = scopedSignature({ algorithm, time, scope, key: `TC3${secretKey}` }, canonical.text);
  return `${algorithm} Credential=${secretId}/${scope.join('/')}, SignedHeaders=${canonical.signedHeaders}, Signature=${signature}`;
}

type Params = z.output<typeof dnsProviders.dnspod.params>;

const issues = {
  AuthFailure: 'provider_key',
  'AuthFailure.UnauthorizedOperation': 'provider_forbidden',
  UnauthorizedOperation: 'provider_forbidden',
  RequestLimitExceeded: 'provider_limited',
  InternalError: 'provider_down',
  'InvalidParameterValue.DomainNotExists': 'dns_zone_unknown',
  'ResourceNotFound.NoDataOfDomain': 'dns_zone_unknown',
  'FailedOperation.NotDomainOwner': 'dns_zone_unknown',
  'OperationDenied.NoPermissionToOperateDomain': 'dns_zone_unknown',
  'ResourceNotFound.NoDataOfRecord': 'dns_record_gone',
  'InvalidParameter.RecordIdInvalid': 'dns_record_gone',
  'InvalidParameter.DomainRecordExist': 'dns_record_exists',
  'InvalidParameter.RecordLineInvalid': 'dns_line_unknown',
  'LimitExceeded.RecordTtlLimit': 'dns_ttl',
} as const satisfies Vendor['issues'];

type Call = (action: string, params: object) => Promise<unknown>;

function callsOf(
  { secret_id: secretId, secret_key: secretKey = '' }: Params,
  reach: Reach,
  base: string,
): Call {
  const { host } = new URL(base);
  const vendor: Vendor = {
    reach,
    secrets: [secretKey],
    fault: ({ json }) => {
      const error = envelope.safeParse(json).data?.Response.Error;
      return error && { code: error.Code, message: error.Message };
    },
    issues,
  };
  return async (action, params) => {
    const body = JSON.stringify(params);
    const { json } = await callVendor(vendor, () => {
      const at = new Date();
      return {
        method: 'POST',
        url: `${base}/`,
        headers: {
          'content-type': 'application/json; charset=utf-8',
          'x-tc-action': action,
          'x-tc-version': '2021-03-23',
          'x-tc-timestamp': String(Math.floor(at.getTime() / 1000)),
          authorization: tc3Authorization({ secretId, secretKey, service: 'dnspod', host, action, body, at }),
        },
        body,
      };
    });
    return readAnswer(envelope, json).Response;
  };
}

async function zonesOf(call: Call): Promise<string[]> {
  const found = await allPages(async (_page, before) => {
    const answer = await call('DescribeDomainList', { Offset: before, Limit: perPage });
    const { DomainCountInfo, DomainList: items } = readAnswer(zonePage, answer);
    return { items, isLast: before + items.length >= DomainCountInfo.AllTotal };
  });
  return found.map(({ Name, Punycode }) => withoutDot(Punycode ?? Name));
}

async function recordsOf(
  call: Call,
  zone: string,
  of?: { name: string; type: string },
): Promise<KnownRecord[]> {
  const only = of ? { Subdomain: hostOf(of.name, zone), RecordType: of.type } : {};
  const found = await allPages(async (_page, before) => {
    const answer = await orNothing(
      call('DescribeRecordList', { Domain: zone, Offset: before, Limit: perPage, ...only }),
    );
    if (answer === undefined) return { items: [], isLast: true };
    const { RecordCountInfo, RecordList: items } = readAnswer(recordPage, answer);
    return { items, isLast: before + items.length >= RecordCountInfo.TotalCount };
  });
  return found.flatMap((record) => knownRecord(record, zone));
}

export function makeDnspod(
  params: Params,
  { reach }: ProviderContext,
  base = `https://${params.endpoint}`,
): DnsClient {
  const call = callsOf(params, reach, base);
  return dnsClient(
    byRecord({
      // The ids of lines: their names differ between the sites of Tencent Cloud.
      lines: { default: '0', telecom: '10=0', unicom: '10=1', mobile: '10=3', edu: '10=2', overseas: '3=0' },
      ttlSecondsMin: 1,
      planTtlSecondsMin: 600,
      zones: () => zonesOf(call),
      records: (zone, of) => recordsOf(call, zone, of),
      create: (zone, record) => call('CreateRecord', { Domain: zone, ...bodyOf(record, zone) }),
      update: (zone, record) =>
        call('ModifyRecord', { Domain: zone, RecordId: Number(record.id), ...bodyOf(record, zone) }),
      remove: (zone, { id }) => call('DeleteRecord', { Domain: zone, RecordId: Number(id) }),
    }),
  );
}

/** An empty list is said to be an error there. */
async function orNothing(list: Promise<unknown>): Promise<unknown> {
  try {
    return await list;
  } catch (error) {
    if (error instanceof ProviderProblem && error.issue === 'dns_record_gone') return undefined;
    throw error;
  }
}

type DnspodRecord = z.infer<typeof recordPage>['RecordList'][number];

function knownRecord(
  { RecordId, Name, Type: type, LineId: line, TTL: ttl, Value, MX }: DnspodRecord,
  zone: string,
): KnownRecord[] {
  if (!isKnownType(type)) return [];
  const value = fromHostValue(type, { value: Value, priority: MX }, form);
  return value === undefined
    ? []
    : [{ id: String(RecordId), name: nameOf(Name, zone), type, line, ttl, value }];
}

function bodyOf({ name, type, line, ttl, value }: HostRecord, zone: string): object {
  const { value: Value, priority } = toHostValue(type, value, form);
  const shared = {
    SubDomain: hostOf(name, zone),
    RecordType: type,
    // Needed besides the id, which counts.
    RecordLine: dnspodDefaultLine,
    RecordLineId: line,
    TTL: ttl,
    Value,
  };
  return priority === undefined ? shared : { ...shared, MX: priority };
}

export const dnspodProvider = defineProvider<DnsClient, typeof dnsProviders.dnspod>(dnsProviders.dnspod, {
  make: makeDnspod,
  test: async (client) => void (await client.zones()),
});
