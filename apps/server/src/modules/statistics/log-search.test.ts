import type { AccessLogRow, LogSearchEvent, LogTailEvent } from '@breakwater/contract';
import {
  makeCustomer,
  makeSite,
  startWorld,
  waitFor,
  type ApiClient,
  type Customer,
  type OpenStream,
  type World,
} from '@breakwater/test-world';
import { afterAll, beforeAll, describe, expect, inject, it, onTestFinished } from 'vitest';
import { makeLine, toBytes } from '../../logs/test-lines.ts';
import { searchStretches, stretchesToSearch } from './long-search.service.ts';

let world: World;
let one: Customer;
let other: Customer;
const dayMs = 86_400_000;
const days = 4;
const perDay = 7;
let files = 0;

function store(lines: Parameters<typeof makeLine>[0][]): Promise<unknown> {
  files += 1;
  const batch = { nodeId: 1, file: `access.${files}`, offset: 0 };
  const rows = lines.map((line, index) =>
    makeLine({ request_id: `${files}${index}`.padStart(32, '0'), ...line }),
  );
  return world.server.services.logStore.ingest({ ...batch, lines: toBytes(rows) });
}

beforeAll(async () => {
  world = await startWorld({ templateUrl: inject('templateUrl') });
  one = await makeCustomer(world);
  other = await makeCustomer(world);
  const from = Date.now() - days * dayMs;
  await store(
    Array.from({ length: days * perDay }, (_, index) => ({
      time: new Date(from + (index * dayMs) / perDay).toISOString(),
      client_id: index % 2 === 0 ? one.id : other.id,
      host: 'long.example.com',
      request_uri: `/${index}`,
    })),
  );
});
afterAll(() => world.close());

const urisOf = (list: AccessLogRow[]) => list.map(({ request_uri }) => request_uri);

async function search(api: ApiClient, query: object): Promise<LogSearchEvent[]> {
  const stream = await api.open('searchAccessLogs', { query: query as never });
  expect(stream.status).toBe(200);
  await waitFor('the end of the search', () => stream.ended);
  return stream.events.filter(({ type }) => type !== 'ping');
}

describe('a search that tells how far it is', () => {
  it.each(['desc', 'asc'] as const)(
    'finds page for page what a plain search finds: %s',
    async (time_sort) => {
      for (const current_page of [1, 2, 3, 4, 9]) {
        const query = { host: 'long.example.com', time_sort, current_page, page_size: 9 };
        const { list, total } = await world.admin.get('listAccessLogs', { query });
        const events = await search(world.admin, query);
        expect(total).toBe(days * perDay);
        expect(events.at(-1)).toEqual({ type: 'done', list, total, current_page, page_size: 9 });
      }
    },
  );

  it('goes day by day, newest first, with what it has found', async () => {
    const events = await search(world.admin, { host: 'long.example.com', page_size: 10 });
    const progress = events.filter((event) => event.type === 'progress');
    expect(progress.length).toBeGreaterThanOrEqual(days);
    const sorted = (values: (number | string)[]) => values.toSorted((a, b) => (a < b ? -1 : 1));
    const shares = progress.map(({ share }) => share);
    expect(shares).toEqual(sorted(shares));
    const reached = progress.map((event) => event.reached);
    expect(reached).toEqual(sorted(reached).reverse());
    const pages = progress.flatMap(({ list }) => (list ? [urisOf(list)] : []));
    expect(pages.at(-1)).toHaveLength(10);
    expect(pages[0]!.length).toBeLessThan(10);
    expect(pages[0]![0]).toBe(`/${days * perDay - 1}`);
  });

  it("does not leave a customer's own records", async () => {
    const all = { host: 'long.example.com', page_size: 100 };
    for (const query of [all, { ...all, client_id: other.id }]) {
      const last = (await search(one.api, query)).at(-1);
      expect(last).toMatchObject({ type: 'done', total: 'client_id' in query ? 0 : (days * perDay) / 2 });
    }
  });

  it('is refused before it begins where its range is reversed', async () => {
    const range = {
      start_time: new Date().toISOString(),
      end_time: new Date(Date.now() - dayMs).toISOString(),
    };
    expect((await world.admin.open('searchAccessLogs', { query: range })).status).toBe(400);
  });

  it('ends in the store when it is stopped', async () => {
    const { services } = world.server;
    const stopping = new AbortController();
    const stretches = await stretchesToSearch(services, {});
    const page = { current_page: 1, page_size: 10 };
    const events = searchStretches(services, { clients: 'all' }, {}, page, stretches, stopping.signal);
    expect((await events.next()).value).toMatchObject({ type: 'progress' });
    stopping.abort(new Error('stopped'));
    await expect(events.next()).rejects.toThrow('stopped');
  });
});

