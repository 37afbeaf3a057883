import { cloneDatabase } from '@breakwater/test-world';
import type { DocumentResult } from '@breakwater/contract';
import { eq, sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, inject, it } from 'vitest';
import { openDatabase, type Database } from '../db/database.ts';
import * as tables from '../db/schema.ts';
import { makeSecrets, newKey } from '../secrets.ts';
import { acknowledge } from './acknowledge.ts';
import { bumpGeneration } from './bindings.ts';
import { listNodeDocuments } from './documents.ts';
import {
  extendDocument,
  groupsThatHave,
  publishDocument,
  removeDocument,
  withdrawDocument,
} from './publish.ts';
import { rowsOf } from './queryable.ts';
import { resendDocuments } from './resend.ts';
import { lockCounter } from './revisions.ts';
import { byName, randomFrom, rowPerDocument, shownStates } from './test-row-per-document.ts';

/** What screens show of a delivery, against what a row for each node and document says, through whatever may happen to nodes. */

const { decrypt, encrypt } = makeSecrets({ encryption: [newKey()], session: [newKey()] });
let drop: () => Promise<void>;
let database: Database;
const groups: number[] = [];
const nodes: number[] = [];
const kind = 'site' as const;
const keys = ['1', '2', '3', '4', '5', '6'];

beforeAll(async () => {
  const clone = await cloneDatabase(inject('templateUrl'));
  drop = () => clone.drop();
  database = openDatabase(clone.url);
  const { db } = database;
  await rowPerDocument.create(db);
  const [area] = await db.insert(tables.area).values({ name: 'area' }).returning();
  for (const name of ['one', 'two', 'three']) {
    const [group] = await db.insert(tables.lineGroup).values({ name }).returning();
    groups.push(group!.id);
  }
  for (const appId of ['A', 'B', 'C'].map((letter) => letter.repeat(16))) {
    const row = { name: appId, areaId: area!.id, appId, appSecret: encrypt('a secret') };
    const [node] = await db.insert(tables.node).values(row).returning();
    nodes.push(node!.id);
  }
});
afterAll(async () => {
  await database?.close();
  await drop?.();
});

type Cursor = { since: number; generation: number };

/** An agent as `apps/agent/src/delivery/pull.ts` has it, one page a step. */
class Agent {
  readonly nodeId: number;
  readonly pageMax: () => number;
  /** Of the release before, which does not ask on after a list from nothing. */
  isOld = false;
  #stored: Cursor = { since: 0, generation: 0 };
  #position: Cursor | undefined;
  #named: Set<string> | undefined;
  /** What is in service, by key. */
  readonly held = new Map<string, number>();

  constructor(nodeId: number, pageMax: () => number) {
    this.nodeId = nodeId;
    this.pageMax = pageMax;
  }

  restart(): void {
    this.#position = undefined;
    this.#named = undefined;
  }

  startOver(): void {
    this.#stored = { since: 0, generation: 0 };
    this.restart();
  }

  /** Until it has all there is. */
  async finish(): Promise<void> {
    do await this.step(() => 1);
    while (this.#position !== undefined);
  }

  async step(random: () => number): Promise<void> {
    const { db } = database;
    const [node] = await db.select().from(tables.node).where(eq(tables.node.id, this.nodeId));
    if (!node!.enabled) return this.restart();
    const asked = this.#position ?? this.#stored;
    const before = await this.pageRow();
    const page = await db.transaction((tx) =>
      listNodeDocuments(tx, this.nodeId, asked, decrypt, this.pageMax()),
    );
    if (before?.isFromNothing && !(await this.pageRow())?.isFromNothing)
      await rowPerDocument.dropUnnamed(db, this.nodeId, asked.since);
    if (page.reset) this.#named = new Set();
    const results = page.documents.map((document): DocumentResult => {
      const { key, revision } = document;
      if (document.deleted) this.#named?.delete(key);
      else this.#named?.add(key);
      const isRefused =
        document.kind === 'site' && !document.deleted && (revision * 7 + this.nodeId) % 5 === 0;
      if (isRefused)
        return { kind: document.kind, key, revision, status: 'refused', error: `refused ${revision}` };
      if (document.deleted) this.held.delete(key);
      else this.held.set(key, revision);
      return { kind: document.kind, key, revision, status: 'applied' };
    });
    if (random() < 0.1) return this.restart();
    for (let times = random() < 0.2 ? 2 : 1; times > 0; times--) await this.#say(results);
    if (random() < 0.1) return this.restart();
    this.#position = { since: page.next_since, generation: page.generation };
    if (!page.has_more) await this.#endList();
  }

  /** What came with an event, whether it follows on what is here or not: the control plane is to know. */
  async take(key: string, revision: number): Promise<void> {
    const { db } = database;
    const [node] = await db.select().from(tables.node).where(eq(tables.node.id, this.nodeId));
    if (!node!.enabled) return;
    const { generation } = node!;
    this.held.set(key, revision);
    const results: DocumentResult[] = [{ kind: 'refresh', key, revision, status: 'applied' }];
    const { reached } = await db.transaction((tx) =>
      acknowledge(tx, this.nodeId, results, { generation, until: revision }),
    );
    if (reached) this.#stored = { generation, since: revision };
  }

  async pageRow() {
    const [row] = await database.db
      .select()
      .from(tables.nodePage)
      .where(eq(tables.nodePage.nodeId, this.nodeId));
    return row;
  }

  async #endList(): Promise<void> {
    const position = this.#position!;
    const wasFromNothing = this.#named !== undefined;
    for (const key of this.held.keys()) if (this.#named && !this.#named.has(key)) this.held.delete(key);
    this.#stored = position;
    this.restart();
    if (!wasFromNothing || this.isOld || position.since === 0) return;
    await this.step(() => 1);
  }

  async #say(results: DocumentResult[]): Promise<void> {
    if (results.length === 0) return;
    await database.db.transaction((tx) => acknowledge(tx, this.nodeId, results));
    await rowPerDocument.acknowledge(database.db, this.nodeId, results);
  }
}

