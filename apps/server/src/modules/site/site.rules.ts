import { siteSnapshot, type SiteSnapshot, type siteCreateInput } from '@breakwater/contract';
import type * as z from 'zod';

/** Decisions about a site that need no database. */

/** The configuration of a new site: its origins, everything else by default. */
export function newSnapshot(input: NewSite): SiteSnapshot {
  const { origin, origin_port: port, origin_protocol: protocol, other_origins: others } = input;
  const toOrigin = (one: { address: string; port?: number | undefined }) => {
    const { address } = one;
    if (one.port === undefined) return { address };
    return protocol === 'https' ? { address, https_port: one.port } : { address, http_port: one.port };
  };
  return siteSnapshot.parse({
    domains: input.domains,
    status: 'online',
    origin_server_config: { origins: [{ address: origin, port }, ...others].map(toOrigin), protocol },
  });
}
export type NewSite = z.infer<typeof siteCreateInput>;

/** The name that the domains of a site are to point at, where the platform has a domain for such names. */
export const cnameOf = (label: string, cnameDomain: string): string | null =>
  cnameDomain === '' ? null : `${label}.${cnameDomain}`;

export interface DiffEntry {
  path: string;
  before?: JsonValue;
  after?: JsonValue;
}
export type JsonValue = string | number | boolean | null | JsonValue[] | { [key: string]: JsonValue };

/** What changed between two values of JSON, by dotted path; lists are compared place by place. */
export function diffJson(before: unknown, after: unknown, path = ''): DiffEntry[] {
  if (isContainer(before) && isContainer(after) && Array.isArray(before) === Array.isArray(after)) {
    const keys = [...new Set([...Object.keys(before), ...Object.keys(after)])];
    return keys.flatMap((key) => diffJson(before[key], after[key], path === '' ? key : `${path}.${key}`));
  }
  if (JSON.stringify(before) === JSON.stringify(after)) return [];
  const entry: DiffEntry = { path };
  if (before !== undefined) entry.before = before as JsonValue;
  if (after !== undefined) entry.after = after as JsonValue;
  return [entry];
}

function isContainer(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}
