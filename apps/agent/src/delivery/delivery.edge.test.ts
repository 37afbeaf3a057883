import { randomBytes } from 'node:crypto';
import { Writable } from 'node:stream';
import { readLocalNode } from '@breakwater/server/seed';
import { makeSite, saveRefusedRules, startWorld, waitFor, type World } from '@breakwater/test-world';
import { sql } from 'drizzle-orm';
import pino from 'pino';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { ControlPlane } from './control-plane.ts';
import { sign } from './signature.ts';
import { regexRule } from '../test-edge.ts';

let world: World;
let originPort: number;
const logLines: string[] = [];

beforeAll(async () => {
  const stream = new Writable({
    write(chunk: Buffer, _encoding, next) {
      logLines.push(chunk.toString());
      next();
    },
  });
  world = await startWorld({
    templateUrl: inject('templateUrl'),
    edge: true,
    logger: pino({ level: 'info' }, stream),
  });
  const origin = await world.startOrigin((request, response) =>
    response.end(`origin saw ${request.headers.host}${request.url}`),
  );
  originPort = origin.port;
});
afterAll(() => world?.close());

const delivery = async (siteId: number) => {
  const { documents } = await world.admin.get('getSiteDelivery', { params: { id: siteId } });
  return documents.find(({ kind }) => kind === 'site');
};
const delivered = (siteId: number) =>
  waitFor('the delivery of the site', async () => {
    const nodes = (await delivery(siteId))?.nodes ?? [];
    return nodes.length > 0 && nodes.every(({ status }) => status === 'applied');
  });
const isServed = async (domain: string) => (await world.fetchEdge(domain, '/')).status === 200;
const taskOf = (id: number | null) => world.admin.get('getTask', { params: { id: id! } });

async function saveRules(siteId: number, rules: ReturnType<typeof regexRule>) {
  const { version } = await world.admin.get('getCacheRule', { query: { site_id: siteId } });
  return world.admin.get('updateCacheRule', {
    query: { site_id: siteId },
    body: { version, value: { rules } },
  });
}

describe('from a save to the edge', () => {
  it('serves a new site, and the task is done when the node has said so', async () => {
    const site = await makeSite(world.admin, { port: originPort });
    await waitFor('the site on the edge', () => isServed(site.domain));
    await delivered(site.id);
    expect(await taskOf(site.taskId)).toMatchObject({ status: 'done', total: 1, done: 1 });
    const document = (await delivery(site.id))!;
    expect(document.nodes).toEqual([
      expect.objectContaining({
        online: true,
        status: 'applied',
        active_revision: document.desired_revision,
        error: null,
      }),
    ]);
  });

  it('takes a removed site out of service', async () => {
    const site = await makeSite(world.admin, { port: originPort });
    await waitFor('the site on the edge', () => isServed(site.domain));
    await world.admin.get('removeSite', { params: { id: site.id } });
    await waitFor(
      'the end of the site',
      async () => (await world.fetchEdge(site.domain, '/')).status === 421,
    );
  });

  it('reports a document that nginx refuses, serves the last good one, and recovers', async () => {
    const site = await makeSite(world.admin, { port: originPort });
    await delivered(site.id);
    const before = (await delivery(site.id))!;
    const bad = await saveRefusedRules(world, site.id);
    const refused = await waitFor('the refusal', async () => {
      const found = await delivery(site.id);
      return found?.nodes[0]?.status === 'refused' && found;
    });
    expect(refused.nodes[0]!.error).toMatch(/lookbehind/);
    expect(refused.nodes[0]!.active_revision).toBe(before.desired_revision);
    expect(refused.desired_revision).toBeGreaterThan(before.desired_revision);
    expect(await taskOf(bad.task_id)).toMatchObject({ status: 'failed', failed: 1 });
    expect((await world.fetchEdge(site.domain, '/')).status).toBe(200);
    const good = await saveRules(site.id, regexRule('b'));
    await delivered(site.id);
    expect(await taskOf(good.task_id)).toMatchObject({ status: 'done' });
    expect(await taskOf(bad.task_id)).toMatchObject({ status: 'done', failed: 0 });
  });

  it('goes on after the database cut the connection that listens', async () => {
    await world.server.services.db.execute(
      sql`SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE query LIKE 'LISTEN%' AND datname = current_database()`,
    );
    const site = await makeSite(world.admin, { port: originPort });
    await waitFor('the site on the edge', () => isServed(site.domain));
  });

  it('gives a node that is bound to another line group its documents and takes the old ones', async () => {
    const { list: nodes } = await world.admin.get('listNodes', { query: {} });
    const node = nodes[0]!;
    const { list: products } = await world.admin.get('listProducts', { query: {} });
    const here = await makeSite(world.admin, { port: originPort });
    await waitFor('the site on the edge', () => isServed(here.domain));
    const group = await world.admin.get('createLineGroup', { body: { name: 'elsewhere' } });
    const { id: _id, created_at: _created, ...product } = products[0]!;
    const other = await world.admin.send('POST', '/prod-api/product', {
      name: 'elsewhere',
      line_group_id: group.id,
      prices: product.prices,
      limits: product.limits,
    });
    expect(other.code).toBe(0);
    const { list: clients } = await world.admin.get('listClients', { query: {} });
    const order = await world.admin.get('createOrder', {
      body: { client_id: clients[0]!.id, product_id: (other.data as { id: number }).id, cycle: 'month' },
    });
    const there = await makeSite(world.admin, { port: originPort, orderId: order.id });
    expect((await delivery(there.id))!.nodes).toEqual([]);
    expect((await world.fetchEdge(there.domain, '/')).status).toBe(421);

    await world.admin.get('bindNodeLineGroups', {
      params: { id: node.id },
      body: { line_group_ids: [group.id] },
    });
    await waitFor('the site of the new line group', () => isServed(there.domain));
    await waitFor(
      'the end of the old one',
      async () => (await world.fetchEdge(here.domain, '/')).status === 421,
    );
    await delivered(there.id);
    const back = node.line_groups.map(({ id }) => id);
    await world.admin.get('bindNodeLineGroups', { params: { id: node.id }, body: { line_group_ids: back } });
    await waitFor('the site of the old line group', () => isServed(here.domain));
  });
});

