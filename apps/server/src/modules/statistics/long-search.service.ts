import type { AccessLogRow, LogSearchEvent } from '@breakwater/contract';
import { type LogFilters, LogRangeError } from '../../logs/log-store.ts';
import type { Scope } from '../../scope.ts';
import type { Services } from '../../services.ts';
import { findRows } from './log-search.service.ts';
import { pageWith, partOf, stretchesOf, type Stretch } from './log-slices.ts';

interface Page {
  current_page: number;
  page_size: number;
}
type Store = Pick<Services, 'db' | 'logStore'>;
/** Lines of clocks that run a little ahead are found as well. */
const aheadMs = 86_400_000;

/** What is to be searched, stretch by stretch. Throws `LogRangeError` for a range that ends before it starts. */
export async function stretchesToSearch({ logStore }: Store, filters: LogFilters): Promise<Stretch[]> {
  const { start_time, end_time, time_sort } = filters;
  if (start_time && end_time && Date.parse(start_time) >= Date.parse(end_time))
    throw new LogRangeError('range_reversed', 'The start of the range must be before its end');
  const { oldest } = await logStore.stats();
  // Nothing is stored: one look that finds so.
  const first = Date.parse(oldest ?? new Date().toISOString());
  const from = start_time ? Math.max(Date.parse(start_time), first) : first;
  const until = end_time ? Date.parse(end_time) : Date.now() + aheadMs;
  return stretchesOf(from, until, time_sort !== 'asc');
}

/** Searches one stretch after another, and says after each how far it is. Ends with the signal's reason. */
export async function* searchStretches(
  store: Store,
  scope: Scope,
  filters: LogFilters,
  page: Page,
  stretches: readonly Stretch[],
  signal: AbortSignal,
): AsyncGenerator<LogSearchEvent> {
  const from = (page.current_page - 1) * page.page_size;
  const wanted = { from, until: from + page.page_size };
  const list: AccessLogRow[] = [];
  let total = 0;
  for (const [index, stretch] of stretches.entries()) {
    const find = (asked: Page) => findRows(store, scope, { ...filters, ...stretch }, asked, signal);
    // Where rows of the page stand at its beginning, they come with the count.
    const atOnce = wanted.from <= total ? Math.max(1, wanted.until - total) : 1;
    const first = await find({ current_page: 1, page_size: atOnce });
    const part = partOf(wanted, total, first.total);
    if (part)
      list.push(...(part.until <= first.list.length ? sliceOf(first.list, part) : await read(find, part)));
    total += first.total;
    if (index < stretches.length - 1)
      yield {
        type: 'progress',
        share: (index + 1) / stretches.length,
        reached: filters.time_sort === 'asc' ? stretch.end_time : stretch.start_time,
        total,
        ...(part ? { list: [...list] } : {}),
      };
  }
  yield { type: 'done', list, total, ...page };
}

const sliceOf = (list: AccessLogRow[], { from, until }: { from: number; until: number }) =>
  list.slice(from, until);

async function read(
  find: (page: Page) => Promise<{ list: AccessLogRow[] }>,
  part: { from: number; until: number },
): Promise<AccessLogRow[]> {
  const { skip, ...page } = pageWith(part);
  const { list } = await find(page);
  return list.slice(skip, skip + part.until - part.from);
}
