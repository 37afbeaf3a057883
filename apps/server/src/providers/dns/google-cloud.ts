import { dnsProviders, parseServiceAccount, type DnsRecordType } from '@breakwater/contract';
import { importPKCS8, SignJWT } from 'jose';
import * as z from 'zod';
import { allPages, callJson, callVendor, readAnswer, type Vendor } from '../call-vendor.ts';
import { defineProvider, ProviderProblem, type ProviderContext } from '../define-provider.ts';
import type { Reach } from '../reach.ts';
import {
  dnsClient,
  isKnownType,
  onceMore,
  withoutDot,
  zoneIds,
  type DnsClient,
  type HostRecordSet,
} from './dns-client.ts';
import { fromHostValue, type ValueForm } from './dns-values.ts';

/**
 * Google Cloud DNS, API v1: https://cloud.google.com/dns/docs/reference/rest/v1; signed in by a service account's assertion:
 * https://developers.google.com/identity/protocols/oauth2/service-account#httprest. Sets with a routing policy are left alone.
 */

const form: ValueForm = { text: 'quoted', names: 'dot', priority: 'within' };
const tokenUrl = 'https://oauth2.googleapis.com/token';
const apiUrl = 'https://dns.googleapis.com';
const oauthScope = 'https://www.googleapis.com/auth/ndev.clouddns.readwrite';
const perPage = 1000;
/** Of one change: https://cloud.google.com/dns/quotas. */
const setsMax = 500;

const token = z.object({ access_token: z.string() });
const fault = z.union([
  // Of the token's address.
  z
    .object({ error: z.string(), error_description: z.string().optional() })
    .transform(({ error: code, error_description: message }) => ({ code, message })),
  z
    .object({
      error: z.object({
        message: z.string().optional(),
        errors: z.array(z.object({ reason: z.string() })).optional(),
      }),
    })
    .transform(({ error: { message, errors } }) => ({ code: errors?.[0]?.reason ?? '', message })),
]);
const zonePage = z.object({
  managedZones: z
    .array(z.object({ name: z.string(), dnsName: z.string(), visibility: z.string().optional() }))
    .default([]),
  nextPageToken: z.string().optional(),
});
const setPage = z.object({
  rrsets: z
    .array(
      z.object({
        name: z.string(),
        type: z.string(),
        ttl: z.int().default(0),
        rrdatas: z.array(z.string()).optional(),
      }),
    )
    .default([]),
  nextPageToken: z.string().optional(),
});
type GoogleSet = z.infer<typeof setPage>['rrsets'][number];

type Params = z.output<typeof dnsProviders.google_cloud.params>;
interface Addresses {
  token: string;
  api: string;
}

const issues = {
  invalid_grant: 'provider_key',
  invalid_client: 'provider_key',
  authError: 'provider_key',
  forbidden: 'provider_forbidden',
  accessNotConfigured: 'provider_forbidden',
  rateLimitExceeded: 'provider_limited',
  userRateLimitExceeded: 'provider_limited',
  quotaExceeded: 'provider_limited',
  backendError: 'provider_down',
  notFound: 'dns_record_gone',
  alreadyExists: 'dns_record_exists',
  conditionNotMet: 'dns_record_gone',
} as const satisfies Vendor['issues'];

type Account = NonNullable<ReturnType<typeof parseServiceAccount>>;
type Call = (method: 'GET' | 'POST', path: string, body?: object) => Promise<unknown>;

async function signIn(vendor: Vendor, account: Account, url: string): Promise<string> {
  const grant_type = 'urn:ietf:params:oauth:grant-type:jwt-bearer';
  const assertion = await assertionOf(account);
  const { json } = await callVendor(vendor, () => ({
    method: 'POST',
    url,
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams({ grant_type, assertion }).toString(),
  }));
  return readAnswer(token, json).access_token;
}

/** Signs in with the first call; a client lives for one request of ours, and the token for an hour. */
function callsOf(account: Account, reach: Reach, addresses: Addresses): Call {
  const vendor: Vendor = {
    reach,
    secrets: [account.private_key],
    fault: ({ status, json }) => (status < 300 ? undefined : fault.safeParse(json).data),
    issues,
  };
  const base = `${addresses.api}/dns/v1/projects/${encodeURIComponent(account.project_id)}/managedZones`;
  let signedIn: Promise<string> | undefined;
  return async (method, path, body) => {
    const bearer = await (signedIn ??= signIn(vendor, account, addresses.token));
    const headers = { authorization: `Bearer ${bearer}` };
    return callJson({ ...vendor, secrets: [bearer] }, { method, url: base + path, headers, body });
  };
}

