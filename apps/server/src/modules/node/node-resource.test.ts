import { nodeResources, nodeState, type NodeState } from '@breakwater/contract';
import { makeCustomer, makeNode, startWorld, type World } from '@breakwater/test-world';
import { afterAll, beforeAll, expect, inject, it } from 'vitest';
import { addResourceSample, pruneNodeResources } from './node-resource.store.ts';

const hourMs = 3_600_000;
const hour = Math.floor(Date.now() / hourMs) * hourMs - 5 * hourMs;
const iso = (time: number) => new Date(time).toISOString();
let world: World;
let busy: number;
let quiet: number;

const state = (cpu: number): NodeState =>
  nodeState.parse({
    version: '1',
    nginx_running: true,
    uptime_seconds: 1,
    cpu_share: cpu,
    memory_total: 1000,
    memory_used: 250,
    disk_total: 0,
    disk_used: 0,
    processors: 4,
    load: cpu * 4,
    network_in: cpu * 1000,
    network_out: cpu * 2000,
    connections: cpu * 100,
  });

beforeAll(async () => {
  world = await startWorld({ templateUrl: inject('templateUrl') });
  busy = (await makeNode(world, { ip: '192.0.2.60', name: 'busy' })).id;
  quiet = (await makeNode(world, { ip: '192.0.2.61', name: 'quiet' })).id;
  const { db } = world.server.services;
  const report = (id: number, cpu: number, at: number) => addResourceSample(db, id, state(cpu), new Date(at));
  // Two reports in one minute, one in the next, and one two hours later.
  await report(busy, 0.5, hour + 1000);
  await report(busy, 1, hour + 59_000);
  await report(busy, 0.75, hour + 60_000);
  await report(busy, 0.25, hour + 2 * hourMs);
  await report(quiet, 0.1, hour + 1000);
});
afterAll(() => world.close());

const ask = (query: Partial<Parameters<typeof question>[0]> = {}) =>
  world.admin.call('getNodeResources', { query: question(query) });
function question(query: {
  metric?: (typeof nodeResources)[number];
  start_time?: string;
  end_time?: string;
  interval?: number;
  node_ids?: string;
}) {
  return {
    metric: 'cpu' as const,
    start_time: iso(hour),
    end_time: iso(hour + 3 * hourMs),
    interval: 60,
    ...query,
  };
}

it('mean and peak of each step, the busiest node first, and gaps where a node said nothing', async () => {
  const { data } = await ask({ end_time: iso(hour + 180_000) });
  expect(data).toMatchObject({ interval: 60, total: 2 });
  expect(data.nodes.map(({ name, points }) => [name, points.map(({ mean, peak }) => [mean, peak])])).toEqual([
    [
      'busy',
      [
        [0.75, 1],
        [0.75, 0.75],
        [null, null],
      ],
    ],
    [
      'quiet',
      [
        [0.1, 0.1],
        [null, null],
        [null, null],
      ],
    ],
  ]);
  const hours = (await ask({ interval: 3600, node_ids: `${busy}` })).data;
  expect(hours.nodes).toMatchObject([
    {
      id: busy,
      mean: 0.625,
      peak: 1,
      points: [{ mean: 0.75, peak: 1 }, { mean: null }, { mean: 0.25, peak: 0.25 }],
    },
  ]);
});

it('every resource has the unit that it is described with', async () => {
  const means = await Promise.all(
    nodeResources.map(async (metric) => {
      const { data } = await ask({ metric, interval: 3600, node_ids: `${quiet}` });
      return [metric, data.nodes[0]!.mean];
    }),
  );
  expect(Object.fromEntries(means)).toEqual({
    cpu: 0.1,
    load: 0.4,
    memory: 0.25,
    disk: 0,
    network_in: 100,
    network_out: 200,
    connections: 10,
  });
});

it.each([
  ['reversed', { start_time: iso(hour + hourMs), end_time: iso(hour) }, 'end_time', 'before the end'],
  [
    'in the future',
    { start_time: iso(Date.now() + hourMs), end_time: iso(Date.now() + 2 * hourMs) },
    'start_time',
    'future',
  ],
  ['longer than it is kept', { start_time: iso(hour - 402 * 24 * hourMs) }, 'start_time', '400 days'],
  ['too fine for minutes that are gone', { start_time: iso(hour - 60 * hourMs) }, 'interval', '3600 seconds'],
  ['of seven nodes', { node_ids: '1,2,3,4,5,6,7' }, 'node_ids', 'At most 6'],
])('a range %s is refused at its field', async (_, query, path, message) => {
  expect(await ask(query)).toMatchObject({
    status: 400,
    errors: [{ path, message: expect.stringContaining(message) }],
  });
});

it('is not for customers', async () => {
  const customer = await makeCustomer(world);
  const refused = await customer.api.call('getNodeResources', { query: question({}) });
  expect(refused.status).toBe(404);
});

it('minutes go after two days, hours after four hundred', async () => {
  const { db } = world.server.services;
  expect(await pruneNodeResources(db, new Date(hour + 51 * hourMs))).toBe(4);
  expect((await ask()).data.total).toBe(0);
  expect((await ask({ interval: 3600 })).data.total).toBe(2);
  expect(await pruneNodeResources(db, new Date(hour + 500 * 24 * hourMs))).toBe(3);
  expect((await ask({ interval: 3600 })).data).toEqual({ interval: 3600, total: 0, nodes: [] });
});
