import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';
import { browser, GuardWorld, type Guard, type GuardRule } from './guard-support.ts';
import { makeSite, startOrigin, TestEdge } from './support.ts';
import { told, worked } from './verify-support.ts';

/** CC guard, on a real nginx: what its modes and rules do. How it escalates: `guard-levels.test.ts`. */

let world: GuardWorld;
beforeAll(async () => {
  world = await GuardWorld.start();
});
afterAll(() => world.close());

/** One rule of a mode that has no other within reach. */
const ruled = (rule: GuardRule, settings: Guard = {}): Guard => ({
  mode: 'normal',
  escalation: false,
  rules: [{ requests: 3, period_seconds: 600, hold_seconds: 600, ...rule }],
  ...settings,
});

it('limits who asks more than a rule lets, and nobody else, and says why and until when', async () => {
  const host = await world.site({ guard: ruled({ action: 'limit' }) });
  const neighbour = await world.site({ guard: ruled({ action: 'limit' }) });
  const answers = await world.ask(host, 5);
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 429, 429]);
  expect(Number(answers[3]!.headers['retry-after'])).toBeGreaterThan(590);
  expect(await world.lineOf(answers[4]!)).toMatchObject({
    decision: 'cc_guardian_rule 1',
    waf: 'cc_guardian_rule 1=limit',
  });
  expect(await world.statuses(host, 1, '/', { from: '127.0.0.3' })).toEqual([200]);
  expect(await world.statuses(neighbour, 1)).toEqual([200]);
});

it('only notes it where it observes, or watches', async () => {
  const observing = await world.site({ guard: ruled({ action: 'observe' }) });
  const watching = await world.site({ guard: ruled({ action: 'block' }, { mode: 'watch' }) });
  for (const host of [observing, watching]) {
    const [, , , fourth] = await world.ask(host, 4);
    expect(fourth!.status).toBe(200);
    expect(await world.lineOf(fourth!)).toMatchObject({ decision: '', waf: 'cc_guardian_rule 1=observe' });
  }
});

it('blocks, and bans: for the time that the rule says, or limits who may not be banned', async () => {
  const blocking = await world.site({ guard: ruled({ action: 'block' }) });
  expect((await world.statuses(blocking, 4)).at(-1)).toBe(403);
  const banning = await world.site({ guard: ruled({ action: 'ban', hold_seconds: 30 }) });
  const answers = await world.ask(banning, 6, '/', { from: '127.0.0.4' });
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 403, 403, 403]);
  expect(await world.lineOf(answers[3]!)).toMatchObject({ decision: 'cc_guardian_rule 1' });
  expect(await world.lineOf(answers[5]!)).toMatchObject({ decision: 'ban' });
  const { bans } = await world.edge.control<{ bans: string }>('POST', '/bans/made', {
    instance_id: '',
    told: 0,
    max: 10,
  });
  expect(JSON.parse(bans.split('\n').at(-1)!)).toMatchObject({
    address: '127.0.0.4',
    seconds: 30,
    decision: 'cc_guardian_rule 1',
  });
});

it('does not ban again who was let in after a ban', async () => {
  const host = await world.site({
    guard: ruled({ action: 'ban', requests: 2, period_seconds: 1, hold_seconds: 600 }),
  });
  const from = '127.0.0.9';
  const flooded = await Promise.all(Array.from({ length: 8 }, () => world.edge.get(host, '/', { from })));
  expect(flooded.some(({ status }) => status === 403)).toBe(true);
  // Both buckets of the window are over, and the ban is not.
  const over = Date.now() + 2100;
  await expect.poll(() => Date.now()).toBeGreaterThan(over);
  expect(await world.statuses(host, 1, '/', { from })).toEqual([403]);
  await world.neverPrivate(true);
  onTestFinished(() => world.neverPrivate(false));
  expect(await world.statuses(host, 1, '/', { from })).toEqual([200]);
});

