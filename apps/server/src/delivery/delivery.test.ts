import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { DeliveredEnvelope } from '@breakwater/contract';
import { eq, sql } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { migrateDatabase, openDatabase, type Database, type Transaction } from '../db/database.ts';
import { startEmbeddedPostgres, type EmbeddedPostgres } from '../db/embedded.ts';
import { edgeDocument, operation, operationItem } from '../db/schema.ts';
import * as tables from '../db/schema.ts';
import { makeSecrets, newKey } from '../secrets.ts';
import { settleOperations } from '../jobs/operation.store.ts';
import { acknowledge } from './acknowledge.ts';
import { bumpGeneration } from './bindings.ts';
import { listDeliveries, summariseDeliveries } from './delivery-state.ts';
import { listNodeDocuments } from './documents.ts';
import { publishDocument, removeDocument, type Publication } from './publish.ts';

const { encrypt, decrypt } = makeSecrets({ encryption: [newKey()], session: [newKey()] });
let folder: string;
let postgres: EmbeddedPostgres;
let database: Database;
const groups: number[] = [];
const nodes: number[] = [];

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'delivery-'));
  postgres = await startEmbeddedPostgres(folder, () => {});
  database = openDatabase(postgres.url);
  await migrateDatabase(database);
  const { db } = database;
  const [area] = await db.insert(tables.area).values({ name: 'area' }).returning();
  for (const name of ['one', 'two', 'three']) {
    const [group] = await db.insert(tables.lineGroup).values({ name }).returning();
    groups.push(group!.id);
  }
  for (const appId of ['A'.repeat(16), 'B'.repeat(16)]) {
    const row = { name: `node ${appId}`, areaId: area!.id, appId, appSecret: encrypt('a secret') };
    const [node] = await db.insert(tables.node).values(row).returning();
    nodes.push(node!.id);
  }
});

afterAll(async () => {
  await database?.close();
  await postgres?.stop();
  await rm(folder, { recursive: true, force: true });
});

/** Node 0 serves groups 0 and 1, node 1 serves group 1. */
beforeEach(async () => {
  const { db } = database;
  await db.execute(
    sql`TRUNCATE edge_document, node_document, node_watermark, node_page, node_line_group, node_nonce, operation, operation_item CASCADE`,
  );
  await db.execute(sql`UPDATE delivery_counter SET revision = 0`);
  await db.update(tables.node).set({ generation: 1, enabled: true });
  await bind(nodes[0]!, [groups[0]!, groups[1]!]);
  await bind(nodes[1]!, [groups[1]!]);
});

async function bind(nodeId: number, lineGroupIds: number[]) {
  await database.db.delete(tables.nodeLineGroup).where(eq(tables.nodeLineGroup.nodeId, nodeId));
  if (lineGroupIds.length > 0)
    await database.db
      .insert(tables.nodeLineGroup)
      .values(lineGroupIds.map((lineGroupId) => ({ nodeId, lineGroupId })));
}

const task = {
  type: 'site_update',
  title: 'example.com',
  objectKind: 'site',
  objectId: 1,
  createdBy: 'admin',
} as const;
const publish = (key: string, groupIndexes: number[], more: Partial<Publication> = {}) =>
  database.db.transaction((tx) =>
    publishDocument(tx, {
      kind: 'site',
      key,
      lineGroupIds: groupIndexes.map((index) => groups[index]!),
      body: { site: key },
      ...more,
    }),
  );
const pull = (nodeIndex: number, since: number, generation = 1) =>
  database.db.transaction((tx) => listNodeDocuments(tx, nodes[nodeIndex]!, { since, generation }, decrypt));
/** As if the node had been given all up to `until`. */
const given = (nodeIndex: number, until: number) =>
  database.db
    .insert(tables.nodePage)
    .values({ nodeId: nodes[nodeIndex]!, generation: 1, since: until, until });
const named = (documents: DeliveredEnvelope[]) =>
  documents.map(({ key, revision, deleted }) => `${key}@${revision}${deleted ? ' deleted' : ''}`);
const ack = (
  nodeIndex: number,
  key: string,
  revision: number,
  status: 'applied' | 'refused' = 'applied',
  error?: string,
) =>
  database.db.transaction(async (tx) => {
    const results = [{ kind: 'site', key, revision, status, ...(error ? { error } : {}) }];
    return (await acknowledge(tx, nodes[nodeIndex]!, results)).accepted;
  });
const taskRow = async (id: number | null) =>
  (await database.db.select().from(operation).where(eq(operation.id, id!)))[0]!;
const subTasksOf = (key: string) =>
  database.db.select().from(operationItem).where(eq(operationItem.key, key));
