import { X509Certificate } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { request } from 'node:http';
import { join } from 'node:path';
import { makeCertificateRequest } from '@breakwater/edge/process/certificate-request';
import {
  makeSite,
  startNodes,
  startWorld,
  waitFor,
  type Origin,
  type StartedNode,
  type StartedNodes,
  type World,
} from '@breakwater/test-world';
import { afterAll, beforeAll, expect, inject, it } from 'vitest';
import { ensureAuthority, issueForNode } from './edge-authority.ts';

/** A shield, of three nodes as an operator would have them: two serve visitors, and ask the third. */

let world: World;
let nodes: StartedNodes;
let [one, two, shield]: StartedNode[] = [];
let origin: Origin;
let domain: string;
/** By path, the nodes that each request to the origin went through. */
const ways = new Map<string, string[]>();

beforeAll(async () => {
  world = await startWorld({ templateUrl: inject('templateUrl'), worker: true });
  nodes = await startNodes(world, 3);
  [one, two, shield] = nodes.list;
  origin = await world.startOrigin(({ url = '', headers }, response) => {
    const way = String(headers['cdn-loop']).replaceAll('breakwater-', '');
    ways.set(url, [...(ways.get(url) ?? []), way]);
    response.setHeader('cache-control', 'max-age=600');
    response.end('content');
  });
  ({ domain } = await makeSite(world.admin, { port: origin.port }));
}, 120_000);
afterAll(async () => {
  await nodes?.close();
  await world?.close();
});

const lineGroup = async () => {
  const { list } = await world.admin.get('listLineGroups', { query: {} });
  return list.find(({ name }) => name === 'Default')!;
};
const bind = async (node: StartedNode, level: 'L1' | 'L2') => {
  const { id } = await lineGroup();
  await world.admin.get('bindNodes', { params: { id }, body: { add: [node.id], level } });
};
const get = (node: StartedNode, path: string) =>
  new Promise<{ status: number; cache: unknown }>((settle, refuse) => {
    request(
      { host: node.ip, port: nodes.httpPort, path, headers: { host: domain }, agent: false },
      (answer) => {
        const told = { status: answer.statusCode!, cache: answer.headers['x-cache'] };
        answer.resume().on('end', () => settle(told));
      },
    )
      .on('error', refuse)
      .end();
  });
let count = 0;
/** Asks for what nobody has asked for; the way that it took to the origin. */
const way = async (node: StartedNode) => {
  const path = `/${(count += 1)}`;
  return (await get(node, path)).status === 200 ? (ways.get(path)?.join(' and ') ?? 'none') : 'failed';
};

it('is asked by the others when the line group wants that, once for all of them', async () => {
  for (const node of [one!, two!]) await waitFor('the site', async () => (await way(node)).startsWith('n'));
  await bind(shield!, 'L2');
  await waitFor('the origin to be asked', async () => (await way(one!)) === 'n0');
  const { id, name, version } = await lineGroup();
  const l2 = { l2_enable: true, l2_mode: 'cache' as const };
  await world.admin.get('updateLineGroup', { params: { id }, body: { name, version, ...l2 } });
  for (const [index, node] of [one!, two!].entries())
    await waitFor('the shield', async () => (await way(node)) === `n${index}, n2`);
  await get(one!, '/shared');
  expect((await get(two!, '/shared')).status).toBe(200);
  expect(ways.get('/shared')).toEqual(['n0, n2']);
});

it('is asked first by a prefetch, whichever nodes are to have it', async () => {
  const prefetch = async (paths: string[], more: object = {}) => {
    const urls = paths.map((path) => `http://${domain}${path}`);
    const { ids } = await world.admin.get('createSitePrefetch', { body: { urls, rate: 50, ...more } });
    const params = { id: ids[0]! };
    const ended = await waitFor('its end', async () => {
      const found = await world.admin.get('getSitePrefetch', { params });
      return !['pending', 'running'].includes(found.status) && found;
    });
    expect(ended).toMatchObject({ status: 'done', failed: 0 });
  };
  const chosen = ['/film-1', '/film-2', '/film-3'];
  await prefetch(chosen, { node_ids: [one!.id, two!.id], encodings: ['identity'] });
  for (const path of chosen) {
    expect(ways.get(path), path).toEqual([expect.stringMatching(/^n[01], n2$/)]);
    for (const node of [one!, two!]) expect(await get(node, path)).toEqual({ status: 200, cache: 'HIT' });
  }
  // Of all nodes the shield is one, whose own visitors are told apart from what other nodes ask it.
  await prefetch(['/clip'], { encodings: ['identity'] });
  expect(ways.get('/clip')!.toSorted()).toEqual([expect.stringMatching(/^n[01], n2$/), 'n2']);
  for (const node of nodes.list) expect(await get(node, '/clip')).toEqual({ status: 200, cache: 'HIT' });
});

it('has certificates that are renewed in time', async () => {
  const { db, secrets } = world.server.services;
  const path = join(one!.edgeDir, 'shields.json');
  const held = async () => JSON.parse(await readFile(path, 'utf8')) as { identity: { certificate: string } };
  await one!.stop();
  const { request: asked, key } = makeCertificateRequest();
  const fourDaysAgo = Date.now() - 4 * 86_400_000;
  const old = await issueForNode(await ensureAuthority(db, secrets), one!.id, asked, fourDaysAgo);
  const before = await held();
  const identity = { ...before.identity, certificate: old, key };
  await writeFile(path, JSON.stringify({ ...before, identity }));
  await one!.start();
  await waitFor('the site', async () => (await way(one!)).startsWith('n'));
  await waitFor('another certificate', async () => (await held()).identity.certificate !== old);
  expect(new X509Certificate((await held()).identity.certificate).validFromDate.getTime()).toBeGreaterThan(
    Date.now() - 86_400_000,
  );
  // An nginx that has just started serves before it is told of its shields.
  await waitFor('the shield', async () => (await way(one!)) === 'n0, n2');
});

it('leaves the origin to the others when it is gone', async () => {
  await shield!.stop();
  expect([await way(one!), await way(two!)]).toEqual(['n0', 'n1']);
  await bind(shield!, 'L1');
  expect(await way(one!)).toBe('n0');
});
