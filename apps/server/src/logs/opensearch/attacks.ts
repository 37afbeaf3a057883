import { campaignSitesMax, type AttackOutcome, type CampaignKey } from '@breakwater/contract/attack';
import type { Scope } from '../../scope.ts';
import {
  allDetectors,
  attackPlan,
  campaignPlan,
  kindMatches,
  observing,
  stretchesOf,
  type KindMatch,
  type Stretch,
} from '../attack-plan.ts';
import { hourMs, minuteMs, piecesOf, rangeOf, type Range } from '../figure-plan.ts';
import type {
  AttackedSite,
  AttackFilter,
  AttackSteps,
  Campaign,
  CampaignFilter,
  MonitorFilter,
} from '../log-store.ts';
import {
  ask,
  figuresIn,
  filtersOf,
  ofSites,
  valueOf,
  within,
  type Aggregation,
  type Bucket,
  type Query,
  type Source,
} from './question.ts';

const inspection = 'used_system_rule';
const isRefused: Query = { exists: { field: 'refused' } };
const none: Query = { match_none: {} };
const any = (queries: readonly Query[]): Query => ({ bool: { should: queries, minimum_should_match: 1 } });

/** A rule of the section that only observed, whatever its number. */
const observedBy = (section: string): Query =>
  any([
    { term: { waf_entries: `${section}=observe` } },
    { regexp: { waf_entries: `${section} [^=]*=observe` } },
  ]);
const observedDetectors = (detectors: readonly string[]): Query => ({
  terms: { waf_entries: detectors.map((each) => `${inspection} ${each}=observe`) },
});

/** Whether a record is of a kind. */
const queryOf: Record<AttackOutcome, (match: KindMatch) => Query> = {
  refused: (match) => {
    if ('section' in match) return { term: { refusal_kind: match.section } };
    const detectors = 'unread' in match ? allDetectors : match.detectors;
    const isDetected = { terms: { decision: detectors.map((each) => `${inspection} ${each}`) } };
    if (!('unread' in match)) return isDetected;
    return { bool: { filter: [{ term: { refusal_kind: inspection } }], must_not: [isDetected] } };
  },
  observed: (match) => {
    if ('section' in match) return observing.includes(match.section) ? observedBy(match.section) : none;
    return 'unread' in match ? none : observedDetectors(match.detectors);
  },
};

const outcomes: Record<AttackOutcome, Query> = {
  refused: isRefused,
  observed: {
    bool: {
      filter: [any([...observing.map(observedBy), observedDetectors(allDetectors)])],
      must_not: [isRefused],
    },
  },
};

/** What campaigns are told apart by, and where that is known. */
const sources: Record<CampaignKey, { field: string; only: Query }> = {
  network: { field: 'asn', only: { range: { asn: { gt: 0 } } } },
  address: { field: 'remote_addr.text', only: { match_all: {} } },
  tool: { field: 'user_agent', only: { bool: { must_not: [{ term: { user_agent: '' } }] } } },
  // Days of earlier releases have no such field.
  tls_client: {
    field: 'ja4',
    only: { bool: { filter: [{ exists: { field: 'ja4' } }], must_not: [{ term: { ja4: '' } }] } },
  },
  target: { field: 'url', only: ofSites },
};

const recordsOf = (scope: Scope, filter: AttackFilter, range: Range): Query[] => [
  { term: { recorded: true } },
  within(range),
  outcomes[filter.outcome],
  ...filtersOf(scope, { ...filter, hosts: undefined }),
  ...(filter.hosts ? [{ terms: { host: [...filter.hosts] } }] : []),
];

const kindFilters = (outcome: AttackOutcome): Query => ({
  filters: { filters: Object.fromEntries(kindMatches.map((match) => [match.kind, queryOf[outcome](match)])) },
});
/** Buckets by name stand in an object, and not in a list. */
const kindCounts = (found: Aggregation | undefined): number[] => {
  const buckets = (found?.buckets ?? {}) as unknown as Record<string, Bucket>;
  return kindMatches.map(({ kind }) => buckets[kind]?.doc_count ?? 0);
};

const histogram = ({ start }: Range, stepMs: number): Query => ({
  field: 'time',
  fixed_interval: `${stepMs}ms`,
  offset: `${start % stepMs}ms`,
  min_doc_count: 1,
});
const stepOf = ({ key }: Bucket, { start }: Range, stepMs: number): number => (Number(key) - start) / stepMs;

export async function readAttackSteps(
  source: Source,
  scope: Scope,
  filter: AttackFilter & { interval: number },
): Promise<AttackSteps> {
  const { range, stepMs, steps } = attackPlan(filter);
  const { aggregations } = await ask(source, source.names.recordsIn(range.start, range.end), {
    size: 0,
    track_total_hits: false,
    query: { bool: { filter: recordsOf(scope, filter, range) } },
    aggs: {
      steps: { date_histogram: histogram(range, stepMs), aggs: { kinds: kindFilters(filter.outcome) } },
    },
  });
  return {
    range,
    stepMs,
    steps,
    rows: (aggregations?.steps?.buckets ?? []).map((bucket) => ({
      step: stepOf(bucket, range, stepMs),
      requests: bucket.doc_count,
      kinds: kindCounts(bucket.kinds),
    })),
  };
}

