import { readdirSync, readFileSync } from 'node:fs';
import { cloneDatabase } from '@breakwater/test-world';
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, expect, inject, it } from 'vitest';
import { openDatabase, type Database } from '../db/database.ts';
import * as tables from '../db/schema.ts';
import { makeSecrets, newKey } from '../secrets.ts';
import { listNodeDocuments } from './documents.ts';
import { rowsOf } from './queryable.ts';
import { byName, randomFrom, rowPerDocument, shownStates } from './test-row-per-document.ts';

/** What nodes had acknowledged row by row, as the migration to watermarks takes it over. */

const { decrypt, encrypt } = makeSecrets({ encryption: [newKey()], session: [newKey()] });
let drop: () => Promise<void>;
let database: Database;
const groups: number[] = [];
const nodes: number[] = [];
const keys = Array.from({ length: 12 }, (_, index) => `${index + 1}`);

beforeAll(async () => {
  const clone = await cloneDatabase(inject('templateUrl'));
  drop = () => clone.drop();
  database = openDatabase(clone.url);
  const { db } = database;
  await rowPerDocument.create(db);
  const [area] = await db.insert(tables.area).values({ name: 'area' }).returning();
  for (const name of ['one', 'two']) {
    const [group] = await db.insert(tables.lineGroup).values({ name }).returning();
    groups.push(group!.id);
  }
  for (const appId of ['A', 'B', 'C', 'D'].map((letter) => letter.repeat(16))) {
    const row = { name: appId, areaId: area!.id, appId, appSecret: encrypt('a secret') };
    const [node] = await db.insert(tables.node).values(row).returning();
    nodes.push(node!.id);
    for (const lineGroupId of nodes.length % 2 ? groups : groups.slice(1))
      await db.insert(tables.nodeLineGroup).values({ nodeId: node!.id, lineGroupId });
  }
});
afterAll(async () => {
  await database?.close();
  await drop?.();
});
beforeEach(() =>
  database.db.execute(sql`TRUNCATE edge_document, node_document, node_watermark, node_page, former_document`),
);

const folder = new URL('../db/migrations/', import.meta.url);

async function migrate(): Promise<void> {
  const file = readdirSync(folder).find((name) => name.endsWith('_node_watermarks.sql'))!;
  const statements = readFileSync(new URL(file, folder), 'utf8').split('--> statement-breakpoint');
  const data = statements.filter((statement) => /^\s*(--.*\n)?\s*(UPDATE|INSERT|DELETE) /.test(statement));
  expect(data).toHaveLength(5);
  await database.db.transaction(async (tx) => {
    for (const statement of data) await tx.execute(sql.raw(statement));
  });
}

/** A document now and then deleted, and a node that has judged it, or an older revision, or never did. */
async function fill(random: () => number, behind: number): Promise<void> {
  const { db } = database;
  let revision = 0;
  for (const key of keys) {
    revision += 10;
    const deleted = random() < 0.2;
    for (const lineGroupId of groups)
      await db
        .insert(tables.edgeDocument)
        .values({ kind: 'site', key, lineGroupId, revision, deleted, body: '{}' });
    for (const nodeId of nodes) {
      const isBehind = random() < behind;
      if (isBehind && random() < 0.4) continue;
      const seenRevision = isBehind ? revision - 3 : revision;
      const isRefused = !deleted && random() < 0.3;
      const activeRevision = !isRefused ? seenRevision : random() < 0.5 ? seenRevision - 2 : null;
      const status = isRefused ? 'refused' : 'applied';
      const row = { nodeId, kind: 'site', key, activeRevision, seenRevision, status } as const;
      await db.insert(tables.nodeDocument).values(row);
    }
  }
  await db.execute(sql`INSERT INTO delivery_counter (id, revision) VALUES (1, ${revision})
    ON CONFLICT (id) DO UPDATE SET revision = excluded.revision`);
  await db.execute(sql`INSERT INTO former_document
    SELECT node_id, kind, key, active_revision, seen_revision, status, error FROM node_document`);
}

it.for([1, 2, 3, 4])('shows what it showed before, run %i', async (seed) => {
  await fill(randomFrom(seed), seed % 2 ? 0.1 : 0.5);
  const before = byName(await rowPerDocument.states(database.db));
  await migrate();
  const after = await shownStates(database.db, keys);
  const statuses = (states: typeof before) =>
    Object.fromEntries([...states].map(([name, { status }]) => [name, status]));
  expect(statuses(after)).toEqual(statuses(before));
  for (const [name, { status, active }] of before)
    if (status !== 'pending') expect(after.get(name)!.active, name).toBe(active);
});

it('lets a node that had judged all go on, and one that claims to be further than it said start from nothing', async () => {
  await fill(() => 0.9, 0);
  await database.db.execute(sql`DELETE FROM node_document WHERE node_id = ${nodes[1]} AND key = '5'`);
  await migrate();
  const ask = (nodeId: number, since: number) =>
    database.db.transaction((tx) => listNodeDocuments(tx, nodeId, { since, generation: 1 }, decrypt));
  expect(await ask(nodes[0]!, 120)).toMatchObject({ reset: false, documents: [] });
  expect(await ask(nodes[1]!, 49)).toMatchObject({ reset: false, documents: { length: 8 } });
  expect(await ask(nodes[1]!, 121)).toMatchObject({ reset: true });
  expect(await rowsOf(database.db, sql`SELECT FROM node_document WHERE node_id = ${nodes[0]}`)).toEqual([]);
  await database.db.execute(sql`TRUNCATE node_page`);
  expect(await ask(nodes[0]!, 120)).toMatchObject({ reset: true });
});
