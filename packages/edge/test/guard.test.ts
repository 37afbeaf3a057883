import type { ccGuardianRule, guardRule } from '@breakwater/contract/site-config/cc-guardian-rule';
import { createServer } from 'node:net';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';
import type * as z from 'zod';
import { AccessWorld } from './access-support.ts';
import { makeEnvelope, makeSite, startOrigin, TestEdge, type Answer, type CallOptions } from './support.ts';
import { told, worked } from './verify-support.ts';

/** CC guard, on a real nginx. */

let world: AccessWorld;
beforeAll(async () => {
  world = await AccessWorld.start();
  await neverPrivate(false);
});
afterAll(() => world.close());

/** Whether addresses such as those of these tests may be banned. */
async function neverPrivate(never_private: boolean): Promise<void> {
  const setting = { never: [], never_robots: true, never_private, objection: '' };
  await world.edge.control('POST', '/documents', [
    makeEnvelope('ban_setting', 'platform', world.edge.nextRevision(), setting),
  ]);
}

type Guard = z.input<typeof ccGuardianRule>;
type Rule = z.input<typeof guardRule>;

/** One rule of a mode that has no other within reach. */
const ruled = (rule: Rule, settings: Guard = {}): Guard => ({
  mode: 'normal',
  escalation: false,
  rules: [{ requests: 3, period_seconds: 600, hold_seconds: 600, ...rule }],
  ...settings,
});

async function lineOf({ headers }: Answer) {
  const id = headers['x-request-id'] as string;
  return (await world.edge.logLines(1, ({ request_id }) => request_id === id))[0]!;
}

/** The answers to requests one after another. */
async function ask(host: string, count: number, path = '/', options: CallOptions = {}): Promise<Answer[]> {
  const answers: Answer[] = [];
  for (let index = 0; index < count; index++) answers.push(await world.edge.get(host, path, options));
  return answers;
}
const statuses = async (...asked: Parameters<typeof ask>) =>
  (await ask(...asked)).map(({ status }) => status);

const browser = { 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'document', accept: 'text/html' };

it('limits who asks more than a rule lets, and nobody else, and says why and until when', async () => {
  const host = await world.site({ guard: ruled({ action: 'limit' }) });
  const neighbour = await world.site({ guard: ruled({ action: 'limit' }) });
  const answers = await ask(host, 5);
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 429, 429]);
  expect(Number(answers[3]!.headers['retry-after'])).toBeGreaterThan(590);
  expect(await lineOf(answers[4]!)).toMatchObject({
    decision: 'cc_guardian_rule 1',
    waf: 'cc_guardian_rule 1=limit',
  });
  expect(await statuses(host, 1, '/', { from: '127.0.0.3' })).toEqual([200]);
  expect(await statuses(neighbour, 1)).toEqual([200]);
});

it('only notes it where it observes, or watches', async () => {
  const observing = await world.site({ guard: ruled({ action: 'observe' }) });
  const watching = await world.site({ guard: ruled({ action: 'block' }, { mode: 'watch' }) });
  for (const host of [observing, watching]) {
    const [, , , fourth] = await ask(host, 4);
    expect(fourth!.status).toBe(200);
    expect(await lineOf(fourth!)).toMatchObject({ decision: '', waf: 'cc_guardian_rule 1=observe' });
  }
});

it('blocks, and bans: for the time that the rule says, or limits who may not be banned', async () => {
  const blocking = await world.site({ guard: ruled({ action: 'block' }) });
  expect((await statuses(blocking, 4)).at(-1)).toBe(403);
  const banning = await world.site({ guard: ruled({ action: 'ban', hold_seconds: 30 }) });
  const answers = await ask(banning, 6, '/', { from: '127.0.0.4' });
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 403, 403, 403]);
  expect(await lineOf(answers[3]!)).toMatchObject({ decision: 'cc_guardian_rule 1' });
  expect(await lineOf(answers[5]!)).toMatchObject({ decision: 'ban' });
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
  expect(await statuses(host, 1, '/', { from })).toEqual([403]);
  await neverPrivate(true);
  onTestFinished(() => neverPrivate(false));
  expect(await statuses(host, 1, '/', { from })).toEqual([200]);
});

