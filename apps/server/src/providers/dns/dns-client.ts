import {
  dnsLines,
  dnsRecordTypes,
  type DnsLine,
  type DnsRecordSet,
  type DnsRecordType,
  type IssueMessage,
} from '@breakwater/contract';
import { ProviderProblem } from '../define-provider.ts';
import { canonicalValue } from './dns-values.ts';

/**
 * What every DNS host can do, with record sets: all records of a name, a type and a line. Names are in lower case without the
 * dot at the end; values are as in a zone file, host names in them with that dot. Everything fails with a `ProviderProblem`,
 * `dns_zone_unknown` for a zone that the account has not. Whatever is already as it should be is done: changes may be repeated.
 */
export interface DnsClient {
  /** By name. */
  zones(): Promise<string[]>;
  /** Every record set of a zone whose type we know. */
  list(zone: string): Promise<DnsRecordSet[]>;
  /** Of the line `default` unless another one is named. */
  read(zone: string, name: string, type: DnsRecordType, line?: string): Promise<DnsRecordSet | undefined>;
  /** Puts a record set in the place of what is there. */
  set(zone: string, records: DnsRecordSet): Promise<void>;
  /** Takes a record set away; of one that is not there, nothing. */
  remove(zone: string, name: string, type: DnsRecordType, line?: string): Promise<void>;
  /** Many of both at once: a set without values is taken away. In one step where the host can, else one by one in their order. */
  apply(zone: string, sets: readonly DnsRecordSet[]): Promise<void>;
}

/** A record set as hosts are given it. */
export type HostRecordSet = Omit<DnsRecordSet, 'line'> & { line: string };

/** What differs between hosts; `dnsClient` makes the rest of it. */
export interface DnsHost {
  /** How the host calls our lines. One without lines has `default` alone. */
  lines: Readonly<Partial<Record<DnsLine, string>>>;
  /** The host refuses a shorter TTL. */
  ttlSecondsMin: number;
  /** The shortest that every plan there takes, where smaller plans want longer ones. */
  planTtlSecondsMin?: number;
  /** Those it has; absent: all that we know. */
  types?: readonly DnsRecordType[];
  zones(): Promise<readonly string[]>;
  /** Those of a name and a type, or all; with the host's own words for lines. */
  list(zone: string, of?: { name: string; type: DnsRecordType }): Promise<readonly HostRecordSet[]>;
  /** With the host's own words for lines. A set without values is taken away. */
  apply(zone: string, sets: readonly HostRecordSet[]): Promise<void>;
}

export function dnsClient(host: DnsHost): DnsClient {
  const names = Object.entries(host.lines);
  const toHost = (line: string): string => {
    const own = host.lines[line as DnsLine];
    if (own !== undefined) return own;
    if (names.length === 1 || (dnsLines as readonly string[]).includes(line))
      throw new ProviderProblem('dns_line_unknown');
    return line;
  };
  const ours = (set: HostRecordSet): DnsRecordSet => {
    const { line, ...rest } = set;
    const known = names.find(([, own]) => own === line)?.[0] ?? line;
    return known === 'default' ? rest : { ...rest, line: known };
  };
  const wanted = (
    zone: string,
    { name, type, line = 'default', ttl, values }: DnsRecordSet,
  ): HostRecordSet => {
    if (!isWithin(name, zone)) throw new ProviderProblem('dns_zone_unknown');
    if (host.types && !host.types.includes(type)) throw new ProviderProblem('dns_type_unknown');
    const canonical = [...new Set(values.map((value) => canonicalValue(type, value)))];
    return { name, type, line: toHost(line), ttl: Math.max(ttl, host.ttlSecondsMin), values: canonical };
  };
  let known: Promise<string[]> | undefined;
  const apply: DnsClient['apply'] = async (zone, sets) => {
    const all = sets.map((set) => wanted(zone, set));
    if (all.length > 0) await applyByPlan(host, zone, all);
  };
  return {
    zones: () => (known ??= host.zones().then((zones) => zones.toSorted())),
    list: async (zone) => (await host.list(zone)).map(ours),
    read: async (zone, name, type, line = 'default') => {
      if (!isWithin(name, zone)) throw new ProviderProblem('dns_zone_unknown');
      const own = toHost(line);
      const found = await host.list(zone, { name, type });
      const set = found.find((each) => each.name === name && each.type === type && each.line === own);
      return set && ours(set);
    },
    set: (zone, records) => apply(zone, [records]),
    remove: async (zone, name, type, line = 'default') =>
      apply(zone, [{ name, type, line, ttl: host.ttlSecondsMin, values: [] }]),
    apply,
  };
}

/** With the longer TTL that a small plan wants, where it refuses a shorter one. */
async function applyByPlan(host: DnsHost, zone: string, sets: readonly HostRecordSet[]): Promise<void> {
  const { planTtlSecondsMin: least = 0 } = host;
  try {
    await host.apply(zone, sets);
  } catch (error) {
    const isShort = sets.some(({ ttl, values }) => values.length > 0 && ttl < least);
    // Some hosts say no more than that they refuse.
    const mayBeTtl =
      error instanceof ProviderProblem && ['dns_ttl', 'provider_refused'].includes(error.issue);
    if (!isShort || !mayBeTtl) throw error;
    await host.apply(
      zone,
      sets.map((set) => ({ ...set, ttl: Math.max(set.ttl, least) })),
    );
  }
}

export const isKnownType = (type: string): type is DnsRecordType =>
  (dnsRecordTypes as readonly string[]).includes(type);
export const isWithin = (name: string, zone: string): boolean => name === zone || name.endsWith(`.${zone}`);

/** A name as hosts write it within a zone: `@` is the zone itself. */
export const hostOf = (name: string, zone: string): string =>
  name === zone ? '@' : name.slice(0, -zone.length - 1);
export const nameOf = (host: string, zone: string): string =>
  (host === '@' || host === '' ? zone : `${host}.${zone}`).toLowerCase();
/** A name as we have it, of one that ends with a dot. */
export const withoutDot = (name: string): string => name.replace(/\.$/, '').toLowerCase();

const raceIssues: readonly IssueMessage[] = ['dns_record_exists', 'dns_record_gone', 'provider_refused'];

/**
 * Makes a change that follows from what is there. Somebody else may have changed the same since it was read: what is refused is
 * tried once more, from the reading on.
 */
export async function onceMore(change: () => Promise<void>): Promise<void> {
  try {
    await change();
  } catch (error) {
    if (!(error instanceof ProviderProblem && raceIssues.includes(error.issue))) throw error;
    await change();
  }
}

/** Finds the id of a zone once, by the list of zones. */
export function zoneIds<Id>(list: () => Promise<ReadonlyMap<string, Id>>) {
  let zones: Promise<ReadonlyMap<string, Id>> | undefined;
  const all = () => (zones ??= list());
  return {
    names: async () => [...(await all()).keys()],
    idOf: async (zone: string): Promise<Id> => {
      const id = (await all()).get(zone);
      if (id === undefined) throw new ProviderProblem('dns_zone_unknown');
      return id;
    },
  };
}
