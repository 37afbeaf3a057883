import { levelAccess } from '@breakwater/contract/site-config/level-access';
import type { DocumentResult, LevelName } from '@breakwater/contract/edge-document';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import type * as z from 'zod';
import { AccessWorld } from './access-support.ts';
import { makeEnvelope } from './support.ts';

/** Who may come in, said by the platform, a product, a customer and the site: asked in this order. */

let world: AccessWorld;
beforeAll(async () => {
  world = await AccessWorld.start();
});
afterAll(() => world.close());
beforeEach(() => say('global', {}));

/** What a level says; the targets of a product and a customer are those of all sites here. */
async function say(
  level: LevelName,
  access: z.input<typeof levelAccess>,
  target?: number,
): Promise<DocumentResult> {
  const ids = target === undefined ? {} : { target_id: target };
  const key = target === undefined ? level : `${level}-${target}`;
  const document = { level, ...ids, access_control: levelAccess.parse(access) };
  const envelope = makeEnvelope('level', key, world.edge.nextRevision(), document);
  const [result] = await world.edge.control<DocumentResult[]>('POST', '/documents', [envelope]);
  return result!;
}

const mine = { addresses: ['127.0.0.1'] };
const allow = { action: 'allow' as const, ...mine };
const deny = { action: 'deny' as const, ...mine };

it('the platform’s word beats the site’s, both ways, without a new document of the site', async () => {
  const closed = await world.site({ access: { rules: [deny] } });
  const open = await world.site({ access: { rules: [allow], otherwise: 'deny' } });
  const bare = await world.site({});
  const all = () => Promise.all([closed, open, bare].map((host) => world.status(host)));
  expect(await all()).toEqual([403, 200, 200]);
  await say('global', { rules: [allow] });
  expect(await all()).toEqual([200, 200, 200]);
  await say('global', { rules: [deny] });
  expect(await all()).toEqual([403, 403, 403]);
  // Of one level the rules that let in go first.
  await say('global', { rules: [deny, allow] });
  expect(await all()).toEqual([200, 200, 200]);
  await say('global', {});
  expect(await all()).toEqual([403, 200, 200]);
});

it('levels are asked from the highest down', async () => {
  const site = { access: { rules: [deny] } };
  const host = await world.site(site);
  const client = world.clientOf(host);
  await say('client', { rules: [allow] }, client);
  expect(await world.status(host)).toBe(200);
  await say('global', { rules: [deny] });
  expect(await world.status(host)).toBe(403);
  await say('global', { rules: [{ action: 'deny', addresses: ['198.51.100.1'] }] });
  expect(await world.status(host)).toBe(200);
  await say('client', {}, client);
  expect(await world.status(host)).toBe(403);
});

it('who is refused by a level gets its answer, and the log says whose rule it was', async () => {
  const host = await world.site({ access: { deny: { status: 451, body: 'the site' } } });
  await say('global', {
    rules: [{ action: 'deny', addresses: ['198.51.100.1'] }, deny],
    deny: { status: 410, body: 'the platform: {{request_id}}' },
  });
  const { status, body, headers } = await world.edge.get(host);
  const id = headers['x-request-id'] as string;
  expect([status, body]).toEqual([410, `the platform: ${id}`]);
  const [line] = await world.edge.logLines(1, ({ request_id }) => request_id === id);
  expect(line).toMatchObject({ decision: 'access_control global 2' });
  await say('global', { rules: [deny] });
  expect((await world.edge.get(host)).body).toContain('Access denied');
});

it('a path that a level closes is closed however it is written, and proofs of a domain stay open', async () => {
  const host = await world.site({ access: { rules: [{ action: 'allow', only_paths: ['*'] }] } });
  await say('global', { rules: [{ action: 'deny', only_paths: ['/admin/'] }] });
  for (const target of ['/admin/', '/ADMIN/x', '/x/..%2fadmin/', '/%2561dmin/x', '/admin;a/x'])
    expect([target, await world.rawStatus(host, target)]).toEqual([target, 403]);
  expect(await world.status(host, '/other')).toBe(200);
  await say('global', { rules: [deny] });
  expect(await world.status(host, '/.well-known/acme-challenge/token')).toBe(200);
});

it('a broken level is refused, and what was there stays', async () => {
  const host = await world.site({});
  await say('global', { rules: [deny] });
  for (const access of [{ rules: [] }, { deny: { status: 403, body: '' } }, { rules: [{}], deny: {} }]) {
    const document = { level: 'global', access_control: access };
    const envelope = makeEnvelope('level', 'global', world.edge.nextRevision(), document);
    expect(await world.edge.control('POST', '/documents', [envelope])).toMatchObject([{ status: 'refused' }]);
  }
  expect(await world.status(host)).toBe(403);
});
