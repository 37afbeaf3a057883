import { isHostName, type FilterCategory, type HttpFilterSetting } from '@breakwater/contract';
import type { Queryable } from '../../delivery/queryable.ts';
import { runWorker } from '../../worker-run.ts';
import { blacklistedOf } from '../site-claim/site-claim.service.ts';
import type { Found, VisitedPage } from './find-violations.ts';

/** Pages of one line group, wherever they came from, are searched for what the setting names there. */

const workerLimits = { seconds: 60, heapMegabytes: 512 };

export interface SearchedPages {
  pages: VisitedPage[];
  /** Names that each page has links to, by its URL; without those of the site itself. */
  links: Map<string, Set<string>>;
}

export const categoriesOf = (setting: HttpFilterSetting, lineGroupId: number): FilterCategory[] =>
  setting.categories.filter(({ line_group_ids: ids }) => ids.length === 0 || ids.includes(lineGroupId));

export async function searchPages(
  db: Queryable,
  setting: HttpFilterSetting,
  categories: readonly FilterCategory[],
  { pages, links }: SearchedPages,
): Promise<Found[]> {
  if (pages.length === 0) return [];
  const found =
    categories.length === 0
      ? []
      : await runWorker<Found[]>(
          new URL('./find-violations-worker.ts', import.meta.url),
          { pages, categories },
          workerLimits,
        );
  return [...found, ...(await linksIn(db, setting, { pages, links }))];
}

async function linksIn(
  db: Queryable,
  setting: HttpFilterSetting,
  { pages, links }: SearchedPages,
): Promise<Found[]> {
  const action = setting.blacklisted_links;
  if (action === 'off') return [];
  const hosts = [...new Set([...links.values()].flatMap((each) => [...each]))].filter((host) =>
    isHostName(host, 2),
  );
  const listed = new Set((await blacklistedOf(db, hosts)).map(({ domain }) => domain));
  return pages.flatMap(({ url, hash }) =>
    [...(links.get(url) ?? [])]
      .filter((host) => listed.has(host))
      .map((host): Found => ({ url, kind: 'link', category: '', word: host, excerpt: '', hash, action })),
  );
}
