import type { AnswerSample, HttpFilterSetting } from '@breakwater/contract';
import { sql } from 'drizzle-orm';
import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { brotliDecompress, constants, gunzip, zstdDecompress } from 'node:zlib';
import { rowsOf, type Queryable } from '../../delivery/queryable.ts';
import type { Services } from '../../services.ts';
import { storeViolations } from './found-violations.ts';
import { decodePage, readPage } from './page-text.ts';
import { searchBatch, type SampledSite } from './search-batch.ts';
import { categoriesOf, searchPages, type SearchedPages } from './search-pages.ts';
import { hostsOf, isOfSite, linksPerPageMax } from './visit-site.ts';

/** Answers that nodes gave visitors, a share of them: searched as visited pages are, and kept nowhere. */

/** What a node is told; read without the words, of which there may be a hundred thousand. */
export async function sampledShares(
  db: Queryable,
): Promise<{ sample_per_mille: number; submitted_per_mille: number }> {
  const [row] = await rowsOf<{ sample_per_mille: number; submitted_per_mille: number }>(
    db,
    sql`SELECT coalesce((value ->> 'sample_per_mille')::int, 0) AS sample_per_mille,
          coalesce((value ->> 'submitted_per_mille')::int, 0) AS submitted_per_mille FROM setting
        WHERE key = 'http_filter_setting' AND (value ->> 'enabled')::boolean`,
  );
  return row ?? { sample_per_mille: 0, submitted_per_mille: 0 };
}

/** A server searches one batch at a time: what comes meanwhile is dropped, for it is a sample in any case. */
const busy = new WeakSet<Services>();

/** Returns how many were searched. */
export const searchSamples = (
  services: Services,
  nodeId: number,
  samples: readonly AnswerSample[],
): Promise<number> =>
  searchBatch(services, nodeId, samples, {
    busy,
    isOn: ({ sample_per_mille: share }) => share > 0,
    searchSite,
  });

async function searchSite(
  services: Services,
  setting: HttpFilterSetting,
  site: SampledSite,
  samples: readonly AnswerSample[],
): Promise<number> {
  const sampled: SearchedPages = { pages: [], links: new Map() };
  for (const sample of samples) await addPage(sampled, site, sample);
  const categories = categoriesOf(setting, site.line_group_id);
  await storeViolations(services, site.id, await searchPages(services.db, setting, categories, sampled));
  return sampled.pages.length;
}

async function addPage(
  { pages, links }: SearchedPages,
  site: SampledSite,
  sample: AnswerSample,
): Promise<void> {
  const url = URL.parse(sample.url);
  if (url === null || !isOfSite(url, site.domains)) return;
  const bytes = await decoded(sample);
  if (bytes === undefined) return;
  const isHtml = /html/i.test(sample.content_type);
  const content = decodePage(bytes, sample.content_type);
  pages.push({ url: url.href, content, isHtml, hash: createHash('sha256').update(bytes).digest('hex') });
  if (isHtml)
    links.set(url.href, hostsOf(readPage(content).links.slice(0, linksPerPageMax), url, site.domains));
}

/** What a few bytes may unpack to. */
const contentBytesMax = 1024 * 1024;

/** Only the beginning came: what is packed ends in the middle. Nothing of what cannot be read, or is too large. */
async function decoded({ content, encoding }: AnswerSample): Promise<Buffer | undefined> {
  const bytes = Buffer.from(content, 'base64');
  const limits = { maxOutputLength: contentBytesMax };
  try {
    switch (encoding.trim().toLowerCase()) {
      case '':
      case 'identity':
        return bytes;
      case 'gzip':
        return await promisify(gunzip)(bytes, { ...limits, finishFlush: constants.Z_SYNC_FLUSH });
      case 'br':
        return await promisify(brotliDecompress)(bytes, {
          ...limits,
          finishFlush: constants.BROTLI_OPERATION_FLUSH,
        });
      case 'zstd':
        return await promisify(zstdDecompress)(bytes, { ...limits, finishFlush: constants.ZSTD_e_flush });
      default:
        return undefined;
    }
  } catch {
    return undefined;
  }
}
