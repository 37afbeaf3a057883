import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sign, signatureOf } from '@breakwater/agent/signature';
import type { DocumentEnvelope } from '@breakwater/contract';
import { eq, sql } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { migrateDatabase, openDatabase, type Database, type Transaction } from '../db/database.ts';
import { startEmbeddedPostgres, type EmbeddedPostgres } from '../db/embedded.ts';
import { edgeDocument, subTask, task as taskTable } from '../db/schema.ts';
import * as tables from '../db/schema.ts';
import { makeSecrets } from '../secrets.ts';
import { acknowledge } from './acknowledge.ts';
import { bumpGeneration } from './bindings.ts';
import { listDeliveries, summariseDeliveries } from './delivery-state.ts';
import { listNodeDocuments } from './documents.ts';
import { checkSignature, pruneNonces, readSigner, type SignatureVerdict } from './node-signature.ts';
import { publishDocument, removeDocument, type Publication } from './publish.ts';

const { encrypt, decrypt } = makeSecrets(randomBytes(32), randomBytes(32));
const nodeSecret = '0123456789abcdef0123456789abcdef';
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
    const row = { name: `node ${appId}`, areaId: area!.id, appId, appSecret: encrypt(nodeSecret) };
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
  await db.execute(sql`TRUNCATE edge_document, node_document, node_line_group, node_nonce, task, sub_task`);
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
  listNodeDocuments(database.db, nodes[nodeIndex]!, { since, generation }, decrypt);
const named = (documents: DocumentEnvelope[]) =>
  documents.map(({ key, revision, deleted }) => `${key}@${revision}${deleted ? ' deleted' : ''}`);
const ack = (
  nodeIndex: number,
  key: string,
  revision: number,
  status: 'applied' | 'refused' = 'applied',
  error?: string,
) =>
  database.db.transaction((tx) =>
    acknowledge(tx, nodes[nodeIndex]!, [
      { kind: 'site', key, revision, status, ...(error ? { error } : {}) },
    ]),
  );
const taskRow = async (id: number | null) =>
  (await database.db.select().from(taskTable).where(eq(taskTable.id, id!)))[0]!;
const subTasks = async () =>
  (await database.db.select().from(subTask).orderBy(subTask.id)).map(
    (row) => `${row.key}@${row.revision} node ${nodes.indexOf(row.nodeId)} ${row.status}`,
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
  expect(await readBy((tx) => listNodeDocuments(tx, nodes[0]!, query, decrypt))).toBeLessThan(20);
  expect(await readBy((tx) => acknowledge(tx, nodes[0]!, results))).toBeLessThan(20);
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
    expect(await taskRow(taskId)).toMatchObject({ status: 'pending', finishedAt: null });
    await ack(1, '1', 1);
    expect(await taskRow(taskId)).toMatchObject({ status: 'done', finishedAt: expect.any(Date) });
  });

  it('finishes a task whose last two parts are acknowledged at the same time', async () => {
    const { taskId } = await publish('1', [1], { task });
    await Promise.all([ack(0, '1', 1), ack(1, '1', 1)]);
    expect(await taskRow(taskId)).toMatchObject({ status: 'done' });
  });

  it('is done at once where no node is concerned', async () => {
    const { taskId } = await publish('1', [2], { task });
    expect(await taskRow(taskId)).toMatchObject({ status: 'done' });
  });

  it('shows a refusal until a good revision clears it', async () => {
    await publish('1', [0], { task });
    await ack(0, '1', 1);
    const bad = await publish('1', [0], { task, body: { site: 'bad' } });
    await ack(0, '1', 2, 'refused', 'the pattern does not compile');
    expect(await taskRow(bad.taskId)).toMatchObject({ status: 'failed' });
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
    expect(await taskRow(bad.taskId)).toMatchObject({ status: 'done' });
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
    expect(await taskRow(taskId)).toMatchObject({ status: 'done' });
    expect(await pull(1, 1)).toMatchObject({ reset: true, generation: 2, documents: [] });
  });
});

describe('node signature', () => {
  const now = new Date('2026-01-01T00:00:00Z');
  const time = now.getTime() / 1000;
  const request = { method: 'POST', target: '/node-api/acks', body: '{}' };
  const check = async (
    authorization: string | undefined,
    changed: Partial<typeof request> = {},
  ): Promise<SignatureVerdict> => {
    const signer = await readSigner(database.db, authorization, now);
    return 'refusal' in signer
      ? signer
      : checkSignature(database.db, decrypt, signer, { ...request, ...changed });
  };
  const signed = (more: { time?: number; secret?: string; appId?: string; nonce?: string } = {}) =>
    sign(more.appId ?? 'A'.repeat(16), more.secret ?? nodeSecret, {
      ...request,
      time: more.time ?? time,
      nonce: more.nonce ?? randomBytes(16).toString('hex'),
    });

  it('knows the node', async () => {
    expect(await check(signed())).toEqual({
      node: { id: nodes[0], name: `node ${'A'.repeat(16)}`, generation: 1 },
    });
  });

  it('refuses each wrong thing by its name', async () => {
    expect(await check(undefined)).toMatchObject({ refusal: 'malformed' });
    expect(await check(signed({ time: time - 301 }))).toMatchObject({ refusal: 'clock' });
    expect(await check(signed({ time: time + 301 }))).toMatchObject({ refusal: 'clock' });
    expect(await check(signed({ appId: 'C'.repeat(16) }))).toMatchObject({ refusal: 'unknown_node' });
    expect(await check(signed({ secret: 'f'.repeat(32) }))).toMatchObject({ refusal: 'signature' });
    expect(await check(signed(), { body: '{"a":1}' })).toMatchObject({ refusal: 'signature' });
    expect(await check(signed(), { target: '/node-api/logs' })).toMatchObject({ refusal: 'signature' });
    await database.db.update(tables.node).set({ enabled: false });
    expect(await check(signed())).toMatchObject({ refusal: 'disabled_node' });
  });

  it('takes a nonce once, and only from a rightful signature', async () => {
    const authorization = signed();
    const nonce = /nonce=(\w+)/.exec(authorization)![1]!;
    expect(await check(signed({ nonce, secret: 'f'.repeat(32) }))).toMatchObject({ refusal: 'signature' });
    const verdicts = await Promise.all([check(authorization), check(authorization), check(authorization)]);
    expect(verdicts.filter((verdict) => 'node' in verdict)).toHaveLength(1);
    expect(await check(authorization)).toMatchObject({ refusal: 'replay' });
    await database.db.execute(sql`UPDATE node_nonce SET expires_at = now() - interval '1 second'`);
    expect(await pruneNonces(database.db)).toBe(1);
  });

  it('never shows the secret in a header', () => {
    expect(signed()).not.toContain(nodeSecret);
    expect(signatureOf(nodeSecret, { ...request, time, nonce: '0'.repeat(32) })).toHaveLength(64);
  });
});