const subTasks = async () =>
  (await database.db.select().from(operationItem).orderBy(operationItem.id)).map(
    (row) => `${row.key}@${row.revision} node ${nodes.indexOf(row.nodeId!)} ${row.state}`,
  );

it('reads no more documents than it hands out, before the planner knows how many there are', async () => {
  const many = 20_000;
  await database.db.execute(sql`ALTER TABLE edge_document SET (autovacuum_enabled = off)`);
  await database.db.execute(sql`
    INSERT INTO edge_document (kind, key, line_group_id, revision, body)
    SELECT 'site', n, g, 2 * n, '{}' FROM generate_series(1, ${many}) n, unnest(ARRAY[${groups[0]}, ${groups[1]}]::int[]) g`);
  await database.db.execute(sql`UPDATE delivery_counter SET revision = ${2 * many}`);
  const results = [{ kind: 'site', key: String(many), revision: 2 * many, status: 'applied' }] as const;
  const readBy = (work: (tx: Transaction) => Promise<unknown>) =>
    database.db.transaction(async (tx) => {
      await work(tx);
      const { rows } = await tx.execute(
        sql`SELECT (seq_tup_read + idx_tup_fetch)::int AS count FROM pg_stat_xact_user_tables WHERE relname = 'edge_document'`,
      );
      return rows[0]?.['count'];
    });
  const query = { since: 2 * many - 2, generation: 1 };
  await given(0, query.since);
  expect(await readBy((tx) => listNodeDocuments(tx, nodes[0]!, query, decrypt))).toBeLessThan(20);
  expect(await readBy((tx) => acknowledge(tx, nodes[0]!, results))).toBeLessThan(20);
});

it('reads no more parts of a task than a node has judged, however many nodes it is for', async () => {
  const { taskId } = await publish('1', [0], { task });
  const awaited = (await taskRow(taskId)).partsAwaited;
  const others = 2000;
  await database.db.execute(sql`
    INSERT INTO operation_item (operation_id, node_id, kind, key, revision)
    SELECT ${taskId}, ${nodes[1]}, 'site', 'other ' || n, 1 FROM generate_series(1, ${others}) n`);
  await database.db.transaction((tx) => settleOperations(tx, [taskId!]));
  expect(await taskRow(taskId)).toMatchObject({ partsAwaited: awaited + others });
  const revision = (await subTasksOf('1'))[0]!.revision!;
  const read = await database.db.transaction(async (tx) => {
    // Of what this connection did before, it may not have told yet.
    const rowsRead = async () => {
      const { rows } = await tx.execute(
        sql`SELECT (seq_tup_read + idx_tup_fetch)::int AS count FROM pg_stat_xact_user_tables WHERE relname = 'operation_item'`,
      );
      return rows[0]?.['count'] as number;
    };
    const before = await rowsRead();
    await acknowledge(tx, nodes[0]!, [{ kind: 'site', key: '1', revision, status: 'applied' }]);
    return (await rowsRead()) - before;
  });
  expect(read).toBeLessThan(20);
  const counted = await taskRow(taskId);
  expect(counted).toMatchObject({ state: 'running', partsAwaited: awaited + others - 1, partsRefused: 0 });
  // Counted one by one, it comes to the same.
  await database.db.transaction((tx) => settleOperations(tx, [taskId!]));
  expect(await taskRow(taskId)).toEqual(counted);
});

