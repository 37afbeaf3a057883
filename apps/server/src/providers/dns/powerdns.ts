import { dnsProviders } from '@breakwater/contract';
import * as z from 'zod';
import { callJson, readAnswer, type Vendor } from '../call-vendor.ts';
import { defineProvider, type ProviderContext } from '../define-provider.ts';
import type { Reach } from '../reach.ts';
import { dnsClient, isKnownType, withoutDot, type DnsClient, type HostRecordSet } from './dns-client.ts';

/** PowerDNS Authoritative by its HTTP API (https://doc.powerdns.com/authoritative/http-api/zone.html). */

const zoneList = z.array(z.object({ name: z.string() }));
const zoneData = z.object({
  rrsets: z.array(
    z.object({
      name: z.string(),
      type: z.string(),
      ttl: z.int(),
      records: z.array(z.object({ content: z.string(), disabled: z.boolean().default(false) })),
    }),
  ),
});
const said = z.object({ error: z.string() });

type Params = z.output<typeof dnsProviders.powerdns.params>;

type Call = (method: 'GET' | 'PATCH', path: string, body?: unknown) => Promise<unknown>;

function callsOf({ url, api_key: key = '', server_id: server }: Params, reach: Reach): Call {
  const base = `${url.replace(/\/+$/, '')}/api/v1/servers/${encodeURIComponent(server)}/zones`;
  const vendor: Vendor = {
    reach,
    secrets: [key],
    fault: ({ status, json }) =>
      status >= 200 && status < 300
        ? undefined
        : { code: String(status), message: said.safeParse(json).data?.error },
    issues: { 401: 'provider_key' },
  };
  // Of a path below the list, what is not found is the zone.
  const ofZone: Vendor = { ...vendor, issues: { ...vendor.issues, 404: 'dns_zone_unknown' } };
  return (method, path, body) =>
    callJson(path === '' ? vendor : ofZone, {
      method,
      url: base + path,
      headers: { 'x-api-key': key },
      body,
    });
}

async function listSets(
  call: Call,
  zone: string,
  of?: { name: string; type: string },
): Promise<HostRecordSet[]> {
  const query = new URLSearchParams(of ? { rrset_name: `${of.name}.`, rrset_type: of.type } : {}).toString();
  const { rrsets } = readAnswer(zoneData, await call('GET', `${pathOf(zone)}?${query}`));
  return rrsets.flatMap(({ name, type, ttl, records }): HostRecordSet[] => {
    const values = records.filter(({ disabled }) => !disabled).map(({ content }) => content);
    return isKnownType(type) && values.length > 0
      ? [{ name: withoutDot(name), type, line: '', ttl, values }]
      : [];
  });
}

function makePowerdns(params: Params, { reach }: ProviderContext): DnsClient {
  const call = callsOf(params, reach);
  return dnsClient({
    lines: { default: '' },
    ttlSecondsMin: 0,
    zones: async () => readAnswer(zoneList, await call('GET', '')).map(({ name }) => withoutDot(name)),
    list: (zone, of) => listSets(call, zone, of),
    // One request: all of it or nothing.
    apply: async (zone, sets) => {
      const rrsets = sets.map(({ name, type, ttl, values }) => ({
        name: `${name}.`,
        type,
        ...(values.length === 0
          ? { changetype: 'DELETE' }
          : { ttl, changetype: 'REPLACE', records: values.map((content) => ({ content, disabled: false })) }),
      }));
      await call('PATCH', pathOf(zone), { rrsets });
    },
  });
}

const pathOf = (zone: string): string => `/${encodeURIComponent(`${zone}.`)}`;

export const powerdnsProvider = defineProvider<DnsClient, typeof dnsProviders.powerdns>(
  dnsProviders.powerdns,
  {
    make: makePowerdns,
    test: async (client) => void (await client.zones()),
  },
);
