import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { AccessLogRecord } from '@breakwater/contract/access-log-record';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type LogFilters, LogRangeError, type LogStore } from './log-store.ts';
import { makeLines, toBytes } from './test-lines.ts';
import { openTestStore, removeTestStore } from './test-store.ts';

const all = { clients: 'all' } as const;
const big = { current_page: 1, page_size: 200 };
const start = new Date('2026-03-01T10:00:00Z');
let folder: string;
let store: LogStore;
let records: AccessLogRecord[];

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'breakwater-logs-'));
  store = await openTestStore({ folder });
  records = [];
  for (const node_id of [1, 2]) {
    // The second node's clock runs through the same minutes, so that the rows are not in order of time as stored.
    const lines = makeLines(300, start, { seed: node_id, perMinute: 30 });
    await store.ingest({ nodeId: node_id, file: 'access.1', offset: 0, lines: toBytes(lines) });
    records.push(
      ...lines.map((line) => ({ node_id, country: '', province: '', carrier: '', asn: 0, ...line })),
    );
  }
  records.sort((a, b) => compare(b.time, a.time) || compare(b.request_id, a.request_id));
});
afterAll(async () => {
  await store.close();
  await removeTestStore(folder);
});

const compare = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0);

const first = () => records[0] as AccessLogRecord;
const cases: [string, () => LogFilters, (record: AccessLogRecord) => boolean][] = [
  ['host', () => ({ host: 'WWW3.example.com' }), (r) => r.host === 'www3.example.com'],
  ['client_id', () => ({ client_id: 2 }), (r) => r.client_id === 2],
  ['order_id', () => ({ order_id: 40 }), (r) => r.order_id === 40],
  ['site_id', () => ({ site_id: 5 }), (r) => r.site_id === 5],
  ['node_id', () => ({ node_id: 2 }), (r) => r.node_id === 2],
  ['remote_addr', () => ({ remote_addr: first().remote_addr }), (r) => r.remote_addr === first().remote_addr],
  ['http_referer', () => ({ http_referer: '/page/1' }), (r) => r.referer.includes('/page/1')],
  ['status_code', () => ({ status_code: 404 }), (r) => r.status === 404],
  ['cache_status', () => ({ cache_status: 'hit' }), (r) => r.cache_status === 'HIT'],
  ['method', () => ({ method: 'post' }), (r) => r.method === 'POST'],
  ['request_uri', () => ({ request_uri: '/assets/12' }), (r) => r.request_uri.includes('/assets/12')],
  ['request_id', () => ({ request_id: first().request_id }), (r) => r.request_id === first().request_id],
  ['start_time', () => ({ start_time: '2026-03-01T10:08:00Z' }), (r) => r.time >= '2026-03-01T10:08:00'],
  ['end_time', () => ({ end_time: '2026-03-01T18:02:00+08:00' }), (r) => r.time < '2026-03-01T10:02:00'],
  ['user_agent', () => ({ user_agent: 'cHrOmE/140' }), (r) => r.user_agent.includes('Chrome/140')],
  ['text in the URI', () => ({ text: 'ASSETS/12' }), (r) => r.request_uri.includes('/assets/12')],
  ['text in the agent', () => ({ text: 'applewebkit' }), (r) => r.user_agent.includes('AppleWebKit')],
  ['refused', () => ({ refused: 'yes' }), (r) => r.decision !== ''],
  ['what protection did', () => ({ waf: 'matcher_rule' }), (r) => r.waf !== ''],
  ['one of its rules', () => ({ waf: 'matcher_rule 1' }), (r) => r.waf.startsWith('matcher_rule 1=')],
  [
    'a rule with what it did',
    () => ({ waf: 'matcher_rule 2=tag' }),
    (r) => r.waf.includes('matcher_rule 2=tag;'),
  ],
  ['what was done', () => ({ waf: 'tag' }), (r) => r.waf.includes('=tag')],
  ['a tag', () => ({ waf_tag: 'Tag1' }), (r) => r.waf_tags.split(' ').includes('tag1')],
  [
    'a fingerprint',
    () => ({ ja4: 't13d1511h2_8daaf6152771_e5627efa2ab1' }),
    (r) => r.ja4 === 't13d1511h2_8daaf6152771_e5627efa2ab1',
  ],
  ['a part of a fingerprint', () => ({ ja4: 't13d1511h2' }), () => false],
  [
    'exclude a fingerprint',
    () => ({ exclude: 'ja4=t13d1511h2_8daaf6152771_e5627efa2ab1' }),
    (r) => r.ja4 !== 't13d1511h2_8daaf6152771_e5627efa2ab1',
  ],
  ['let through', () => ({ refused: 'no' }), (r) => r.decision === ''],
  [
    'exclude',
    () => ({ exclude: 'host=www3.example.com\nstatus=200\nsite_id=x=1' }),
    (r) => r.host !== 'www3.example.com' && r.status !== 200,
  ],
  ['an exclusion as text', () => ({ exclude: "host=' OR 1=1 --" }), () => true],
  ['two together', () => ({ client_id: 2, status_code: 200 }), (r) => r.client_id === 2 && r.status === 200],
  ['a wildcard as text', () => ({ request_uri: '%' }), () => false],
  ['an injection as text', () => ({ host: `' OR 1=1 --` }), () => false],
  ['an empty text as none', () => ({ host: '' }), () => true],
];
test.each(cases)('filter %s', async (_, filters, matches) => {
  const expected = records.filter(matches);
  const { list, total } = await store.search(all, filters(), { current_page: 1, page_size: 1000 });
  expect(total).toBe(expected.length);
  expect(list).toEqual(expected);
});

