import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { BanDocument } from '../../packages/contract/src/index.ts';
import {
  makeEnvelope,
  makeSite,
  startOrigin,
  TestEdge,
  type TestOrigin,
} from '../../packages/edge/test/support.ts';
import { median } from './result.ts';
import type { SitesCompared } from './two-sites.ts';
import { workerCpuMicros } from './worker-cpu.ts';
import { runWrk } from './wrk.ts';

const host = 'visited.test';
const path = '/held';
const bans = 100_000;
const perSegment = 500;
const visitors = 2000;

/** How long bans stand: to bring them to the node, and for one turn. */
const standSeconds = 25;

/**
 * Stored answers of one node to the same visitors, none of whom is banned: with so many bans in force and, when those have ended, with
 * none, turn by turn. Two nodes, alike in everything, differ by more than bans cost: each worker's LuaJIT compiles what it meets first.
 */
export async function benchBans(rounds: number, seconds: number): Promise<SitesCompared> {
  const origin = await startOrigin((_, response) => {
    response.setHeader('cache-control', 'max-age=86400');
    response.end('x'.repeat(1024));
  });
  const edge = await startNode(origin);
  const turns: Record<'without' | 'with', { rate: number; micros: number }[]> = { without: [], with: [] };
  try {
    const script = join(edge.dir, 'visitors.lua');
    await writeFile(script, visits);
    const run = async () => {
      const before = await workerCpuMicros(edge.edge.pid);
      const url = `http://127.0.0.1:${edge.httpPort}${path}`;
      const result = await runWrk({ url, headers: { Host: host }, connections: 32, seconds, script });
      const spent = (await workerCpuMicros(edge.edge.pid)) - before;
      return { rate: result.perSecond, micros: spent / result.requests };
    };
    // What both need is compiled before either counts.
    for (let round = -1; round < rounds; round++) {
      const without = await run();
      const end = Math.floor(Date.now() / 1000) + standSeconds;
      await ban(edge, end);
      const banning = await run();
      if (Date.now() / 1000 >= end) throw new Error(`bans ended before the turn of ${seconds} s had`);
      await delay(end * 1000 + 1100 - Date.now());
      if (round < 0) continue;
      turns.without.push(without);
      turns.with.push(banning);
    }
  } finally {
    await edge.close();
    await origin.close();
  }
  const pairs = turns.with.map((one, round) => ({ one, other: turns.without[round]! }));
  return {
    ratio: median(pairs.map(({ one, other }) => one.rate / other.rate)),
    cpuRatio: median(pairs.map(({ one, other }) => other.micros / one.micros)),
    cpuMicros: {
      without: median(turns.without.map(({ micros }) => micros)),
      with: median(turns.with.map(({ micros }) => micros)),
    },
  };
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

async function ban(edge: TestEdge, until: number): Promise<void> {
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
