import * as z from 'zod';
import {
  count,
  created,
  idParams,
  idText,
  listOf,
  listQuery,
  nothing,
  optionalText,
  version,
} from './common.ts';
import { defineRoutes } from './define.ts';
import { customHttp, powerdns, rfc2136 } from './dns-hosts.ts';
import { dnsName, dnsRecordSet, dnsRecordTypes } from './dns-record.ts';
import {
  alidns,
  cloudflare,
  dnsla,
  dnspod,
  godaddy,
  googleCloud,
  huaweicloud,
  route53,
  volcengine,
} from './dns-vendors.ts';
import type { ProviderDescription } from './provider.ts';
import { accountFilters, accountInputOf, accountOf, accountTest, codesOf } from './provider-account.ts';

/** Accounts at DNS hosts, by which records are read and written. */

/** In the order in which they are offered. */
export const dnsProviders = {
  alidns,
  dnspod,
  huaweicloud,
  volcengine,
  dnsla,
  cloudflare,
  route53,
  google_cloud: googleCloud,
  godaddy,
  powerdns,
  rfc2136,
  custom_http: customHttp,
} as const satisfies Record<string, ProviderDescription>;
export type DnsProviderCode = keyof typeof dnsProviders;
export const dnsProviderCodes = codesOf(dnsProviders);

export const dnsAccountInput = accountInputOf(dnsProviders);
export type DnsAccountInput = z.output<typeof dnsAccountInput>;

export const dnsAccount = accountOf(dnsProviders, {
  /** Certificate orders that write their records by it, which keep it from being deleted: how many, and some of them by name. */
  order_count: count,
  orders: z.array(z.string()),
});
export type DnsAccount = z.infer<typeof dnsAccount>;

const read = { kind: 'both', permission: 'dns_account.read' } as const;
const write = { kind: 'both', permission: 'dns_account.write' } as const;

export const dnsAccountRoutes = defineRoutes({
  listDnsAccounts: {
    method: 'GET',
    path: '/prod-api/dns_account',
    summary:
      'List DNS accounts by name. Customers see their own, administrators those of the platform and of all customers.',
    access: read,
    query: listQuery(accountFilters(dnsProviders)),
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
      ...accountTest,
      zones: z.array(z.string()),
    }),
  },
  listDnsZones: {
    method: 'GET',
    path: '/prod-api/dns_account/{id}/zone',
    cost: 'refresh',
    summary: 'List the zones of a DNS account by name, as the provider has them now.',
    access: read,
    params: idParams,
    query: listQuery({ name: optionalText }),
    response: listOf(z.strictObject({ name: z.string() })),
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
