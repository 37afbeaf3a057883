import { randomBytes } from 'node:crypto';
import { sign, signatureOf } from '@breakwater/agent/delivery/signature';
import { cloneDatabase, type TestDatabase } from '@breakwater/test-world';
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, expect, inject, it } from 'vitest';
import { openDatabase, type Database } from '../db/database.ts';
import { area, node } from '../db/schema.ts';
import { makeSecrets, newKey } from '../secrets.ts';
import { checkSignature, pruneNonces, readSigner, type SignatureVerdict } from './node-signature.ts';

const { encrypt, decrypt } = makeSecrets({ encryption: [newKey()], session: [newKey()] });
const nodeSecret = '0123456789abcdef0123456789abcdef';
let clone: TestDatabase;
let database: Database;
let nodeId: number;

beforeAll(async () => {
  clone = await cloneDatabase(inject('templateUrl'));
  database = openDatabase(clone.url);
  const [{ id: areaId } = { id: 0 }] = await database.db.insert(area).values({ name: 'area' }).returning();
  const appSecret = encrypt(nodeSecret);
  const row = { name: 'signing', areaId, appId: 'A'.repeat(16), appSecret };
  const [made] = await database.db.insert(node).values(row).returning();
  nodeId = made!.id;
});
afterAll(async () => {
  await database?.close();
  await clone?.drop();
});
beforeEach(async () => {
  await database.db.execute(sql`TRUNCATE node_nonce`);
  await database.db.update(node).set({ enabled: true });
});

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
    node: { id: nodeId, name: 'signing', generation: 1 },
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
  await database.db.update(node).set({ enabled: false });
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