export async function readCampaigns(
  source: Source,
  scope: Scope,
  filter: CampaignFilter,
): Promise<Campaign[]> {
  const plan = campaignPlan(filter);
  const { range, stepMs } = plan;
  const { field, only } = sources[filter.by];
  const indices = source.names.recordsIn(range.start, range.end);
  const chosen = [...recordsOf(scope, filter, range), only];
  const { aggregations } = await ask(source, indices, {
    size: 0,
    track_total_hits: false,
    query: { bool: { filter: chosen } },
    aggs: {
      sources: {
        terms: {
          field,
          size: filter.sourcesMax,
          // Of each day, so that a source that many days share is not missed.
          shard_size: filter.sourcesMax * 10,
          order: [{ _count: 'desc' }, { _key: 'asc' }],
        },
        aggs: { steps: { date_histogram: histogram(range, stepMs) } },
      },
    },
  });
  const steps = (aggregations?.sources?.buckets ?? []).flatMap((bucket) =>
    (bucket.steps?.buckets ?? []).map((step) => ({
      source: String(bucket.key as string | number),
      step: stepOf(step, range, stepMs),
      requests: step.doc_count,
    })),
  );
  const stretches = stretchesOf(steps, plan, filter.top);
  if (stretches.length === 0) return [];
  return describeStretches(source, { indices, chosen, field, outcome: filter.outcome }, stretches);
}

interface Described {
  indices: string;
  chosen: Query[];
  field: string;
  outcome: AttackOutcome;
}

async function describeStretches(
  source: Source,
  { indices, chosen, field, outcome }: Described,
  stretches: readonly Stretch[],
): Promise<Campaign[]> {
  const found = await ask(source, indices, {
    size: 0,
    track_total_hits: false,
    query: { bool: { filter: chosen } },
    aggs: Object.fromEntries(
      stretches.map((stretch, index) => [
        `stretch${index}`,
        {
          filter: { bool: { filter: [{ term: { [field]: stretch.source } }, within(stretch)] } },
          aggs: aboutStretch(outcome),
        },
      ]),
    ),
  });
  return stretches.map((stretch, index) =>
    campaignOf(found.aggregations?.[`stretch${index}`] as Bucket | undefined, stretch),
  );
}

const aboutStretch = (outcome: AttackOutcome): Record<string, Query> => ({
  first: { min: { field: 'time' } },
  last: { max: { field: 'time' } },
  addresses: { cardinality: { field: 'remote_addr.text', precision_threshold: 40_000 } },
  site_count: { cardinality: { field: 'site_id', precision_threshold: 40_000 } },
  sites: { terms: { field: 'site_id', size: campaignSitesMax, order: { _key: 'asc' } } },
  kinds: kindFilters(outcome),
});

function campaignOf(found: Bucket | undefined, { source, start, end }: Stretch): Campaign {
  const timeOf = (name: 'first' | 'last', otherwise: number) =>
    new Date(found?.[name]?.value ?? otherwise).toISOString();
  const counts = kindCounts(found?.kinds);
  return {
    source,
    first_seen: timeOf('first', start),
    last_seen: timeOf('last', end),
    requests: found?.doc_count ?? 0,
    addresses: valueOf(found?.addresses),
    site_count: valueOf(found?.site_count),
    site_ids: (found?.sites?.buckets ?? []).map(({ key }) => Number(key)),
    kinds: kindMatches.flatMap(({ kind }, index) => (counts[index]! > 0 ? [kind] : [])),
  };
}

/** The sites with the most: what was refused from the sums, what was observed from the records of the time. */
export async function readAttackedSites(
  source: Source,
  scope: Scope,
  filter: MonitorFilter & { top: number },
): Promise<AttackedSite[]> {
  const range = rangeOf(filter, minuteMs);
  const pieces = piecesOf(scope, { ...filter, hosts: filter.hosts ?? [] }, range, hourMs);
  const sums = figuresIn(source, pieces, [...filtersOf(scope, filter), ofSites]);
  const terms = (order: Query): Query => ({
    terms: { field: 'site_id', size: filter.top, shard_size: filter.top * 10, order },
  });
  const [refused, observed] = await Promise.all([
    ask(source, sums.indices, {
      size: 0,
      track_total_hits: false,
      query: sums.query,
      aggs: { sites: { ...terms({ refused: 'desc' }), aggs: { refused: { sum: { field: 'refused' } } } } },
    }),
    ask(source, source.names.recordsIn(range.start, range.end), {
      size: 0,
      track_total_hits: false,
      query: {
        bool: { filter: [...recordsOf(scope, { ...filter, outcome: 'observed' }, range), ofSites] },
      },
      aggs: { sites: terms({ _count: 'desc' }) },
    }),
  ]);
  const found = new Map<number, AttackedSite>();
  const of = (id: number) => {
    const site = found.get(id) ?? { site_id: id, refused: 0, observed: 0 };
    found.set(id, site);
    return site;
  };
  for (const bucket of refused.aggregations?.sites?.buckets ?? [])
    of(Number(bucket.key)).refused += valueOf(bucket.refused);
  for (const { key, doc_count } of observed.aggregations?.sites?.buckets ?? [])
    of(Number(key)).observed += doc_count;
  return [...found.values()]
    .filter((site) => site.refused + site.observed > 0)
    .toSorted((a, b) => b.refused + b.observed - a.refused - a.observed || a.site_id - b.site_id)
    .slice(0, filter.top);
}
