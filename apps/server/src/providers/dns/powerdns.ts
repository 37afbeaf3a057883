import { dnsProviders, type DnsRecordType } from '@breakwater/contract';
import * as z from 'zod';
import { callJson } from '../call-json.ts';
import { defineProvider, ProviderProblem, type ProviderContext } from '../define-provider.ts';
import { isWithin, type DnsClient } from './dns-client.ts';

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

type Params = z.output<typeof dnsProviders.powerdns.params>;

function makePowerdns(
  { url, api_key: key = '', server_id: server }: Params,
  { reach }: ProviderContext,
): DnsClient {
  const base = `${url.replace(/\/+$/, '')}/api/v1/servers/${encodeURIComponent(server)}/zones`;
  const call = async (method: 'GET' | 'PATCH', path: string, body?: unknown): Promise<unknown> => {
    const { status, json } = await callJson(reach, base + path, {
      method,
      headers: { 'x-api-key': key },
      body,
    });
    if (status >= 200 && status < 300) return json;
    const said = z.object({ error: z.string() }).safeParse(json);
    const detail = said.success ? said.data.error.slice(0, 200) : '';
    if (status === 401 || status === 403) throw new ProviderProblem('provider_refused');
    if (status === 404 && path !== '') throw new ProviderProblem('dns_zone_unknown');
    if (status === 422) throw new ProviderProblem('provider_refused', detail);
    throw new ProviderProblem(`provider_status:${status}`, detail);
  };
  const change = async (zone: string, name: string, rrset: object) => {
    if (!isWithin(name, zone)) throw new ProviderProblem('dns_zone_unknown');
    await call('PATCH', pathOf(zone), { rrsets: [{ name: `${name}.`, ...rrset }] });
  };
  return {
    zones: async () =>
      read(zoneList, await call('GET', ''))
        .map(({ name }) => name.replace(/\.$/, '').toLowerCase())
        .sort(),
    read: async (zone, name, type) => {
      const query = new URLSearchParams({ rrset_name: `${name}.`, rrset_type: type });
      const { rrsets } = read(zoneData, await call('GET', `${pathOf(zone)}?${query.toString()}`));
      // An older server answers the whole zone.
      const found = rrsets.find((set) => set.name.toLowerCase() === `${name}.` && set.type === type);
      const values = found?.records.filter(({ disabled }) => !disabled).map(({ content }) => content) ?? [];
      return found && values.length > 0 ? { name, type, ttl: found.ttl, values } : undefined;
    },
    set: (zone, { name, type, ttl, values }) =>
      change(zone, name, {
        type,
        ttl,
        changetype: 'REPLACE',
        records: values.map((content) => ({ content, disabled: false })),
      }),
    remove: (zone, name, type: DnsRecordType) => change(zone, name, { type, changetype: 'DELETE' }),
  };
}

const pathOf = (zone: string): string => `/${encodeURIComponent(`${zone}.`)}`;

function read<Schema extends z.ZodType>(schema: Schema, json: unknown): z.output<Schema> {
  const result = schema.safeParse(json);
  if (!result.success) throw new ProviderProblem('provider_answer');
  return result.data;
}

export const powerdnsProvider = defineProvider<DnsClient, typeof dnsProviders.powerdns>(
  dnsProviders.powerdns,
  {
    make: makePowerdns,
    test: async (client) => void (await client.zones()),
  },
);