it('challenges, lets through who has passed, and says which rule it was', async () => {
  const host = await world.site({ guard: ruled({ action: 'challenge', challenge: 'proof_of_work' }) });
  const [, , , page] = await world.ask(host, 4, '/', { headers: browser });
  expect(page!.status).toBe(403);
  const challenge = told(page!);
  expect(challenge.kind).toBe('proof_of_work');
  expect(await world.lineOf(page!)).toMatchObject({
    decision: 'cc_guardian_rule 1',
    waf: 'browser_verify_rule=challenge; cc_guardian_rule 1=challenge',
  });
  const answered = await world.edge.get(host, '/.well-known/breakwater/verify/answer', {
    method: 'POST',
    headers: { ...browser, 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams({ token: challenge.token, answer: worked(challenge) }).toString(),
  });
  const cookie = String(answered.headers['set-cookie']).split(';')[0]!;
  expect(cookie).toContain('bw_pass');
  expect(await world.statuses(host, 2, '/', { headers: { ...browser, cookie } })).toEqual([200, 200]);
});

it('counts an URL by itself where the scope is one', async () => {
  const host = await world.site({ guard: ruled({ action: 'limit', scope: 'url', key: [] }) });
  expect((await world.statuses(host, 4, '/login?a=1')).at(-1)).toBe(429);
  expect(await world.statuses(host, 1, '/%6cogin')).toEqual([429]);
  expect(await world.statuses(host, 1, '/other')).toEqual([200]);
});

it('counts only what suits the condition, and neither except paths nor exempt addresses', async () => {
  const condition = {
    items: [{ field: 'path', operator: 'starts_with', values: ['/api'] }],
  } as GuardRule['condition'];
  const host = await world.site({
    guard: ruled(
      { action: 'limit', condition: condition! },
      { except_paths: ['/api/open/*'], exempt_addresses: ['127.0.0.5'] },
    ),
  });
  expect(await world.statuses(host, 5)).toEqual([200, 200, 200, 200, 200]);
  expect((await world.statuses(host, 4, '/api/closed')).at(-1)).toBe(429);
  expect((await world.statuses(host, 4, '/api/open/x')).at(-1)).toBe(200);
  expect((await world.statuses(host, 5, '/api/closed', { from: '127.0.0.5' })).at(-1)).toBe(200);
});

it('counts by answer: statuses, misses, what goes to the origin, what is slow', async () => {
  const origin = await startOrigin((request, response) => {
    const answer = () => {
      response.statusCode = request.url!.startsWith('/gone') ? 404 : 200;
      response.setHeader('Cache-Control', 'max-age=600');
      response.end('x');
    };
    if (request.url === '/slow') setTimeout(answer, 60);
    else answer();
  });
  const of = (rule: GuardRule) =>
    world.site({
      origins: [{ address: '127.0.0.1', http_port: origin.port }],
      rules: [{ type: 'all', ttl_seconds: 60 }],
      guard: ruled({ action: 'limit', requests: 2, ...rule }),
    });
  const [missing, misses, asking, slow] = [
    await of({ count: 'answers', answers: { statuses: ['4xx'] } }),
    await of({ count: 'answers', answers: { misses: true } }),
    await of({ count: 'origin' }),
    await of({ count: 'answers', answers: { slower_than_ms: 40 } }),
  ];
  expect(await world.statuses(missing, 4, '/')).toEqual([200, 200, 200, 200]);
  expect(await world.statuses(missing, 4, '/gone')).toEqual([404, 404, 404, 429]);
  for (const host of [misses, asking]) {
    expect(await world.statuses(host, 5, '/')).toEqual([200, 200, 200, 200, 200]);
    for (const path of ['/1', '/2']) expect(await world.statuses(host, 1, path)).toEqual([200]);
    expect(await world.statuses(host, 1, '/3')).toEqual([429]);
  }
  expect(await world.statuses(slow, 4, '/fast', { method: 'POST' })).toEqual([200, 200, 200, 200]);
  expect((await world.statuses(slow, 4, '/slow', { method: 'POST' })).at(-1)).toBe(429);
  await origin.close();
});

it('takes values as keys, each by itself, by address who lacks it, and hostile ones', async () => {
  const host = await world.site({
    guard: ruled({ action: 'limit', key: [{ part: 'header', name: 'X-Key' }] }),
  });
  const keyed = (key: string) => ({ headers: { 'x-key': key } });
  expect((await world.statuses(host, 4, '/', keyed('one'))).at(-1)).toBe(429);
  expect(await world.statuses(host, 1, '/', keyed('two'))).toEqual([200]);
  expect((await world.statuses(host, 4)).at(-1)).toBe(429);
  expect(await world.statuses(host, 1, '/', { from: '127.0.0.6' })).toEqual([200]);
  expect((await world.statuses(host, 4, '/', keyed('k'.repeat(7900)))).at(-1)).toBe(429);

  const cookies = await world.site({
    guard: ruled({
      action: 'limit',
      key: [
        { part: 'cookie', name: 'sid' },
        { part: 'argument', name: 'u' },
        { part: 'network', name: '' },
      ],
    }),
  });
  const many = Array.from({ length: 900 }, (_, index) => `c${index}=`).join('; ');
  const cookie = { headers: { cookie: `${many}; sid=1` } };
  expect((await world.statuses(cookies, 4, '/?u=1', cookie)).at(-1)).toBe(429);
  expect(await world.statuses(cookies, 1, '/?u=2', cookie)).toEqual([200]);
  // Of the same network.
  expect(await world.statuses(cookies, 1, '/?u=1', { ...cookie, from: '127.0.0.7' })).toEqual([429]);
});

it('is off where it is off, and under attack until the time that was set', async () => {
  const later = new Date(Date.now() + 600_000).toISOString();
  const before = new Date(Date.now() - 1000).toISOString();
  const under = await world.site({ guard: { mode: 'off', attack_until: later } });
  const over = await world.site({ guard: { mode: 'off', attack_until: before } });
  const always = await world.site({ guard: { mode: 'under_attack' } });
  for (const host of [under, always]) {
    const [page] = await world.ask(host, 1, '/', { headers: browser });
    expect([page!.status, told(page!).kind]).toEqual([403, 'javascript']);
    expect(await world.lineOf(page!)).toMatchObject({ decision: 'cc_guardian_rule under_attack' });
  }
  expect(await world.statuses(over, 1, '/', { headers: browser })).toEqual([200]);
  const off = await world.site({ guard: { ...ruled({ action: 'limit' }), mode: 'off' } });
  expect(await world.statuses(off, 5)).toEqual([200, 200, 200, 200, 200]);
});

it('forgets who was counted longest ago when its memory is full, and says so', async () => {
  const small = new GuardWorld(await TestEdge.start({ guardSizeMax: '64k' }), world.origin);
  onTestFinished(() => small.edge.close());
  const host = await small.site({
    guard: ruled({ action: 'limit', key: [{ part: 'header', name: 'x-key' }] }, { mode: 'normal' }),
  });
  const state = () => small.edge.control<{ guard: { memory_size: number; lost: number } }>('GET', '/state');
  expect((await state()).guard).toMatchObject({ memory_size: 64 * 1024, lost: 0 });
  const asked = Array.from({ length: 600 }, (_, index) =>
    small.edge.get(host, '/', { headers: { 'x-key': `${index}` }, from: `127.2.0.${(index % 200) + 1}` }),
  );
  expect(new Set((await Promise.all(asked)).map(({ status }) => status))).toEqual(new Set([200]));
  expect((await state()).guard.lost).toBeGreaterThan(0);
  expect(await readFile(join(small.edge.dir, 'logs/error.log'), 'utf8')).toContain(
    'the memory for counters is full',
  );
});

it('refuses by name what it does not know, and keeps what it had', async () => {
  const host = await world.site({ guard: ruled({ action: 'limit' }) });
  const site = makeSite({
    id: world.clientOf(host) - 1000,
    domains: [host],
    origins: [{ address: '127.0.0.1', http_port: world.origin.port }],
    guard: ruled({}),
  });
  const refused = async (change: (section: Record<string, unknown>) => void) => {
    const changed = JSON.parse(JSON.stringify(site)) as typeof site;
    change(changed.cc_guardian_rule as never);
    return (await world.edge.applySites(changed))[0]!.error;
  };
  const ruleOf = (section: Record<string, unknown>) => (section.rules as Record<string, unknown>[])[0]!;
  expect(await refused((section) => (section.mode = 'furious'))).toContain('does not know furious');
  expect(await refused((section) => (ruleOf(section).count = 'bytes'))).toContain('does not know bytes');
  expect(await refused((section) => (ruleOf(section).key = [{ part: 'ja5' }]))).toContain(
    'does not know ja5',
  );
  expect(await refused((section) => (ruleOf(section).action = 'tarpit'))).toContain('action.tarpit');
  expect((await world.statuses(host, 4)).at(-1)).toBe(429);
});
