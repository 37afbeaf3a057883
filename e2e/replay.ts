import { makeCustomer, makeSite, waitFor, type Customer, type World } from '@breakwater/test-world';
import { execFile } from 'node:child_process';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { Agent, request } from 'node:http';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

/** Visitors of three sites of two customers, replayed through a real node, and their log counted by awk. */

export interface ReplayedSite {
  id: number;
  domain: string;
  clientId: number;
  orderId: number;
}
export interface Totals {
  requests: number;
  bytes: number;
  hitBytes: number;
  /** 2xx to 5xx. */
  classes: number[];
  refused: number;
  originRequests: number;
  originBytes: number;
}
/** By group and name, as `count-log.awk` prints them. */
export type Counted = Map<string, Map<string, Totals>>;

/** Where each visitor is, by the files of places that the product ships. */
export const places: Record<string, { country: string; province: string; carrier: string }> = {
  '202.96.128.86': { country: 'CN', province: 'GD', carrier: 'telecom' },
  '8.8.8.8': { country: 'US', province: '', carrier: '' },
  '193.0.6.139': { country: 'NL', province: '', carrier: '' },
  '2001:4860:4860::8888': { country: 'US', province: '', carrier: '' },
};
const unplaced = Array.from({ length: 30 }, (_, index) => `198.51.100.${index + 1}`);
const visitors = [...Object.keys(places), ...unplaced];
const agents = ['Browser/1.0', 'Browser/2.0 (X11)', 'Player/3', 'BadBot/1', ''];
const referers = ['', '', 'https://search.example/q', 'https://news.example/today'];
/** The first are asked for most. */
const paths = [
  '/',
  '/missing',
  '/broken',
  '/moved',
  '/film.mp4?part=1',
  '/film.mp4?part=2',
  ...Array.from({ length: 150 }, (_, index) => `/assets/${index}.js`),
];

/** A number generator with a fixed seed, so that a failure shows again (mulberry32). */
function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/** Three sites: one cached whole, one that keeps an agent out, one in a line group of its own that caches nothing. */
export async function makeSites(world: World) {
  const origin = await world.startOrigin((incoming, response) => {
    const path = incoming.url!.replace(/\?.*/, '');
    if (path === '/missing') return void response.writeHead(404).end('not here');
    if (path === '/broken') return void response.writeHead(500).end('broken');
    if (path === '/moved') return void response.writeHead(302, { location: '/' }).end();
    response.end('x'.repeat(500 + ((path.length * 7919 + path.charCodeAt(path.length - 4) * 31) % 9000)));
  });
  const [one, other] = [await makeCustomer(world), await makeCustomer(world)];
  // An operator adds them: what customers add would wait for the DNS.
  const made = async ({ id: clientId, orderId }: Customer): Promise<ReplayedSite> => {
    const { id, domain } = await makeSite(world.admin, { port: origin.port, orderId });
    return { id, domain, clientId, orderId };
  };
  const lineGroup = await ownLineGroup(world, other.orderId);
  const sites = [await made(one), await made(one), await made(other)] as const;
  for (const { id } of sites) await trustProxies(world, id);
  await cacheAll(world, sites[0].id);
  await cacheAll(world, sites[1].id);
  await keepOut(world, sites[1].id, 'BadBot');
  for (const { id } of sites)
    await waitFor(`site ${id} on its node`, async () => {
      const { delivery } = await world.admin.get('getSite', { params: { id } });
      return delivery.status === 'applied';
    });
  return { sites, lineGroup, customer: one };
}

async function ownLineGroup(world: World, orderId: number): Promise<number> {
  const group = await world.admin.get('createLineGroup', { body: { name: 'Replay' } });
  const [node] = (await world.admin.get('listNodes', { query: {} })).list;
  const line_group_ids = [...node!.line_groups.map(({ id }) => id), group.id];
  await world.admin.get('bindNodeLineGroups', { params: { id: node!.id }, body: { line_group_ids } });
  await world.admin.get('changeOrderLineGroup', {
    params: { id: orderId },
    body: { line_group_id: group.id },
  });
  return group.id;
}

async function trustProxies({ admin }: World, site_id: number): Promise<void> {
  const query = { site_id };
  const { version, value } = await admin.get('getRealIp', { query });
  const trusting = { ...value, mode: 'header' as const, headers: ['X-Real-IP'], trusted: ['127.0.0.0/8'] };
  await admin.get('updateRealIp', { query, body: { version, value: trusting } });
}

