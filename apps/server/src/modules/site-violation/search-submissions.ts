import type { HttpFilterSetting, Submission } from '@breakwater/contract';
import { createHash } from 'node:crypto';
import type { Services } from '../../services.ts';
import { excerptRadius } from './find-violations.ts';
import { storeViolations } from './found-violations.ts';
import { decodeTyped, readPage } from './page-text.ts';
import { searchBatch, type SampledSite } from './search-batch.ts';
import { categoriesOf, searchPages, type SearchedPages } from './search-pages.ts';
import { hostsOf, isOfSite, linksPerPageMax } from './visit-site.ts';

/** What visitors sent to sites, a share of it: searched as visited pages are, and kept nowhere. */

/** A server searches one batch at a time: what comes meanwhile is dropped. Samples of answers do not wait for it. */
const busy = new WeakSet<Services>();

/** Between fields: what stands around a word is of its own field, and no pattern goes from one to the next. */
const apart = '\n'.repeat(excerptRadius);

/** Returns how many were searched. */
export const searchSubmissions = (
  services: Services,
  nodeId: number,
  submissions: readonly Submission[],
): Promise<number> =>
  searchBatch(services, nodeId, submissions, {
    busy,
    isOn: ({ submitted_per_mille: share }) => share > 0,
    searchSite,
  });

async function searchSite(
  services: Services,
  setting: HttpFilterSetting,
  site: SampledSite,
  submissions: readonly Submission[],
): Promise<number> {
  const sent: SearchedPages = { pages: [], links: new Map() };
  for (const submission of submissions) addTexts(sent, site, submission);
  const categories = categoriesOf(setting, site.line_group_id);
  const found = await searchPages(services.db, setting, categories, sent);
  await storeViolations(services, site.id, found, 'submitted');
  return sent.pages.length;
}

function addTexts(
  { pages, links }: SearchedPages,
  { domains }: SampledSite,
  { url: said, content }: Submission,
) {
  const url = URL.parse(said);
  if (url === null || !isOfSite(url, domains)) return;
  // A query varies as its visitor likes, and each would be a row. Of the same address there may be several at a time.
  url.search = '';
  url.hash = `${pages.length}`;
  const bytes = Buffer.from(content, 'base64');
  const texts = splitAtZeros(bytes).map((text) => decodeTyped(text));
  const markup = texts.filter((text) => text.includes('<')).map((text) => readPage(text));
  const hash = createHash('sha256').update(bytes).digest('hex');
  // As it was written, and as a page would show it.
  const all = [...texts, ...markup.map(({ text }) => text)].join(apart);
  pages.push({ url: url.href, content: all, isHtml: false, hash });
  const linked = [...texts.flatMap(linksIn), ...markup.flatMap((page) => page.links)];
  links.set(url.href, hostsOf(linked.slice(0, linksPerPageMax), url, domains));
}

function splitAtZeros(bytes: Buffer): Buffer[] {
  const texts: Buffer[] = [];
  for (let start = 0; start <= bytes.length;) {
    const stop = bytes.indexOf(0, start);
    texts.push(bytes.subarray(start, stop < 0 ? bytes.length : stop));
    start = stop < 0 ? bytes.length + 1 : stop + 1;
  }
  return texts;
}

/** In a text without markup, or with another. */
const linksIn = (text: string): string[] => text.match(/https?:\/\/[^\s"'<>()[\]]{1,2000}/gi) ?? [];
