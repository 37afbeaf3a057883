import * as z from 'zod';
import { isHostName, isIpAddress, inputText } from './common.ts';
import { defineRoutes } from './define.ts';
import { defineSetting, settingReaders } from './setting.ts';

/** `192.0.2.53`, `192.0.2.53:5353`, `2001:db8::53` or `[2001:db8::53]:5353`. */
const dnsServer = inputText().trim().max(60).refine(isDnsServer, { error: 'dns_server' });

function isDnsServer(text: string): boolean {
  if (isIpAddress(text)) return true;
  const match = /^(?:\[([^\]]+)\]|([^:]+)):([1-9]\d{0,4})$/.exec(text);
  return match !== null && isIpAddress(match[1] ?? match[2] ?? '') && Number(match[3]) <= 65_535;
}

/** What the platform asks of the domains of sites. */
export const siteSetting = z.strictObject({
  /** Every site has a name under it that its domains point at; empty: sites have none. */
  cname_domain: inputText()
    .trim()
    .toLowerCase()
    .max(200)
    .refine((text) => text === '' || isHostName(text, 2), { error: 'domain_invalid' })
    .default(''),
  /** New domains of customers are served only once the DNS proves them. Names that overlap with another customer's always are. */
  site_check: z.boolean().default(true),
  /** How long a domain is checked again by itself before that counts as failed. */
  check_hours: z.int().min(1).max(720).default(72),
  /** Who is asked; none: the system's resolvers. */
  dns_servers: z.array(dnsServer).max(8).default([]),
  /** Public ones whose answers are shown beside ours before a certificate is ordered; none: no others are asked. */
  compared_dns_servers: z.array(dnsServer).max(6).default(['223.5.5.5', '8.8.8.8', '1.1.1.1']),
});
export type SiteSetting = z.infer<typeof siteSetting>;

export const siteSettings = defineSetting('site', {
  schema: siteSetting,
  initial: {},
  about: 'Site settings: the CNAME domain, and how domains are checked',
  readBy: settingReaders,
  permission: 'setting.site',
});

export const siteSettingRoutes = defineRoutes({
  getSiteSetting: siteSettings.read,
  updateSiteSetting: siteSettings.write,
});
