import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { BanDocument } from '../../packages/contract/src/index.ts';
import {
  makeEnvelope,
  makeSite,
  startOrigin,
  TestEdge,
  type TestOrigin,
} from '../../packages/edge/test/support.ts';
import { compareSites, type SitesCompared } from './two-sites.ts';

const host = 'visited.test';
const path = '/held';
const bans = 100_000;
const perSegment = 500;
const visitors = 2000;

/** Stored answers of two nodes to the same visitors, none of whom is banned: one with so many bans in force, one with none. */
export async function benchBans(rounds: number, seconds: number): Promise<SitesCompared> {
  const origin = await startOrigin((_, response) => {
    response.setHeader('cache-control', 'max-age=86400');
    response.end('x'.repeat(1024));
  });
  const edges: TestEdge[] = [];
  try {
    const without = await startNode(origin);
    edges.push(without);
    const banning = await startNode(origin);
    edges.push(banning);
    await ban(banning);
    const script = join(banning.dir, 'visitors.lua');
    await writeFile(script, visits);
    const targets = { without: { edge: without, host }, with: { edge: banning, host } };
    return await compareSites(targets, { path, rounds, seconds, script });
  } finally {
    for (const edge of edges) await edge.close();
    await origin.close();
  }
}

async function startNode(origin: TestOrigin): Promise<TestEdge> {
  const edge = await TestEdge.start();
  const origins = [{ address: '127.0.0.1', http_port: origin.port }];
  const realIp = { mode: 'header' as const, headers: ['x-real-ip'], trusted: ['127.0.0.1'] };
  await edge.applySites(makeSite({ id: 1, domains: [host], origins, realIp }));
  return edge;
}

/** Each request of another visitor; IPv6 is every tenth. */
const visits = `local n = 0
request = function()
  n = (n + 7) % ${visitors}
  local address = n % 10 == 0 and string.format('2400:cb00:%x::1', n) or string.format('8.%d.%d.9', n / 250, n % 250)
  return wrk.format('GET', '${path}', { Host = '${host}', ['X-Real-IP'] = address })
end`;

/** Addresses mostly, and some networks of each length that is looked up, so that all are. */
function addressOf(number: number): string {
  const [high, low] = [number >> 8, number & 255];
  if (number % 100 === 0) return `101.${high & 255}.${low}.0/24`;
  if (number % 10_000 === 1) return `102.${Math.floor(number / 10_000)}.0.0/16`;
  if (number % 100 === 2) return `2a00:${high.toString(16)}:${low.toString(16)}:1::/64`;
  return `${20 + (high >> 8)}.${high & 255}.${low}.7`;
}

async function ban(edge: TestEdge): Promise<void> {
  const until = Math.floor(Date.now() / 1000) + 86_400;
  const all = Array.from({ length: bans }, (_, number) => ({
    id: number + 1,
    address: addressOf(number),
    until,
  }));
  for (let first = 0; first < bans; first += perSegment) {
    const segmentId = first / perSegment + 1;
    const document: BanDocument = { segment_id: segmentId, bans: all.slice(first, first + perSegment) };
    const envelope = makeEnvelope('ban', String(segmentId), edge.nextRevision(), document);
    const [result] = await edge.control<{ status: string }[]>('POST', '/documents', [envelope]);
    if (result?.status !== 'applied') throw new Error(`bans are refused: ${JSON.stringify(result)}`);
  }
  // Of the first and of the last segment.
  for (const number of [3, bans - 1]) {
    const { status } = await edge.get(host, path, { headers: { 'x-real-ip': addressOf(number) } });
    if (status !== 403) throw new Error(`${addressOf(number)} is let in`);
  }
}
