import { defineRoutes, nothing } from '@breakwater/contract';
import { startWorld, unique, waitFor, type World } from '@breakwater/test-world';
import { eq, sql } from 'drizzle-orm';
import { createHmac, timingSafeEqual } from 'node:crypto';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { ApiError } from '../api-error.ts';
import { area, callbackSeen, operationLog } from '../db/schema.ts';
import { buildListener } from '../listener.ts';
import { modules } from '../modules/index.ts';
import { implement } from '../plugins/implement.ts';
import { pruneCallbacks } from './callback.ts';

/** A sender of callbacks as payment companies are, and its route, through the real listener. */

const routes = defineRoutes({
  takeNotice: {
    method: 'POST',
    path: '/prod-api/test_callback',
    summary: 'A notice of a test.',
    access: { kind: 'public', on: 'user' },
    transport: 'callback',
    bodyBytesMax: 2000,
    response: nothing,
  },
});
const secret = 'shared with the sender';
const sign = (text: string) => createHmac('sha256', secret).update(text).digest('hex');

let effects = 0;
let failing = false;
const receiver = implement(routes, {
  takeNotice: ({ request, callback }) => {
    const claimed = Buffer.from(String(request.headers['x-signature']));
    const expected = Buffer.from(sign(callback.raw.toString('latin1')));
    if (claimed.length !== expected.length || !timingSafeEqual(claimed, expected))
      throw new ApiError('forbidden');
    const id =
      callback.type === 'xml' ? /<id>(.*)<\/id>/.exec(callback.raw.toString())![1]! : callback.fields()['id'];
    return {
      key: String(id),
      effect: async (tx) => {
        effects += 1;
        await tx.insert(area).values({ name: String(id), description: callback.type });
        if (failing) throw new Error('the effect fails');
        return `success ${effects}`;
      },
    };
  },
});

let world: World;
let url: string;
let close: () => Promise<unknown>;
beforeAll(async () => {
  world = await startWorld({ templateUrl: inject('templateUrl') });
  const app = await buildListener(world.server.services, 'user', [...modules, receiver]);
  await app.listen({ host: '127.0.0.1', port: 0 });
  url = `http://127.0.0.1:${(app.server.address() as AddressInfo).port}${routes.takeNotice.path}`;
  close = () => app.close();
});
afterAll(async () => {
  await close?.();
  await world?.close();
});

const send = async (body: string, type = 'application/json', signature = sign(body)) => {
  const headers = { 'content-type': type, 'x-signature': signature };
  const response = await fetch(url, { method: 'POST', headers, body });
  return { status: response.status, type: response.headers.get('content-type'), text: await response.text() };
};
const areas = (name: string) => world.server.services.db.$count(area, eq(area.name, name));

describe('a callback', () => {
  it.each([
    ['form', 'application/x-www-form-urlencoded', (id: string) => `id=${id}&total=1`],
    ['json', 'application/json; charset=utf-8', (id: string) => JSON.stringify({ id })],
    ['xml', 'text/xml', (id: string) => `<xml><id>${id}</id></xml>`],
  ])('in %s takes effect and is answered in plain text', async (kind, type, bodyOf) => {
    const id = unique(kind);
    expect(await send(bodyOf(id), type)).toEqual({
      status: 200,
      type: 'text/plain; charset=utf-8',
      text: `success ${effects}`,
    });
    const [row] = await world.server.services.db.select().from(area).where(eq(area.name, id));
    expect(row?.description).toBe(kind);
  });

  it('that is sent again does nothing more, and is answered the same', async () => {
    const body = JSON.stringify({ id: unique('again') });
    const first = await send(body);
    const before = effects;
    expect(await send(body)).toEqual(first);
    // The same event in other bytes.
    expect(await send(body.replace('}', ' }'))).toEqual(first);
    expect(effects).toBe(before);
  });

  it('that is sent many times at once takes effect once', async () => {
    const id = unique('at-once');
    const answers = await Promise.all(Array.from({ length: 12 }, () => send(JSON.stringify({ id }))));
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
    expect(await areas(id)).toBe(1);
  });

  it('whose effect failed is not remembered, and may come again', async () => {
    const id = unique('failed');
    const body = JSON.stringify({ id });
    failing = true;
    expect((await send(body)).status).toBe(500);
    failing = false;
    expect(await areas(id)).toBe(0);
    expect(await world.server.services.db.$count(callbackSeen, eq(callbackSeen.key, id))).toBe(0);
    expect((await send(body)).status).toBe(200);
    expect(await areas(id)).toBe(1);
  });

  it('of somebody else changes nothing and leaves no row', async () => {
    const id = unique('stranger');
    const rows = await world.server.services.db.$count(operationLog);
    expect((await send(JSON.stringify({ id }), 'application/json', sign('another body'))).status).toBe(403);
    expect(await areas(id)).toBe(0);
    expect(await world.server.services.db.$count(operationLog)).toBe(rows);
    expect(await world.server.services.db.$count(callbackSeen, eq(callbackSeen.key, id))).toBe(0);
  });

  it('that is too large, of another type or no JSON is refused', async () => {
    expect((await send(`"${'x'.repeat(2000)}"`)).status).toBe(413);
    expect((await send('id=1', 'text/html')).status).toBe(415);
    expect((await send('{')).status).toBe(400);
    expect((await send('['.repeat(1000))).status).toBe(400);
  });

  it('is not there on the other port, and other calls read JSON as before', async () => {
    const elsewhere = await fetch(world.adminUrl + routes.takeNotice.path, { method: 'POST' });
    expect(elsewhere.status).toBe(404);
    expect((await world.admin.send('POST', '/prod-api/area', {})).status).toBe(400);
  });

  it('is forgotten in the end', async () => {
    const { db } = world.server.services;
    const id = unique('old');
    await send(JSON.stringify({ id }));
    await db
      .update(callbackSeen)
      .set({ createdAt: sql`now() - interval '401 days'` })
      .where(eq(callbackSeen.key, id));
    await pruneCallbacks(db);
    await waitFor('it to go', async () => (await db.$count(callbackSeen, eq(callbackSeen.key, id))) === 0);
  });
});
