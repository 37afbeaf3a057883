import { createHash, randomUUID } from 'node:crypto';
import { makeCustomer, startWorld, unique, type Customer, type World } from '@breakwater/test-world';
import { eq, sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { idempotencyKey, order } from '../../db/schema.ts';
import { pruneIdempotencyKeys } from './idempotency.service.ts';

let world: World;
let token: string;
let customer: Customer;
let other: string;

beforeAll(async () => {
  world = await startWorld({ templateUrl: inject('templateUrl') });
  const owner = { username: 'admin', password: world.adminPassword };
  ({ token } = await world.anonymous.get('signInAdmin', { body: owner }));
  customer = await makeCustomer(world);
  const { email, password } = customer;
  ({ token: other } = await world.anonymousUser.get('signInClient', { body: { email, password } }));
});
afterAll(() => world.close());

async function post(
  path: string,
  key: string | undefined,
  body: unknown,
  as = { token, url: world.adminUrl },
) {
  const response = await fetch(`${as.url}/prod-api/${path}`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${as.token}`,
      'content-type': 'application/json',
      ...(key === undefined ? {} : { 'idempotency-key': key }),
    },
    body: JSON.stringify(body),
  });
  return { status: response.status, ...((await response.json()) as { code: number; data?: unknown }) };
}

const newOrder = async () => {
  const { list } = await world.admin.get('listProducts', { query: {} });
  return { client_id: customer.id, product_id: list[0]!.id, cycle: 'month' };
};
const orders = () => world.server.services.db.$count(order, eq(order.clientId, customer.id));

describe('a call that is sent again under its key', () => {
  it('does its work once, and is given the first answer', async () => {
    const [key, body, before] = [randomUUID(), await newOrder(), await orders()];
    const first = await post('order', key, body);
    expect(first.status).toBe(200);
    expect(await post('order', key, body)).toEqual(first);
    // A structured string has quotes.
    expect(await post('order', `"${key}"`, body)).toEqual(first);
    expect(await orders()).toBe(before + 1);
    expect((await post('order', undefined, body)).data).not.toEqual(first.data);
  });

  it('does it once also when both are there at once', async () => {
    const [key, body, before] = [randomUUID(), await newOrder(), await orders()];
    const answers = await Promise.all(Array.from({ length: 8 }, () => post('order', key, body)));
    expect(await orders()).toBe(before + 1);
    const done = answers.filter(({ status }) => status === 200);
    expect(new Set(done.map(({ data }) => JSON.stringify(data))).size).toBe(1);
    const waiting = answers.filter(({ status }) => status !== 200);
    expect(waiting.every(({ status, code }) => status === 409 && code === 40_907)).toBe(true);
  });

  it('is refused with another body, path or a key that is none', async () => {
    const key = randomUUID();
    await post('area', key, { name: unique('area') });
    expect(await post('area', key, { name: unique('area') })).toMatchObject({ status: 409, code: 40_906 });
    expect(await post('order', key, await newOrder())).toMatchObject({ status: 409, code: 40_906 });
    for (const none of ['', 'a b', 'x'.repeat(201)])
      expect(await post('area', none, { name: unique('area') })).toMatchObject({ status: 400 });
  });

  it('may be tried again when it failed', async () => {
    const [key, name] = [randomUUID(), unique('area')];
    const { id } = await world.admin.get('createArea', { body: { name } });
    expect((await post('area', key, { name })).status).toBe(400);
    await world.admin.get('removeArea', { params: { id } });
    expect((await post('area', key, { name })).status).toBe(200);
  });

  it('is somebody else’s where another account uses the same key', async () => {
    const [key, body] = [randomUUID(), { name: unique('tag'), color: 'blue' }];
    const own = await post('tags', key, body);
    const theirs = await post('tags', key, body, { token: other, url: world.userUrl });
    expect(theirs.status).toBe(200);
    expect(theirs.data).not.toEqual(own.data);
  });

  it('stays unknown when the server was stopped in the middle, until its time is over', async () => {
    const { db } = world.server.services;
    const [key, name] = [randomUUID(), unique('area')];
    await post('area', key, { name });
    await db.update(idempotencyKey).set({ answer: null }).where(eq(idempotencyKey.key, key));
    expect(await post('area', key, { name })).toMatchObject({ status: 409, code: 40_907 });
    await db
      .update(idempotencyKey)
      .set({ createdAt: sql`now() - interval '25 hours'` })
      .where(eq(idempotencyKey.key, key));
    expect((await post('area', key, { name: unique('area') })).status).toBe(200);
  });

  it('keeps no secret in the clear, and nothing for ever', async () => {
    const { db } = world.server.services;
    const { id: area_id } = await world.admin.get('createArea', { body: { name: unique('area') } });
    const key = randomUUID();
    const body = { name: unique('node'), area_id, ip: '198.51.100.77' };
    const node = await post('node', key, body);
    const { app_secret } = node.data as { app_secret: string };
    const [row] = await db.select().from(idempotencyKey).where(eq(idempotencyKey.key, key));
    expect(row!.answer).not.toContain(app_secret);
    const plain = JSON.stringify(['POST', '/prod-api/node', body]);
    expect(row!.callHash).not.toBe(createHash('sha256').update(plain).digest('hex'));
    await db.update(idempotencyKey).set({ createdAt: sql`now() - interval '25 hours'` });
    await pruneIdempotencyKeys(db);
    expect(await db.$count(idempotencyKey)).toBe(0);
  });
});
