import * as z from 'zod';
import { dateTime, listOf, listQuery } from './common.ts';
import { defineRoutes } from './define.ts';
import { logRetentionSettings } from './statistics.ts';

/** Where access logs are kept, whichever engine it is. */
export const logEngines = ['duckdb', 'opensearch', 'elasticsearch'] as const;
/** Yellow: it works, and somebody should look; red: some of it cannot be read. */
export const logStoreHealths = ['green', 'yellow', 'red'] as const;

export const logStoreInfo = z.strictObject({
  engine: z.enum(logEngines),
  version: z.string(),
  health: z.enum(logStoreHealths),
  /** Machines of the cluster; 1 for a file. */
  nodes: z.int(),
  /** Parts that no machine holds. */
  unassigned_shards: z.int(),
  records: z.int(),
  /** Rows that charts read. */
  figures: z.int(),
  /** Lines passed over, of the files of nodes that are remembered. */
  broken_lines: z.int(),
  bytes: z.int(),
  disk_free: z.int(),
  disk_total: z.int(),
  oldest: dateTime.nullable(),
  newest: dateTime.nullable(),
});
export type LogStoreInfo = z.infer<typeof logStoreInfo>;

export const logIndexKinds = ['records', 'figures', 'state'] as const;
/** An index of a cluster; of a file, the records of a day or a table of sums. */
export const logIndex = z.strictObject({
  name: z.string(),
  kind: z.enum(logIndexKinds),
  rows: z.int(),
  /** Of a day's records in a file: its share of all of them; null while they are not written into it. */
  bytes: z.int().nullable(),
  /** When what it holds begins; null where that says nothing. */
  begins: dateTime.nullable(),
  health: z.enum(logStoreHealths),
});
export type LogIndex = z.infer<typeof logIndex>;

export const logStoreConnection = z.strictObject({
  embedded: z.boolean(),
  /** Without user and password; of the embedded one its file. */
  address: z.string(),
  /** Whether a user and a password are set; they are never shown. */
  signed_in: z.boolean(),
  encrypted: z.boolean(),
  /** What names of indices begin with; empty for a file. */
  prefix: z.string(),
});
export type LogStoreConnection = z.infer<typeof logStoreConnection>;

export const logPhases = ['hot', 'merged', 'delete'] as const;
export const logDataKinds = ['records', 'figures'] as const;

/** What becomes of records and figures as they grow old, and where they are on that way now. */
export const logLifecycle = z.strictObject({
  /** What ages are counted from: the time of each row, or the end of its day in UTC; days go as a whole then. */
  ages_from: z.enum(['row', 'day_end']),
  data: z.array(
    z.strictObject({
      kind: z.enum(logDataKinds),
      phases: z.array(z.strictObject({ name: z.enum(logPhases), min_age_seconds: z.int() })),
      /** Null: there is nothing. */
      oldest: dateTime.nullable(),
      /** From when on the oldest is deleted: at the next round, which is every ten minutes. */
      next_deletion: dateTime.nullable(),
    }),
  ),
  /** Policies of the cluster that are on indices of ours, where none is to be. Null: our user may not ask. */
  foreign_policies: z
    .array(
      z.strictObject({
        name: z.string(),
        /** So many of ours. */
        indices: z.int(),
        /** Null: the policy may not be read. */
        deletes: z.boolean().nullable(),
        /** The age at which it deletes, as it says it: `30d`; empty where it says none. */
        deletes_after: z.string(),
      }),
    )
    .nullable(),
});
export type LogLifecycle = z.infer<typeof logLifecycle>;

export const logPolicy = logRetentionSettings.read.response.extend({
  /** Null while the store cannot be asked. */
  lifecycle: logLifecycle.nullable(),
});

export const logStoreRoutes = defineRoutes({
  getLogStoreInfo: {
    method: 'GET',
    path: '/prod-api/elastic/info',
    summary: 'Get the engine, health, size and free space of the log store.',
    access: { kind: 'admin', permission: 'log_store.read' },
    response: logStoreInfo,
  },
  listLogIndices: {
    method: 'GET',
    path: '/prod-api/elastic/index_info',
    summary: 'List the indices of the log store, or the days and tables of its file, newest first.',
    access: { kind: 'admin', permission: 'log_store.read' },
    query: listQuery({ kind: z.enum(logIndexKinds).optional() }),
    response: listOf(logIndex),
  },
  getLogPolicy: {
    ...logRetentionSettings.read,
    path: '/prod-api/elastic/ilm_policy',
    summary: 'Get the retention of records and statistics, their phases, and what is deleted next.',
    response: logPolicy,
  },
  updateLogPolicy: { ...logRetentionSettings.write, path: '/prod-api/elastic/ilm_policy' },
  getLogStoreConnection: {
    method: 'GET',
    path: '/prod-api/elastic/conn_info',
    summary: 'Get the address of the log store, without credentials.',
    access: { kind: 'admin', permission: 'log_store.read' },
    response: logStoreConnection,
  },
  testLogStore: {
    method: 'POST',
    path: '/prod-api/elastic/conn_test',
    summary: 'Test reading from and writing to the log store.',
    access: { kind: 'admin', permission: 'log_store.write' },
    response: z.strictObject({
      ok: z.boolean(),
      milliseconds: z.int(),
      /** What the store or the network said; empty where all went well. */
      message: z.string(),
    }),
  },
});
