import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { attackKinds, type AttackKind } from '@breakwater/contract/attack';
import type { AccessLogLine } from '@breakwater/contract/access-log';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { AttackSteps, LogStore, Places } from './log-store.ts';
import { makeLine, toBytes } from './test-lines.ts';
import { openTestStore, removeTestStore } from './test-store.ts';

const all = { clients: 'all' } as const;
const start = Date.parse('2026-03-01T00:00:00Z');
const minute = 60_000;
const at = (minutes: number, seconds = 0) =>
  new Date(start + minutes * minute + seconds * 1000).toISOString();
const range = { start_time: at(0), end_time: at(24 * 60) };
const campaignsOf = { ...range, top: 20, sourcesMax: 100 };
/** The first two networks are known, any other is not. */
const networks: Record<string, number> = { '198.51.100': 64_500, '203.0.113': 64_501 };
const places: Places = {
  refresh: () => Promise.resolve(false),
  placeOf: (address) => ({
    country: 'US',
    province: '',
    carrier: '',
    asn: networks[address.slice(0, address.lastIndexOf('.'))] ?? 0,
  }),
};

let folder: string;
let store: LogStore;
let number = 0;
/** A line of its own. */
const line = (fields: Partial<AccessLogLine>): AccessLogLine =>
  makeLine({ request_id: (number++).toString(16).padStart(32, '0'), ...fields });
const many = (count: number, of: (index: number) => Partial<AccessLogLine>): AccessLogLine[] =>
  Array.from({ length: count }, (_, index) => line(of(index)));

const scanner = {
  remote_addr: '198.51.100.9',
  user_agent: 'sqlmap/1.8',
  site_id: 1,
  host: 'a.example',
  request_uri: '/login?id=1',
};
const lines = [
  // One address at night and again hours later: two campaigns.
  ...many(10, (index) => ({
    ...scanner,
    time: at(60 + index * 4),
    decision: index < 6 ? 'used_system_rule sql' : 'used_system_rule html',
  })),
  ...many(8, (index) => ({ ...scanner, time: at(300, index), decision: 'used_system_rule js', site_id: 2 })),
  // Another network, two sites of another customer, by rules with numbers.
  ...many(12, (index) => ({
    time: at(600, index * 5),
    remote_addr: `203.0.113.${index}`,
    client_id: 2,
    site_id: 3 + (index % 2),
    host: 'b.example',
    request_uri: `/api/${index % 2}`,
    user_agent: 'curl/8',
    ja4: index < 9 ? 't13d3112h2_e8f1e7e78f70_1f22a2ca17c4' : '',
    decision: index % 3 === 0 ? 'matcher_rule 2' : 'access_control global 1',
  })),
  // Nobody knows the network; what no site of ours was asked for.
  ...many(6, (index) => ({
    time: at(700, index),
    remote_addr: '192.0.2.1',
    site_id: 0,
    client_id: 0,
    decision: 'request_path',
  })),
  // Too few to be a campaign, and content that was too large.
  ...many(4, (index) => ({
    time: at(900, index),
    remote_addr: '192.0.2.200',
    user_agent: '',
    decision: 'used_system_rule content_too_large',
  })),
  // Observed: two detectors of one group count once in it; content that was not read is no attack; a tag is none either.
  ...many(7, () => ({
    time: at(800),
    remote_addr: '198.51.100.77',
    waf: 'used_system_rule html=observe; used_system_rule js=observe; matcher_rule global 3=observe',
  })),
  ...many(3, () => ({ time: at(800), waf: 'used_system_rule unread=observe; matcher_rule 1=tag' })),
  ...many(2, () => ({
    time: at(800),
    decision: 'used_system_rule sql',
    waf: 'matcher_rule 1=observe; used_system_rule sql=block',
  })),
  ...many(50, (index) => ({ time: at(index * 20) })),
];

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'breakwater-logs-'));
  store = await openTestStore({ folder, places });
  await store.ingest({ nodeId: 1, file: 'access.1', offset: 0, lines: toBytes(lines) });
});
afterAll(async () => {
  await store.close();
  await removeTestStore(folder);
});

const sumsOf = ({ rows }: AttackSteps): Partial<Record<AttackKind, number>> =>
  Object.fromEntries(
    attackKinds
      .map((kind, index) => [kind, rows.reduce((sum, { kinds }) => sum + kinds[index]!, 0)] as const)
      .filter(([, count]) => count > 0),
  );

