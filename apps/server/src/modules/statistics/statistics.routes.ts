import {
  statisticsRoutes,
  type MonitorSide,
  type Ranking,
  type RankingKind,
  type RankingType,
} from '@breakwater/contract';
import type { FastifyReply } from 'fastify';
import { ApiError, invalid } from '../../api-error.ts';
import { LogRangeError, type MonitorFilter } from '../../logs/log-store.ts';
import { implement } from '../../plugins/implement.ts';
import type { Scope } from '../../scope.ts';
import type { Services } from '../../services.ts';
import { readLogRetention, writeLogRetention } from '../setting/setting.store.ts';
import { findRecords } from './log-search.service.ts';
import { namesOf, ordersOfLineGroup } from './statistics.store.ts';

export const statisticsModule = implement(statisticsRoutes, {
  monitorMetric: async ({ services, scope, params, query }) => {
    const filter = await withOrders(services, scope, query);
    return {
      interval: query.interval,
      points: await ranged(() => services.logStore.series(scope, params.side, params.metric, filter)),
    };
  },
  monitorSummary: async ({ services, scope, params, query }) => {
    const filter = await withOrders(services, scope, query);
    return ranged(() => services.logStore.summary(scope, params.side, filter));
  },
  rankUrls: (call) => rank('top_url', call),
  rankHosts: (call) => rank('top_hosts', call),
  rankReferers: (call) => rank('top_referer', call),
  rankAddresses: (call) => rank('top_remote_addr', call),
  rankUserAgents: (call) => rank('top_user_agent', call),
  rankStatuses: (call) => rank('top_status', call),
  rankMethods: (call) => rank('top_method', call),
  rankCacheStates: (call) => rank('top_cache_status', call),
  rankRefusals: (call) => rank('top_refusals', call),
  rankCountries: (call) => rank('top_country', call),
  rankProvinces: (call) => rank('top_province', call),
  rankCarriers: (call) => rank('top_carrier', call),
  listUsage: async ({ services, scope, params: { kind }, query }) => {
    const { current_page, page_size, ...filter } = query;
    const page = { current_page, page_size };
    const found = await ranged(() => services.logStore.usage(scope, kind, filter, page, new Date()));
    const names = await namesOf(
      services.db,
      scope,
      kind,
      found.list.map(({ id }) => id),
    );
    const list = found.list.map((each) => ({ ...each, name: names.get(each.id) ?? '' }));
    return { list, total: found.total, ...page };
  },
  listAccessLogs: async ({ services, scope, query, reply }) => {
    const { current_page, page_size, ...filters } = query;
    const page = { current_page, page_size };
    const found = await whileThere(reply, (gone) => findRecords(services, scope, filters, page, gone));
    return { ...found, ...page };
  },
  getLogRetention: ({ services }) => readLogRetention(services.db),
  updateLogRetention: async ({ services, body }) => {
    await writeLogRetention(services.db, body);
    return body;
  },
});

/** Ends the work when the caller has gone: nobody waits for what a long search finds. */
async function whileThere<Result>(
  reply: FastifyReply,
  work: (gone: AbortSignal) => Promise<Result>,
): Promise<Result> {
  const gone = new AbortController();
  const leave = () => gone.abort();
  reply.raw.once('close', leave);
  try {
    return await ranged(() => work(gone.signal));
  } catch (error) {
    if (gone.signal.aborted) throw new ApiError('unavailable');
    throw error;
  } finally {
    reply.raw.removeListener('close', leave);
  }
}

interface RankCall {
  services: Services;
  scope: Scope;
  params: { side: MonitorSide };
  query: MonitorFilter & { line_group_id?: number | undefined; top: number; top_type: RankingType };
}

async function rank(kind: RankingKind, { services, scope, params, query }: RankCall): Promise<Ranking> {
  const filter = await withOrders(services, scope, query);
  return ranged(() => services.logStore.rank(scope, params.side, kind, filter));
}

/** The log knows orders, and not through which line group each goes. */
async function withOrders<Filter extends { line_group_id?: number | undefined }>(
  { db }: Services,
  scope: Scope,
  { line_group_id, ...filter }: Filter,
) {
  if (line_group_id === undefined) return filter;
  return { ...filter, order_ids: await ordersOfLineGroup(db, scope, line_group_id) };
}

/** A range that cannot be answered is the caller's to mend: at its end when reversed, at its step when too fine. */
async function ranged<Result>(read: () => Promise<Result>): Promise<Result> {
  try {
    return await read();
  } catch (error) {
    if (!(error instanceof LogRangeError)) throw error;
    if (error.issue === 'range_reversed') throw invalid('end_time', error.issue);
    throw invalid('interval', `range_too_fine:${error.wouldDo ?? 0}`);
  }
}
