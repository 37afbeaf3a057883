import { dnsProviders, dnsRecordSet, type DnsRecordType } from '@breakwater/contract';
import { createHmac, randomBytes } from 'node:crypto';
import * as z from 'zod';
import { allPages, callVendor, readAnswer, type Vendor } from '../call-vendor.ts';
import { defineProvider, type ProviderContext } from '../define-provider.ts';
import type { Reach } from '../reach.ts';
import { dnsClient, withoutDot, type DnsClient, type HostRecordSet } from './dns-client.ts';
import { fromHostValue, type ValueForm } from './dns-values.ts';

/** An address of the operator's own; its protocol is ours: `docs/dns-accounts.md`. */

const form: ValueForm = { text: 'quoted', names: 'dot', priority: 'within' };

const fault = z.object({ error: z.object({ code: z.string(), message: z.string().optional() }) });
const paged = { next: z.string().min(1).optional() };
const zonePage = z.object({ zones: z.array(z.string()), ...paged });
const recordPage = z.object({
  // Of types that we do not know there may be records too.
  records: z.array(z.union([dnsRecordSet, z.looseObject({ type: z.string() })])),
  ...paged,
});

const signatureOf = (secret: string, timestamp: string, nonce: string, body: string): string =>
  createHmac('sha256', secret).update([timestamp, nonce, body].join('\n')).digest('hex');

type Params = z.output<typeof dnsProviders.custom_http.params>;

const issues = {
  bad_signature: 'provider_key',
  forbidden: 'provider_forbidden',
  rate_limited: 'provider_limited',
  unavailable: 'provider_down',
  zone_unknown: 'dns_zone_unknown',
  line_unknown: 'dns_line_unknown',
  type_unknown: 'dns_type_unknown',
  ttl_too_low: 'dns_ttl',
} as const satisfies Vendor['issues'];

type Call = (action: string, fields: object) => Promise<unknown>;

function callsOf({ url, secret = '' }: Params, reach: Reach): Call {
  const vendor: Vendor = {
    reach,
    secrets: [secret],
    fault: ({ json }) => fault.safeParse(json).data?.error,
    issues,
  };
  return async (action, fields) => {
    const body = JSON.stringify({ action, ...fields });
    const { json } = await callVendor(vendor, () => {
      const timestamp = String(Math.floor(Date.now() / 1000));
      const nonce = randomBytes(16).toString('hex');
      return {
        method: 'POST',
        url,
        headers: {
          'content-type': 'application/json',
          'x-breakwater-timestamp': timestamp,
          'x-breakwater-nonce': nonce,
          'x-breakwater-signature': signatureOf(secret, timestamp, nonce, body),
        },
        body,
      };
    });
    return json;
  };
}

async function zonesOf(call: Call): Promise<string[]> {
  let cursor = {};
  const found = await allPages(async () => {
    const { zones, next } = readAnswer(zonePage, await call('list_zones', cursor));
    cursor = { cursor: next };
    return { items: zones, isLast: next === undefined };
  });
  return found.map(withoutDot);
}

async function setsOf(
  call: Call,
  zone: string,
  of?: { name: string; type: DnsRecordType },
): Promise<HostRecordSet[]> {
  const only = of ? { name: of.name, type: of.type } : {};
  let cursor = {};
  const found = await allPages(async () => {
    const answer = await call('list_records', { zone, ...only, ...cursor });
    const { records, next } = readAnswer(recordPage, answer);
    cursor = { cursor: next };
    return { items: records, isLast: next === undefined };
  });
  return found.flatMap((record) => {
    const set = dnsRecordSet.safeParse(record).data;
    if (!set) return [];
    const values = set.values.flatMap((value) => fromHostValue(set.type, { value }, form) ?? []);
    return [{ ...set, name: withoutDot(set.name), line: set.line ?? 'default', values }];
  });
}

function makeCustomHttp(params: Params, { reach }: ProviderContext): DnsClient {
  const call = callsOf(params, reach);
  return dnsClient({
    lines: {
      default: 'default',
      telecom: 'telecom',
      unicom: 'unicom',
      mobile: 'mobile',
      edu: 'edu',
      overseas: 'overseas',
    },
    ttlSecondsMin: 1,
    zones: () => zonesOf(call),
    list: (zone, of) => setsOf(call, zone, of),
    apply: async (zone, records) => void (await call('apply_records', { zone, records })),
  });
}

export const customHttpProvider = defineProvider<DnsClient, typeof dnsProviders.custom_http>(
  dnsProviders.custom_http,
  {
    make: makeCustomHttp,
    test: async (client) => void (await client.zones()),
  },
);
