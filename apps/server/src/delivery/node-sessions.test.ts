import { ControlPlane } from '@breakwater/agent/delivery/control-plane';
import { sign, signInSession } from '@breakwater/agent/delivery/signature';
import { makeNode, makeNodeState, startWorld, type World } from '@breakwater/test-world';
import { sql } from 'drizzle-orm';
import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, inject, it } from 'vitest';
import { NodeSessions, SeenCounts } from './node-sessions.ts';

let world: World;
let node: Awaited<ReturnType<typeof makeNode>>;
beforeAll(async () => {
  world = await startWorld({ templateUrl: inject('templateUrl') });
  node = await makeNode(world, { ip: '192.0.2.10' });
});
afterAll(() => world.close());
beforeEach(async () => {
  await world.server.services.db.execute(sql`TRUNCATE node_nonce`);
});

const nonces = async () => {
  const { rows } = await world.server.services.db.execute(sql`SELECT count(*)::int AS count FROM node_nonce`);
  return rows[0]!['count'];
};
function agent() {
  const ending = new AbortController();
  const credentials = { url: world.userUrl, appId: node.app_id, appSecret: node.app_secret };
  return { plane: new ControlPlane(credentials, ending.signal), end: () => ending.abort() };
}
const request = (method: string, target: string, authorization: string) =>
  fetch(world.userUrl + target, { method, headers: { authorization } });
async function open(): Promise<string> {
  const target = '/node-api/session';
  const parts = {
    method: 'POST',
    target,
    body: '',
    time: Math.floor(Date.now() / 1000),
    nonce: randomBytes(16).toString('hex'),
  };
  const answer = await request('POST', target, sign(node.app_id, node.app_secret, parts));
  return ((await answer.json()) as { data: { session: string } }).data.session;
}
const target = '/node-api/documents?since=0&generation=0';
const signed = (session: string, count: number, secret = node.app_secret, method = 'GET') =>
  signInSession(secret, { method, target, body: '', session, count });
const statusOf = async (authorization: string) => (await request('GET', target, authorization)).status;

describe('the calls of an agent', () => {
  it('cost one nonce for all of them, however many, and at once', async () => {
    const { plane, end } = agent();
    await Promise.all(Array.from({ length: 20 }, () => plane.report(makeNodeState())));
    for (let call = 0; call < 20; call++) await plane.documents({ since: 0, generation: 0 });
    expect(await nonces()).toBe(1);
    end();
  });

  it('go on where the server was started anew, or credentials were', async () => {
    const { plane, end } = agent();
    await plane.report(makeNodeState());
    await world.stopControlPlane();
    await world.startControlPlane();
    await plane.report(makeNodeState());
    await plane.report(makeNodeState());
    expect(await nonces()).toBe(3);
    end();
  });

  it('of the release before are taken as before', async () => {
    const parts = { method: 'GET', target, body: '', time: Math.floor(Date.now() / 1000) };
    const nonce = randomBytes(16).toString('hex');
    const authorization = sign(node.app_id, node.app_secret, { ...parts, nonce });
    expect(await statusOf(authorization)).toBe(200);
    expect(await statusOf(authorization)).toBe(401);
  });
});

describe('within a session', () => {
  it('each call is taken once, in any order', async () => {
    const session = await open();
    expect(await statusOf(signed(session, 2))).toBe(200);
    expect(await statusOf(signed(session, 1))).toBe(200);
    expect(await statusOf(signed(session, 2))).toBe(401);
    expect(await statusOf(signed(session, 3))).toBe(200);
  });

  it('only what the node signed is taken, and what is not uses no number up', async () => {
    const session = await open();
    expect(await statusOf(signed(session, 1, 'x'.repeat(32)))).toBe(401);
    expect(await statusOf(signed(session, 1, node.app_secret, 'POST'))).toBe(401);
    expect(await statusOf(signed('0'.repeat(32), 1))).toBe(401);
    expect(await statusOf(signed(session, 1))).toBe(200);
  });

  it('no further session is opened', async () => {
    const session = await open();
    const parts = { method: 'POST', target: '/node-api/session', body: '', session, count: 1 };
    const answer = await request('POST', parts.target, signInSession(node.app_secret, parts));
    expect(answer.status).toBe(401);
  });

  it('nothing is taken any more once the node is switched off, or its credentials are others', async () => {
    const other = await makeNode(world, { ip: '192.0.2.11' });
    node = other;
    const session = await open();
    expect(await statusOf(signed(session, 1))).toBe(200);
    const { app_secret } = await world.admin.get('renewNodeCredentials', { params: { id: other.id } });
    expect(await statusOf(signed(session, 2))).toBe(401);
    expect(await statusOf(signed(session, 2, app_secret))).toBe(401);
    node = { ...other, app_secret };
    const next = await open();
    await world.server.services.db.execute(sql`UPDATE node SET enabled = false WHERE id = ${other.id}`);
    expect(await statusOf(signed(next, 1))).toBe(401);
  });
});

describe('numbers of calls', () => {
  it('are taken once, and not when a thousand others overtook them', () => {
    const seen = new SeenCounts();
    for (const count of [1, 3, 2, 1024]) expect(seen.take(count)).toBe(true);
    for (const count of [1, 2, 3, 1024, 0, -1, 1.5]) expect(seen.take(count)).toBe(false);
    expect(seen.take(1027)).toBe(true);
    expect(seen.take(4)).toBe(true);
    expect(seen.take(4)).toBe(false);
    expect(seen.take(3)).toBe(false);
    expect(seen.take(1_000_000)).toBe(true);
    expect(seen.take(1027)).toBe(false);
    for (let count = 1_000_000 - 1023; count < 1_000_000; count++) expect(seen.take(count)).toBe(true);
  });

  it('end with their session, of which a node has a few', () => {
    const sessions = new NodeSessions();
    const first = sessions.open(1, 'x', 0);
    expect(sessions.find(first.id, 299_999)).toBe(first);
    expect(sessions.find(first.id, 300_000)).toBeUndefined();
    const further = Array.from({ length: 5 }, () => sessions.open(1, 'x', 1));
    expect(sessions.find(first.id, 1)).toBeUndefined();
    expect(further.map(({ id }) => sessions.find(id, 2) !== undefined)).toEqual([
      false,
      true,
      true,
      true,
      true,
    ]);
  });
});
