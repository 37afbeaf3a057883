import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, get, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { NodeEvent } from '@breakwater/contract';
import { waitFor } from '@breakwater/test-world/wait';
import { eq, inArray } from 'drizzle-orm';
import pino from 'pino';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { migrateDatabase, openDatabase, type Database } from '../db/database.ts';
import { startEmbeddedPostgres, type EmbeddedPostgres } from '../db/embedded.ts';
import * as tables from '../db/schema.ts';
import { bumpGeneration, dropConnections } from './bindings.ts';
import { makeSecrets, newKey } from '../secrets.ts';
import { EventHub } from './event-hub.ts';
import { publishDocument } from './publish.ts';

const secrets = makeSecrets({ encryption: [newKey()], session: [newKey()] });
let folder: string;
let postgres: EmbeddedPostgres;
let database: Database;
let hub: EventHub;
let server: Server;
const groups: number[] = [];
const nodes: number[] = [];

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'hub-'));
  postgres = await startEmbeddedPostgres(folder, () => {});
  database = openDatabase(postgres.url);
  await migrateDatabase(database);
  const { db } = database;
  const [area] = await db.insert(tables.area).values({ name: 'area' }).returning();
  for (const name of ['one', 'two']) {
    const [group] = await db.insert(tables.lineGroup).values({ name }).returning();
    const node = { name, areaId: area!.id, appId: name, appSecret: secrets.encrypt('secret') };
    const [{ id } = { id: 0 }] = await db.insert(tables.node).values(node).returning();
    await db.insert(tables.nodeLineGroup).values({ nodeId: id, lineGroupId: group!.id });
    groups.push(group!.id);
    nodes.push(id);
  }
  const logger = pino({ level: 'silent' });
  hub = await EventHub.open({ databaseUrl: postgres.url, database: db, logger, pingSeconds: 0.2 });
  server = createServer((request, response) => void hub.attach(Number(request.url!.slice(1)), response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
});
afterAll(async () => {
  await hub?.close();
  server?.close();
  await database?.close();
  await postgres?.stop();
  await rm(folder, { recursive: true, force: true });
});

/** What a node is told, pings left out of the list but counted. */
function connect(nodeIndex: number) {
  const line = { events: [] as NodeEvent[], pings: 0, ended: false };
  const { port } = server.address() as AddressInfo;
  const request = get({ port, path: `/${nodes[nodeIndex]}`, agent: false }, (response) => {
    response.setEncoding('utf8').on('data', (text: string) => {
      for (const message of text.split('\n\n').filter((part) => part !== '')) {
        const event = JSON.parse(message.replace('data: ', '')) as NodeEvent;
        if (event.type === 'ping') line.pings += 1;
        else line.events.push(event);
      }
    });
    response.on('close', () => (line.ended = true));
    response.on('error', () => (line.ended = true));
  });
  onTestFinished(() => void request.destroy());
  return line;
}
const publish = (key: string, groupIndex: number) =>
  database.db.transaction((tx) =>
    publishDocument(tx, {
      kind: 'site',
      key,
      lineGroupIds: [groups[groupIndex]!],
      body: { at: Date.now(), key },
    }),
  );

describe('event hub', () => {
  it('tells a node of documents of its line groups, and of nothing else', async () => {
    const [one, two] = [connect(0), connect(1)];
    await waitFor('both greetings', () => one.events.length === 1 && two.events.length === 1);
    expect(one.events[0]).toEqual({ type: 'hello', revision: 0, generation: 1 });
    const { revision } = await publish('1', 0);
    await waitFor('the revision', () => one.events.length === 2);
    expect(one.events[1]).toEqual({ type: 'revision', revision });
    await waitFor('pings', () => one.pings > 1 && two.pings > 1);
    expect(two.events).toHaveLength(1);
  });

  it('sends what is urgent and small with the news, and says after which revision nothing else came', async () => {
    const [one, two] = [connect(0), connect(1)];
    await waitFor('both greetings', () => one.events.length === 1 && two.events.length === 1);
    const refresh = (key: string, groupIndex: number, text = 'x') =>
      database.db.transaction((tx) =>
        publishDocument(tx, {
          kind: 'refresh',
          key,
          lineGroupIds: [groups[groupIndex]!],
          body: { refresh: key, text },
        }),
      );
    const { revision: former } = await publish('8', 0);
    await publish('9', 1);
    const { revision } = await refresh('1', 0);
    const { revision: next } = await refresh('2', 0);
    const { revision: large } = await refresh('3', 0, 'x'.repeat(10_000));
    await waitFor('the news', () => one.events.length === 5);
    const document = (key: string, of: number | null) =>
      expect.objectContaining({
        kind: 'refresh',
        key,
        revision: of,
        body: `{"refresh":"${key}","text":"x"}`,
      });
    expect(one.events.slice(1)).toEqual([
      { type: 'revision', revision: former },
      {
        type: 'revision',
        revision,
        page: { generation: 1, since: former, documents: [document('1', revision)] },
      },
      {
        type: 'revision',
        revision: next,
        page: { generation: 1, since: revision, documents: [document('2', next)] },
      },
      { type: 'revision', revision: large },
    ]);
    expect(two.events.slice(1)).toEqual([{ type: 'revision', revision: expect.any(Number) }]);
  });

  it('tells a node that its line groups changed, and follows them', async () => {
    const two = connect(1);
    await waitFor('the greeting', () => two.events.length === 1);
    await database.db.transaction(async (tx) => {
      await tx.insert(tables.nodeLineGroup).values({ nodeId: nodes[1]!, lineGroupId: groups[0]! });
      await bumpGeneration(tx, [nodes[1]!]);
    });
    await waitFor('the news', () => two.events.length === 2);
    expect(two.events[1]).toEqual({ type: 'resync', generation: 2 });
    const { revision } = await publish('2', 0);
    await waitFor('the revision', () => two.events.length === 3);
    expect(two.events[2]).toEqual({ type: 'revision', revision });
  });

  it('ends the lines of a node that is switched off, gone or has new credentials', async () => {
    const dropped = connect(0);
    await waitFor('the greeting', () => dropped.events.length === 1);
    await dropConnections(database.db, [nodes[0]!]);
    await waitFor('the end', () => dropped.ended);
    const off = connect(0);
    await waitFor('the greeting', () => off.events.length === 1);
    await database.db.transaction(async (tx) => {
      await tx.update(tables.node).set({ enabled: false }).where(eq(tables.node.id, nodes[0]!));
      await bumpGeneration(tx, [nodes[0]!]);
    });
    await waitFor('the end', () => off.ended);
    const refused = connect(0);
    await waitFor('the end', () => refused.ended);
    expect(refused.events).toEqual([]);
    await database.db.update(tables.node).set({ enabled: true }).where(inArray(tables.node.id, nodes));
  });

  it('listens again after PostgreSQL was away, and tells everyone to pull', async () => {
    const one = connect(0);
    await waitFor('the greeting', () => one.events.length === 1);
    await postgres.stop();
    postgres = await startEmbeddedPostgres(folder, () => {});
    await waitFor('the call to pull', () => one.events.some(({ type }) => type === 'resync'));
    const { revision } = await publish('3', 0);
    await waitFor('the revision', () =>
      one.events.some((event) => event.type === 'revision' && event.revision === revision),
    );
    expect(one.ended).toBe(false);
  });
});
