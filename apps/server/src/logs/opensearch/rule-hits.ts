import type { Scope } from '../../scope.ts';
import type { RuleHit, RuleHitFilter } from '../log-store.ts';
import { ask, type Query, type Source } from './question.ts';
import { questionOf } from './search.ts';

/** A section has 200 rules at most; each does one thing, or only observes. */
const entriesMax = 1000;

/** All rules of a section in one question. */
export async function countRuleHits(
  source: Source,
  scope: Scope,
  { site_id, client_id, site_ids, section, times }: RuleHitFilter,
): Promise<RuleHit[]> {
  const { indices, query } = questionOf(source, scope, {
    site_id,
    client_id,
    waf: section.split(' ')[0],
    start_time: new Date(times[0]!).toISOString(),
    end_time: new Date(times.at(-1)!).toISOString(),
  });
  const aggs = {
    stretches: {
      date_range: {
        field: 'time',
        ranges: times.slice(1).map((to, index) => ({
          key: String(index),
          from: new Date(times[index]!).toISOString(),
          to: new Date(to).toISOString(),
        })),
      },
      aggs: {
        entries: {
          terms: { field: 'waf_entries', size: entriesMax, include: `${section} [1-9][0-9]*=[a-z_]+` },
        },
      },
    },
  };
  const { aggregations } = await ask(source, indices, {
    size: 0,
    track_total_hits: false,
    query: among(query, site_ids),
    aggs,
  });
  return (aggregations?.['stretches']?.buckets ?? []).flatMap(({ key, entries }) =>
    (entries?.buckets ?? []).map((bucket) => ({
      stretch: Number(key),
      entry: bucket.key as string,
      requests: bucket.doc_count,
    })),
  );
}

const among = (query: Query, sites: readonly number[] | undefined): Query =>
  sites === undefined ? query : { bool: { filter: [query, { terms: { site_id: sites } }] } };