test('counts the rules of a section of a site, by what they did and by stretches of time', async () => {
  const times = ['10:00', '10:04', '10:09'].map((time) => Date.parse(`2026-03-01T${time}:00Z`));
  const site_id = first().site_id;
  const found = await store.ruleHits(all, { site_id, section: 'matcher_rule', times });
  const counts = new Map<string, number>();
  for (const record of records) {
    const time = Date.parse(record.time);
    if (record.site_id !== site_id || time < times[0]! || time >= times[2]!) continue;
    for (const entry of record.waf.split('; ').filter((each) => /^matcher_rule \d/.test(each))) {
      const key = `${time < times[1]! ? 0 : 1} ${entry}`;
      counts.set(key, (counts.get(key) ?? 0) + 1);
    }
  }
  expect(counts.size).toBeGreaterThan(1);
  expect(new Map(found.map(({ stretch, entry, requests }) => [`${stretch} ${entry}`, requests]))).toEqual(
    counts,
  );
  expect(await store.ruleHits({ clients: [] }, { site_id, section: 'matcher_rule', times })).toEqual([]);
});

test('newest first unless asked otherwise; pages neither repeat nor miss a record', async () => {
  const pages = await Promise.all(
    [1, 2, 3, 4].map((current_page) => store.search(all, {}, { current_page, page_size: 200 })),
  );
  expect(pages.flatMap((page) => page.list)).toEqual(records);
  expect(pages.map((page) => page.total)).toEqual([600, 600, 600, 600]);
  const sevens = await Promise.all(
    Array.from({ length: 86 }, (_, page) => store.search(all, {}, { current_page: page + 1, page_size: 7 })),
  );
  expect(sevens.flatMap((page) => page.list)).toEqual(records);
  expect((await store.search(all, {}, { current_page: 87, page_size: 7 })).list).toEqual([]);
  const oldest = await store.search(all, { time_sort: 'asc' }, { current_page: 1, page_size: 3 });
  expect(oldest.list).toEqual(records.toReversed().slice(0, 3));
});

test('a customer finds only records of its own, however it asks', async () => {
  const scope = { clients: [2] };
  const own = records.filter((record) => record.client_id === 2);
  expect((await store.search(scope, {}, big)).total).toBe(own.length);
  const foreign = records.find((record) => record.client_id === 1) as AccessLogRecord;
  const attempts: LogFilters[] = [
    { client_id: 1 },
    { site_id: foreign.site_id },
    { host: foreign.host },
    { request_id: foreign.request_id },
    { order_id: foreign.order_id },
  ];
  for (const filters of attempts)
    expect(await store.search(scope, filters, big)).toEqual({ list: [], total: 0 });
});

test('a range that ends before it starts is refused', async () => {
  const search = store.search(
    all,
    { start_time: '2026-03-02T00:00:00Z', end_time: '2026-03-01T00:00:00Z' },
    big,
  );
  await expect(search).rejects.toThrow(LogRangeError);
});

test('a search that is stopped ends, and the next one is answered', async () => {
  const gone = new AbortController();
  const search = store.search(all, {}, big, gone.signal);
  gone.abort();
  await expect(search).rejects.toMatchObject({ name: 'AbortError' });
  await expect(store.search(all, {}, big, gone.signal)).rejects.toMatchObject({ name: 'AbortError' });
  expect((await store.search(all, {}, big)).total).toBe(600);
});

test('a ranking that is stopped ends', async () => {
  const filter = {
    start_time: '2026-03-01T00:00:00Z',
    end_time: '2026-03-02T00:00:00Z',
    top: 10,
    top_type: 'request' as const,
  };
  const gone = new AbortController();
  const ranking = store.rank(all, 'cdn', 'top_url', filter, gone.signal);
  gone.abort();
  await expect(ranking).rejects.toMatchObject({ name: 'AbortError' });
  expect((await store.rank(all, 'cdn', 'top_url', filter)).total.requests).toBe(600);
});

test.each(cases)('counts by steps what it finds: %s', async (_, filters, matches) => {
  const steps = { origin: start.getTime() - 90_000, interval: 60 };
  const expected = new Map<number, { requests: number; errors: number }>();
  for (const record of records.filter(matches)) {
    const step = Math.floor((Date.parse(record.time) - steps.origin) / 60_000);
    const before = expected.get(step) ?? { requests: 0, errors: 0 };
    expected.set(step, {
      requests: before.requests + 1,
      errors: before.errors + (record.status >= 500 ? 1 : 0),
    });
  }
  const counts = await store.count(all, filters(), steps);
  expect(new Map(counts.map(({ step, ...count }) => [step, count]))).toEqual(expected);
});

test('counts only what the caller may see', async () => {
  const steps = { origin: start.getTime(), interval: 86_400 };
  const counts = await store.count({ clients: [2] }, {}, steps);
  const own = records.filter(({ client_id }) => client_id === 2);
  expect(counts.reduce((sum, { requests }) => sum + requests, 0)).toBe(own.length);
});