it('challenges, lets through who has passed, and says which rule it was', async () => {
  const host = await world.site({ guard: ruled({ action: 'challenge', challenge: 'proof_of_work' }) });
  const [, , , page] = await ask(host, 4, '/', { headers: browser });
  expect(page!.status).toBe(403);
  const challenge = told(page!);
  expect(challenge.kind).toBe('proof_of_work');
  expect(await lineOf(page!)).toMatchObject({
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
  expect(await statuses(host, 2, '/', { headers: { ...browser, cookie } })).toEqual([200, 200]);
});

it('counts an URL by itself where the scope is one', async () => {
  const host = await world.site({ guard: ruled({ action: 'limit', scope: 'url', key: [] }) });
  expect((await statuses(host, 4, '/login?a=1')).at(-1)).toBe(429);
  expect(await statuses(host, 1, '/%6cogin')).toEqual([429]);
  expect(await statuses(host, 1, '/other')).toEqual([200]);
});

it('counts only what suits the condition, and neither except paths nor exempt addresses', async () => {
  const condition = {
    items: [{ field: 'path', operator: 'starts_with', values: ['/api'] }],
  } as Rule['condition'];
  const host = await world.site({
    guard: ruled(
      { action: 'limit', condition: condition! },
      { except_paths: ['/api/open/*'], exempt_addresses: ['127.0.0.5'] },
    ),
  });
  expect(await statuses(host, 5)).toEqual([200, 200, 200, 200, 200]);
  expect((await statuses(host, 4, '/api/closed')).at(-1)).toBe(429);
  expect((await statuses(host, 4, '/api/open/x')).at(-1)).toBe(200);
  expect((await statuses(host, 5, '/api/closed', { from: '127.0.0.5' })).at(-1)).toBe(200);
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
  const of = (rule: Rule) =>
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
  expect(await statuses(missing, 4, '/')).toEqual([200, 200, 200, 200]);
  expect(await statuses(missing, 4, '/gone')).toEqual([404, 404, 404, 429]);
  for (const host of [misses, asking]) {
    expect(await statuses(host, 5, '/')).toEqual([200, 200, 200, 200, 200]);
    for (const path of ['/1', '/2']) expect(await statuses(host, 1, path)).toEqual([200]);
    expect(await statuses(host, 1, '/3')).toEqual([429]);
  }
  expect(await statuses(slow, 4, '/fast', { method: 'POST' })).toEqual([200, 200, 200, 200]);
  expect((await statuses(slow, 4, '/slow', { method: 'POST' })).at(-1)).toBe(429);
  await origin.close();
});

it('takes values as keys, each by itself, by address who lacks it, and hostile ones', async () => {
  const host = await world.site({
    guard: ruled({ action: 'limit', key: [{ part: 'header', name: 'X-Key' }] }),
  });
  const keyed = (key: string) => ({ headers: { 'x-key': key } });
  expect((await statuses(host, 4, '/', keyed('one'))).at(-1)).toBe(429);
  expect(await statuses(host, 1, '/', keyed('two'))).toEqual([200]);
  expect((await statuses(host, 4)).at(-1)).toBe(429);
  expect(await statuses(host, 1, '/', { from: '127.0.0.6' })).toEqual([200]);
  expect((await statuses(host, 4, '/', keyed('k'.repeat(7900)))).at(-1)).toBe(429);

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
  expect((await statuses(cookies, 4, '/?u=1', cookie)).at(-1)).toBe(429);
  expect(await statuses(cookies, 1, '/?u=2', cookie)).toEqual([200]);
  // Of the same network.
  expect(await statuses(cookies, 1, '/?u=1', { ...cookie, from: '127.0.0.7' })).toEqual([429]);
});

it('is off where it is off, and under attack until the time that was set', async () => {
  const later = new Date(Date.now() + 600_000).toISOString();
  const before = new Date(Date.now() - 1000).toISOString();
  const under = await world.site({ guard: { mode: 'off', attack_until: later } });
  const over = await world.site({ guard: { mode: 'off', attack_until: before } });
  const always = await world.site({ guard: { mode: 'under_attack' } });
  for (const host of [under, always]) {
    const [page] = await ask(host, 1, '/', { headers: browser });
    expect([page!.status, told(page!).kind]).toEqual([403, 'javascript']);
    expect(await lineOf(page!)).toMatchObject({ decision: 'cc_guardian_rule under_attack' });
  }
  expect(await statuses(over, 1, '/', { headers: browser })).toEqual([200]);
  const off = await world.site({ guard: { ...ruled({ action: 'limit' }), mode: 'off' } });
  expect(await statuses(off, 5)).toEqual([200, 200, 200, 200, 200]);
});

interface Step {
  site_id: number;
  path: string;
  level: number;
  from: number;
  reason: string;
}
async function steps(host: string): Promise<Step[]> {
  const asked = { instance_id: '', told: 0, max: 500 };
  const { steps: lines } = await world.edge.control<{ steps: string }>('POST', '/guard/steps', asked);
  const id = world.clientOf(host) - 1000;
  return lines
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line) as Step)
    .filter(({ site_id }) => site_id === id);
}
const stepsSaid = async (host: string) =>
  (await steps(host)).map(({ path, from, level, reason }) => `${path} ${from}>${level} ${reason}`);

/** Of visitors each of whom asks little. */
const flood = (host: string, count: number) =>
  Promise.all(
    Array.from({ length: count }, (_, index) =>
      world.edge.get(host, `/${index}?${Math.random()}`, { from: `127.1.0.${index + 1}` }),
    ),
  );

/** Attacks in short: what would take minutes takes seconds. */
const quick: Guard = {
  mode: 'normal',
  escalation_requests: 40,
  escalation_url_requests: 10,
  quiet_seconds: 5,
};

