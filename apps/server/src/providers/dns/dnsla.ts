import { dnsProviders, type DnsRecordType } from '@breakwater/contract';
import * as z from 'zod';
import type { HttpCall } from '../call-http.ts';
import { allPages, callJson, readAnswer, type Vendor } from '../call-vendor.ts';
import { defineProvider, ProviderProblem, type ProviderContext } from '../define-provider.ts';
import type { Reach } from '../reach.ts';
import { canonicalQuery } from '../signature.ts';
import { dnsClient, hostOf, nameOf, withoutDot, zoneIds, type DnsClient } from './dns-client.ts';
import { fromHostValue, toHostValue, type ValueForm } from './dns-values.ts';
import { typeNumbers } from './dns-wire.ts';
import { dnslaLines } from './vendor-lines.text.ts';
import { byRecord, type HostRecord, type KnownRecord } from './record-host.ts';

/** DNS.LA, API v1 with basic authentication: https://www.dns.la/docs/ApiDoc. Types are the numbers that DNS has for them. */

const form: ValueForm = { text: 'plain', names: 'bare', priority: 'apart' };
const perPage = 100;

const envelope = z.object({ code: z.int(), msg: z.string().default(''), data: z.unknown().optional() });
const pageOf = <Item extends z.ZodType>(item: Item) =>
  z.object({ total: z.int(), results: z.array(item).nullish() });
const zonePage = pageOf(z.object({ id: z.string(), displayDomain: z.string() }));
const recordPage = pageOf(
  z.object({
    id: z.string(),
    host: z.string(),
    type: z.int(),
    data: z.string(),
    ttl: z.int(),
    lineId: z.string().nullish(),
    preference: z.int().nullish(),
  }),
);
const lineList = z.array(z.object({ id: z.string(), value: z.string() }));

type Params = z.output<typeof dnsProviders.dnsla.params>;

type Fields = Record<string, string | number>;
type Call = (method: HttpCall['method'], path: string, fields: Fields) => Promise<unknown>;

function callsOf({ api_id: id, api_secret: secret = '' }: Params, reach: Reach, base: string): Call {
  const authorization = `Basic ${Buffer.from(`${id}:${secret}`).toString('base64')}`;
  const vendor: Vendor = {
    reach,
    secrets: [secret, authorization],
    fault: ({ json }) => {
      const answer = envelope.safeParse(json).data;
      return answer && answer.code !== 200 ? { code: String(answer.code), message: answer.msg } : undefined;
    },
    issues: { 401: 'provider_key', 403: 'provider_forbidden', 429: 'provider_limited' },
  };
  return async (method, path, fields) => {
    const inBody = method === 'POST' || method === 'PUT';
    const url = `${base}/api/${path}${inBody ? '' : `?${canonicalQuery(fields)}`}`;
    const body = inBody ? fields : undefined;
    return readAnswer(envelope, await callJson(vendor, { method, url, headers: { authorization }, body }))
      .data;
  };
}

const allOf = <Item extends z.ZodType>(
  call: Call,
  page: ReturnType<typeof pageOf<Item>>,
  path: string,
  fields: Fields,
) =>
  allPages(async (pageIndex, before) => {
    const answer = readAnswer(page, await call('GET', path, { ...fields, pageIndex, pageSize: perPage }));
    const items = answer.results ?? [];
    return { items, isLast: before + items.length >= answer.total };
  });

/** Lines have names there, and ids that differ between plans. */
const linesOf = async (call: Call, zone: string) =>
  readAnswer(lineList, await call('GET', 'availableLine', { domain: zone }));

async function lineId(call: Call, zone: string, name: string): Promise<string> {
  const found = (await linesOf(call, zone)).find(({ value }) => value === name);
  if (!found) throw new ProviderProblem('dns_line_unknown');
  return found.id;
}

async function bodyOf(call: Call, zone: string, record: HostRecord): Promise<Fields> {
  const { name, type, line, ttl, value } = record;
  const { value: data, priority } = toHostValue(type, value, form);
  return {
    host: hostOf(name, zone),
    type: typeNumbers[type],
    data,
    ttl,
    ...(line === dnslaLines.default ? {} : { lineId: await lineId(call, zone, line) }),
    ...(priority === undefined ? {} : { preference: priority }),
  };
}

const isDefault = (line: string | null | undefined): boolean =>
  line === undefined || line === null || line === '' || line === '0';

async function recordsOf(
  call: Call,
  { zone, domainId }: { zone: string; domainId: string },
  of?: { name: string; type: DnsRecordType },
): Promise<KnownRecord[]> {
  const only = of ? { host: hostOf(of.name, zone), type: typeNumbers[of.type] } : {};
  const found = await allOf(call, recordPage, 'recordList', { domainId, ...only });
  const lines = found.every((record) => isDefault(record.lineId)) ? [] : await linesOf(call, zone);
  return found.flatMap((record) => {
    const named = lines.find((line) => line.id === record.lineId)?.value ?? record.lineId ?? '';
    return knownRecord(record, zone, isDefault(record.lineId) ? dnslaLines.default : named);
  });
}

export function makeDnsla(
  params: Params,
  { reach }: ProviderContext,
  base = 'https://api.dns.la',
): DnsClient {
  const call = callsOf(params, reach, base);
  const zones = zoneIds(async () => {
    const found = await allOf(call, zonePage, 'domainList', {});
    return new Map(found.map((zone) => [withoutDot(zone.displayDomain), zone.id]));
  });
  return dnsClient(
    byRecord({
      lines: dnslaLines,
      ttlSecondsMin: 1,
      planTtlSecondsMin: 600,
      types: ['A', 'AAAA', 'CAA', 'CNAME', 'MX', 'NS', 'SRV', 'TXT'],
      zones: zones.names,
      records: async (zone, of) => recordsOf(call, { zone, domainId: await zones.idOf(zone) }, of),
      create: async (zone, record) =>
        call('POST', 'record', {
          domainId: await zones.idOf(zone),
          ...(await bodyOf(call, zone, record)),
        }),
      update: async (zone, record) =>
        call('PUT', 'record', { id: record.id, ...(await bodyOf(call, zone, record)) }),
      remove: (_zone, { id }) => call('DELETE', 'record', { id }),
    }),
  );
}

type DnslaRecord = NonNullable<z.infer<typeof recordPage>['results']>[number];

const typeOf = (number: number) =>
  (Object.keys(typeNumbers) as (keyof typeof typeNumbers)[]).find((type) => typeNumbers[type] === number);

function knownRecord(record: DnslaRecord, zone: string, line: string): KnownRecord[] {
  const { id, host, data, ttl, preference } = record;
  const type = typeOf(record.type);
  if (type === undefined) return [];
  const value = fromHostValue(type, { value: data, priority: preference ?? undefined }, form);
  return value === undefined ? [] : [{ id, name: nameOf(host, zone), type, line, ttl, value }];
}

export const dnslaProvider = defineProvider<DnsClient, typeof dnsProviders.dnsla>(dnsProviders.dnsla, {
  make: makeDnsla,
  test: async (client) => void (await client.zones()),
});
