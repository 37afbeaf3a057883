import * as z from 'zod';
import { id, ipOrCidr, inputText } from '../common.ts';
import { reservedFieldProblem } from './content-rewrite-check.ts';
import { untrustedFields } from './visitor-fields.ts';

export const realIpModes = ['socket', 'header', 'xff', 'cdn', 'proxy_protocol'] as const;
export const cdnPresetNames = ['cloudflare', 'fastly', 'cloudfront', 'gcore', 'bunny', 'keycdn'] as const;
export type CdnPresetName = (typeof cdnPresetNames)[number];

/** Where each publishes its networks, as lines or as JSON: what a list of addresses is fetched from. */
export const cdnListUrls: Record<CdnPresetName, readonly string[]> = {
  cloudflare: ['https://www.cloudflare.com/ips-v4', 'https://www.cloudflare.com/ips-v6'],
  fastly: ['https://api.fastly.com/public-ip-list'],
  cloudfront: ['https://d7uri8nf7uskq.cloudfront.net/tools/list-cloudfront-ips'],
  gcore: ['https://api.gcore.com/cdn/public-ip-list'],
  bunny: [
    'https://bunnycdn.com/api/system/edgeserverlist/plain',
    'https://bunnycdn.com/api/system/edgeserverlist/IPv6/plain',
  ],
  keycdn: ['https://www.keycdn.com/shield-prefixes.json'],
};

/** Those whose networks nodes have built in; of the others they change too often. */
export const builtInCdns: readonly CdnPresetName[] = ['cloudflare', 'fastly'];

const headerName = inputText()
  .trim()
  .regex(/^[A-Za-z0-9-]{1,64}$/, { error: 'header_name' });

/** One of the fields that are removed otherwise. What nodes say themselves no visitor says. */
const passedHeader = headerName.toLowerCase().check((context) => {
  const name = context.value;
  if ((untrustedFields as readonly string[]).includes(name)) return;
  const message = reservedFieldProblem(name, 'request') ?? 'field_not_removed';
  context.issues.push({ code: 'custom', message, input: name });
});

/**
 * Where a visitor's address is taken from. Only what a trusted peer says counts: with nobody trusted the address is the
 * socket's, so nobody can forge one. `cdn` trusts the provider's published networks as well: those of `address_lists`, or
 * where that names none those that nodes have built in.
 */
export const realIp = z
  .strictObject({
    mode: z.enum(realIpModes).default('socket'),
    /** `header`: looked at in this order. */
    headers: z.array(headerName).max(10).default([]),
    /** `xff`: the place in `X-Forwarded-For`, counted from its end; 1 is the last. */
    depth: z.int().min(1).max(20).default(1),
    preset: z.enum(cdnPresetNames).default('cloudflare'),
    trusted: z.array(ipOrCidr).max(500).default([]),
    /** Lists of addresses that are trusted, by their ids. */
    address_lists: z.array(id).max(20).default([]),
    /** Fields out of `untrustedFields` that reach the origin as visitors send them. */
    pass_headers: z.array(passedHeader).max(20).default([]),
  })
  .check((context) => {
    const { mode, headers, preset, address_lists: lists } = context.value;
    if (mode === 'header' && headers.length === 0)
      context.issues.push({ code: 'custom', path: ['headers'], message: 'required', input: headers });
    if (mode === 'cdn' && lists.length === 0 && !builtInCdns.includes(preset))
      context.issues.push({ code: 'custom', path: ['address_lists'], message: 'required', input: lists });
  });
export type RealIp = z.infer<typeof realIp>;
