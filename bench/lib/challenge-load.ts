import { makeSite, startOrigin, type TestEdge } from '../../packages/edge/test/support.ts';
import { browserVerifyRule } from '@breakwater/contract/site-config/browser-verify';
import { median } from './result.ts';
import { workerCpuMicros } from './worker-cpu.ts';
import { runWrk } from './wrk.ts';

const hosts = { page: 'static.test', challenge: 'challenge.test' };
type Side = keyof typeof hosts;
const sides: Side[] = ['page', 'challenge'];
const headers = { Accept: 'text/html', 'User-Agent': 'bench' };

export interface ChallengeCompared {
  /** Pages of proof of work a second, to those of a page of that size out of the cache. */
  ratio: number;
  perSecond: Record<Side, number>;
  /** Processor time of the worker for each. */
  cpuMicros: Record<Side, number>;
  pageBytes: number;
}

/** Challenge pages, each made for its request, against a stored page of the same size, turn by turn. */
export async function compareChallenge(
  edge: TestEdge,
  { rounds, seconds }: { rounds: number; seconds: number },
): Promise<ChallengeCompared> {
  let size = 0;
  const origin = await startOrigin((_, response) => {
    response.setHeader('Content-Type', 'text/html');
    response.end('x'.repeat(size));
  });
  try {
    const origins = [{ address: '127.0.0.1', http_port: origin.port }];
    const rules = [{ type: 'all' as const, ttl_seconds: 3600 }];
    const verify = browserVerifyRule.parse({ enabled: true, kind: 'proof_of_work' });
    await edge.applySites(
      makeSite({ id: 901, domains: [hosts.page], origins, rules }),
      makeSite({ id: 902, domains: [hosts.challenge], origins, rules, verify }),
    );
    size = Buffer.byteLength((await edge.get(hosts.challenge, '/', { headers })).body);
    return { ...(await compare(edge, rounds, seconds)), pageBytes: size };
  } finally {
    await origin.close();
  }
}

async function compare(
  edge: TestEdge,
  rounds: number,
  seconds: number,
): Promise<Omit<ChallengeCompared, 'pageBytes'>> {
  const rates: Record<Side, number[]> = { page: [], challenge: [] };
  const micros: Record<Side, number[]> = { page: [], challenge: [] };
  const run = async (side: Side, length: number) => {
    const before = await workerCpuMicros(edge.edge.pid);
    const result = await runWrk({
      url: `http://127.0.0.1:${edge.httpPort}/`,
      headers: { ...headers, Host: hosts[side] },
      connections: 32,
      seconds: length,
      isRefused: side === 'challenge',
    });
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
    ratio: median(rates.challenge.map((rate, round) => rate / rates.page[round]!)),
    perSecond: { page: median(rates.page), challenge: median(rates.challenge) },
    cpuMicros: { page: median(micros.page), challenge: median(micros.challenge) },
  };
}
