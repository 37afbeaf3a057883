import { doublePrecision, index, integer, pgTable, primaryKey, text } from 'drizzle-orm/pg-core';
import { moment } from '../../db/columns.ts';
import { node } from './node.table.ts';

/** Sum of what was reported in the time, and the highest of it. */
const summed = () => doublePrecision().notNull();

/** What nodes said of their machines, by the minute and by the hour. */
export const nodeResource = pgTable(
  'node_resource',
  {
    nodeId: integer()
      .notNull()
      .references(() => node.id, { onDelete: 'cascade' }),
    unit: text().$type<'minute' | 'hour'>().notNull(),
    time: moment().notNull(),
    samples: integer().notNull().default(1),
    cpu: summed(),
    cpuPeak: summed(),
    load: summed(),
    loadPeak: summed(),
    memory: summed(),
    memoryPeak: summed(),
    disk: summed(),
    diskPeak: summed(),
    networkIn: summed(),
    networkInPeak: summed(),
    networkOut: summed(),
    networkOutPeak: summed(),
    connections: summed(),
    connectionsPeak: summed(),
  },
  (table) => [primaryKey({ columns: [table.nodeId, table.unit, table.time] }), index().on(table.time)],
);
