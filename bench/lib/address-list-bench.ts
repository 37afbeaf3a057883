import { makeSite, type SiteInput, type TestEdge } from '../../packages/edge/test/support.ts';
import { median } from './result.ts';
import { workerCpuMicros } from './worker-cpu.ts';
import { runWrk } from './wrk.ts';

const entries = 100_000;
const hosts = { without: 'unlisted.test', with: 'listed.test' };
type Side = keyof typeof hosts;
const path = '/some/where/index.html?lang=en';
const connections = 32;

export interface AddressListBench {
  /** Cached hits of a site with a rule that names the list, to those of a site that has the same rule without it. */
  ratio: number;
  cpuMicros: Record<Side, number>;
}

/** A list of 100,000 networks that the visitor is in none of, asked for each hit. */
export async function benchAddressList(
  edge: TestEdge,
  site: Pick<SiteInput, 'origins' | 'rules'>,
  rounds: number,
  seconds: number,
): Promise<AddressListBench> {
  const networks = Array.from(
    { length: entries },
    (_, index) =>
      `${64 + 2 * Math.floor(index / 50_000)}.${Math.floor(index / 256) % 196}.${index % 256}.0/25`,
  );
  const listed = await edge.applyList(1, networks);
  if (listed.status !== 'applied') throw new Error(listed.error);
  const rule = { action: 'deny' as const, addresses: ['192.0.2.1'] };
  const results = await edge.applySites(
    makeSite({ ...site, id: 11, domains: [hosts.without], access: { rules: [rule] } }),
    makeSite({
      ...site,
      id: 12,
      domains: [hosts.with],
      access: { rules: [{ ...rule, address_lists: [1] }] },
    }),
  );
  for (const result of results) if (result.status !== 'applied') throw new Error(result.error);
  const rates: Record<Side, number[]> = { without: [], with: [] };
  const micros: Record<Side, number[]> = { without: [], with: [] };
  const run = async (side: Side, length: number) => {
    const before = await workerCpuMicros(edge.edge.pid);
    const headers = { Host: hosts[side] };
    const url = `http://127.0.0.1:${edge.httpPort}${path}`;
    const result = await runWrk({ url, headers, connections, seconds: length });
    return {
      rate: result.perSecond,
      micros: ((await workerCpuMicros(edge.edge.pid)) - before) / result.requests,
    };
  };
  const sides: Side[] = ['without', 'with'];
  for (const side of sides) await run(side, 2);
  for (let round = 0; round < rounds; round++)
    for (const side of round % 2 === 0 ? sides : sides.toReversed()) {
      const result = await run(side, seconds);
      rates[side].push(result.rate);
      micros[side].push(result.micros);
    }
  return {
    ratio: median(rates.with.map((rate, round) => rate / rates.without[round]!)),
    cpuMicros: { without: median(micros.without), with: median(micros.with) },
  };
}
