import type { FilterCategory } from '@breakwater/contract';
import { readPage, decodePage } from './page-text.ts';
import type { SearchedPages } from './search-pages.ts';
import { imageHash } from './image-hash.ts';
import { visitPage, type Answer, type NodeAt } from './visit-page.ts';
import type { VisitedPage } from './find-violations.ts';

/** The pages of one site, one after the other: the home page of each domain, what is asked for most, then where those lead. */

interface Visit {
  nodes: readonly NodeAt[];
  /** Names of the site that nodes serve. */
  domains: readonly string[];
  /** URLs that are asked for most. */
  asked: readonly string[];
  pagesMax: number;
  categories: readonly FilterCategory[];
  /** Waits for its turn among all sites. */
  turn: () => Promise<void>;
  signal: AbortSignal;
}

const domainsMax = 20;
const imagesPerPageMax = 10;
export const linksPerPageMax = 500;
/** Not every page of a site that is away is waited for. */
const failuresMax = 3;

export async function visitSite(visit: Visit): Promise<SearchedPages> {
  const found: SearchedPages = { pages: [], links: new Map() };
  const homes = visit.domains.filter((domain) => !domain.startsWith('*.')).slice(0, domainsMax);
  const queue = [...homes.map((domain) => `http://${domain}/`), ...visit.asked];
  const known = new Set(queue);
  const images: string[] = [];
  const wantsLikeness = visit.categories.some(({ image_hashes: hashes }) => hashes.length > 0);
  const wantsImages =
    wantsLikeness || visit.categories.some(({ content_hashes: hashes }) => hashes.length > 0);
  for (let failures = 0, requests = 0; queue.length > 0 && found.pages.length < visit.pagesMax; requests++) {
    if (failures >= failuresMax || requests >= visit.pagesMax * 3) break;
    const url = new URL(queue.shift()!);
    const answer = await ask(visit, url);
    if (answer === undefined) {
      failures += 1;
      continue;
    }
    const add = (text: string) => {
      const next = URL.parse(text, url.href);
      if (next === null || !isOfSite(next, visit.domains)) return;
      next.hash = '';
      if (known.has(next.href) || known.size > 1000) return;
      known.add(next.href);
      queue.push(next.href);
    };
    if (answer.status >= 300 && answer.status < 400) add(answer.location);
    if (answer.status < 200 || answer.status > 299) continue;
    const isHtml = /html/i.test(answer.contentType);
    const isText = isHtml || /^text\/|json|xml/i.test(answer.contentType);
    const content = isText ? decodePage(answer.bytes, answer.contentType) : '';
    const likeness = wantsLikeness ? await likenessOf(answer) : undefined;
    found.pages.push({ url: url.href, content, isHtml, hash: answer.hash, likeness });
    if (!isHtml) continue;
    const page = readPage(content);
    const links = page.links.slice(0, linksPerPageMax);
    found.links.set(url.href, hostsOf(links, url, visit.domains));
    for (const link of links) add(link);
    if (wantsImages)
      images.push(
        ...page.images.slice(0, imagesPerPageMax).map((image) => URL.parse(image, url.href)?.href ?? ''),
      );
  }
  found.pages.push(...(await visitImages(visit, images, wantsLikeness)));
  return found;
}

/** Nothing where no node answered. */
async function ask({ nodes, turn, signal }: Visit, url: URL): Promise<Answer | undefined> {
  for (const node of nodes) {
    signal.throwIfAborted();
    await turn();
    try {
      return await visitPage(node, url, signal);
    } catch {
      // The next node may.
    }
  }
  signal.throwIfAborted();
  return undefined;
}

/** Half a picture looks like another. */
const likenessOf = async ({ contentType, bytes, isWhole }: Answer): Promise<string | undefined> =>
  isWhole && /^image\//i.test(contentType) ? imageHash(bytes) : undefined;

/** For their hashes, and what they look like. */
async function visitImages(
  visit: Visit,
  images: readonly string[],
  wantsLikeness: boolean,
): Promise<VisitedPage[]> {
  const found: VisitedPage[] = [];
  for (const image of [...new Set(images)].slice(0, visit.pagesMax * 2)) {
    const url = URL.parse(image);
    if (url === null || !isOfSite(url, visit.domains)) continue;
    const answer = await ask(visit, url);
    if (answer?.status !== 200) continue;
    const likeness = wantsLikeness ? await likenessOf(answer) : undefined;
    found.push({ url: url.href, content: '', isHtml: false, hash: answer.hash, likeness });
  }
  return found;
}

/** Nodes are asked for names of the site alone, at the usual ports. */
export function isOfSite({ protocol, hostname, port }: URL, domains: readonly string[]): boolean {
  if ((protocol !== 'http:' && protocol !== 'https:') || port !== '') return false;
  return domains.some((domain) =>
    domain.startsWith('*.') ? hostname.endsWith(domain.slice(1)) : hostname === domain,
  );
}

export function hostsOf(links: readonly string[], base: URL, domains: readonly string[]): Set<string> {
  const hosts = new Set<string>();
  for (const link of links) {
    const url = URL.parse(link, base.href);
    if (url !== null && /^https?:$/.test(url.protocol) && !isOfSite(url, domains)) hosts.add(url.hostname);
  }
  return hosts;
}
