import type { PacketKind } from '@breakwater/contract';
import { isNull } from 'drizzle-orm';
import {
  doublePrecision,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  text,
  uniqueIndex,
} from 'drizzle-orm/pg-core';
import { id, moment } from '../../db/columns.ts';
import { node } from '../node/node.table.ts';

const nodeId = () =>
  integer()
    .notNull()
    .references(() => node.id, { onDelete: 'cascade' });
/** Sum of what reports of the minute told, each a second. */
const summed = () => doublePrecision().notNull();

/** What came to addresses of nodes, by the minute. */
export const addressMinute = pgTable(
  'address_minute',
  {
    nodeId: nodeId(),
    address: text().notNull(),
    time: moment().notNull(),
    samples: integer().notNull().default(1),
    bytes: summed(),
    syn: summed(),
    tcp: summed(),
    reflected: summed(),
    udp: summed(),
    icmp: summed(),
    other: summed(),
    /** The most packets a second. */
    peak: summed(),
  },
  (table) => [primaryKey({ columns: [table.nodeId, table.address, table.time] }), index().on(table.time)],
);

/** More came to an address than a second may have. */
export const flood = pgTable(
  'flood',
  {
    id: id(),
    nodeId: nodeId(),
    address: text().notNull(),
    kind: text().$type<PacketKind>().notNull(),
    startedAt: moment().notNull(),
    /** When there was last as much as a flood has. */
    seenAt: moment().notNull(),
    /** Since when there is less: after a while of that it is over. */
    calmSince: moment(),
    endedAt: moment(),
    /** A second, as last told and at the most. */
    packets: doublePrecision().notNull(),
    bits: doublePrecision().notNull(),
    peakPackets: doublePrecision().notNull(),
    peakBits: doublePrecision().notNull(),
    /** Packets a second by kind, when they were the most. */
    peakMix: jsonb().$type<Record<PacketKind, number>>().notNull(),
  },
  (table) => [
    uniqueIndex('flood_open_index').on(table.nodeId, table.address).where(isNull(table.endedAt)),
    index().on(table.startedAt),
    index().on(table.nodeId, table.seenAt),
  ],
);
