/** The sums that charts and bills read: which there are, and by which keys and times they are kept. */

/** Answers that a node gave from its cache, fresh or (by the operator's leave) stale. */
export const hitStates: readonly string[] = ['HIT', 'STALE', 'UPDATING', 'REVALIDATED'];

export const figureNames = [
  'requests',
  'bytes_sent',
  'request_time',
  'hit_bytes',
  'status_2xx',
  'status_3xx',
  'status_4xx',
  'status_5xx',
  'refused',
  'origin_requests',
  'origin_bytes',
  'origin_time',
  'origin_2xx',
  'origin_3xx',
  'origin_4xx',
  'origin_5xx',
] as const;
export type FigureColumn = (typeof figureNames)[number];

const detailKeys = ['site_id', 'client_id', 'order_id', 'node_id', 'host'] as const;
const placeKeys = [...detailKeys, 'country', 'province', 'carrier'] as const;
export type FigureKey = (typeof placeKeys)[number] | 'remote_addr';

export interface FigureTable {
  unit: 'second' | 'minute' | 'hour';
  keys: readonly FigureKey[];
  /** Whether it has the sums; a table without them only says who was there. */
  sums: boolean;
}

/**
 * Charts of one site or customer read the `figure` tables, those of the whole platform the far smaller `total` ones,
 * so that neither grows with the traffic.
 */
export const figureTables = {
  figure_second: { unit: 'second', keys: detailKeys, sums: true },
  figure_minute: { unit: 'minute', keys: detailKeys, sums: true },
  figure_hour: { unit: 'hour', keys: detailKeys, sums: true },
  total_minute: { unit: 'minute', keys: ['node_id'], sums: true },
  total_hour: { unit: 'hour', keys: ['node_id'], sums: true },
  place_hour: { unit: 'hour', keys: placeKeys, sums: true },
  visitor_hour: {
    unit: 'hour',
    keys: [...placeKeys, 'remote_addr'],
    sums: false,
  },
} as const satisfies Record<string, FigureTable>;
export type FigureTableName = keyof typeof figureTables;

/** So long are figures by the second kept: charts in steps below a minute reach back no further. */
export const secondsKeptMs = 3 * 3_600_000;

/** Of one site more names than this in a minute or an hour are guesses of a scanner at a wildcard: they count together. */
export const hostsMax = 200;
