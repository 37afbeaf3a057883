import { dnsProviders } from '@breakwater/contract';
import * as z from 'zod';
import { allPages, callJson, readAnswer, type Vendor } from '../call-vendor.ts';
import { defineProvider, type ProviderContext } from '../define-provider.ts';
import type { Reach } from '../reach.ts';
import { dnsClient, isKnownType, withoutDot, zoneIds, type DnsClient } from './dns-client.ts';
import { fromHostValue, toHostValue, type ValueForm } from './dns-values.ts';
import { byRecord, type HostRecord, type KnownRecord, type RecordChanges } from './record-host.ts';

/**
 * Cloudflare's API v4 with an API token: https://developers.cloudflare.com/api/resources/dns/subresources/records/, limits
 * https://developers.cloudflare.com/fundamentals/api/reference/limits/ (1,200 calls in five minutes).
 */

const base = 'https://api.cloudflare.com/client/v4';
const form: ValueForm = { text: 'quoted', names: 'bare', priority: 'apart' };
/** Of the free plan; those that are paid take more. */
const batchMax = 200;

const envelope = z.object({
  success: z.boolean(),
  errors: z.array(z.object({ code: z.int(), message: z.string().default('') })).default([]),
});
const paged = { result_info: z.object({ page: z.int(), total_pages: z.int() }) };
const zonePage = z.object({ result: z.array(z.object({ id: z.string(), name: z.string() })), ...paged });
const recordPage = z.object({
  result: z.array(
    z.object({
      id: z.string(),
      name: z.string(),
      type: z.string(),
      content: z.string(),
      ttl: z.int(),
      priority: z.number().optional(),
    }),
  ),
  ...paged,
});

type Params = z.output<typeof dnsProviders.cloudflare.params>;

/** 6003 and 6111: a token that is none; 9109 and 10000: one that does not hold; 81057 and 81058: an identical record. */
const issues = {
  6003: 'provider_key',
  6111: 'provider_key',
  9109: 'provider_key',
  10_000: 'provider_key',
  7003: 'dns_zone_unknown',
  81_044: 'dns_record_gone',
  81_057: 'dns_record_exists',
  81_058: 'dns_record_exists',
  9021: 'dns_ttl',
  971: 'provider_limited',
} as const satisfies Vendor['issues'];

type Call = (method: 'GET' | 'POST', path: string, body?: object) => Promise<unknown>;

function callsOf({ api_token: token = '' }: Params, reach: Reach, api: string): Call {
  const vendor: Vendor = {
    reach,
    secrets: [token],
    fault: ({ status, json }) => {
      const answer = envelope.safeParse(json).data;
      if (status < 300 && answer?.success !== false) return undefined;
      const [error] = answer?.errors ?? [];
      return { code: error ? String(error.code) : '', message: error?.message };
    },
    issues,
  };
  return async (method, path, body) => {
    const headers = { authorization: `Bearer ${token}` };
    const json = await callJson(vendor, { method, url: api + path, headers, body });
    readAnswer(envelope, json);
    return json;
  };
}

async function zonesOf(call: Call): Promise<Map<string, string>> {
  const found = await allPages(async (page) => {
    const answer = await call('GET', `/zones?per_page=50&page=${page}`);
    const { result, result_info: at } = readAnswer(zonePage, answer);
    return { items: result, isLast: at.page >= at.total_pages };
  });
  return new Map(found.map(({ id, name }) => [withoutDot(name), id]));
}

/** @param path of the records of a zone. */
async function recordsOf(
  call: Call,
  path: string,
  of?: { name: string; type: string },
): Promise<KnownRecord[]> {
  const only = of ? `&name=${encodeURIComponent(of.name)}&type=${of.type}` : '';
  const found = await allPages(async (page) => {
    const answer = await call('GET', `${path}?per_page=100${only}&page=${page}`);
    const { result, result_info: at } = readAnswer(recordPage, answer);
    return { items: result, isLast: at.page >= at.total_pages };
  });
  return found.flatMap(knownRecord);
}

async function batch(call: Call, path: string, { creates, updates, removes }: RecordChanges): Promise<void> {
  const patches = updates.map((record) => ({ patches: [{ id: record.id, ...bodyOf(record) }], posts: [] }));
  const posts = creates.map((record) => ({ patches: [], posts: [bodyOf(record)] }));
  for (const part of chunks([...patches, ...posts]))
    await call('POST', path, {
      patches: part.flatMap((step) => step.patches),
      posts: part.flatMap((step) => step.posts),
    });
  // Within a batch they would be done first, and leave a name empty that only changes.
  for (const part of chunks(removes)) await call('POST', path, { deletes: part.map(({ id }) => ({ id })) });
}

export function makeCloudflare(params: Params, { reach }: ProviderContext, api = base): DnsClient {
  const call = callsOf(params, reach, api);
  const zones = zoneIds(() => zonesOf(call));
  const pathOf = async (zone: string) => `/zones/${await zones.idOf(zone)}/dns_records`;
  return dnsClient(
    byRecord({
      lines: { default: '' },
      // https://developers.cloudflare.com/dns/manage-dns-records/reference/ttl/; 1 is "automatic".
      ttlSecondsMin: 60,
      zones: zones.names,
      records: async (zone, of) => recordsOf(call, await pathOf(zone), of),
      batch: async (zone, changes) => batch(call, `${await pathOf(zone)}/batch`, changes),
    }),
  );
}

const chunks = <Item>(items: readonly Item[]): Item[][] =>
  Array.from({ length: Math.ceil(items.length / batchMax) }, (_, at) =>
    items.slice(at * batchMax, (at + 1) * batchMax),
  );

type CloudflareRecord = z.infer<typeof recordPage>['result'][number];

function knownRecord({ id, name, type, content, ttl, priority }: CloudflareRecord): KnownRecord[] {
  if (!isKnownType(type)) return [];
  // SRV as its priority apart from the rest.
  const written = type === 'SRV' && priority !== undefined && content.trim().split(/\s+/).length === 3;
  const value = fromHostValue(type, { value: written ? `${priority} ${content}` : content, priority }, form);
  return value === undefined ? [] : [{ id, name: withoutDot(name), type, line: '', ttl, value }];
}

/** SRV and CAA are written by their parts. */
function bodyOf({ name, type, ttl, value }: HostRecord): object {
  const shared = { name, type, ttl };
  if (type === 'SRV') {
    const [priority, weight, port, target = ''] = value.split(' ');
    return {
      ...shared,
      data: {
        priority: Number(priority),
        weight: Number(weight),
        port: Number(port),
        target: withoutDot(target),
      },
    };
  }
  if (type === 'CAA') {
    const [, flags, tag, text] = /^(\d+) (\S+) "(.*)"$/s.exec(value) ?? [];
    return { ...shared, data: { flags: Number(flags), tag, value: text } };
  }
  const { value: content, priority } = toHostValue(type, value, form);
  return { ...shared, content, ...(priority === undefined ? {} : { priority }) };
}

export const cloudflareProvider = defineProvider<DnsClient, typeof dnsProviders.cloudflare>(
  dnsProviders.cloudflare,
  {
    make: makeCloudflare,
    test: async (client) => void (await client.zones()),
  },
);
