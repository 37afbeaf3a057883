import type { NodeLevel, NodeState } from '@breakwater/contract';
import { bigint, boolean, index, integer, jsonb, pgTable, primaryKey, text } from 'drizzle-orm/pg-core';
import { createdAt, id, moment, sealed, updatedAt, version } from '../../db/columns.ts';
import { area } from '../area/area.table.ts';
import { lineGroup } from '../line-group/line-group.table.ts';

export const node = pgTable(
  'node',
  {
    id: id(),
    name: text().notNull().unique('node_name_unique'),
    areaId: integer()
      .notNull()
      .references(() => area.id),
    appId: text().notNull().unique(),
    /** The signature check needs it in clear. */
    appSecret: sealed().notNull(),
    enabled: boolean().notNull().default(true),
    /** Raised when the line groups of the node change: the agent then pulls from nothing. */
    generation: integer().notNull().default(1),
    state: jsonb().$type<NodeState>(),
    statusTime: moment(),
    /** Log lines that were not taken, for they were of sites that the node does not serve. */
    logLinesForeign: bigint({ mode: 'number' }).notNull().default(0),
    version: version(),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
  },
  (table) => [index().on(table.areaId)],
);

export const nodeIp = pgTable(
  'node_ip',
  {
    id: id(),
    nodeId: integer()
      .notNull()
      .references(() => node.id, { onDelete: 'cascade' }),
    ip: text().notNull().unique('node_ip_ip_unique'),
    enabled: boolean().notNull().default(true),
    createdAt: createdAt(),
  },
  (table) => [index().on(table.nodeId)],
);

export const nodeLineGroup = pgTable(
  'node_line_group',
  {
    nodeId: integer()
      .notNull()
      .references(() => node.id, { onDelete: 'cascade' }),
    lineGroupId: integer()
      .notNull()
      .references(() => lineGroup.id),
    level: text().$type<NodeLevel>().notNull().default('L1'),
  },
  (table) => [primaryKey({ columns: [table.nodeId, table.lineGroupId] }), index().on(table.lineGroupId)],
);

/** Nonces seen within the signature window. */
export const nodeNonce = pgTable(
  'node_nonce',
  {
    nodeId: integer()
      .notNull()
      .references(() => node.id, { onDelete: 'cascade' }),
    nonce: text().notNull(),
    expiresAt: moment().notNull(),
  },
  (table) => [primaryKey({ columns: [table.nodeId, table.nonce] }), index().on(table.expiresAt)],
);
