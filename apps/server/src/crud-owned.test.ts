import { crudRoutes, inputText, name, ownedEntity, secretField, shown } from '@breakwater/contract';
import { startWorld, type World } from '@breakwater/test-world';
import { asc, eq, sql } from 'drizzle-orm';
import { integer, pgTable, text } from 'drizzle-orm/pg-core';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import * as z from 'zod';
import { begins, crud } from './crud.ts';
import { createdAt, id, sealed, sealedJson, updatedAt, version } from './db/columns.ts';
import { event, operation, operationItem } from './db/schema.ts';
import { taskRemovalJob } from './modules/task/task-removal.job.ts';
import { everything, ofClient, type Scope } from './scope.ts';
import type { Sealed } from './secrets.ts';

let world: World;

/** An entity of this test's: a customer's, with a secret beside other fields and one inside of JSON. */
const safeInput = z.strictObject({
  name,
  ...secretField('api_key', inputText().max(20)),
  params: z.strictObject({ user_name: inputText().max(20), ...secretField('token', inputText().max(20)) }),
});
const safe = pgTable('safe', {
  id: id(),
  clientId: integer(),
  name: text().notNull(),
  apiKey: sealed(),
  params: sealedJson().$type<z.infer<typeof safeInput.shape.params>>().notNull(),
  version: version(),
  createdAt: createdAt(),
  updatedAt: updatedAt(),
});
const safeRoutes = crudRoutes('Safe', 'Safes', {
  path: 'safe',
  owner: 'client',
  permission: 'tag',
  input: safeInput,
  item: ownedEntity({ name: z.string(), api_key_set: z.boolean(), params: shown(safeInput.shape.params) }),
  filters: {},
  summaries: { list: 'Safes.' },
});
const safes = crud(safeRoutes, 'Safe', 'Safes', {
  table: safe,
  subject: 'tag',
  orderBy: [asc(safe.id)],
  most: 2,
});

describe('rows of customers', () => {
  const contextOf = (scope: Scope, parts: object) =>
    ({
      services: world.server.services,
      scope,
      session: { kind: 'admin', id: 1, name: 'x' },
      ...parts,
    }) as never;
  const ofOne = ofClient(1);
  const get = (of: number, scope = ofOne) => safes.getSafe(contextOf(scope, { params: { id: of } }));
  const create = (scope: Scope) => {
    const params = { user_name: 'ann', token: 'inner' };
    return safes.createSafe(contextOf(scope, { body: { name: 'a safe', api_key: 'outer', params } }));
  };
  beforeAll(async () => {
    world = await startWorld({ templateUrl: inject('templateUrl') });
    await world.server.services.db.execute(
      sql`CREATE TABLE safe (id integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY, client_id integer, name text,
          api_key text, params jsonb, version integer DEFAULT 1, created_at timestamptz DEFAULT now(),
          updated_at timestamptz DEFAULT now())`,
    );
  });
  afterAll(() => world.close());

  it('have secrets that are sealed, kept when they are not sent, let go, and never answered', async () => {
    const { db, secrets } = world.server.services;
    const made = await create(ofOne);
    const stored = async () => {
      const [row] = await db.select().from(safe).where(eq(safe.id, made.id));
      const open = (value: string | null | undefined) => value && secrets.decrypt(value as Sealed);
      return [open(row!.apiKey), open(row!.params.token)];
    };
    const save = (body: object) => safes.updateSafe(contextOf(ofOne, { params: made, body }));
    expect(await stored()).toEqual(['outer', 'inner']);
    const params = { user_name: 'bob', token: '' };
    await save({ name: 'a safe', params, version: 1 });
    expect(await stored()).toEqual(['outer', 'inner']);
    expect(await get(made.id)).toMatchObject({
      client_id: 1,
      client_name: 'Default',
      api_key_set: true,
      params: { user_name: 'bob', token_set: true },
    });
    await save({ name: 'a safe', api_key_set: false, params: { ...params, token: 'newer' }, version: 2 });
    expect(await stored()).toEqual([null, 'newer']);
    expect(await get(made.id)).toMatchObject({ api_key_set: false, params: { token_set: true } });
    const events = await db.select().from(event).where(eq(event.actorName, 'x'));
    for (const seen of [await get(made.id), events])
      expect(JSON.stringify(seen)).not.toMatch(/outer|inner|newer|v2\./);
  });

  it('are their owner’s, who has no more than there may be', async () => {
    const made = await create(ofClient(2));
    await expect(get(made.id)).rejects.toThrow('not_found');
    expect(await get(made.id, everything)).toMatchObject({ client_id: 2 });
    await create(ofClient(2));
    await expect(create(ofClient(2))).rejects.toThrow('too_many');
    expect(await get((await create(everything)).id, everything)).toMatchObject({
      client_id: null,
      client_name: null,
    });
  });

  it('are worked on in a task of their owner’s, which nobody else begins', async () => {
    const made = await create(ofOne);
    const begin = begins(safe, 'tag', taskRemovalJob);
    await expect(begin(contextOf(ofClient(2), { params: made }))).rejects.toThrow('not_found');
    const { task_id } = await begin(contextOf(ofOne, { params: made }));
    const { db } = world.server.services;
    const [row] = await db.select().from(operation).where(eq(operation.id, task_id));
    expect(row).toMatchObject({
      title: 'a safe',
      state: 'pending',
      subjectId: made.id,
      clientId: 1,
      createdBy: 'x',
    });
    expect(await db.select().from(operationItem).where(eq(operationItem.operationId, task_id))).toMatchObject(
      [{ key: String(made.id), kind: 'tag' }],
    );
    const [told] = await db.select().from(event).where(eq(event.kind, 'started'));
    expect(told).toMatchObject({ subjectId: made.id, clientId: 1, data: { facts: { task: task_id } } });
  });
});
