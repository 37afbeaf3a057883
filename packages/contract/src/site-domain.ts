import * as z from 'zod';
import {
  dateTime,
  id,
  idParams,
  listOf,
  listQuery,
  optionalIdText,
  optionalText,
  siteDomain,
  inputText,
} from './common.ts';
import { defineRoutes } from './define.ts';
import { siteStatuses } from './site-status.ts';

/**
 * Where the DNS leads visitors of a domain. Here: `cname`, `address`. Elsewhere, with a TXT record that proves it: `txt`. The
 * rest: `partly` some of its addresses are ours, `elsewhere` none is, `no_records` the name has no address, `nxdomain` there
 * is no such name, and what kept us from knowing: `refused`, `server_failed`, `timeout`.
 */
export const dnsVerdicts = [
  'cname',
  'address',
  'txt',
  'partly',
  'elsewhere',
  'no_records',
  'nxdomain',
  'refused',
  'server_failed',
  'timeout',
] as const;
export type DnsVerdict = (typeof dnsVerdicts)[number];

/** `given`: served. `waiting` for the DNS to prove it. `failed`: its time is over, or another customer proved the name. */
export const domainProofs = ['given', 'waiting', 'failed'] as const;

export const dnsSeen = z.strictObject({
  /** The name that was asked for: of a wildcard, one below it. */
  name: z.string(),
  /** Where each CNAME led, in order. */
  cname_chain: z.array(z.string()),
  a: z.array(z.string()),
  aaaa: z.array(z.string()),
  txt: z.array(z.string()),
});
export type DnsSeen = z.infer<typeof dnsSeen>;

export const dnsExpected = z.strictObject({
  cname: z.string().nullable(),
  /** Addresses of the nodes that serve the site. Customers are told of four at the most, and of none where there is a CNAME. */
  addresses: z.array(z.string()),
});
export type DnsExpected = z.infer<typeof dnsExpected>;

const checked = {
  domain: z.string(),
  proof: z.enum(domainProofs),
  /** It is not proven, and overlaps with a name that is given to another customer, who goes on being served. */
  contested: z.boolean(),
  /** Null while it was never checked. */
  verdict: z.enum(dnsVerdicts).nullable(),
  seen: dnsSeen.nullable(),
  checked_at: dateTime.nullable(),
  /** When it is checked by itself next; null: no more. */
  next_check_at: dateTime.nullable(),
};
export const domainCheck = z.strictObject({
  ...checked,
  /** Whose DNS has its records: the registered domain, by the Public Suffix List; the domain itself where there is none. */
  zone: z.string(),
  /** The TXT record that would prove it: of this name on this site, and of no other. */
  txt_name: z.string(),
  txt_value: z.string(),
  /** Names of other customers that keep it waiting; told to operators only. */
  overlaps: z.array(
    z.strictObject({ domain: z.string(), site_id: id, client_id: id, client_name: z.string() }),
  ),
});
export type DomainCheck = z.infer<typeof domainCheck>;

export const domainRow = z.strictObject({
  ...checked,
  site_id: id,
  site_status: z.enum(siteStatuses),
  client_id: id,
  client_name: z.string(),
  cname: z.string().nullable(),
});
export type DomainRow = z.infer<typeof domainRow>;

/** `title|content|color` by line; `{cname}` stands for the site's CNAME. */
export const tipColors = ['green', 'gray', 'yellow', 'red'] as const;
export const tip = z.strictObject({ title: z.string(), content: z.string(), color: z.enum(tipColors) });
export type Tip = z.infer<typeof tip>;
const tipTitleMax = 100;
const tipContentMax = 500;

/** The text of a product's prompts. Each problem names its line, counted from 1. */
export const promptText = inputText()
  .max(10_000)
  .check((context) => {
    context.value.split('\n').forEach((line, index) => {
      if (line.trim() === '') return;
      const problem = lineProblem(line);
      if (problem)
        context.issues.push({ code: 'custom', message: `${problem}:${index + 1}`, input: context.value });
    });
  });

