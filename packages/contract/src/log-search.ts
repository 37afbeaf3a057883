import * as z from 'zod';
import { dateTime, listOf, listQuery } from './common.ts';
import { defineRoutes } from './define.ts';
import { accessLogFilters, accessLogRow } from './access-log-record.ts';

/** The most that a tail sends at once; what came besides is counted. */
export const tailRowsMax = 100;

/** Bars of a histogram at most. */
export const logBarsMax = 60;

const ping = z.strictObject({ type: z.literal('ping') });

/** How a search goes on, and at its end what `listAccessLogs` answers. */
export const logSearchEvent = z.discriminatedUnion('type', [
  ping,
  z.strictObject({
    type: z.literal('progress'),
    /** Of the time to be searched, 0 to 1. */
    share: z.number().min(0).max(1),
    /** All from here to the end that was begun at is searched. */
    reached: dateTime,
    /** Found until now. */
    total: z.int(),
    /** The page, as far as it is found; absent where nothing was added to it. */
    list: z.array(accessLogRow).optional(),
  }),
  listOf(accessLogRow).extend({ type: z.literal('done') }),
  /** The store does not answer. */
  z.strictObject({ type: z.literal('failed') }),
]);
export type LogSearchEvent = z.infer<typeof logSearchEvent>;

export const logTailEvent = z.discriminatedUnion('type', [
  ping,
  /** What is stored from now on is told. */
  z.strictObject({ type: z.literal('start') }),
  z.strictObject({
    type: z.literal('rows'),
    /** Newest first. */
    list: z.array(accessLogRow),
    /** Stored in the same second, and not in the list. */
    not_shown: z.int(),
  }),
]);
export type LogTailEvent = z.infer<typeof logTailEvent>;

export const logSearchRoutes = defineRoutes({
  searchAccessLogs: {
    method: 'GET',
    path: '/prod-api/log_analyzer/site_access/search',
    cost: 'expensive',
    summary: 'Search access logs day by day, with progress, as server-sent events.',
    access: { kind: 'both', permission: 'access_log.read' },
    query: listQuery(accessLogFilters),
    response: logSearchEvent,
    transport: 'stream',
  },
  countAccessLogs: {
    method: 'GET',
    path: '/prod-api/log_analyzer/site_access/histogram',
    cost: 'expensive',
    summary: 'Get a histogram of the access-log records that match the filters.',
    access: { kind: 'both', permission: 'access_log.read' },
    query: z.strictObject(accessLogFilters).omit({ time_sort: true }),
    response: z.strictObject({
      /** Seconds that a bar is long. */
      interval: z.int(),
      /** Without a gap; empty where nothing is stored. */
      list: z
        .array(
          z.strictObject({
            time: dateTime,
            requests: z.int(),
            /** Of these, answered with 500 and above. */
            errors: z.int(),
          }),
        )
        .max(logBarsMax + 2),
    }),
  },
  tailAccessLogs: {
    method: 'GET',
    path: '/prod-api/log_analyzer/site_access/tail',
    cost: 'expensive',
    summary: 'Stream access-log records as they are stored, as server-sent events.',
    access: { kind: 'both', permission: 'access_log.read' },
    query: z.strictObject(accessLogFilters).omit({ time_sort: true, start_time: true, end_time: true }),
    response: logTailEvent,
    transport: 'stream',
  },
});
