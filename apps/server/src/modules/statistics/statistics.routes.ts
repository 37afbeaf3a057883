import {
  refusalOf,
  statisticsRoutes,
  type MonitorMetric,
  type MonitorSeries,
  type MonitorSide,
  type Ranking,
  type RankingKind,
} from '@breakwater/contract';
import type { FastifyReply } from 'fastify';
import { ApiError } from '../../api-error.ts';
import type { LogFilters, MonitorFilter, RankingFilter } from '../../logs/log-store.ts';
import { implement } from '../../plugins/implement.ts';
import type { Scope } from '../../scope.ts';
import type { Services } from '../../services.ts';
import { ranged } from './asked-range.service.ts';
import { findRows } from './log-search.service.ts';
import { ruleRefs } from './rule-refs.store.ts';
import { levelRuleHits, ruleHits } from './rule-hits.store.ts';
import { clientNames, namesOf, nodeNames, withOrders } from './statistics.store.ts';
import { whileThere } from './while-there.service.ts';

export const statisticsModule = implement(statisticsRoutes, {
  getMatcherRuleHits: async ({ services, scope, params, reply }) => ({
    list: await whileThere(reply, (gone) => ruleHits(services, scope, params.id, gone)),
  }),
  getSiteLevelRuleHits: async ({ services, scope, query, reply }) => ({
    list: await whileThere(reply, (gone) => levelRuleHits(services, scope, query, gone)),
  }),
  readMonitor: async ({ services, scope, query: { series, summaries, ...query } }) => {
    const filter = await withOrders(services.db, scope, query);
    return ranged(services, 'rollup_days', query, async () => ({
      series: await Promise.all(series.map((name) => readSeries(services, scope, name, filter))),
      summaries: Object.fromEntries(
        await Promise.all(
          summaries.map(
            async (side) => [side, await services.logStore.summary(scope, side, filter)] as const,
          ),
        ),
      ),
    }));
  },
  monitorMetric: async ({ services, scope, params, query }) => {
    const filter = await withOrders(services.db, scope, query);
    // Whose addresses they were is kept as long as records.
    const kept = params.metric === 'unique_remote_addr' ? 'record_days' : 'rollup_days';
    return {
      interval: query.interval,
      points: await ranged(services, kept, query, () =>
        services.logStore.series(scope, params.side, params.metric, filter),
      ),
    };
  },
  monitorSummary: (call) => summarise(call),
  rankUrls: (call) => rank('top_url', call),
  rankHosts: (call) => rank('top_hosts', call),
  rankReferers: (call) => rank('top_referer', call),
  rankAddresses: (call) => rank('top_remote_addr', call),
  rankUserAgents: (call) => rank('top_user_agent', call),
  rankTlsClients: (call) => rank('top_ja4', call),
  rankStatuses: (call) => rank('top_status', call),
  rankMethods: (call) => rank('top_method', call),
  rankCacheStates: (call) => rank('top_cache_status', call),
  rankRefusals: async (call) => withRules(call, await rank('top_refusals', call)),
  rankRefusalKinds: (call) => rank('top_refusal_kinds', call),
  rankSites: async (call) =>
    labelled(await rank('top_sites', call), (ids) => namesOf(call.services.db, call.scope, 'site', ids)),
  rankNodes: async (call) =>
    labelled(await rank('top_nodes', call), (ids) => nodeNames(call.services.db, call.scope, ids)),
  rankCountries: (call) => rank('top_country', call),
  rankProvinces: (call) => rank('top_province', call),
  rankCarriers: (call) => rank('top_carrier', call),
  rankNetworks: (call) => rank('top_asn', call),
  listUsage: async ({ services, scope, params: { kind }, query }) => {
    const { current_page, page_size, ...filter } = query;
    const page = { current_page, page_size };
    const found = await ranged(services, 'rollup_days', query, () =>
      services.logStore.usage(scope, kind, filter, page, new Date()),
    );
    const { db } = services;
    const idsOf = (field: 'id' | 'client_id') => found.list.map((each) => each[field]);
    const [names, clients] = await Promise.all([
      namesOf(db, scope, kind, idsOf('id')),
      clientNames(db, scope, idsOf('client_id')),
    ]);
    const list = found.list.map((each) => ({
      ...each,
      name: names.get(each.id) ?? '',
      client_name: clients.get(each.client_id) ?? '',
    }));
    return { list, total: found.total, ...page };
  },
  listRefusedRequests: (call) => searchRecords(call, { refused: 'yes' }),
  listAccessLogs: (call) => searchRecords(call),
  getAccessStats: async (call) => {
    const ranked = (kind: RankingKind) => rank(kind, ofVisitors(call));
    const [summary, top_hosts, top_url, top_remote_addr, top_status] = await Promise.all([
      summarise(ofVisitors(call)),
      ranked('top_hosts'),
      ranked('top_url'),
      ranked('top_remote_addr'),
      ranked('top_status'),
    ]);
    return { summary, top_hosts, top_url, top_remote_addr, top_status };
  },
  getAttackStats: async (call) => {
    const ranked = (kind: RankingKind) => rank(kind, ofVisitors(call, { refused: 'yes' }));
    const [{ attacks }, top_hosts, top_url, top_remote_addr, top_refusals] = await Promise.all([
      summarise(ofVisitors(call)),
      ranked('top_hosts'),
      ranked('top_url'),
      ranked('top_remote_addr'),
      ranked('top_refusals'),
    ]);
    return {
      attacks,
      top_hosts,
      top_url,
      top_remote_addr,
      top_refusals: await withRules(call, top_refusals),
    };
  },
});