async function reset(): Promise<void> {
  const { db } = database;
  await db.execute(
    sql`TRUNCATE edge_document, node_document, node_watermark, node_page, former_document, node_line_group`,
  );
  await db.execute(sql`UPDATE delivery_counter SET revision = 0`);
  await db.update(tables.node).set({ generation: 1, enabled: true });
  for (const [index, nodeId] of nodes.entries()) await bind(nodeId, [groups[index]!, groups[0]!]);
}

async function bind(nodeId: number, lineGroupIds: readonly number[], enabled = true): Promise<void> {
  await database.db.transaction(async (tx) => {
    await tx.delete(tables.nodeLineGroup).where(eq(tables.nodeLineGroup.nodeId, nodeId));
    const rows = [...new Set(lineGroupIds)].map((lineGroupId) => ({ nodeId, lineGroupId }));
    if (rows.length > 0) await tx.insert(tables.nodeLineGroup).values(rows);
    await tx.update(tables.node).set({ enabled }).where(eq(tables.node.id, nodeId));
    await bumpGeneration(tx, [nodeId]);
    await rowPerDocument.bump(tx, nodeId);
  });
}

async function change(random: () => number, isCalm: boolean): Promise<string> {
  const pick = <Item>(items: readonly Item[]): Item => items[Math.floor(random() * items.length)]!;
  const some = () => groups.filter(() => random() < 0.5);
  const key = pick(keys);
  const dice = isCalm ? random() / 2 : random();
  const lineGroupIds = isCalm ? groups : some();
  return database.db.transaction(async (tx) => {
    if (isCalm && dice > 0.4) {
      await resendDocuments(tx, [{ node_id: pick(nodes), kind, key }]);
      return `resend ${key}`;
    }
    if (dice < 0.5) {
      await publishDocument(tx, { kind, key, lineGroupIds, body: { site: random() } });
      return `publish ${key} in ${lineGroupIds.join(' ')}`;
    }
    if (dice < 0.6) {
      await removeDocument(tx, { kind, key });
      return `remove ${key}`;
    }
    if (dice < 0.7) {
      await resendDocuments(tx, [{ node_id: pick(nodes), kind, key }]);
      return `resend ${key}`;
    }
    await lockCounter(tx);
    if (dice < 0.85) {
      await extendDocument(tx, { kind, key }, lineGroupIds);
      return `extend ${key} to ${lineGroupIds.join(' ')}`;
    }
    const left = (await groupsThatHave(tx, { kind, key })).filter((id) => lineGroupIds.includes(id));
    await withdrawDocument(tx, { kind, key }, left);
    return `withdraw ${key} from ${left.join(' ')}`;
  });
}

/** Sent with the news to those agents whose line is open. */
async function refresh({ agents, random, told }: Play): Promise<void> {
  const lineGroupIds = [groups[Math.floor(random() * groups.length)]!];
  const key = `refresh ${told.length}`;
  const { revision } = await database.db.transaction((tx) =>
    publishDocument(tx, { kind: 'refresh', key, lineGroupIds, body: { refresh: key } }),
  );
  for (const agent of agents) if (random() < 0.7) await agent.take(key, revision!);
  told.push(`refresh ${key} in ${lineGroupIds.join(' ')}`);
}

