import * as z from 'zod';
import {
  created,
  dateTime,
  id,
  idParams,
  idText,
  inputText,
  listOf,
  listQuery,
  name,
  nothing,
  optionalIdText,
  optionalText,
  version,
} from './common.ts';
import { defineRoutes } from './define.ts';
import { describeProvider, type ProviderDescription } from './provider.ts';
import { secretField, shown } from './secret.ts';

/** Accounts at DNS hosts, by which records are read and written. */

export const dnsCapabilities = ['list_zones', 'read_records', 'write_records'] as const;

/** Record types that can be read and written; RFC 1035, 3596, 2782, 8659. */
export const dnsRecordTypes = ['A', 'AAAA', 'CAA', 'CNAME', 'MX', 'NS', 'PTR', 'SRV', 'TXT'] as const;
export type DnsRecordType = (typeof dnsRecordTypes)[number];

/** Labels by RFC 1035 with underscores (RFC 8552), and `*` as the first. */
const dnsName = inputText()
  .trim()
  .toLowerCase()
  .max(253)
  .regex(
    /^(?:\*\.)?(?:[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?)(?:\.[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?)*$/,
    {
      error: 'dns_name',
    },
  );

const powerdns = describeProvider({
  family: 'dns',
  code: 'powerdns',
  title: { zh: 'PowerDNS', en: 'PowerDNS' },
  params: z.strictObject({
    url: inputText()
      .trim()
      .max(500)
      .regex(/^https?:\/\/[^\s/@?#]+(?:\/[^\s?#]*)?$/, { error: 'url' }),
    ...secretField('api_key', inputText().min(1).max(500)),
    server_id: inputText()
      .trim()
      .regex(/^[\w.-]{1,100}$/, { error: 'invalid' })
      .default('localhost'),
  }),
  fields: {
    url: {
      label: { zh: 'API 地址', en: 'API address' },
      hint: { zh: '不含 /api/v1', en: 'Without /api/v1' },
      placeholder: 'https://dns.example.com:8081',
    },
    api_key: { label: { zh: 'API 密钥', en: 'API key' } },
    server_id: {
      label: { zh: '服务器 ID', en: 'Server ID' },
      hint: { zh: '通常为 localhost', en: 'Usually localhost' },
    },
  },
  target: ['url'],
  capabilities: dnsCapabilities,
});

/** RFC 8945, section 6. MD5 and SHA-1 are not offered. */
export const tsigAlgorithms = ['hmac-sha256', 'hmac-sha384', 'hmac-sha512'] as const;

const rfc2136 = describeProvider({
  family: 'dns',
  code: 'rfc2136',
  title: { zh: 'DNS 动态更新 (RFC 2136)', en: 'DNS update (RFC 2136)' },
  params: z.strictObject({
    server: inputText()
      .trim()
      .max(260)
      .regex(/^(?:\[[\da-fA-F:.]+\]|[\w.-]+)(?::\d{1,5})?$/, { error: 'dns_host' }),
    zones: z.array(dnsName).min(1).max(100),
    key_name: dnsName,
    algorithm: z.enum(tsigAlgorithms).default('hmac-sha256'),
    ...secretField(
      'key_secret',
      inputText()
        .trim()
        .max(500)
        .regex(/^(?:[\w+/]{4})+(?:[\w+/]{2}==|[\w+/]{3}=)?$/, { error: 'base64' }),
    ),
  }),
  fields: {
    server: {
      label: { zh: '服务器', en: 'Server' },
      hint: {
        zh: '主服务器的主机名或 IP，可带端口',
        en: 'Hostname or IP of the primary server, optionally with a port',
      },
      placeholder: 'ns1.example.com:53',
    },
    zones: {
      label: { zh: '区域', en: 'Zones' },
      hint: { zh: '该密钥可以修改的区域', en: 'Zones that this key may update' },
      placeholder: 'example.com',
    },
    key_name: { label: { zh: 'TSIG 密钥名称', en: 'TSIG key name' } },
    algorithm: { label: { zh: 'TSIG 算法', en: 'TSIG algorithm' } },
    key_secret: {
      label: { zh: 'TSIG 密钥', en: 'TSIG key' },
      hint: { zh: 'Base64 格式', en: 'Base64-encoded' },
    },
  },
  target: ['server'],
  capabilities: ['list_zones', 'read_records', 'write_records'],
});

export const dnsProviders = { powerdns, rfc2136 } as const satisfies Record<string, ProviderDescription>;
export type DnsProviderCode = keyof typeof dnsProviders;
export const dnsProviderCodes = Object.keys(dnsProviders) as DnsProviderCode[];

const inputOf = <Code extends DnsProviderCode>(code: Code) =>
  z.strictObject({
    name,
    provider: z.literal(code),
    params: dnsProviders[code].params as (typeof dnsProviders)[Code]['params'],
  });
export const dnsAccountInput = z.discriminatedUnion('provider', [inputOf('powerdns'), inputOf('rfc2136')]);
export type DnsAccountInput = z.output<typeof dnsAccountInput>;

export const dnsAccount = z.strictObject({
  id,
  name: z.string(),
  /** Null: the platform's. */
  client_id: id.nullable(),
  client_name: z.string().nullable(),
  provider: z.enum(['powerdns', 'rfc2136']),
  params: z.union([shown(powerdns.params), shown(rfc2136.params)]),
  version,
  /** When it was tested last; null: never since its last change. */
  checked_at: dateTime.nullable(),
  /** What the last test found wrong; empty where it found nothing. */
  last_error: z.string(),
  created_at: dateTime,
  updated_at: dateTime,
});
export type DnsAccount = z.infer<typeof dnsAccount>;

export const dnsRecordSet = z.strictObject({
  name: z.string(),
  type: z.enum(dnsRecordTypes),
  ttl: z.int(),
  /** As a zone file writes them. */
  values: z.array(z.string()),
});
export type DnsRecordSet = z.infer<typeof dnsRecordSet>;

const read = { kind: 'both', permission: 'dns_account.read' } as const;
const write = { kind: 'both', permission: 'dns_account.write' } as const;

export const dnsAccountRoutes = defineRoutes({
  listDnsAccounts: {
    method: 'GET',
    path: '/prod-api/dns_account',
    summary:
      'List DNS accounts by name. Customers see their own, administrators those of the platform and of all customers.',
    access: read,
    query: listQuery({
      name: optionalText,
      provider: z.enum(['powerdns', 'rfc2136']).optional(),
      client_id: optionalIdText,
    }),
    response: listOf(dnsAccount),
  },
  getDnsAccount: {
    method: 'GET',
    path: '/prod-api/dns_account/{id}',
    summary: 'Get a DNS account, without its secrets.',
    access: read,
    params: idParams,
    response: dnsAccount,
  },
  createDnsAccount: {
    method: 'POST',
    path: '/prod-api/dns_account',
    summary: 'Add a DNS account of the platform or, as a customer, your own.',
    access: write,
    body: dnsAccountInput,
    response: created,
  },
  updateDnsAccount: {
    method: 'PUT',
    path: '/prod-api/dns_account/{id}',
    summary: 'Change a DNS account. Secrets that are left out are kept, unless the server changes.',
    access: write,
    params: idParams,
    body: z.strictObject({ version, value: dnsAccountInput }),
    response: z.strictObject({ version }),
  },
  removeDnsAccount: {
    method: 'DELETE',
    path: '/prod-api/dns_account/{id}',
    summary: 'Delete a DNS account. Nothing changes at the DNS provider.',
    access: write,
    params: idParams,
    response: nothing,
  },
  testDnsAccount: {
    method: 'POST',
    path: '/prod-api/dns_account/{id}/test',
    cost: 'refresh',
    summary: 'Test a DNS account at the provider and list its zones. Nothing changes there.',
    access: write,
    params: idParams,
    unlogged: true,
    response: z.strictObject({
      ok: z.boolean(),
      /** Why not; empty where it is. */
      message: z.string(),
      milliseconds: z.int(),
      zones: z.array(z.string()),
    }),
  },
  readDnsRecords: {
    method: 'GET',
    path: '/prod-api/dns_account/{id}/record',
    cost: 'refresh',
    summary: 'Get a record set from the DNS provider; null if it does not exist.',
    access: read,
    params: z.strictObject({ id: idText }),
    query: z.strictObject({ zone: dnsName, name: dnsName, type: z.enum(dnsRecordTypes) }),
    response: z.strictObject({ record_set: dnsRecordSet.nullable() }),
  },
});
