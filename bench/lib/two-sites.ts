import type { TestEdge } from '../../packages/edge/test/support.ts';
import { median } from './result.ts';
import { workerCpuMicros } from './worker-cpu.ts';
import { runWrk } from './wrk.ts';

type Side = 'without' | 'with';
const sides: Side[] = ['without', 'with'];
const connections = 32;

interface ComparedSite {
  edge: TestEdge;
  host: string;
  /** Awaited before each turn: where one site is compared with itself, it is saved as the turn wants it. */
  save?: () => Promise<unknown>;
}

export interface SitesCompared {
  /** Answers per second of the site with, to those of the one without. */
  ratio: number;
  /** Processor time of the workers for an answer of the site without, to that of the one with. */
  cpuRatio: number;
  cpuMicros: Record<Side, number>;
}

/** Two sites of one edge. */
export const sitesOf = (edge: TestEdge, hosts: Record<Side, string>): Record<Side, ComparedSite> => ({
  without: { edge, host: hosts.without },
  with: { edge, host: hosts.with },
});

/** Cached hits of two sites, of one edge or each of its own, turn by turn. */
export async function compareSites(
  compared: Record<Side, ComparedSite>,
  { path, rounds, seconds, script }: { path: string; rounds: number; seconds: number; script?: string },
): Promise<SitesCompared> {
  const rates: Record<Side, number[]> = { without: [], with: [] };
  const micros: Record<Side, number[]> = { without: [], with: [] };
  const run = async (side: Side, length: number) => {
    const { edge, host, save } = compared[side];
    await save?.();
    const before = await workerCpuMicros(edge.edge.pid);
    const url = `http://127.0.0.1:${edge.httpPort}${path}`;
    const shared = { url, headers: { Host: host }, connections, seconds: length };
    const result = await runWrk(script === undefined ? shared : { ...shared, script });
    const spent = (await workerCpuMicros(edge.edge.pid)) - before;
    return { rate: result.perSecond, micros: spent / result.requests };
  };
  for (const side of sides) await run(side, 2);
  for (let round = 0; round < rounds; round++)
    for (const side of round % 2 === 0 ? sides : sides.toReversed()) {
      const result = await run(side, seconds);
      rates[side].push(result.rate);
      micros[side].push(result.micros);
    }
  return {
    ratio: median(rates.with.map((rate, round) => rate / rates.without[round]!)),
    cpuRatio: median(micros.with.map((one, round) => micros.without[round]! / one)),
    cpuMicros: { without: median(micros.without), with: median(micros.with) },
  };
}
