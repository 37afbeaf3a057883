import { dnsProviders, type DnsRecordType } from '@breakwater/contract';
import * as z from 'zod';
import type { HttpCall } from '../call-http.ts';
import { allPages, callJson, readAnswer, type Vendor } from '../call-vendor.ts';
import { defineProvider, ProviderProblem, type ProviderContext } from '../define-provider.ts';
import type { Reach } from '../reach.ts';
import { dnsClient, hostOf, isKnownType, nameOf, type DnsClient, type HostRecordSet } from './dns-client.ts';
import { fromHostValue, toHostValue, type ValueForm } from './dns-values.ts';

/** GoDaddy, API v1: https://developer.godaddy.com/doc/endpoint/domains; 60 calls a minute, and only accounts of a certain size may call. */

const form: ValueForm = { text: 'plain', names: 'bare', priority: 'apart' };
const zonesPerPage = 1000;
/** SRV has fields of its own there, CAA is not among the types of the API. */
const types = ['A', 'AAAA', 'CNAME', 'MX', 'NS', 'TXT'] as const satisfies readonly DnsRecordType[];

const fault = z.object({ code: z.string(), message: z.string().optional() });
const domains = z.array(z.object({ domain: z.string(), status: z.string() }));
const records = z.array(
  z.object({
    type: z.string(),
    name: z.string(),
    data: z.string(),
    ttl: z.int(),
    priority: z.int().optional(),
  }),
);

type Params = z.output<typeof dnsProviders.godaddy.params>;

const issues = {
  UNABLE_TO_AUTHENTICATE: 'provider_key',
  MISSING_CREDENTIALS: 'provider_key',
  ACCESS_DENIED: 'provider_forbidden',
  NOT_FOUND: 'dns_record_gone',
  UNKNOWN_DOMAIN: 'dns_zone_unknown',
  TOO_MANY_REQUESTS: 'provider_limited',
} as const satisfies Vendor['issues'];

type Call = (method: HttpCall['method'], path: string, body?: unknown) => Promise<unknown>;

function callsOf({ api_key: key, api_secret: secret = '' }: Params, reach: Reach, base: string): Call {
  const vendor: Vendor = {
    reach,
    secrets: [secret],
    fault: ({ status, json }) => (status < 300 ? undefined : fault.safeParse(json).data),
    issues,
  };
  const headers = { authorization: `sso-key ${key}:${secret}` };
  return (method, path, body) => callJson(vendor, { method, url: base + path, headers, body });
}

const pathOf = (zone: string, of?: { name: string; type: string }): string =>
  `/v1/domains/${encodeURIComponent(zone)}/records${
    of ? `/${of.type}/${encodeURIComponent(hostOf(of.name, zone))}` : ''
  }`;

async function zonesOf(call: Call): Promise<string[]> {
  let after = '';
  const found = await allPages(async () => {
    const path = `/v1/domains?statuses=ACTIVE&limit=${zonesPerPage}${after}`;
    const items = readAnswer(domains, await call('GET', path));
    after = `&marker=${encodeURIComponent(items.at(-1)?.domain ?? '')}`;
    return { items, isLast: items.length < zonesPerPage };
  });
  return found.map(({ domain }) => domain.toLowerCase());
}

export function makeGodaddy(
  params: Params,
  { reach }: ProviderContext,
  base = 'https://api.godaddy.com',
): DnsClient {
  const call = callsOf(params, reach, base);
  return dnsClient({
    lines: { default: '' },
    ttlSecondsMin: 600,
    types,
    zones: () => zonesOf(call),
    list: async (zone, of) => setsOf(zone, readAnswer(records, await call('GET', pathOf(zone, of)))),
    apply: async (zone, sets) => {
      for (const set of sets)
        if (set.values.length > 0) await call('PUT', pathOf(zone, set), bodyOf(set));
        else await unlessGone(call('DELETE', pathOf(zone, set)));
    },
  });
}

async function unlessGone(removal: Promise<unknown>): Promise<void> {
  try {
    await removal;
  } catch (error) {
    if (!(error instanceof ProviderProblem && error.issue === 'dns_record_gone')) throw error;
  }
}

function setsOf(zone: string, found: z.infer<typeof records>): HostRecordSet[] {
  const sets = new Map<string, HostRecordSet>();
  for (const { type, name: host, data, ttl, priority } of found) {
    const value = isKnownType(type) ? fromHostValue(type, { value: data, priority }, form) : undefined;
    if (!isKnownType(type) || value === undefined) continue;
    const name = nameOf(host, zone);
    const set = sets.get(`${name} ${type}`);
    if (set) set.values.push(value);
    else sets.set(`${name} ${type}`, { name, type, line: '', ttl, values: [value] });
  }
  return [...sets.values()];
}

const bodyOf = ({ type, ttl, values }: HostRecordSet): object[] =>
  values.map((each) => {
    const { value: data, priority } = toHostValue(type, each, form);
    return { data, ttl, ...(priority === undefined ? {} : { priority }) };
  });

export const godaddyProvider = defineProvider<DnsClient, typeof dnsProviders.godaddy>(dnsProviders.godaddy, {
  make: makeGodaddy,
  test: async (client) => void (await client.zones()),
});
