import type { DnsRecordType, IssueMessage } from '@breakwater/contract';
import { ProviderProblem } from '../define-provider.ts';
import { onceMore, type DnsHost, type HostRecordSet } from './dns-client.ts';
import { sameValue } from './dns-values.ts';

/** Hosts whose records stand each by itself, with an id: record sets are put together here, and taken apart. */

export interface HostRecord {
  name: string;
  type: DnsRecordType;
  line: string;
  ttl: number;
  /** As a zone file has it. */
  value: string;
}
export interface KnownRecord extends HostRecord {
  id: string;
}
export interface RecordChanges {
  creates: HostRecord[];
  /** Records as they are to be. */
  updates: KnownRecord[];
  removes: KnownRecord[];
}

interface RecordReads extends Omit<DnsHost, 'list' | 'apply'> {
  records(zone: string, of?: { name: string; type: DnsRecordType }): Promise<readonly KnownRecord[]>;
}
interface RecordWrites {
  /** Fails with `dns_record_exists` for one that is there. */
  create(zone: string, record: HostRecord): Promise<unknown>;
  /** Fails with `dns_record_gone` for one that is not. */
  update(zone: string, record: KnownRecord): Promise<unknown>;
  /** Fails with `dns_record_gone` for one that is not there. */
  remove(zone: string, record: KnownRecord): Promise<unknown>;
}
interface RecordBatches {
  /** Everything at once; fails with `dns_record_exists` or `dns_record_gone` where something else changed meanwhile. */
  batch(zone: string, changes: RecordChanges): Promise<unknown>;
}
export type RecordHost = RecordReads & (RecordWrites | RecordBatches);

/** So many names are asked for one by one before the whole zone is. */
const namesMax = 5;

export function byRecord(host: RecordHost): DnsHost {
  const plan = async (zone: string, sets: readonly HostRecordSet[]): Promise<RecordChanges[]> => {
    const all = sets.length > namesMax ? await host.records(zone) : undefined;
    const plans: RecordChanges[] = [];
    for (const set of sets) plans.push(changesFor(set, all ?? (await host.records(zone, set))));
    return plans;
  };
  return {
    ...host,
    list: async (zone, of) => setsOf(await host.records(zone, of)),
    apply: (zone, sets) =>
      onceMore(async () => {
        const plans = await plan(zone, sets);
        await ('batch' in host ? atOnce(host, zone, plans) : oneByOne(host, zone, plans));
      }),
  };
}

function setsOf(records: readonly KnownRecord[]): HostRecordSet[] {
  const sets = new Map<string, HostRecordSet>();
  for (const { name, type, line, ttl, value } of records) {
    const key = [name, type, line].join(' ');
    const set = sets.get(key);
    if (set) set.values.push(value);
    else sets.set(key, { name, type, line, ttl, values: [value] });
  }
  return [...sets.values()];
}

/** What is to be changed comes from what is there: a record in the place of another is the same record with another value. */
function changesFor({ values, ...set }: HostRecordSet, records: readonly KnownRecord[]): RecordChanges {
  const stale: KnownRecord[] = [];
  const updates: KnownRecord[] = [];
  const missing = [...values];
  for (const record of records) {
    if (record.name !== set.name || record.type !== set.type || record.line !== set.line) continue;
    const at = missing.findIndex((value) => sameValue(set.type, value, record.value));
    if (at === -1) stale.push(record);
    else {
      missing.splice(at, 1);
      if (record.ttl !== set.ttl) updates.push({ ...record, ttl: set.ttl });
    }
  }
  for (const value of missing.splice(0, stale.length)) updates.push({ ...set, id: stale.shift()!.id, value });
  return { creates: missing.map((value) => ({ ...set, value })), updates, removes: stale };
}

async function atOnce(
  { batch }: RecordBatches,
  zone: string,
  plans: readonly RecordChanges[],
): Promise<void> {
  const changes: RecordChanges = {
    creates: plans.flatMap(({ creates }) => creates),
    updates: plans.flatMap(({ updates }) => updates),
    removes: plans.flatMap(({ removes }) => removes),
  };
  if (Object.values(changes).some(({ length }) => length > 0)) await batch(zone, changes);
}

async function oneByOne(host: RecordWrites, zone: string, plans: readonly RecordChanges[]): Promise<void> {
  for (const { creates, updates, removes } of plans) {
    for (const record of updates) await host.update(zone, record);
    // Hosts list a record some seconds after they have it: that it exists, or is gone, is what they know.
    for (const record of creates) await unless('dns_record_exists', host.create(zone, record));
    for (const record of removes) await unless('dns_record_gone', host.remove(zone, record));
  }
}

async function unless(issue: IssueMessage, change: Promise<unknown>): Promise<void> {
  try {
    await change;
  } catch (error) {
    if (!(error instanceof ProviderProblem && error.issue === issue)) throw error;
  }
}
