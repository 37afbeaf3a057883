import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { buildEdge } from '../../packages/edge/build/build.ts';
import { makeEdgeDir, makeSite, startOrigin, TestEdge } from '../../packages/edge/test/support.ts';
import { median } from './result.ts';
import type { SitesCompared } from './two-sites.ts';
import { workerCpuMicros } from './worker-cpu.ts';
import { runWrk } from './wrk.ts';

const host = 'off.test';
const path = '/held';

/**
 * Stored answers of a site that has nothing of protection switched on, from a node with it and from the same node without: its workers are
 * replaced before each turn, so that what LuaJIT chooses to compile is drawn anew for both sides.
 */
export async function benchProtectionOff(rounds: number, seconds: number): Promise<SitesCompared> {
  const built = await readFile(await buildEdge(), 'utf8');
  const bundles = { with: built, without: withoutProtection(built) };
  const origin = await startOrigin((_, response) => {
    response.setHeader('cache-control', 'max-age=86400');
    response.end('x'.repeat(1024));
  });
  const edgeDir = await makeEdgeDir();
  const luaBundle = join(edgeDir, 'bench.lua');
  await writeFile(luaBundle, built);
  const edge = await TestEdge.start({ edgeDir, luaBundle });
  const rates = { without: [] as number[], with: [] as number[] };
  const micros = { without: [] as number[], with: [] as number[] };
  try {
    const origins = [{ address: '127.0.0.1', http_port: origin.port }];
    await edge.applySites(makeSite({ id: 1, domains: [host], origins }));
    const load = (length: number) =>
      runWrk({
        url: `http://127.0.0.1:${edge.httpPort}${path}`,
        headers: { Host: host },
        connections: 32,
        seconds: length,
      });
    for (let round = 0; round < rounds; round++)
      for (const side of round % 2 === 0 ? (['without', 'with'] as const) : (['with', 'without'] as const)) {
        await writeFile(luaBundle, bundles[side]);
        edge.edge.reload();
        // The former workers end, and the new ones compile what they meet.
        await delay(1000);
        await load(2);
        const before = await workerCpuMicros(edge.edge.pid);
        const result = await load(seconds);
        rates[side].push(result.perSecond);
        micros[side].push(((await workerCpuMicros(edge.edge.pid)) - before) / result.requests);
      }
  } finally {
    await edge.close();
    await origin.close();
  }
  return {
    ratio: median(rates.with.map((rate, round) => rate / rates.without[round]!)),
    cpuRatio: median(micros.with.map((one, round) => micros.without[round]! / one)),
    cpuMicros: { without: median(micros.without), with: median(micros.with) },
  };
}

/** Without the stages that protect sites, and without bans: what of either a request would ask is not there. */
function withoutProtection(bundle: string): string {
  const stages = /\["edge\.lua\.protect\.protect"\] = function\(\.\.\.\) [\s\S]*?\n end,\n/;
  const bans = /function ____exports\.hasBans\(\)\n[\s\S]*?\nend\n/;
  if (!stages.test(bundle) || !bans.test(bundle))
    throw new Error('The bundle has other names than this bench knows.');
  return bundle
    .replace(
      stages,
      '["edge.lua.protect.protect"] = function() return { protectionOf = function() end, protectedPage = function() end } end,\n',
    )
    .replace(bans, 'function ____exports.hasBans() return false end\n');
}