describe('attacks over time', () => {
  test('are counted by kind, each request once in its kind', async () => {
    const refused = await store.attackSteps(all, { ...range, outcome: 'refused', interval: 3600 });
    expect(refused.steps).toBe(24);
    expect(sumsOf(refused)).toEqual({
      'used_system_rule sql': 8,
      'used_system_rule xss': 12,
      'used_system_rule unread': 4,
      matcher_rule: 4,
      access_control: 8,
      request_path: 6,
    });
    expect(refused.rows.map(({ step, requests }) => [step, requests])).toEqual([
      [1, 10],
      [5, 8],
      [10, 12],
      [11, 6],
      [13, 2],
      [15, 4],
    ]);
  });

  test('that rules only observed leave out what was not read, what was tagged and what was refused', async () => {
    const observed = await store.attackSteps(all, { ...range, outcome: 'observed', interval: 3600 });
    expect(sumsOf(observed)).toEqual({ 'used_system_rule xss': 7, matcher_rule: 7 });
    expect(observed.rows.map(({ step, requests }) => [step, requests])).toEqual([[13, 7]]);
  });

  test('are those of the scope, of the filter and of the range', async () => {
    const question = { ...range, outcome: 'refused', interval: 3600 } as const;
    const counted = async (scope: Parameters<LogStore['attackSteps']>[0], filter: object) =>
      (await store.attackSteps(scope, { ...question, ...filter })).rows.reduce(
        (sum, row) => sum + row.requests,
        0,
      );
    expect(await counted({ clients: [2] }, {})).toBe(12);
    expect(await counted({ clients: [2], sites: [3] }, {})).toBe(6);
    expect(await counted({ clients: [2] }, { client_id: 1 })).toBe(0);
    expect(await counted(all, { site_id: 2 })).toBe(8);
    expect(await counted(all, { hosts: ['b.example'] })).toBe(12);
    expect(await counted(all, { end_time: at(120) })).toBe(10);
    await expect(counted(all, { interval: 60, end_time: at(60 * 24 * 30) })).rejects.toThrow(/steps/);
    const gone = AbortSignal.abort(new Error('gone'));
    await expect(store.attackSteps(all, question, gone)).rejects.toThrow('gone');
  });
});

describe('campaigns', () => {
  test('are stretches of a source, apart where it was quiet', async () => {
    const found = await store.campaigns(all, { ...campaignsOf, outcome: 'refused', by: 'address' });
    expect(found).toEqual([
      {
        source: '198.51.100.9',
        first_seen: new Date(start + 60 * minute).toISOString(),
        last_seen: new Date(start + 96 * minute).toISOString(),
        requests: 10,
        addresses: 1,
        site_count: 1,
        site_ids: [1],
        kinds: ['used_system_rule sql', 'used_system_rule xss'],
      },
      expect.objectContaining({
        source: '198.51.100.9',
        requests: 8,
        site_ids: [2],
        kinds: ['used_system_rule xss'],
      }),
      expect.objectContaining({ source: '192.0.2.1', requests: 6, site_ids: [0], kinds: ['request_path'] }),
    ]);
  });

  test('of networks, tools, TLS clients and targets are those that are known', async () => {
    const by = async (
      key: 'network' | 'tool' | 'tls_client' | 'target',
      scope: Parameters<LogStore['campaigns']>[0] = all,
    ) =>
      (await store.campaigns(scope, { ...campaignsOf, outcome: 'refused', by: key })).map(
        ({ source, requests, addresses, site_count }) => [source, requests, addresses, site_count],
      );
    expect(await by('network')).toEqual([
      ['64501', 12, 12, 2],
      ['64500', 10, 1, 1],
      ['64500', 8, 1, 1],
    ]);
    expect(await by('tool')).toContainEqual(['curl/8', 12, 12, 2]);
    expect((await by('tool')).map(([source]) => source)).not.toContain('');
    expect(await by('tls_client')).toEqual([['t13d3112h2_e8f1e7e78f70_1f22a2ca17c4', 9, 9, 2]]);
    expect(await by('target')).toEqual([
      ['a.example/login', 10, 1, 1],
      ['a.example/login', 8, 1, 1],
      ['b.example/api/0', 6, 6, 1],
      ['b.example/api/1', 6, 6, 1],
    ]);
    expect(await by('network', { clients: [1] })).toHaveLength(2);
  });

  test('are as many as asked for, among the sources with the most requests', async () => {
    const question = { ...campaignsOf, outcome: 'refused', by: 'address' } as const;
    expect(await store.campaigns(all, { ...question, top: 1 })).toHaveLength(1);
    expect(await store.campaigns(all, { ...question, sourcesMax: 1 })).toHaveLength(2);
    expect(await store.campaigns(all, { ...question, outcome: 'observed' })).toMatchObject([
      { source: '198.51.100.77', requests: 7, kinds: ['matcher_rule', 'used_system_rule xss'] },
    ]);
    expect(await store.campaigns(all, { ...question, site_id: 99 })).toEqual([]);
  });
});

test('attacked sites have what was refused and what was observed', async () => {
  expect(await store.attackedSites(all, { ...range, top: 10 })).toEqual([
    { site_id: 1, refused: 16, observed: 7 },
    { site_id: 2, refused: 8, observed: 0 },
    { site_id: 3, refused: 6, observed: 0 },
    { site_id: 4, refused: 6, observed: 0 },
  ]);
  const soon = { start_time: at(600), end_time: at(605), top: 1 };
  expect(await store.attackedSites(all, soon)).toEqual([{ site_id: 3, refused: 6, observed: 0 }]);
});

test('networks are ranked by number, those that nobody knows left out', async () => {
  const { ranks } = await store.rank(all, 'cdn', 'top_asn', {
    ...range,
    top: 10,
    top_type: 'request',
    refused: 'yes',
  });
  expect(ranks.map(({ name, requests }) => [name, requests])).toEqual([
    ['64500', 20],
    ['64501', 12],
  ]);
});
