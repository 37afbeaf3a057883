import * as z from 'zod';
import { secret } from './secret.ts';

/** Parts that several entities share. Messages of custom checks are keys of `issues` in `issues.text.ts`. */

/** The largest of PostgreSQL's integer: of ids, versions and whatever else is stored in one. */
export const integerMax = 2_147_483_647;
export const id = z.int().min(1).max(integerMax);
/** An id in a path or a query, where everything arrives as text. */
export const idText = z.coerce.number().pipe(id);
/** Grows with each change of what it is the version of. */
export const version = z.int().min(1).max(integerMax);
/** Bytes, requests, revisions: exact in JSON and in a bigint. */
export const count = z.int().min(0).max(9_000_000_000_000_000);
export const port = z.int().min(1, 'port_range').max(65_535, 'port_range');
/** A time as it is answered. */
export const dateTime = z.iso.datetime({ offset: true, abort: true });
/** A time that somebody asks about: PostgreSQL, DuckDB and OpenSearch hold all of these. */
export const time = dateTime.refine(isStorableTime, { error: 'time_range' });

function isStorableTime(value: string): boolean {
  const at = Date.parse(value);
  return at >= 0 && at < Date.UTC(2200, 0);
}

/** PostgreSQL stores neither NUL nor half a surrogate pair; nor does anything here need one. */
const isStorable = (value: unknown): boolean =>
  typeof value !== 'string' || (value.isWellFormed() && !value.includes('\0'));
/** Of every text that comes in; `npm run check` looks for it. */
export const storableText = z.refine(isStorable, { error: 'text_unfit' });
export const inputText = () => z.string().check(storableText);

/** JSON of any shape that whoever takes it looks into: its texts can be stored, and it is not nested deeper than anything here. */
export const storableJson = z.check(({ value, issues }) => {
  const message = jsonProblem(value);
  if (message !== undefined) issues.push({ code: 'custom', message, input: value });
});
export const json = z.unknown().check(storableJson);
const jsonLevelsMax = 32;

function jsonProblem(value: unknown, level = 0): 'text_unfit' | 'json_depth' | undefined {
  if (!isStorable(value)) return 'text_unfit';
  if (typeof value !== 'object' || value === null) return undefined;
  if (level === jsonLevelsMax) return 'json_depth';
  for (const [key, item] of Object.entries(value)) {
    const problem = jsonProblem(key) ?? jsonProblem(item, level + 1);
    if (problem !== undefined) return problem;
  }
  return undefined;
}

/** Money in minor units (分). */
export const money = z.int().min(0).max(1_000_000_000_000);
export const name = inputText().trim().min(1).max(100);
/** Absent it is the name; empty it is refused. */
export const description = inputText().trim().min(1).max(1000);
export const email = z.email().max(200).toLowerCase();
export const password = secret(inputText().min(8).max(128));

const label = /^(?!-)[a-z0-9-]{1,63}(?<!-)$/;
const ipv4Pattern = /^(?:(?:25[0-5]|2[0-4]\d|1?\d?\d)(?:\.(?!$)|$)){4}$/;

const ipv6Address = z.ipv6();

/** Dotted-decimal IPv4 or RFC 4291 IPv6, without brackets or zone. */
export function isIpAddress(text: string): boolean {
  return ipv4Pattern.test(text) || (text.includes(':') && ipv6Address.safeParse(text).success);
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

export const ipAddress = inputText().trim().max(45).refine(isIpAddress, { error: 'ip_format' });

/** An address, or a network by CIDR (RFC 4632, RFC 4291 §2.3): `10.0.0.0/8`, `2001:db8::/32`. */
export function isIpOrCidr(text: string): boolean {
  const [address = '', length, ...rest] = text.split('/');
  if (!isIpAddress(address) || rest.length > 0) return false;
  if (length === undefined) return true;
  return /^(?:0|[1-9]\d{0,2})$/.test(length) && Number(length) <= (address.includes(':') ? 128 : 32);
}

export const ipOrCidr = inputText().trim().max(49).refine(isIpOrCidr, { error: 'ip_format' });
export const ipOrCidrList = z.array(ipOrCidr).max(10_000);

/** A file extension as it is compared: `.css` and `*.css` are `css`. A lone dot stays what it is. */
export const plainExtension = (text: string): string => text.trim().replace(/^\*?\.(?=.)/, '');

/** One port or an ascending range of ports, as text: `443`, `8000-8100`. */
export function isPortRange(text: string): boolean {
  const match = /^([1-9]\d{0,4})(?:-([1-9]\d{0,4}))?$/.exec(text);
  if (!match) return false;
  const first = Number(match[1]);
  const last = Number(match[2] ?? match[1]);
  return first <= last && last <= 65_535;
}

export const portRange = inputText().trim().max(11).refine(isPortRange, { error: 'port_range' });
export const portRanges = z.array(portRange).max(100);

/** An address or name that a node can reach: IPv4, IPv6 or a host name; international names arrive as they are typed. */
export const hostAddress = inputText()
  .trim()
  .toLowerCase()
  .max(253)
  // What is ASCII already stays as it is: the parser would make an address of `1.2`.
  .transform((text) => (/^[ -~]*$/.test(text) ? text : toAsciiDomain(text)))
  .refine((text) => isIpAddress(text) || isHostName(text), { error: 'host_address' });

/** A domain a site answers to: `example.com`, `*.example.com`; international names arrive as they are typed. */
export const siteDomain = inputText()
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

/** A domain or a part of one, as it is searched for: what is typed in Unicode finds whole labels. */
export const asciiDomainPart = (text: string): string =>
  /[^\p{ASCII}]/u.test(text) ? toAsciiDomain(text) : text;

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
export const optionalText = inputText().trim().max(200).optional();

/** Several values in a query, by comma; more than `most` are refused with their number. */
const byComma = (most: number) =>
  inputText()
    .transform((text) => text.split(',').map((part) => part.trim()))
    .refine((parts) => parts.length <= most, { error: `filter_too_many:${most}` });
export const idsText = (most: number) =>
  byComma(most)
    .transform((parts) => parts.map(Number))
    .pipe(z.array(id));
/** Of a list: only these, such as what was chosen from it. */
export const chosenIds = idsText(200).optional();
export const hostsText = (most: number) =>
  byComma(most).pipe(z.array(inputText().toLowerCase().min(1).max(253).overwrite(asciiDomainPart)));
