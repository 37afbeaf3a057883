import { randomBytes } from 'node:crypto';
import type { Resolver } from 'node:dns/promises';
import type { WrittenRecord } from '../../db/schema.ts';
import { ProviderProblem } from '../../providers/define-provider.ts';
import { isWithin, type DnsClient } from '../../providers/dns/dns-client.ts';
import { OrderProblem } from './order-problem.ts';

/** dns-01: TXT records by a DNS account, at the name itself or where a CNAME of it leads. */

const ttlSeconds = 60;
const chainMax = 8;

export interface WantedValue {
  /** That is proven, without `*.`. */
  name: string;
  value: string;
}

/** Where the records stand: of names whose `_acme-challenge` is a CNAME, at its end. */
export async function placeRecords(
  client: DnsClient,
  resolver: Resolver,
  wanted: readonly WantedValue[],
): Promise<WrittenRecord[]> {
  const zones = await byAccount(() => client.zones());
  const records = new Map<string, WrittenRecord>();
  for (const { name, value } of wanted) {
    const proof = `_acme-challenge.${name}`;
    const target = await endOf(resolver, proof);
    const zone = zones
      .filter((each) => isWithin(target, each))
      .toSorted((one, other) => other.length - one.length)[0];
    if (zone === undefined)
      throw new OrderProblem('dns_account', target, { facts: { name: proof, record: target } });
    const record = records.get(target) ?? { zone, name: target, values: [] };
    if (!record.values.includes(value)) record.values.push(value);
    records.set(target, record);
  }
  return [...records.values()];
}

async function endOf(resolver: Resolver, name: string): Promise<string> {
  let at = name;
  for (let step = 0; step < chainMax; step++) {
    const next = await cnameOf(resolver, at);
    if (next === undefined || (await isOfWildcard(resolver, at, next))) return at;
    at = next;
  }
  throw new OrderProblem('dns_account', name);
}

async function cnameOf(resolver: Resolver, name: string): Promise<string | undefined> {
  const [target] = await resolver.resolveCname(name).catch(() => [] as string[]);
  return target?.toLowerCase().replace(/\.$/, '');
}

/**
 * Whether it is a wildcard above that says so (RFC 4592), as where all of a domain points at this platform: such an answer ends when
 * there is a record at the name itself.
 */
async function isOfWildcard(resolver: Resolver, name: string, target: string): Promise<boolean> {
  const unmade = name.replace(/^[^.]+/, `_${randomBytes(8).toString('hex')}`);
  return (await cnameOf(resolver, unmade)) === target;
}

const quoted = (value: string): string => `"${value}"`;

/** Beside what stands there: another certificate may be proven by the same name. */
export async function writeRecords(client: DnsClient, records: readonly WrittenRecord[]): Promise<void> {
  for (const { zone, name, values } of records)
    await byAccount(async () => {
      const there = await client.read(zone, name, 'TXT');
      const all = new Set([...(there?.values ?? []), ...values.map(quoted)]);
      if (all.size > (there?.values.length ?? 0))
        await client.set(zone, { name, type: 'TXT', ttl: ttlSeconds, values: [...all] });
    });
}

export async function removeRecords(client: DnsClient, records: readonly WrittenRecord[]): Promise<void> {
  for (const { zone, name, values } of records)
    await byAccount(async () => {
      const there = await client.read(zone, name, 'TXT');
      if (!there) return;
      const ours = new Set(values.map(quoted));
      const left = there.values.filter((value) => !ours.has(value));
      if (left.length === 0) await client.remove(zone, name, 'TXT');
      else if (left.length < there.values.length)
        await client.set(zone, { name, type: 'TXT', ttl: there.ttl, values: left });
    });
}

/** Names whose records are not to be seen yet. */
export async function unseenRecords(
  resolver: Resolver,
  records: readonly WrittenRecord[],
): Promise<string[]> {
  const seen = await Promise.all(
    records.map(async ({ name, values }) => {
      const found = await resolver.resolveTxt(name).catch(() => [] as string[][]);
      const texts = new Set(found.map((parts) => parts.join('')));
      return values.every((value) => texts.has(value));
    }),
  );
  return records.flatMap(({ name }, index) => (seen[index] === true ? [] : [name]));
}

const passing: readonly string[] = ['provider_down', 'provider_late', 'provider_unreachable'];

async function byAccount<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof ProviderProblem)) throw error;
    const { issue, detail } = error;
    throw new OrderProblem('dns_account', detail === '' ? issue : detail, {
      endsOrder: false,
      passes: passing.includes(issue),
      facts: { issue },
    });
  }
}
