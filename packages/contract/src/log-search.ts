import * as z from 'zod';
import { dateTime, listOf, listQuery } from './common.ts';
import { defineRoutes } from './define.ts';
import { accessLogFilters, accessLogRecord } from './statistics.ts';

/** The most that a tail sends at once; what came besides is counted. */
export const tailRowsMax = 100;

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
    list: z.array(accessLogRecord).optional(),
  }),
  listOf(accessLogRecord).extend({ type: z.literal('done') }),
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
    list: z.array(accessLogRecord),
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
    summary: 'The search of access logs as server-sent events: day by day, with how far it is.',
    access: { kind: 'both', permission: 'access_log.read' },
    query: listQuery(accessLogFilters),
    response: logSearchEvent,
    transport: 'stream',
  },
  tailAccessLogs: {
    method: 'GET',
    path: '/prod-api/log_analyzer/site_access/tail',
    cost: 'expensive',
    summary: 'Access-log records as they are stored, as server-sent events.',
    access: { kind: 'both', permission: 'access_log.read' },
    query: z.strictObject(accessLogFilters).omit({ time_sort: true, start_time: true, end_time: true }),
    response: logTailEvent,
    transport: 'stream',
  },
});