interface SearchCall {
  services: Services;
  scope: Scope;
  query: LogFilters & { current_page: number; page_size: number };
  reply: FastifyReply;
}

async function searchRecords({ services, scope, query, reply }: SearchCall, only: LogFilters = {}) {
  const { current_page, page_size, ...filters } = query;
  const page = { current_page, page_size };
  const found = await whileThere(reply, (gone) =>
    ranged(services, 'record_days', query, () =>
      findRows(services, scope, { ...filters, ...only }, page, gone),
    ),
  );
  return { ...found, ...page };
}

interface RankCall {
  services: Services;
  scope: Scope;
  reply: FastifyReply;
  params: { side: MonitorSide };
  query: RankingFilter & { line_group_id?: number | undefined };
}

type StatsCall = Omit<RankCall, 'params' | 'query'> & {
  query: Omit<RankCall['query'], 'top_type' | 'refused'>;
};

/** The same of what visitors asked for. */
const ofVisitors = (call: StatsCall, only: Pick<RankingFilter, 'refused'> = {}): RankCall => ({
  ...call,
  params: { side: 'cdn' },
  query: { ...call.query, top_type: 'request', ...only },
});

/** Addresses of visitors are kept by the hour, and for as long as records: where they are not, the other figures stand. */
async function readSeries(
  services: Services,
  scope: Scope,
  name: MonitorSeries,
  filter: MonitorFilter & { interval: number },
) {
  const [side, metric] = name.split('.') as [MonitorSide, MonitorMetric];
  const areVisitors = metric === 'unique_remote_addr';
  const interval = areVisitors ? Math.max(filter.interval, 3600) : filter.interval;
  const read = () => services.logStore.series(scope, side, metric, { ...filter, interval });
  if (!areVisitors) return { name, interval, points: await read() };
  const points = await ranged(services, 'record_days', filter, read).catch((error: unknown) => {
    if (error instanceof ApiError && error.fields.some(({ path }) => path === 'start_time')) return null;
    throw error;
  });
  return { name, interval, points };
}

async function summarise({
  services,
  scope,
  params,
  query,
}: Pick<RankCall, 'services' | 'scope' | 'params'> & {
  query: MonitorFilter & { line_group_id?: number | undefined };
}) {
  const filter = await withOrders(services.db, scope, query);
  return ranged(services, 'rollup_days', query, () => services.logStore.summary(scope, params.side, filter));
}

async function rank(
  kind: RankingKind,
  { services, scope, reply, params, query }: RankCall,
): Promise<Ranking> {
  const filter = await withOrders(services.db, scope, query);
  const kept = isSummed(kind) && query.refused === undefined ? 'rollup_days' : 'record_days';
  return whileThere(reply, (gone) =>
    ranged(services, kept, query, () => services.logStore.rank(scope, params.side, kind, filter, gone)),
  );
}

/** What the sums tell apart, so that no record is needed. */
const isSummed = (kind: RankingKind): boolean => ['top_hosts', 'top_sites', 'top_nodes'].includes(kind);

/** Numbers with what people know them by. */
async function labelled(
  { ranks, ...rest }: Ranking,
  namesOfIds: (ids: number[]) => Promise<Map<number, string>>,
): Promise<Ranking> {
  const names = await namesOfIds(ranks.map(({ name }) => Number(name)));
  return { ranks: ranks.map((each) => ({ ...each, label: names.get(Number(each.name)) })), ...rest };
}

/** What refused requests, each with its site and its rule: the first rule of two sites is two. */
async function withRules(
  { services: { db }, scope }: Pick<RankCall, 'services' | 'scope'>,
  { ranks, ...rest }: Ranking,
): Promise<Ranking> {
  const decided = ranks.map(({ name }) => refusalOf(name));
  const [sites, rules] = await Promise.all([
    namesOf(db, scope, 'site', [...new Set(decided.map(({ site_id }) => site_id))]),
    ruleRefs(db, scope, decided),
  ]);
  return {
    ranks: ranks.map((each, index) => {
      const label = sites.get(decided[index]!.site_id);
      const rule = rules[index];
      return { ...each, ...(label === undefined ? {} : { label }), ...(rule ? { rule } : {}) };
    }),
    ...rest,
  };
}
