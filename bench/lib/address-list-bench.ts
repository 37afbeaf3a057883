import { makeSite, type SiteInput, type TestEdge } from '../../packages/edge/test/support.ts';
import { compareSites, type SitesCompared } from './two-sites.ts';

const entries = 100_000;
const host = 'listed.test';
const path = '/some/where/index.html?lang=en';

/**
 * A list of 100,000 networks that the visitor is in none of: a site with a rule that names it, and without that,
 * turn by turn. Two sites would differ by more than that: LuaJIT compiles for what it meets first.
 */
export async function benchAddressList(
  edge: TestEdge,
  site: Pick<SiteInput, 'origins' | 'rules'>,
  rounds: number,
  seconds: number,
): Promise<SitesCompared> {
  const networks = Array.from(
    { length: entries },
    (_, index) =>
      `${64 + 2 * Math.floor(index / 50_000)}.${Math.floor(index / 256) % 196}.${index % 256}.0/25`,
  );
  const listed = await edge.applyList(1, networks);
  if (listed.status !== 'applied') throw new Error(listed.error);
  const rule = { action: 'deny' as const, addresses: ['192.0.2.1'] };
  const save = async (lists: number[]) => {
    const access = { rules: [{ ...rule, address_lists: lists }] };
    for (const result of await edge.applySites(makeSite({ ...site, id: 11, domains: [host], access })))
      if (result.status !== 'applied') throw new Error(result.error);
  };
  const sides = {
    without: { edge, host, save: () => save([]) },
    with: { edge, host, save: () => save([1]) },
  };
  // Many short turns: for the difference is smaller than what the machine does between two long ones.
  return compareSites(sides, { path, rounds: rounds * seconds, seconds: 1 });
}