describe('publish and pull', () => {
  it('lists a node its documents in the order of revisions', async () => {
    await publish('1', [0]);
    await publish('2', [1]);
    await publish('3', [2]);
    await publish('1', [0], { body: { site: 'changed' } });
    const all = await pull(0, 0);
    expect(named(all.documents)).toEqual(['2@2', '1@4']);
    expect(all).toMatchObject({ generation: 1, reset: true, next_since: 4, has_more: false });
    expect(all.documents[1]!.body).toBe('{"site":"changed"}');
    expect(named((await pull(1, 0)).documents)).toEqual(['2@2']);
    expect((await pull(0, 4)).documents).toEqual([]);
    expect(named((await pull(0, 2)).documents)).toEqual(['1@4']);
  });

  it('writes nothing when nothing changed, and again when told to', async () => {
    expect(await publish('1', [0], { task })).toMatchObject({ revision: 1 });
    expect(await publish('1', [0], { task })).toEqual({ revision: null, taskId: null });
    expect(await publish('1', [0], { task, force: true })).toMatchObject({ revision: 2 });
  });

  it('leaves a tombstone with a lower revision in a group that is left', async () => {
    await publish('1', [1]);
    for (const index of [0, 1]) await pull(index, 0);
    await publish('1', [0]);
    expect(named((await pull(1, 1)).documents)).toEqual(['1@2 deleted']);
    expect(named((await pull(0, 1)).documents)).toEqual(['1@3']);
  });

  it('keeps a document that is deleted in one group of a node and live in another', async () => {
    await publish('1', [0, 1]);
    await publish('1', [0]);
    expect(named((await pull(0, 1)).documents)).toEqual(['1@3']);
    await database.db.execute(sql`UPDATE edge_document SET revision = 9 WHERE deleted`);
    await database.db.execute(sql`UPDATE delivery_counter SET revision = 9`);
    expect(named((await pull(0, 1)).documents)).toEqual(['1@3']);
  });

  it('starts from nothing for another generation or a revision from the future', async () => {
    await publish('1', [0]);
    await publish('2', [0]);
    await database.db.transaction((tx) => removeDocument(tx, { kind: 'site', key: '1' }));
    expect(await pull(0, 3, 7)).toMatchObject({ reset: true, generation: 1 });
    expect(named((await pull(0, 3, 7)).documents)).toEqual(['2@2']);
    expect(await pull(0, 99)).toMatchObject({ reset: true, next_since: 3 });
    expect(named((await pull(0, 2)).documents)).toEqual(['1@3 deleted']);
  });

  it('pages by 500', async () => {
    await database.db.transaction(async (tx) => {
      for (let index = 0; index < 501; index++)
        await publishDocument(tx, {
          kind: 'site',
          key: `${index}`,
          lineGroupIds: [groups[0]!],
          body: { index },
        });
    });
    const first = await pull(0, 0);
    expect(first).toMatchObject({ has_more: true, next_since: 500 });
    expect(first.documents).toHaveLength(500);
    expect(await pull(0, first.next_since)).toMatchObject({ has_more: false, next_since: 501, reset: false });
  });

  it('ends no page between the rows of a document that is in two of its groups', async () => {
    const { db } = database;
    // 499 of the first group, then one in both: rows 500 and 501.
    await db.execute(sql`
      INSERT INTO edge_document (kind, key, line_group_id, revision, body)
      SELECT 'site', n, g, n, '{}' FROM generate_series(1, 502) n, unnest(ARRAY[${groups[0]}, ${groups[1]}]::int[]) g
      WHERE n >= 500 OR g = ${groups[0]}`);
    await db.execute(sql`UPDATE delivery_counter SET revision = 502`);
    const first = await pull(0, 0);
    expect(first).toMatchObject({ has_more: true, next_since: 500 });
    const second = await pull(0, first.next_since);
    expect(second.has_more).toBe(false);
    const keys = [...first.documents, ...second.documents].map(({ key }) => Number(key));
    expect(keys).toEqual(Array.from({ length: 502 }, (_, index) => index + 1));
  });

  it('ends a page with the document that fills it, however few they are', async () => {
    const large = 'x'.repeat(3 * 1024 * 1024);
    await database.db.transaction(async (tx) => {
      for (const [key, text] of Object.entries({ a: large, b: large, c: large + large, d: '', e: '' }))
        await publishDocument(tx, {
          kind: 'site',
          key,
          lineGroupIds: [groups[0]!, groups[1]!],
          body: { text },
        });
    });
    const pages: string[][] = [];
    for (let since = 0, more = true; more;) {
      const page = await pull(0, since);
      pages.push(page.documents.map(({ key }) => key));
      [since, more] = [page.next_since, page.has_more];
    }
    expect(pages).toEqual([['a'], ['b'], ['c'], ['d', 'e']]);
  });

  it('keeps encrypted text in the database and hands out plain text with its hash', async () => {
    await publish('1', [0], { encrypt });
    const [stored] = await database.db.select().from(edgeDocument);
    expect(stored!.body).not.toContain('site');
    expect((await pull(0, 0)).documents[0]).toMatchObject({ body: '{"site":"1"}', hash: stored!.hash });
    expect(await publish('1', [0], { encrypt })).toMatchObject({ revision: null });
  });

  it('refuses a null', async () => {
    await expect(publish('1', [0], { body: { value: null } })).rejects.toThrow('value is null');
  });

  it('gives every writer its own revision', async () => {
    await Promise.all(Array.from({ length: 20 }, (_, index) => publish(`${index}`, [0])));
    const { documents } = await pull(0, 0);
    expect(documents.map(({ revision }) => revision)).toEqual(
      Array.from({ length: 20 }, (_, index) => index + 1),
    );
  });
});