describe('a histogram', () => {
  const sum = (list: { requests: number }[]) => list.reduce((all, { requests }) => all + requests, 0);
  const count = (api: ApiClient, query: object = {}) =>
    api.get('countAccessLogs', { query: { host: 'long.example.com', ...query } });

  it('has bars without a gap that hold all that a search finds, each its own', async () => {
    const { list, interval } = await count(world.admin);
    expect(list.length).toBeGreaterThan(30);
    const times = list.map(({ time }) => Date.parse(time));
    expect(times.slice(1).every((time, index) => time - times[index]! === interval * 1000)).toBe(true);
    expect(sum(list)).toBe(days * perDay);
    const full = list.find(({ requests }) => requests > 0)!;
    const until = new Date(Date.parse(full.time) + interval * 1000).toISOString();
    const { total } = await world.admin.get('listAccessLogs', {
      query: { host: 'long.example.com', start_time: full.time, end_time: until },
    });
    expect(total).toBe(full.requests);
  });

  it("does not count another customer's", async () => {
    expect(sum((await count(one.api)).list)).toBe((days * perDay) / 2);
    expect(sum((await count(one.api, { client_id: other.id })).list)).toBe(0);
  });

  it('refuses a reversed range', async () => {
    const query = { start_time: new Date().toISOString(), end_time: new Date(0).toISOString() };
    expect(
      await world.admin.send(
        'GET',
        `/prod-api/log_analyzer/site_access/histogram?${new URLSearchParams(query).toString()}`,
      ),
    ).toMatchObject({ status: 400 });
  });
});

describe('names beside numbers', () => {
  it('come with the rows; those of nodes and customers for operators alone', async () => {
    const site = await makeSite(one.api);
    await store([
      {
        time: new Date().toISOString(),
        host: 'named.example.com',
        site_id: site.id,
        client_id: one.id,
        order_id: one.orderId,
      },
    ]);
    const read = async (api: ApiClient) =>
      (await api.get('listAccessLogs', { query: { host: 'named.example.com' } })).list[0]!;
    const { order_no, line_group_name } = await world.admin.get('getOrder', { params: { id: one.orderId } });
    const { name } = await world.admin.get('getClient', { params: { id: one.id } });
    const node = (await world.admin.get('listNodes', { query: {} })).list.find(({ id }) => id === 1);
    const told = { site_name: site.domain, order_name: order_no };
    expect(await read(world.admin)).toMatchObject({
      ...told,
      line_group_name,
      client_name: name,
      node_name: node!.name,
    });
    expect(await read(one.api)).toMatchObject({
      ...told,
      line_group_name: '',
      client_name: '',
      node_name: '',
    });
  });
});

describe('a tail', () => {
  type Tail = OpenStream<LogTailEvent>;
  const rowsOf = ({ events }: Tail) => events.filter((event) => event.type === 'rows');
  const urisTold = (tail: Tail) => rowsOf(tail).flatMap(({ list }) => urisOf(list));
  async function follow(api: ApiClient, query: object = {}): Promise<Tail> {
    const tail = await api.open('tailAccessLogs', { query });
    expect(tail.status).toBe(200);
    onTestFinished(() => tail.close());
    await waitFor('its start', () => tail.events.some(({ type }) => type === 'start'));
    return tail;
  }
  const lineOf = (request_uri: string, client_id = one.id) => ({
    time: new Date().toISOString(),
    host: 'tail.example.com',
    client_id,
    request_uri,
  });

  it('tells of records as they are stored, each once, by the same filters', async () => {
    await store([lineOf('/before')]);
    const all = await follow(world.admin);
    const some = await follow(world.admin, { request_uri: '/api', exclude: 'request_uri=/api/dull' });
    await store([lineOf('/api/1'), lineOf('/page'), lineOf('/api/dull')]);
    await store([lineOf('/api/2')]);
    await waitFor('all', () => urisTold(all).length >= 4);
    await waitFor('some', () => urisTold(some).length >= 2);
    expect(urisTold(all).toSorted()).toEqual(['/api/1', '/api/2', '/api/dull', '/page']);
    expect(urisTold(some).toSorted()).toEqual(['/api/1', '/api/2']);
    expect(rowsOf(all).every(({ not_shown }) => not_shown === 0)).toBe(true);
  });

  it('counts what it does not show', async () => {
    const tail = await follow(world.admin, { request_uri: '/flood' });
    await store(Array.from({ length: 250 }, (_, index) => lineOf(`/flood/${index}`)));
    const sum = () => rowsOf(tail).reduce((all, { list, not_shown }) => all + list.length + not_shown, 0);
    await waitFor('all of them', () => sum() >= 250);
    expect(sum()).toBe(250);
    expect(urisTold(tail).length).toBeLessThanOrEqual(100);
  });

  it("tells a customer of no one else's", async () => {
    const tail = await follow(one.api);
    const stolen = await follow(one.api, { client_id: other.id });
    await store([lineOf('/theirs', other.id), lineOf('/mine')]);
    await waitFor('their own', () => urisTold(tail).length > 0);
    await store([lineOf('/mine/2')]);
    await waitFor('the next', () => urisTold(tail).length > 1);
    expect(urisTold(tail)).toEqual(['/mine', '/mine/2']);
    expect(urisTold(stolen)).toEqual([]);
  });
});
