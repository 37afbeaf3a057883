/**
 * Refreshes of the cache: from the answered call until all of twenty nodes ask the origin again (server, PostgreSQL, agents and nginx
 * are real), ten thousand URLs in one call until all have acknowledged, what tags cost a hit, and whether it makes a difference to a folder
 * how much is stored below it. The last takes some minutes and 5 GB of disk.
 *
 * Names of parts as arguments (`nodes`, `tags`, `objects`) leave out the others.
 */
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { Agent as HttpAgent, request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Agent } from '../apps/agent/src/agent.ts';
import { makeSite, startOrigin, TestEdge } from '../packages/edge/test/support.ts';
import { freePorts, startOrigin as startStamper, waitFor } from '../packages/test-world/src/index.ts';
import { startNode } from './lib/bench-node.ts';
import { makeGroup } from './lib/node-group.ts';
import { printResult } from './lib/result.ts';
import { startServerProcess, type ServerProcess } from './lib/server-process.ts';
import { compareFolders } from './lib/stored-objects.ts';
import { sitesOf, compareSites } from './lib/two-sites.ts';

const nodes = 20;
const purges = 50;
const manyUrls = 10_000;
const chosen = process.argv.slice(2);
const wants = (part: string) => chosen.length === 0 || chosen.includes(part);

const ratios: Record<string, number> = {};
const figures: Record<string, number> = {};
if (wants('nodes')) Object.assign(figures, await measureNodes());
if (wants('tags')) {
  const tagged = await measureTags();
  console.log(
    `a hit with ten tags: ${tagged.cpuMicros.with.toFixed(1)} µs, without ${tagged.cpuMicros.without.toFixed(1)} µs`,
  );
  ratios['hit_with_tags'] = tagged.cpuRatio;
  ratios['hit_with_tags_clock'] = tagged.ratio;
}
if (wants('objects')) {
  const milliseconds = await compareFolders(1000, 1_000_000, 300);
  console.log(
    `a folder with a thousand answers: ${milliseconds.few.toFixed(2)} ms, with a million: ${milliseconds.many.toFixed(2)} ms`,
  );
  ratios['objects_million_to_thousand'] = milliseconds.many / milliseconds.few;
}
printResult('purge', ratios, figures);

async function measureNodes(): Promise<Record<string, number>> {
  const folder = await mkdtemp(join(tmpdir(), 'breakwater-bench-'));
  await chmod(folder, 0o755);
  const origin = await startStamper((_, response) => {
    response.setHeader('cache-control', 'max-age=3600');
    response.end('x');
  });
  const server = await startServerProcess();
  const connections = new HttpAgent({ keepAlive: true });
  const agents: Agent[] = [];
  try {
    const group = await makeGroup(server, nodes, origin.port);
    const ports = await freePorts(2 * nodes);
    for (const [index, node] of group.nodes.entries())
      agents.push(
        await startNode(server, node, join(folder, `edge${index}`), [ports[index]!, ports[nodes + index]!]),
      );
    const held = ports.slice(0, nodes);
    const url = `http://${group.domain}/a`;
    const isHeld = async (port: number) => (await cacheState(connections, port, url)) === 'HIT';
    const areHeld = async () => (await Promise.all(held.map(isHeld))).every(Boolean);
    await waitFor('the site on all nodes', areHeld, 120);
    const times: number[] = [];
    const untilMissed = async (port: number, answered: number) => {
      while (await isHeld(port)) await sleep(10);
      times.push(performance.now() - answered);
    };
    for (let turn = 0; turn < purges; turn++) {
      await waitFor('all nodes to store it', areHeld);
      await server.admin.get('createSiteRefresh', { body: { type: 'clean_url', urls: [url] } });
      const answered = performance.now();
      await Promise.all(held.map((port) => untilMissed(port, answered)));
    }
    return {
      p50_ms: quantile(times, 0.5),
      p99_ms: quantile(times, 0.99),
      [`s_${manyUrls}_urls`]: await measureMany(server, group.domain),
    };
  } finally {
    connections.destroy();
    await Promise.all(agents.map((agent) => agent.stop()));
    await server.close();
    await origin.close();
    await rm(folder, { recursive: true, force: true });
  }
}

function quantile(times: readonly number[], part: number): number {
  return times.toSorted((one, other) => one - other)[Math.ceil(part * times.length) - 1]!;
}

/** Seconds from one call with so many URLs until all nodes have acknowledged them. */
async function measureMany({ admin }: ServerProcess, domain: string): Promise<number> {
  const urls = Array.from({ length: manyUrls }, (_, index) => `http://${domain}/many/${index}`);
  const called = performance.now();
  const { ids } = await admin.get('createSiteRefresh', { body: { type: 'clean_url', urls } });
  await waitFor('all nodes to acknowledge', async () => {
    const { delivery } = await admin.get('getSiteRefresh', { params: { id: ids[0]! } });
    return delivery.status === 'applied';
  });
  return (performance.now() - called) / 1000;
}

function cacheState(agent: HttpAgent, port: number, url: string): Promise<string | undefined> {
  const { host, pathname } = new URL(url);
  return new Promise((resolve, reject) => {
    const options = { agent, host: '127.0.0.1', port, path: pathname, headers: { host } };
    const outgoing = request(options, (response) => {
      response.resume();
      response.on('end', () => resolve(String(response.headers['x-cache'])));
    });
    // A reload ends idle connections, perhaps as one is used again.
    const failed = (error: Error) =>
      outgoing.reusedSocket ? resolve(cacheState(agent, port, url)) : reject(error);
    outgoing.on('error', failed).end();
  });
}

/** Two sites of one edge, the answers of one with ten tags, some of which were refreshed before. */
async function measureTags() {
  const tags = Array.from({ length: 10 }, (_, index) => `tag-${index}`);
  const origin = await startOrigin((incoming, response) => {
    response.setHeader('cache-control', 'max-age=86400');
    if (incoming.headers.host === hosts.with) response.setHeader('cache-tag', tags.join(', '));
    response.end('x'.repeat(1024));
  });
  const edge = await TestEdge.start({});
  const hosts = { without: 'untagged.test', with: 'tagged.test' };
  try {
    const origins = [{ address: '127.0.0.1', http_port: origin.port }];
    await edge.applySites(
      makeSite({ id: 1, domains: [hosts.without], origins }),
      makeSite({ id: 2, domains: [hosts.with], origins }),
    );
    await edge.applyRefresh({ refresh_id: 1, site_id: 2, tags: ['tag-3', 'tag-9'] });
    const path = '/some/where/index.html';
    for (const host of Object.values(hosts)) {
      for (let time = 0; time < 4; time++) await edge.get(host, path);
      const { headers } = await edge.get(host, path);
      if (headers['x-cache'] !== 'HIT') throw new Error(`${host} is not cached`);
    }
    return await compareSites(sitesOf(edge, hosts), { path, rounds: 7, seconds: 3 });
  } finally {
    await edge.close();
    await origin.close();
  }
}