it('has the attacked URL ask for a challenge by itself, the others not, and steps down when it is quiet', async () => {
  const host = await world.site({ guard: quick });
  const neighbour = await world.site({ guard: quick });
  await Promise.all(Array.from({ length: 60 }, () => world.edge.get(host, '/login')));
  const [page] = await ask(host, 1, '/login', { headers: browser });
  expect(page!.status).toBe(403);
  expect(await lineOf(page!)).toMatchObject({
    decision: 'cc_guardian_rule url requests',
    waf: 'browser_verify_rule=challenge; cc_guardian_rule url requests=challenge',
  });
  expect(await statuses(host, 2, '/other', { headers: browser })).toEqual([200, 200]);
  expect(await statuses(neighbour, 1, '/login', { headers: browser })).toEqual([200]);
  expect(await stepsSaid(host)).toEqual(['/login 0>1 requests']);
  await expect
    .poll(() => stepsSaid(host), { timeout: 20_000 })
    .toEqual(['/login 0>1 requests', '/login 1>0 quiet']);
  expect(await statuses(host, 1, '/login', { headers: browser })).toEqual([200]);
});

it('has the whole site ask where the flood is spread, harder where it goes on, and ends with the mode', async () => {
  const host = await world.site({ guard: { ...quick, quiet_seconds: 3600 } });
  await expect
    .poll(async () => {
      await flood(host, 100);
      return stepsSaid(host);
    })
    .toEqual([' 0>1 requests']);
  const [page] = await ask(host, 1, '/new', { headers: browser });
  expect(await lineOf(page!)).toMatchObject({ decision: 'cc_guardian_rule site requests' });
  // No longer in a mode that escalates: it ends, and is said to have.
  await world.edge.applySites(
    makeSite({
      id: world.clientOf(host) - 1000,
      domains: [host],
      origins: [{ address: '127.0.0.1', http_port: world.origin.port }],
      guard: { ...quick, mode: 'watch' },
    }),
  );
  await expect.poll(() => stepsSaid(host)).toEqual([' 0>1 requests', ' 1>0 off']);
  expect(await statuses(host, 1, '/new', { headers: browser })).toEqual([200]);
});

it('escalates by errors of the origin and by how long it takes', async () => {
  const broken = createServer((socket) => socket.destroy());
  await new Promise<void>((settle) => broken.listen(0, '127.0.0.1', settle));
  const slow = await startOrigin((_request, response) => {
    setTimeout(() => response.end('x'), 150);
  });
  const calm: Guard = { mode: 'normal', quiet_seconds: 3600 };
  const failing = await world.site({
    origins: [{ address: '127.0.0.1', http_port: (broken.address() as { port: number }).port }],
    guard: calm,
  });
  const late = await world.site({
    origins: [{ address: '127.0.0.1', http_port: slow.port }],
    guard: { ...calm, escalation_slow_ms: 100 },
  });
  const busy = await world.site({
    origins: [{ address: '127.0.0.1', http_port: slow.port }],
    guard: { ...calm, escalation_origin_requests: 5 },
  });
  for (const [host, reason, count] of [
    [failing, 'errors', 30],
    [late, 'slow', 30],
    [busy, 'origin_requests', 120],
  ] as const)
    await expect
      .poll(
        async () => {
          await flood(host, count);
          return (await stepsSaid(host))[0];
        },
        { timeout: 15_000 },
      )
      .toBe(` 0>1 ${reason}`);
  await slow.close();
  await new Promise((settle) => broken.close(settle));
});

it('does not take for a failure of a level what was under way before it', async () => {
  const hanging = await startOrigin((request, response) => {
    setTimeout(() => response.end('x'), request.url!.startsWith('/long') ? 7000 : 1000);
  });
  const host = await world.site({
    origins: [{ address: '127.0.0.1', http_port: hanging.port }],
    guard: { mode: 'normal', escalation_origin_requests: 5, quiet_seconds: 10 },
  });
  const long = Promise.all(Array.from({ length: 40 }, (_, index) => world.edge.get(host, `/long/${index}`)));
  await expect
    .poll(
      async () => {
        await flood(host, 40);
        return stepsSaid(host);
      },
      { timeout: 6000 },
    )
    .toEqual([' 0>1 origin_requests']);
  expect((await long).map(({ status }) => status)).toEqual(Array(40).fill(200));
  await expect
    .poll(() => stepsSaid(host), { timeout: 20_000 })
    .toEqual([' 0>1 origin_requests', ' 1>0 quiet']);
  await hanging.close();
});

it('forgets who was counted longest ago when its memory is full, and says so', async () => {
  const small = new AccessWorld(await TestEdge.start({ guardSizeMax: '64k' }), world.origin);
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
  expect(await refused((section) => (ruleOf(section).key = [{ part: 'ja4' }]))).toContain(
    'does not know ja4',
  );
  expect(await refused((section) => (ruleOf(section).action = 'tarpit'))).toContain('action.tarpit');
  expect((await statuses(host, 4)).at(-1)).toBe(429);
});