function lineProblem(line: string): 'prompt_parts' | 'prompt_color' | 'prompt_long' | undefined {
  const parts = line.split('|').map((part) => part.trim());
  const [title = '', content = '', color = ''] = parts;
  if (parts.length !== 3 || title === '' || content === '') return 'prompt_parts';
  if (!(tipColors as readonly string[]).includes(color)) return 'prompt_color';
  return title.length > tipTitleMax || content.length > tipContentMax ? 'prompt_long' : undefined;
}

/** The tips of a text that `promptText` took. A prompt that needs the CNAME is left out for a site that has none. */
export function readTips(text: string, cname: string | null): Tip[] {
  return text.split('\n').flatMap((line): Tip[] => {
    if (line.trim() === '' || lineProblem(line) || (cname === null && line.includes('{cname}'))) return [];
    const [title, content, color] = line
      .split('|')
      .map((part) => part.trim().replaceAll('{cname}', cname ?? ''));
    return [{ title: title!, content: content!, color: color as Tip['color'] }];
  });
}

const checks = z.strictObject({ expected: dnsExpected, domains: z.array(domainCheck) });

export const siteDomainRoutes = defineRoutes({
  getSiteCname: {
    method: 'GET',
    path: '/prod-api/site/{id}/cname',
    summary: 'Get the CNAME that the domains of a site must point to.',
    access: { kind: 'both', permission: 'site.read' },
    params: idParams,
    response: z.strictObject({ cname: z.string().nullable() }),
  },
  getSiteDnsCheck: {
    method: 'GET',
    path: '/prod-api/site/{id}/dns_check',
    summary: 'Get the expected DNS records of the domains of a site, and the result of the last check.',
    access: { kind: 'both', permission: 'site.read' },
    params: idParams,
    response: checks,
  },
  checkSiteDns: {
    method: 'POST',
    path: '/prod-api/site/{id}/dns_check',
    summary:
      'Check the domains of a site now. Checks that take longer than a few seconds continue in the background.',
    access: { kind: 'both', permission: 'site.write' },
    params: idParams,
    response: checks,
  },
  listSiteDomains: {
    method: 'GET',
    path: '/prod-api/site/domain_name',
    summary: 'List the domains of all sites by name, with their CNAME and last DNS check.',
    access: { kind: 'both', permission: 'site.read' },
    query: listQuery({
      domain: optionalText,
      site_id: optionalIdText,
      client_id: optionalIdText,
      username: optionalText,
      verdict: z.enum([...dnsVerdicts, 'unchecked']).optional(),
      proof: z.enum(domainProofs).optional(),
    }),
    response: listOf(domainRow),
  },
  checkDomains: {
    method: 'POST',
    path: '/prod-api/site/domain_name/dns_check',
    summary: 'Check domains now. Checks that take longer than a few seconds continue in the background.',
    access: { kind: 'both', permission: 'site.write' },
    body: z.strictObject({ domains: z.array(inputText().max(253)).min(1).max(200) }),
    response: z.strictObject({ checked: z.int(), left: z.int() }),
  },
  grantDomain: {
    method: 'POST',
    path: '/prod-api/site/{id}/domain_grant',
    summary:
      'Assign a domain that is pending verification to this site, although it overlaps with domains of other customers. It is removed from a site of another customer that uses the same domain.',
    access: { kind: 'admin', permission: 'site.grant_domain' },
    params: idParams,
    body: z.strictObject({ domain: siteDomain }),
    response: checks,
  },
  getSiteTips: {
    method: 'GET',
    path: '/prod-api/site/{id}/tips',
    summary: 'Get the setup notes of the plan of a site.',
    access: { kind: 'both', permission: 'site.read' },
    params: idParams,
    response: z.strictObject({ tips: z.array(tip) }),
  },
});
