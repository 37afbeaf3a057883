import type { FollowKind, NodeCommandAnswer } from '@breakwater/contract';
import { refreshTarget } from '@breakwater/contract';
import { eq } from 'drizzle-orm';
import type { Transaction } from '../../db/database.ts';
import { sitePrefetch } from '../../db/schema.ts';
import { everything } from '../../scope.ts';
import { holdQuota, useQuota } from '../refresh-quota/refresh-quota.service.ts';
import { sitesOfHosts } from '../site-refresh/site-refresh.service.ts';
import { addUrls, newAmong, type NewUrl, type Prefetch } from './prefetch-requests.ts';

/** What sitemaps and playlists list is fetched as well, as far as it is the site's own and there is room. */

type Links = NonNullable<NodeCommandAnswer<'visit'>['results'][number]['links']>;

/** In the form in which one is stored: a port, a fragment and another spelling of the host are the same. */
export function plainUrl(url: string): string | undefined {
  const place = refreshTarget(url);
  return place && `${new URL(url).protocol}//${place.host}${place.target}`;
}

/** Of HLS and DASH. */
export const isPlaylist = (url: string): boolean => /\.(?:m3u8|mpd)$/i.test(new URL(url).pathname);

/** The customer's row is locked before what is found is counted against their quota; to be called before other rows are. */
export async function addFound(tx: Transaction, prefetch: Prefetch, links: readonly Links[]): Promise<void> {
  if (links.length === 0) return;
  const quota = prefetch.limited
    ? await holdQuota(tx, prefetch.clientId, 'prefetch_urls_per_day')
    : undefined;
  // Two nodes find the same at once.
  await tx
    .select({ id: sitePrefetch.id })
    .from(sitePrefetch)
    .where(eq(sitePrefetch.id, prefetch.id))
    .for('update');
  const listed = await ownUrls(tx, prefetch, links);
  const { found, room } = await newAmong(tx, prefetch, listed);
  const taken = found.slice(0, Math.min(room, quota?.left ?? Infinity));
  if (taken.length < found.length)
    await tx.update(sitePrefetch).set({ truncated: true }).where(eq(sitePrefetch.id, prefetch.id));
  if (taken.length === 0) return;
  if (quota) await useQuota(tx, quota, taken.length, 'urls');
  await addUrls(tx, prefetch.id, taken);
}

async function ownUrls(tx: Transaction, prefetch: Prefetch, links: readonly Links[]): Promise<NewUrl[]> {
  const listed = links.flatMap(({ kind, urls }) =>
    urls.flatMap((text) => {
      const url = plainUrl(text);
      return url === undefined ? [] : [{ url, follow: followOf(prefetch, kind, url) }];
    }),
  );
  const hosts = new Set(listed.map(({ url }) => new URL(url).hostname));
  const siteOf = await sitesOfHosts(tx, everything, [...hosts]);
  return listed.filter(({ url }) => siteOf.get(new URL(url).hostname) === prefetch.siteId);
}

/** One level: what a playlist lists is not read in turn. */
function followOf(prefetch: Prefetch, kind: Links['kind'], url: string): FollowKind | null {
  if (kind === 'sitemap') return 'sitemap';
  return kind === 'content' && prefetch.playlists && isPlaylist(url) ? 'playlist' : null;
}
