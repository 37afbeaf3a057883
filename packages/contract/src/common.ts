import * as z from 'zod';

/** Parts that several entities share. Messages of custom checks are keys of `issues` in `issues.text.ts`. */

export const id = z.int().min(1).max(2_147_483_647);
/** An id in a path or a query, where everything arrives as text. */
export const idText = z.coerce.number().pipe(id);
export const port = z.int().min(1).max(65_535);
export const dateTime = z.iso.datetime({ offset: true });
/** Money in minor units (分). */
export const money = z.int().min(0).max(1_000_000_000_000);
export const name = z.string().trim().min(1).max(100);
export const description = z.string().trim().max(1000);
export const email = z.email().max(200).toLowerCase();
export const password = z.string().min(8).max(128);

const label = /^(?!-)[a-z0-9-]{1,63}(?<!-)$/;
const ipv4Pattern = /^(?:(?:25[0-5]|2[0-4]\d|1?\d?\d)(?:\.(?!$)|$)){4}$/;

/** Dotted-decimal IPv4 or RFC 4291 IPv6, without brackets or zone. */
export function isIpAddress(text: string): boolean {
  return ipv4Pattern.test(text) || z.ipv6().safeParse(text).success;
}

/** A host name by RFC 1123 in lower-case ASCII (international names as punycode), with at least `labels` labels. */
export function isHostName(text: string, labels = 1): boolean {
  const parts = text.split('.');
  const last = parts[parts.length - 1] ?? '';
  return (
    text.length <= 253 &&
    parts.length >= labels &&
    parts.every((part) => label.test(part)) &&
    !/^\d+$/.test(last)
  );
}

export const ipAddress = z.string().trim().max(45).refine(isIpAddress, { error: 'ip_format' });

/** An address, or a network by CIDR (RFC 4632, RFC 4291 §2.3): `10.0.0.0/8`, `2001:db8::/32`. */
export function isIpOrCidr(text: string): boolean {
  const [address = '', length, ...rest] = text.split('/');
  if (!isIpAddress(address) || rest.length > 0) return false;
  if (length === undefined) return true;
  return /^(?:0|[1-9]\d{0,2})$/.test(length) && Number(length) <= (address.includes(':') ? 128 : 32);
}

export const ipOrCidr = z.string().trim().max(49).refine(isIpOrCidr, { error: 'ip_format' });
export const ipOrCidrList = z.array(ipOrCidr).max(10_000);

/** One port or an ascending range of ports, as text: `443`, `8000-8100`. */
export function isPortRange(text: string): boolean {
  const match = /^([1-9]\d{0,4})(?:-([1-9]\d{0,4}))?$/.exec(text);
  if (!match) return false;
  const first = Number(match[1]);
  const last = Number(match[2] ?? match[1]);
  return first <= last && last <= 65_535;
}

export const portRange = z.string().trim().max(11).refine(isPortRange, { error: 'port_range' });
export const portRanges = z.array(portRange).max(100);

/** An address or name that a node can reach: IPv4, IPv6 or a host name. */
export const hostAddress = z
  .string()
  .trim()
  .toLowerCase()
  .max(253)
  .refine((text) => isIpAddress(text) || isHostName(text), { error: 'host_address' });

/** A domain a site answers to: `example.com`, `*.example.com`; international names arrive as they are typed. */
export const siteDomain = z
  .string()
  .trim()
  .max(253)
  .transform(toAsciiDomain)
  .refine((text) => isHostName(text.startsWith('*.') ? text.slice(2) : text, 2), { error: 'domain_invalid' });

/** The domains of a site, each once. */
export const siteDomains = z
  .array(siteDomain)
  .min(1)
  .max(1000)
  .check((context) => {
    context.value.forEach((domain, index) => {
      if (context.value.indexOf(domain) < index)
        context.issues.push({ code: 'custom', path: [index], message: 'domain_duplicate', input: domain });
    });
  });

/** Lower-case punycode form of a domain (UTS 46, by the platform's URL parser); the text itself where that fails. */
export function toAsciiDomain(text: string): string {
  const wildcard = text.startsWith('*.');
  const bare = wildcard ? text.slice(2) : text;
  if (!/^[^\s/:?#@\\[\]%]+$/.test(bare)) return text.toLowerCase();
  try {
    const { hostname } = new URL(`http://${bare}`);
    // The parser reads `1.2` as an address; what changed into one was no domain.
    return (wildcard ? '*.' : '') + hostname.replace(/\.$/, '');
  } catch {
    return text.toLowerCase();
  }
}

/** Query of every list. Numbers arrive as text. */
export const pagination = {
  current_page: z.coerce.number().int().min(1).max(1_000_000).default(1),
  page_size: z.coerce.number().int().min(1).max(200).default(10),
};

export function listQuery<Filters extends Record<string, z.core.$ZodType>>(filters: Filters) {
  return z.strictObject({ ...pagination, ...filters });
}

export function listOf<Item extends z.core.$ZodType>(item: Item) {
  return z.strictObject({ list: z.array(item), total: z.int(), current_page: z.int(), page_size: z.int() });
}
export interface List<Item> {
  list: Item[];
  total: number;
  current_page: number;
  page_size: number;
}

/** The body of an answer that has nothing to say beyond its code. */
export const nothing = z.strictObject({});
export const created = z.strictObject({ id });
export const idParams = z.strictObject({ id: idText });
export const optionalIdText = idText.optional();
export const optionalText = z.string().trim().max(200).optional();

/** Several values in a query, by comma; more than `most` are refused with their number. */
const byComma = (most: number) =>
  z
    .string()
    .transform((text) => text.split(',').map((part) => part.trim()))
    .refine((parts) => parts.length <= most, { error: `filter_too_many:${most}` });
export const idsText = (most: number) =>
  byComma(most)
    .transform((parts) => parts.map(Number))
    .pipe(z.array(id));
export const hostsText = (most: number) =>
  byComma(most).pipe(z.array(z.string().toLowerCase().min(1).max(253)));
