import { logRetentionSettings, logStoreRoutes } from '@breakwater/contract';
import { implement } from '../../plugins/implement.ts';
import { reads, writes } from '../setting/setting.service.ts';

export const logStoreModule = implement(logStoreRoutes, {
  getLogStoreInfo: async ({ services: { logStore } }) => {
    const [state, stats] = await Promise.all([logStore.describe(), logStore.stats()]);
    return {
      ...state,
      records: stats.records,
      figures: stats.rollupRows,
      broken_lines: stats.brokenLines,
      bytes: stats.bytesOnDisk,
      oldest: stats.oldest ?? null,
      newest: stats.newest ?? null,
    };
  },
  listLogIndices: async ({ services: { logStore }, query }) => {
    const { current_page, page_size, kind } = query;
    const all = (await logStore.indices()).filter((index) => kind === undefined || index.kind === kind);
    const first = (current_page - 1) * page_size;
    return { list: all.slice(first, first + page_size), total: all.length, current_page, page_size };
  },
  getLogPolicy: async (call) => {
    const { logStore, log } = call.services;
    const policy = await reads(logRetentionSettings)(call);
    // The policy stands in the database, and is read and changed while the store is away.
    const lifecycle = await logStore.lifecycle(policy.value).catch((error: unknown) => {
      log.warn({ err: error }, 'log store: what becomes of its data could not be read');
      return null;
    });
    return { ...policy, lifecycle };
  },
  updateLogPolicy: writes(logRetentionSettings),
  getLogStoreConnection: async ({ services: { logStore } }) => logStore.connection,
  testLogStore: async ({ services: { logStore, log } }) => {
    const started = performance.now();
    const message = await logStore.probe().then(
      () => '',
      (error: unknown) => {
        log.warn({ err: error }, 'log store: the test failed');
        return error instanceof Error ? error.message : String(error);
      },
    );
    return { ok: message === '', milliseconds: Math.round(performance.now() - started), message };
  },
});
