/**
 * What protection costs: sites with it against sites without on the same node, turn by turn, medians.
 *
 * Names of parts as arguments (`replay`, `rules`, `worst`, `off`, `bans`, `challenge`) leave out the others.
 */
import { TestEdge } from '../packages/edge/test/support.ts';
import { benchBans } from './lib/bans-bench.ts';
import { compareChallenge } from './lib/challenge-load.ts';
import { benchProtectionOff } from './lib/protection-off.ts';
import { benchReplay } from './lib/replay-bench.ts';
import { printResult } from './lib/result.ts';
import { benchSystemRules, worstRequest } from './lib/system-rules-bench.ts';
import type { SitesCompared } from './lib/two-sites.ts';

const rounds = Number(process.env.BENCH_ROUNDS ?? 7);
const seconds = Number(process.env.BENCH_SECONDS ?? 3);
const chosen = process.argv.slice(2);
const wants = (part: string) => chosen.length === 0 || chosen.includes(part);

const ratios: Record<string, number> = {};
const figures: Record<string, number> = {};

function note(name: string, { ratio, cpuRatio, cpuMicros }: SitesCompared): void {
  ratios[name] = ratio;
  figures[`${name}_cpu_ratio`] = cpuRatio;
  figures[`${name}_cpu_us`] = cpuMicros.with;
  figures[`${name}_without_cpu_us`] = cpuMicros.without;
  console.log(
    `${name}: ${ratio.toFixed(3)}; by processor time ${cpuRatio.toFixed(3)} (${cpuMicros.with.toFixed(1)} µs against ${cpuMicros.without.toFixed(1)})`,
  );
}

if (wants('replay')) {
  const { linesPerSecond, byAddress, byRate } = await benchReplay();
  figures['replay_lines_s'] = linesPerSecond;
  figures['replay_by_address_lines_s'] = byAddress;
  figures['replay_by_rate_lines_s'] = byRate;
  console.log(`replay: ${linesPerSecond} lines a second; ${byAddress} by address too, ${byRate} with a rate`);
}
const edge = await TestEdge.start();
try {
  if (wants('rules')) {
    const { traffic, bodies } = await benchSystemRules(edge, rounds, seconds);
    note('system_rules', traffic);
    note('system_rules_body', bodies);
  }
  if (wants('worst')) figures['worst_ms'] = await worstRequest(edge);
  if (wants('off')) {
    const compared = await benchProtectionOff(rounds, seconds);
    note('protection_off', compared);
    // Of one node, which has nothing else to do.
    ratios['protection_off'] = compared.cpuRatio;
    ratios['protection_off_clock'] = compared.ratio;
  }
  if (wants('bans')) {
    const compared = await benchBans(rounds, seconds);
    note('bans_100000', compared);
    // Of one node, which has nothing else to do.
    ratios['bans_100000'] = compared.cpuRatio;
    ratios['bans_100000_clock'] = compared.ratio;
  }
  if (wants('challenge')) {
    const { ratio, perSecond, cpuMicros, pageBytes } = await compareChallenge(edge, { rounds, seconds });
    ratios.challenge = ratio;
    figures.challenge_cpu_us = cpuMicros.challenge;
    figures.challenge_cpu_ratio = cpuMicros.page / cpuMicros.challenge;
    console.log(
      `challenge: ${ratio.toFixed(3)}; ${perSecond.challenge.toFixed(0)} pages of proof of work a second against ${perSecond.page.toFixed(0)} stored ones of ${pageBytes} bytes`,
    );
  }
} finally {
  await edge.close();
}
printResult('protection', ratios, figures);
