import type { DnsRecordType } from '@breakwater/contract';
import {
  startVendorServer,
  type VendorReply,
  type VendorRequest,
  type VendorServer,
} from '@breakwater/test-world';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { ProviderProblem } from '../define-provider.ts';
import { reachOf } from '../reach.ts';
import type { DnsClient } from './dns-client.ts';

/** What every vendor's adapter is tried for, on a server that answers as the vendor documents it. */

export const reach = reachOf({ privateOrigins: false, providerNetworks: ['127.0.0.0/8'] }, null);

/** A record as the vendor keeps it. */
export interface Stored {
  id: string;
  /** The whole name, without a dot at the end. */
  name: string;
  type: string;
  line: string;
  ttl: number;
  value: string;
  priority?: number | undefined;
}

/** What the vendor has: records by zone. */
export class Store {
  readonly zones = new Map<string, { id: string; records: Stored[] }>();
  #ids = 1000;
  /** Done once, before the next write is: somebody else was faster. */
  before: (() => void) | undefined;
  writes = 0;
  /** Of the plan. */
  ttlSecondsMin = 0;

  addZone(name: string): void {
    this.zones.set(name, { id: String(this.#ids++), records: [] });
  }
  /** The zone of an id or a name. */
  zone(of: string) {
    const entry = [...this.zones].find(([name, { id }]) => name === of || id === of);
    return entry && { name: entry[0], ...entry[1] };
  }
  writing(): void {
    this.writes += 1;
    this.before?.();
    this.before = undefined;
  }
  nextId = (): string => String(this.#ids++);
  records(zone: string): Stored[] {
    return this.zones.get(zone)!.records;
  }
  find(id: string): Stored | undefined {
    return [...this.zones.values()].flatMap(({ records }) => records).find((record) => record.id === id);
  }
  remove(id: string): boolean {
    for (const { records } of this.zones.values()) {
      const at = records.findIndex((record) => record.id === id);
      if (at !== -1) return records.splice(at, 1).length > 0;
    }
    return false;
  }
}

export interface VendorCases {
  name: string;
  /** More than a page of them. */
  zoneCount: number;
  /** More than a page of them in one zone; zero where the vendor has no pages of records. */
  recordCount: number;
  /** As the vendor answers; `undefined` from `refusal` where a request is signed as it should be. */
  answer: (request: VendorRequest, store: Store) => VendorReply;
  make: (url: string, key: 'right' | 'wrong') => DnsClient;
  secret: string;
  /** A refusal in the vendor's form, with these words. */
  refused: (words: string) => VendorReply;
  limited: VendorReply;
  /** How the vendor calls two of our lines; absent: it has none. */
  telecom?: string;
  defaultLine?: string;
  ttl?: number;
  /** Whether the smallest plan there wants 600 seconds. */
  hasPlans?: boolean;
  without?: readonly DnsRecordType[];
  /** How a text and an exchanger are kept there. */
  kept: { txt: string; mx: { value: string; priority?: number } };
  /** Whether what already is so is written again: those that put whole sets. */
  putsAnyway?: boolean;
}

const zone = 'example.com';
export const problem = (issue: string): unknown => expect.objectContaining({ issue });

const samples = [
  ['A', ['192.0.2.1', '192.0.2.2']],
  ['AAAA', ['2001:db8::1']],
  ['CNAME', ['www.example.net.']],
  ['MX', ['10 mail.example.com.', '20 mail2.example.com.']],
  ['NS', ['ns1.example.net.']],
  ['SRV', ['10 20 443 target.example.com.']],
  ['TXT', ['"v=spf1 include:example.net ~all"']],
  ['CAA', ['0 issue "letsencrypt.org"']],
] as const;

interface Tried {
  cases: VendorCases;
  /** Made anew for each case. */
  held: { server: VendorServer; store: Store };
  client: () => DnsClient;
  ttl: number;
}

export function describeVendor(cases: VendorCases): void {
  const held = {} as Tried['held'];
  beforeAll(async () => {
    held.server = await startVendorServer((request) => cases.answer(request, held.store));
  });
  beforeEach(() => {
    held.store = new Store();
    held.store.addZone(zone);
    held.server.next.length = 0;
    held.server.requests.length = 0;
  });
  afterAll(() => held.server?.close());
  const client = () => cases.make(held.server.url, 'right');
  const tried = { cases, held, client, ttl: cases.ttl ?? 600 };
  describe(`${cases.name}: record sets`, () => {
    trySets(tried);
  });
  describe(`${cases.name}: values`, () => {
    tryValues(tried);
  });
  describe(`${cases.name}: plans`, () => {
    tryPlans(tried);
  });
  describe(`${cases.name}: changes`, () => {
    tryChanges(tried);
  });
  describe(`${cases.name}: pages and lines`, () => {
    tryPages(tried);
  });
  describe(`${cases.name}: faults`, () => {
    tryFaults(tried);
  });
}

function trySets({ cases, client, ttl }: Tried): void {
  it.each(samples.filter(([type]) => !(cases.without ?? []).includes(type)))(
    'sets, reads, replaces and deletes %s',
    async (type, values) => {
      const name = `${type.toLowerCase()}.${zone}`;
      expect(await client().read(zone, name, type)).toBeUndefined();
      await client().set(zone, { name, type, ttl, values: [...values] });
      const found = await client().read(zone, name, type);
      expect(found).toMatchObject({ name, type, ttl });
      expect(found).not.toHaveProperty('line');
      expect(found!.values.toSorted()).toEqual(values.toSorted());
      await client().set(zone, { name, type, ttl: ttl * 2, values: [values[0]] });
      expect(await client().read(zone, name, type)).toMatchObject({ ttl: ttl * 2, values: [values[0]] });
      await client().remove(zone, name, type);
      expect(await client().read(zone, name, type)).toBeUndefined();
    },
  );

  it('changes one record set and leaves its neighbours', async () => {
    const name = `both.${zone}`;
    await client().set(zone, { name, type: 'A', ttl, values: ['192.0.2.9'] });
    await client().set(zone, { name, type: 'TXT', ttl, values: ['"stays"'] });
    await client().set(zone, { name: `not-${name}`, type: 'A', ttl, values: ['192.0.2.10'] });
    await client().remove(zone, name, 'A');
    const left = (await client().list(zone)).map((set) => `${set.type} ${set.name}`);
    expect(left.toSorted()).toEqual([`A not-${name}`, `TXT ${name}`]);
  });
}

function tryValues({ cases, held, client, ttl }: Tried): void {
  it('writes values as the vendor keeps them', async () => {
    const name = `mail.${zone}`;
    await client().set(zone, { name, type: 'TXT', ttl, values: ['"a text"'] });
    await client().set(zone, { name, type: 'MX', ttl, values: ['10 mx.example.net.'] });
    const [txt, mx] = held.store.records(zone);
    expect(txt).toMatchObject({ name, type: 'TXT', ttl, value: cases.kept.txt });
    expect(mx).toMatchObject({ name, type: 'MX', ttl, ...cases.kept.mx });
  });

  it('takes the zone itself, a wildcard, and a text longer than a part of one may be', async () => {
    const text = `"${'x'.repeat(255)}" "${'y'.repeat(40)}"`;
    for (const name of [zone, `*.${zone}`]) {
      await client().set(zone, { name, type: 'TXT', ttl, values: [text] });
      expect(await client().read(zone, name, 'TXT')).toMatchObject({ name, values: [text] });
    }
  });
}

function tryPlans({ cases, held, client }: Tried): void {
  it.runIf(cases.hasPlans)(
    'takes the shortest TTL of a small plan where it refuses a shorter one',
    async () => {
      held.store.ttlSecondsMin = 600;
      const set = { name: `short.${zone}`, type: 'TXT' as const, ttl: 60, values: ['"a"'] };
      await client().set(zone, set);
      await client().set(zone, set);
      expect(await client().read(zone, set.name, 'TXT')).toEqual({ ...set, ttl: 600 });
      held.store.ttlSecondsMin = 0;
      await client().set(zone, set);
      expect(await client().read(zone, set.name, 'TXT')).toEqual(set);
      held.store.ttlSecondsMin = 700;
      await expect(client().set(zone, { ...set, ttl: 120 })).rejects.toBeInstanceOf(ProviderProblem);
    },
  );
}

function tryChanges({ cases, held, client, ttl }: Tried): void {
  it('does again what is already so', async () => {
    const records = { name: `again.${zone}`, type: 'A', ttl, values: ['192.0.2.1', '192.0.2.2'] } as const;
    await client().set(zone, { ...records, values: [...records.values] });
    const { writes } = held.store;
    await client().set(zone, { ...records, values: records.values.toReversed() });
    if (cases.putsAnyway !== true) expect(held.store.writes).toBe(writes);
    expect(held.store.records(zone)).toHaveLength(2);
    await client().remove(zone, records.name, 'A');
    await client().remove(zone, records.name, 'A');
    expect(held.store.records(zone)).toEqual([]);
  });

  it('finds it done where somebody else was faster', async () => {
    const name = `race.${zone}`;
    const set = { name, type: 'A', ttl, values: ['192.0.2.1'] } as const;
    await client().set(zone, { ...set, values: [...set.values] });
    const [made] = held.store.records(zone);
    held.store.remove(made!.id);
    held.store.before = () => held.store.records(zone).push(made!);
    await client().set(zone, { ...set, values: [...set.values] });
    expect(await client().read(zone, name, 'A')).toMatchObject({ values: ['192.0.2.1'] });
    held.store.before = () => void held.store.remove(held.store.records(zone)[0]!.id);
    await client().remove(zone, name, 'A');
    expect(held.store.records(zone)).toEqual([]);
  });

  it('does many changes at once, some of which take away', async () => {
    const names = Array.from({ length: 8 }, (_, n) => `n${n}.${zone}`);
    const set = (name: string, values: string[]) => ({ name, type: 'A' as const, ttl, values });
    await client().apply(
      zone,
      names.map((name, n) => set(name, [`192.0.2.${n}`])),
    );
    await client().apply(
      zone,
      names.map((name, n) => set(name, n % 2 === 0 ? [] : [`198.51.100.${n}`])),
    );
    const found = (await client().list(zone)).map(({ name, values }) => `${name} ${values.join()}`);
    expect(found.toSorted()).toEqual(
      names.flatMap((name, n) => (n % 2 === 0 ? [] : [`${name} 198.51.100.${n}`])),
    );
  });
}

function tryPages({ cases, held, client, ttl }: Tried): void {
  it('lists all its zones, page by page, by name', async () => {
    const names = Array.from({ length: cases.zoneCount }, (_, n) => `zone-${n}.example`);
    for (const name of names) held.store.addZone(name);
    expect(await client().zones()).toEqual([...names, zone].toSorted());
  });

  it.runIf(cases.recordCount > 0)('lists all records of a zone, page by page', async () => {
    const line = cases.defaultLine ?? '';
    for (let n = 0; n < cases.recordCount; n++)
      held.store.records(zone).push({
        id: held.store.nextId(),
        name: `n${n}.${zone}`,
        type: 'A',
        line,
        ttl,
        value: '192.0.2.1',
      });
    expect(await client().list(zone)).toHaveLength(cases.recordCount);
  });

  it.runIf(cases.telecom)('keeps lines apart', async () => {
    const name = `lines.${zone}`;
    const set = (values: string[], line?: string) => ({
      name,
      type: 'A' as const,
      ttl,
      values,
      ...(line === undefined ? {} : { line }),
    });
    await client().apply(zone, [set(['192.0.2.1']), set(['192.0.2.2'], 'telecom')]);
    expect(held.store.records(zone).map(({ line, value }) => [line, value])).toEqual([
      [cases.defaultLine, '192.0.2.1'],
      [cases.telecom, '192.0.2.2'],
    ]);
    expect(await client().read(zone, name, 'A', 'telecom')).toEqual(set(['192.0.2.2'], 'telecom'));
    await client().remove(zone, name, 'A');
    expect(await client().list(zone)).toEqual([set(['192.0.2.2'], 'telecom')]);
  });

  it.runIf(!cases.telecom)('says that it has no lines', async () => {
    const set = { name: zone, type: 'A' as const, line: 'telecom', ttl, values: ['192.0.2.1'] };
    await expect(client().set(zone, set)).rejects.toEqual(problem('dns_line_unknown'));
  });
}

function tryFaults({ cases, held, client }: Tried): void {
  it('does not know the zones of others', async () => {
    await expect(client().read('nobody.example', 'www.nobody.example', 'A')).rejects.toEqual(
      problem('dns_zone_unknown'),
    );
  });

  it('refuses a wrong key, in words that do not tell the right one', async () => {
    const wrong = await cases
      .make(held.server.url, 'wrong')
      .zones()
      .catch((error: unknown) => error);
    expect(wrong).toEqual(problem('provider_key'));
    held.server.next.push(cases.refused(`${cases.secret} is wrong`));
    const echoed = await client()
      .zones()
      .catch((error: unknown) => error);
    expect(String(echoed)).toContain('is wrong');
    expect(String(echoed)).not.toContain(cases.secret);
  });

  it('waits as long as it is told when it asked too often, and not for long', async () => {
    const limited = (seconds: string) => ({ ...cases.limited, headers: { 'retry-after': seconds } });
    held.server.next.push(limited('0'), limited('0'));
    expect(await client().zones()).toEqual([zone]);
    expect(held.server.requests.length).toBeGreaterThanOrEqual(3);
    held.server.next.push(limited('3600'));
    await expect(client().zones()).rejects.toEqual(problem('provider_limited'));
  });

  it('gives up on a vendor that goes on refusing, or is down', async () => {
    const headers = { 'retry-after': '0' };
    held.server.next.push(...Array.from({ length: 4 }, () => ({ ...cases.limited, headers })));
    await expect(client().zones()).rejects.toEqual(problem('provider_limited'));
    held.server.next.push(...Array.from({ length: 4 }, () => ({ status: 503, headers, body: 'sorry' })));
    await expect(client().zones()).rejects.toEqual(problem('provider_down'));
  });

  it('takes no page of HTML for an answer, and no half of one', async () => {
    for (const body of ['<html>', '{"', '<?xml version="1.0"?><a><b>']) {
      held.server.next.push({ body });
      await expect(client().zones(), body).rejects.toEqual(problem('provider_answer'));
    }
  });
}

/** For what was not sent as the vendor wants it. */
export class Refusal extends Error {
  readonly code: string;
  constructor(code: string) {
    super(code);
    this.code = code;
  }
}
export function must(holds: boolean, code: string): asserts holds {
  if (!holds) throw new Refusal(code);
}