async function zonesOf(call: Call): Promise<Map<string, string>> {
  let pageToken = '';
  const found = await allPages(async () => {
    const answer = readAnswer(zonePage, await call('GET', `?maxResults=${perPage}${pageToken}`));
    pageToken = after(answer.nextPageToken);
    return { items: answer.managedZones, isLast: answer.nextPageToken === undefined };
  });
  const open = found.filter(({ visibility }) => visibility !== 'private');
  return new Map(open.map(({ name, dnsName }) => [withoutDot(dnsName), name]));
}

/** @param zone as the project calls it. */
async function setsOf(
  call: Call,
  zone: string,
  of?: { name: string; type: DnsRecordType },
): Promise<GoogleSet[]> {
  const only = of ? `&name=${encodeURIComponent(`${of.name}.`)}&type=${of.type}` : '';
  let pageToken = '';
  return allPages(async () => {
    const path = `/${zone}/rrsets?maxResults=${perPage}${only}${pageToken}`;
    const answer = readAnswer(setPage, await call('GET', path));
    pageToken = after(answer.nextPageToken);
    return { items: answer.rrsets, isLast: answer.nextPageToken === undefined };
  });
}

/** What was there is named with all that it held, and what shall be: the two are exchanged or nothing is. */
async function exchange(call: Call, zone: string, sets: readonly HostRecordSet[]): Promise<void> {
  const all = sets.length > namesMax ? await setsOf(call, zone) : undefined;
  const deletions: GoogleSet[] = [];
  const additions: GoogleSet[] = [];
  for (const { name, type, ttl, values } of sets) {
    const known = (all ?? (await setsOf(call, zone, { name, type }))).find(
      (each) => withoutDot(each.name) === name && each.type === type,
    );
    if (known) deletions.push(known);
    if (values.length > 0) additions.push({ name: `${name}.`, type, ttl, rrdatas: values });
  }
  if (deletions.length + additions.length > 0)
    await call('POST', `/${zone}/changes`, { additions, deletions });
}

export function makeGoogleCloud(
  { service_account: text = '' }: Params,
  { reach }: ProviderContext,
  addresses: Addresses = { token: tokenUrl, api: apiUrl },
): DnsClient {
  const account = parseServiceAccount(text);
  if (!account) throw new ProviderProblem('service_account');
  const call = callsOf(account, reach, addresses);
  const zones = zoneIds(() => zonesOf(call));
  return dnsClient({
    lines: { default: '' },
    ttlSecondsMin: 0,
    zones: zones.names,
    list: async (zone, of) => (await setsOf(call, await zones.idOf(zone), of)).flatMap(hostSet),
    apply: async (zone, sets) => {
      const id = await zones.idOf(zone);
      for (let at = 0; at < sets.length; at += setsMax)
        await onceMore(() => exchange(call, id, sets.slice(at, at + setsMax)));
    },
  });
}

/** So many sets are asked for one by one before the whole zone is. */
const namesMax = 5;

const after = (pageToken: string | undefined): string =>
  pageToken === undefined ? '' : `&pageToken=${encodeURIComponent(pageToken)}`;

async function assertionOf({ client_email, private_key }: { client_email: string; private_key: string }) {
  let key: Awaited<ReturnType<typeof importPKCS8>>;
  try {
    key = await importPKCS8(private_key, 'RS256');
  } catch {
    throw new ProviderProblem('provider_key');
  }
  return (
    new SignJWT({ scope: oauthScope })
      .setProtectedHeader({ alg: 'RS256', typ: 'JWT' })
      .setIssuer(client_email)
      // Google wants its own address there, whoever is asked.
      .setAudience(tokenUrl)
      .setIssuedAt()
      .setExpirationTime('10m')
      .sign(key)
  );
}

function hostSet({ name, type, ttl, rrdatas = [] }: GoogleSet): HostRecordSet[] {
  if (!isKnownType(type)) return [];
  const values = rrdatas.flatMap((value) => fromHostValue(type, { value }, form) ?? []);
  return values.length === 0 ? [] : [{ name: withoutDot(name), type, line: '', ttl, values }];
}

export const googleCloudProvider = defineProvider<DnsClient, typeof dnsProviders.google_cloud>(
  dnsProviders.google_cloud,
  {
    make: makeGoogleCloud,
    test: async (client) => void (await client.zones()),
  },
);