async function cacheAll({ admin }: World, site_id: number): Promise<void> {
  const query = { site_id };
  const { version } = await admin.get('getCacheRule', { query });
  const rules = [{ type: 'all' as const, action: 'cache' as const, ttl_seconds: 3600 }];
  await admin.get('updateCacheRule', { query, body: { version, value: { rules } } });
}

async function keepOut({ admin }: World, site_id: number, agent: string): Promise<void> {
  const query = { site_id };
  const { version, value } = await admin.get('getAccessControl', { query });
  const rules = [{ action: 'deny' as const, agents: [agent] }];
  await admin.get('updateAccessControl', { query, body: { version, value: { ...value, rules } } });
}

/** Sends so many requests, each of its own choice by the seed, and waits for their answers. */
export async function replay(world: World, sites: readonly ReplayedSite[], count: number): Promise<void> {
  const random = randomFrom(7);
  const pick = <Item>(items: readonly Item[]): Item => items[Math.floor(random() ** 2 * items.length)]!;
  const pool = new Agent({ keepAlive: true, maxSockets: 8 });
  const planned = Array.from({ length: count }, () => ({
    host: pick(sites).domain,
    path: pick(paths),
    method: pick(['GET', 'GET', 'GET', 'HEAD', 'POST']),
    headers: { 'x-real-ip': pick(visitors), 'user-agent': pick(agents), referer: pick(referers) },
  }));
  const send = (sent: (typeof planned)[number]): Promise<void> =>
    new Promise<void>((resolve, reject) => {
      const { host, path, method, headers } = sent;
      const named = Object.fromEntries(
        Object.entries({ ...headers, host }).filter(([, value]) => value !== ''),
      );
      const options = {
        host: '127.0.0.1',
        port: world.edgeHttpPort,
        path,
        method,
        headers: named,
        agent: pool,
      };
      const outgoing = request(options, (answer) => answer.resume().on('end', resolve).on('error', reject));
      outgoing.on('error', (error: NodeJS.ErrnoException) => {
        // A connection that was kept may be closed by the other side just as it is used again, as by an nginx that reloads. Then nothing
        // was read of the request, and it is sent once more (RFC 9112 §9.3.1); if it was, there is a line too many in the log.
        if (outgoing.reusedSocket && error.code === 'ECONNRESET') resolve(send(sent));
        else reject(error);
      });
      outgoing.end(method === 'POST' ? 'sent' : undefined);
    });
  const work = async () => {
    for (let next = planned.pop(); next; next = planned.pop()) await send(next);
  };
  await Promise.all(Array.from({ length: 8 }, work));
  pool.destroy();
}

/** The file that nginx writes to, once it has a line for each request. */
export async function finishedLog(world: World, count: number): Promise<string> {
  const path = join(world.edgeDir, 'logs', 'access.log');
  await waitFor(`${count} lines in the log`, async () => (await linesOf(path)).length === count, 30);
  const rotated = (await readdir(join(world.edgeDir, 'logs'))).filter((name) =>
    /^access-.*\.log$/.test(name),
  );
  if (rotated.length > 0) throw new Error(`the log was rotated: ${rotated.join()}`);
  return path;
}

const linesOf = async (path: string) =>
  (await readFile(path, 'utf8')).split('\n').filter((line) => line !== '');

/** Gives the lines, in their order, times from one moment to another: a replay takes seconds, charts want days. */
export async function spreadTimes(path: string, from: number, until: number): Promise<void> {
  const lines = await linesOf(path);
  const spread = lines.map((line, index) => {
    const at = new Date(from + Math.floor(((until - from) * index) / lines.length)).toISOString();
    return `${line.replace(/"time":"[^"]*"/, `"time":"${at}"`)}\n`;
  });
  await writeFile(path, spread.join(''));
}

/** What awk counts in a log. */
export async function countLog(path: string): Promise<Counted> {
  const script = fileURLToPath(new URL('count-log.awk', import.meta.url));
  const options = { maxBuffer: 64 * 1024 * 1024, env: { ...process.env, LC_ALL: 'C' } };
  const { stdout } = await promisify(execFile)('awk', ['-f', script, path], options);
  const counted: Counted = new Map();
  for (const line of stdout.trimEnd().split('\n')) {
    const [group = '', name = '', ...rest] = line.split('\t');
    const [requests, bytes, hitBytes, c2, c3, c4, c5, refused, originRequests, originBytes] =
      rest.map(Number);
    const totals = {
      requests,
      bytes,
      hitBytes,
      classes: [c2, c3, c4, c5],
      refused,
      originRequests,
      originBytes,
    };
    const names = counted.get(group) ?? new Map<string, Totals>();
    counted.set(group, names.set(name, totals as Totals));
  }
  return counted;
}