describe('node API', () => {
  const target = '/node-api/documents?since=0&generation=0';
  const call = async (authorization?: string) => {
    const headers: Record<string, string> = authorization === undefined ? {} : { authorization };
    const answer = await world.anonymousUser.send('GET', target, undefined, headers);
    return [answer.status, answer.code];
  };
  const credentials = async () => {
    const { database, secrets } = world.server.services;
    return (await readLocalNode(database, secrets))!;
  };
  const signed = async (changes: { time?: number; secret?: string } = {}) => {
    const { appId, appSecret } = await credentials();
    return sign(appId, changes.secret ?? appSecret, {
      method: 'GET',
      target,
      body: '',
      time: changes.time ?? Math.floor(Date.now() / 1000),
      nonce: randomBytes(16).toString('hex'),
    });
  };

  it('refuses what is not rightly signed, and logs why without the secret', async () => {
    const now = Math.floor(Date.now() / 1000);
    logLines.length = 0;
    const rightful = await signed();
    expect(await call(rightful)).toEqual([200, 0]);
    for (const authorization of [
      undefined,
      'Bearer x',
      await signed({ secret: 'f'.repeat(32) }),
      await signed({ time: now - 400 }),
      await signed({ time: now + 400 }),
      rightful,
    ])
      expect(await call(authorization)).toEqual([401, 40_100]);
    const refusals = logLines.flatMap((line) => /"refusal":"(\w+)"/.exec(line)?.[1] ?? []);
    expect(refusals).toEqual(['malformed', 'malformed', 'signature', 'clock', 'clock', 'replay']);
    expect(logLines.join('')).not.toContain((await credentials()).appSecret);
  });

  it('answers a bad batch of logs without harm', async () => {
    const options = { url: world.userUrl, ...(await credentials()) };
    const controlPlane = new ControlPlane(options, new AbortController().signal);
    const file = 'access-20260101T000000Z-00000000.log';
    await expect(controlPlane.shipLogs(file, 0, Buffer.from('no gzip'))).rejects.toMatchObject({
      status: 400,
    });
    await expect(controlPlane.shipLogs(file, 5, Buffer.from('no gzip'))).rejects.toMatchObject({
      status: 400,
    });
    expect(await controlPlane.logPosition(file)).toBe(0);
  });
});
