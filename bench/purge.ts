/**
 * Refreshes of the cache: from the answered call until all of twenty nodes ask the origin again (server, PostgreSQL, agents and nginx
 * are real), ten thousand URLs in one call until all have acknowledged, and what tags cost a hit.
 *
 * Names of parts as arguments (`nodes`, `tags`) leave out the others.
 */
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { Agent as HttpAgent, request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { startAgent, type Agent } from '../apps/agent/src/agent.ts';
import { makeSite, startOrigin, TestEdge } from '../packages/edge/test/support.ts';
import { freePorts, startOrigin as startStamper, waitFor } from '../packages/test-world/src/index.ts';
import { makeGroup } from './lib/node-group.ts';
import { printResult } from './lib/result.ts';
import { startServerProcess } from './lib/server-process.ts';
import { compareSites } from './lib/two-sites.ts';

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
        await startAgent({
          controlPlaneUrl: server.userUrl,
          appId: node.app_id,
          appSecret: node.app_secret,
          edgeDir: join(folder, `edge${index}`),
          edge: {
            httpPorts: [ports[2 * index]!],
            httpsPorts: [ports[2 * index + 1]!],
            listenAddress: '127.0.0.1',
            workerProcesses: 1,
            cacheSizeMax: '100m',
            privateOrigins: true,
            nodeName: `node${index}`,
          },
        }),
      );
    const url = `http://${group.domain}/a`;
    const state = (index: number) => cacheState(connections, ports[2 * index]!, url);
    const all = group.nodes.map((_, index) => index);
    const isHeld = async (index: number) => (await state(index)) === 'HIT';
    await waitFor(
      'the site on all nodes',
      async () => (await Promise.all(all.map(isHeld))).every(Boolean),
      120,
    );
    const times: number[] = [];
    for (let turn = 0; turn < purges; turn++) {
      for (const index of all) if (!(await isHeld(index))) await isHeld(index);
      const until = async (index: number) => {
        while ((await state(index)) === 'HIT') await sleep(10);
        times.push(performance.now() - answered);
      };
      const body = { type: 'clean_url' as const, urls: [url] };
      await server.admin.get('createSiteRefresh', { body });
      const answered = performance.now();
      await Promise.all(all.map(until));
    }
    times.sort((one, other) => one - other);
    const quantile = (part: number) => times[Math.ceil(part * times.length) - 1]!;
    const urls = Array.from({ length: manyUrls }, (_, index) => `http://${group.domain}/many/${index}`);
    const called = performance.now();
    const { ids } = await server.admin.get('createSiteRefresh', { body: { type: 'clean_url', urls } });
    await waitFor('all nodes to acknowledge', async () => {
      const { delivery } = await server.admin.get('getSiteRefresh', { params: { id: ids[0]! } });
      return delivery.status === 'applied';
    });
    return {
      p50_ms: quantile(0.5),
      p99_ms: quantile(0.99),
      [`s_${manyUrls}_urls`]: (performance.now() - called) / 1000,
    };
  } finally {
    connections.destroy();
    await Promise.all(agents.map((agent) => agent.stop()));
    await server.close();
    await origin.close();
    await rm(folder, { recursive: true, force: true });
  }
}

function cacheState(agent: HttpAgent, port: number, url: string): Promise<string | undefined> {
  const { host, pathname } = new URL(url);
  return new Promise((resolve, reject) => {
    request({ agent, host: '127.0.0.1', port, path: pathname, headers: { host } }, (response) => {
      response.resume();
      response.on('end', () => resolve(String(response.headers['x-cache'])));
    })
      .on('error', reject)
      .end();
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
    return await compareSites(edge, hosts, { path, rounds: 7, seconds: 3 });
  } finally {
    await edge.close();
    await origin.close();
  }
}