const shown = () => shownStates(database.db, keys);
type Shown = Awaited<ReturnType<typeof shown>>;
interface Play {
  agents: Agent[];
  random: () => number;
  told: string[];
}

/** One thing that may happen. */
async function happen({ agents, random, told }: Play, isCalm: boolean): Promise<Agent> {
  const agent = agents[Math.floor(random() * agents.length)]!;
  const dice = random();
  if (dice < 0.35) told.push(await change(random, isCalm));
  else if (dice < 0.45) await refresh({ agents, random, told });
  else if (dice < 0.9 || isCalm) {
    await agent.step(random);
    told.push(`page for ${agent.nodeId}`);
  } else if (dice < 0.93) {
    agent.startOver();
    told.push(`${agent.nodeId} starts over`);
  } else if (dice < 0.96) {
    agent.restart();
    told.push(`${agent.nodeId} restarts`);
  } else {
    const served = groups.filter(() => random() < 0.6);
    const isEnabled = random() < 0.8;
    await bind(agent.nodeId, served, isEnabled);
    told.push(`${agent.nodeId} serves ${served.join(' ')}, ${isEnabled ? 'on' : 'off'}`);
  }
  return agent;
}

const seeds = [1, 2, 3];

it.for(seeds)('says the same as a row for each document and node, run %i', async (seed) => {
  await reset();
  const random = randomFrom(seed);
  const play: Play = { agents: nodes.map((nodeId) => new Agent(nodeId, () => 500)), random, told: [] };
  for (const agent of play.agents) await agent.step(() => 1);
  for (let step = 0; step < 100; step++) {
    await happen(play, true);
    const former = byName(await rowPerDocument.states(database.db));
    expect(Object.fromEntries(await shown()), play.told.slice(-20).join('\n')).toEqual(
      Object.fromEntries(former),
    );
  }
});

it.for(seeds)('calls nothing delivered that is not, whatever happens to nodes, run %i', async (seed) => {
  await reset();
  const random = randomFrom(seed);
  const agents = nodes.map((nodeId) => new Agent(nodeId, () => 1 + Math.floor(random() * 4)));
  agents[0]!.isOld = true;
  const play: Play = { agents, random, told: [] };
  for (let step = 0; step < 300; step++) {
    await happen(play, false);
    const former = statesOf(byName(await rowPerDocument.states(database.db)));
    const now = statesOf(await shown());
    const history = play.told.slice(-20).join('\n');
    // It may say that something is awaited still, which a row would not.
    for (const [name, status] of Object.entries(now))
      expect([former[name], 'pending'], `${history}: ${name}`).toContain(status);
    const awaited = Object.keys(former).filter((name) => former[name] !== 'applied' && isHeld(agents, name));
    expect(Object.keys(now), history).toEqual(expect.arrayContaining(awaited));
  }
  for (const nodeId of nodes) await bind(nodeId, groups);
  for (const agent of agents) await agent.finish();
  await publishEach();
  for (const agent of agents) await agent.finish();
  const former = statesOf(byName(await rowPerDocument.states(database.db)));
  expect(statesOf(await shown())).toEqual(former);
  expect(Object.values(former)).not.toContain('pending');
  const refreshes = await rowsOf<{ key: string }>(
    database.db,
    sql`SELECT key FROM edge_document WHERE kind = 'refresh'`,
  );
  expect(refreshes.length).toBeGreaterThan(10);
  for (const { held } of agents)
    expect([...held.keys()]).toEqual(expect.arrayContaining(refreshes.map(({ key }) => key)));
  // What the watermarks say is said by nothing else.
  expect(await rowsOf(database.db, sql`SELECT * FROM node_document WHERE status = 'applied'`)).toEqual([]);
});

/** A row says that a document is still to be dropped which the node dropped before, too. */
function isHeld(agents: readonly Agent[], name: string): boolean {
  const [key, nodeId] = name.split(' at ') as [string, string];
  return agents.some((agent) => agent.nodeId === Number(nodeId) && agent.held.has(key));
}

async function publishEach(): Promise<void> {
  for (const key of keys)
    await database.db.transaction((tx) =>
      publishDocument(tx, { kind, key, lineGroupIds: groups, body: { last: key } }),
    );
}

const statesOf = (states: Shown) =>
  Object.fromEntries([...states].map(([name, { status }]) => [name, status]));
