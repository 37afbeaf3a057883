import { makeSite, type SiteInput, type TestEdge } from '../../packages/edge/test/support.ts';
import { sitesOf, compareSites, type SitesCompared } from './two-sites.ts';

const entries = 100_000;
const hosts = { without: 'unlisted.test', with: 'listed.test' };
const path = '/some/where/index.html?lang=en';

/** A list of 100,000 networks that the visitor is in none of, asked for each hit: a site with a rule that names it, and one that has the same rule without it. */
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
  return compareSites(sitesOf(edge, hosts), { path, rounds, seconds });
}