describe('acknowledge', () => {
  it('finishes a task when the last node has it', async () => {
    const { taskId } = await publish('1', [1], { task });
    expect(await subTasks()).toEqual(['1@1 node 0 pending', '1@1 node 1 pending']);
    await ack(0, '1', 1);
    expect(await taskRow(taskId)).toMatchObject({ state: 'running', finishedAt: null });
    await ack(1, '1', 1);
    expect(await taskRow(taskId)).toMatchObject({ state: 'done', finishedAt: expect.any(Date) });
  });

  it('finishes a task whose last two parts are acknowledged at the same time', async () => {
    const { taskId } = await publish('1', [1], { task });
    await Promise.all([ack(0, '1', 1), ack(1, '1', 1)]);
    expect(await taskRow(taskId)).toMatchObject({ state: 'done' });
  });

  it('is done at once where no node is concerned', async () => {
    const { taskId } = await publish('1', [2], { task });
    expect(await taskRow(taskId)).toMatchObject({ state: 'done' });
  });

  it('shows a refusal until a good revision clears it', async () => {
    await publish('1', [0], { task });
    await ack(0, '1', 1);
    const bad = await publish('1', [0], { task, body: { site: 'bad' } });
    await ack(0, '1', 2, 'refused', 'the pattern does not compile');
    expect(await taskRow(bad.taskId)).toMatchObject({ state: 'failed' });
    const [refused] = await listDeliveries(database.db, [{ kind: 'site', key: '1' }]);
    expect(refused).toMatchObject({ desired_revision: 2 });
    expect(refused!.nodes[0]).toMatchObject({
      status: 'refused',
      active_revision: 1,
      error: 'the pattern does not compile',
    });
    await publish('1', [0], { task, body: { site: 'good' } });
    expect((await listDeliveries(database.db, [{ kind: 'site', key: '1' }]))[0]!.nodes[0]).toMatchObject({
      status: 'pending',
    });
    await ack(0, '1', 3);
    expect(await taskRow(bad.taskId)).toMatchObject({ state: 'done' });
    expect(await subTasks()).toEqual(['1@1 node 0 done', '1@2 node 0 superseded', '1@3 node 0 done']);
    const [applied] = await listDeliveries(database.db, [{ kind: 'site', key: '1' }]);
    expect(applied!.nodes[0]).toMatchObject({ status: 'applied', active_revision: 3, error: null });
  });

  it('supersedes what a node never saw', async () => {
    await publish('1', [0], { task });
    await publish('1', [0], { task, body: { site: 'newer' } });
    await ack(0, '1', 2);
    expect(await subTasks()).toEqual(['1@1 node 0 superseded', '1@2 node 0 done']);
  });

  it('ignores documents of others, revisions from the future and late repetitions', async () => {
    await publish('1', [0]);
    await publish('2', [2]);
    expect(await ack(1, '1', 1)).toBe(0);
    expect(await ack(0, '2', 2)).toBe(0);
    expect(await ack(0, '1', 9)).toBe(0);
    await publish('1', [0], { body: { site: 'newer' } });
    expect(await ack(0, '1', 3)).toBe(1);
    expect(await ack(0, '1', 1, 'refused', 'late')).toBe(0);
    expect((await listDeliveries(database.db, [{ kind: 'site', key: '1' }]))[0]!.nodes[0]).toMatchObject({
      status: 'applied',
    });
  });
});

describe('delivery state', () => {
  it('sums up a page of documents', async () => {
    await publish('1', [1]);
    await publish('2', [2]);
    await publish('3', [0]);
    await ack(0, '1', 1);
    await ack(0, '3', 3, 'refused', 'no');
    expect(Object.fromEntries(await summariseDeliveries(database.db, 'site', ['1', '2', '3', '4']))).toEqual({
      1: { status: 'pending', nodes_applied: 1, nodes_total: 2 },
      2: { status: 'none', nodes_applied: 0, nodes_total: 0 },
      3: { status: 'refused', nodes_applied: 0, nodes_total: 1 },
      4: { status: 'none', nodes_applied: 0, nodes_total: 0 },
    });
  });

  it('shows a node that still has to drop a document', async () => {
    await publish('1', [1]);
    await ack(0, '1', 1);
    await ack(1, '1', 1);
    await publish('1', [0]);
    const nodeStates = async () =>
      (await listDeliveries(database.db, [{ kind: 'site', key: '1' }]))[0]!.nodes.map(
        ({ node_id, status }) => [nodes.indexOf(node_id), status],
      );
    expect(await nodeStates()).toEqual([
      [0, 'pending'],
      [1, 'pending'],
    ]);
    await ack(0, '1', 3);
    await ack(1, '1', 2);
    expect(await nodeStates()).toEqual([[0, 'applied']]);
  });

  it('awaits nothing from a node that lost the line group', async () => {
    const { taskId } = await publish('1', [1], { task });
    await ack(0, '1', 1);
    await bind(nodes[1]!, [groups[2]!]);
    await database.db.transaction((tx) => bumpGeneration(tx, [nodes[1]!]));
    expect(await taskRow(taskId)).toMatchObject({ state: 'done' });
    expect(await pull(1, 1)).toMatchObject({ reset: true, generation: 2, documents: [] });
  });
});
