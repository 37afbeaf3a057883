import type { DocumentResult } from '@breakwater/contract/edge-document';
import { matcherRuleSection, type matcherRule } from '@breakwater/contract/site-config/matcher-rule';
import { once } from 'node:events';
import { connect as connectHttp2, constants, type ClientHttp2Session } from 'node:http2';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import type * as z from 'zod';
import { AccessWorld } from './access-support.ts';
import { makeEnvelope, patience, type Answer } from './support.ts';
import { told, worked } from './verify-support.ts';

/** Rules on requests, on a real nginx. */

let world: AccessWorld;
beforeAll(async () => {
  world = await AccessWorld.start();
});
afterAll(() => world.close());
beforeEach(() => say([]));

type Rule = z.input<typeof matcherRule>;

/** What the platform says. */
async function say(rules: Rule[]): Promise<DocumentResult> {
  const document = { level: 'global', matcher_rule: matcherRuleSection.parse({ rules }) };
  const envelope = makeEnvelope('level', 'global', world.edge.nextRevision(), document);
  const [result] = await world.edge.control<DocumentResult[]>('POST', '/documents', [envelope]);
  return result!;
}

const holds = (field: string, operator: string, values: string[], name?: string) =>
  ({ items: [{ field, operator, values, ...(name === undefined ? {} : { name }) }] }) as Rule['condition'];
const scanner = { condition: holds('user_agent', 'contains', ['sqlmap']), action: 'block' } as const;
const headers = { 'user-agent': 'sqlmap/1.8' };

async function lineOf({ headers: fields }: Answer) {
  const id = fields['x-request-id'] as string;
  return (await world.edge.logLines(1, ({ request_id }) => request_id === id))[0]!;
}

it('blocks what fits with its own answer, and the log says by which rule and what fitted', async () => {
  const host = await world.site({
    matchers: [
      { action: 'tag', tag: { name: 'seen' } },
      { ...scanner, block: { status: 451, body: 'no {{host}}' } },
    ],
  });
  const other = await world.site({});
  const answer = await world.edge.get(host, '/', { headers });
  expect([answer.status, answer.body]).toEqual([451, `no ${host}`]);
  expect(await lineOf(answer)).toMatchObject({
    decision: 'matcher_rule 2',
    waf: 'matcher_rule 1=tag; matcher_rule 2=block',
    waf_part: 'user_agent: sqlmap/1.8',
    waf_tags: 'seen',
  });
  const passed = await world.edge.get(host);
  expect(passed.status).toBe(200);
  expect(await lineOf(passed)).toMatchObject({ decision: '', waf: 'matcher_rule 1=tag', waf_tags: 'seen' });
  const elsewhere = await world.edge.get(other, '/', { headers });
  expect(elsewhere.status).toBe(200);
  expect(await lineOf(elsewhere)).toMatchObject({ decision: '', waf: '', waf_part: '', waf_tags: '' });
});

it('notes what only observes, of answers out of the cache too', async () => {
  const host = await world.site({
    rules: [{ type: 'all', ttl_seconds: 60 }],
    matchers: [{ ...scanner, mode: 'observe' }],
  });
  await world.edge.get(host, '/', { headers });
  const hit = await world.edge.get(host, '/', { headers });
  expect(hit.status).toBe(200);
  expect(await lineOf(hit)).toMatchObject({
    cache_status: 'HIT',
    waf: 'matcher_rule 1=observe',
    decision: '',
  });
  const plain = await world.edge.get(host);
  expect(await lineOf(plain)).toMatchObject({ cache_status: 'HIT', waf: '' });
});

it('ends the connection without an answer where that is asked for', async () => {
  const host = await world.site({ matchers: [{ ...scanner, block: { kind: 'close' } }] });
  await expect(world.edge.get(host, '/', { headers })).rejects.toThrow('ECONNRESET');
  expect(await world.status(host)).toBe(200);
});

it('limits what comes too fast, each visitor by itself, and says when to come again', async () => {
  const limit = { requests: 1, period_seconds: 60, burst: 1 };
  const host = await world.site({ matchers: [{ action: 'limit', limit }] });
  const from = (address: string) => world.edge.get(host, '/', { from: address });
  const answers = [await from('127.0.0.2'), await from('127.0.0.2'), await from('127.0.0.2')];
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 429]);
  expect(Number(answers[2]!.headers['retry-after'])).toBeGreaterThan(30);
  expect(await lineOf(answers[2]!)).toMatchObject({
    decision: 'matcher_rule 1',
    waf: 'matcher_rule 1=limit',
  });
  expect((await from('127.0.0.3')).status).toBe(200);
  const all = await world.site({
    matchers: [{ action: 'limit', limit: { ...limit, burst: 0, key: 'all' } }],
  });
  expect((await world.edge.get(all, '/', { from: '127.0.0.2' })).status).toBe(200);
  expect((await world.edge.get(all, '/', { from: '127.0.0.3' })).status).toBe(429);
});

it('counts on where a rule has been moved to', async () => {
  const rule = { action: 'limit', limit: { requests: 1, period_seconds: 60, burst: 0 } } as const;
  await say([rule]);
  const host = await world.site({});
  expect([await world.status(host), await world.status(host)]).toEqual([200, 429]);
  await say([{ action: 'tag', tag: { name: 'first' } }, rule]);
  const answer = await world.edge.get(host);
  expect(answer.status).toBe(429);
  expect(await lineOf(answer)).toMatchObject({ decision: 'matcher_rule global 2' });
});

it('asks browsers for a challenge, without browser verification being on', async () => {
  const host = await world.site({
    matchers: [
      { action: 'tag', tag: { name: 'seen' } },
      { ...scanner, action: 'challenge' },
      { ...scanner, action: 'challenge', challenge: { kind: 'image' }, mode: 'observe' },
    ],
  });
  const page = { ...headers, accept: 'text/html' };
  const asked = await world.edge.get(host, '/', { headers: page });
  expect(asked.status).toBe(403);
  expect(await lineOf(asked)).toMatchObject({
    decision: 'matcher_rule 2',
    waf: 'matcher_rule 1=tag; matcher_rule 2=challenge; matcher_rule 3=observe; browser_verify_rule=challenge',
  });
  expect(await world.status(host)).toBe(200);
  const { kind, ...challenge } = told(asked);
  expect(kind).toBe('javascript');
  const passed = await world.edge.get(host, '/.well-known/breakwater/verify/answer', {
    method: 'POST',
    headers: { ...page, 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams({
      token: challenge.token,
      answer: worked({ kind, ...challenge }),
    }).toString(),
  });
  const cookie = passed.headers['set-cookie']![0]!.split(';')[0]!;
  const again = await world.edge.get(host, '/', { headers: { ...page, cookie } });
  expect(again.status).toBe(200);
  expect(await lineOf(again)).toMatchObject({
    decision: '',
    waf: 'matcher_rule 1=tag; matcher_rule 2=challenge; matcher_rule 3=observe',
  });
});

it('asks for the strongest of what rules want', async () => {
  const host = await world.site({
    matchers: [
      { action: 'challenge', challenge: { kind: 'proof_of_work' } },
      { action: 'challenge', challenge: { kind: 'cookie' } },
    ],
  });
  const page = { 'sec-fetch-mode': 'navigate', accept: 'text/html' };
  const asked = await world.edge.get(host, '/', { headers: page });
  expect(asked.status).toBe(403);
  expect(await lineOf(asked)).toMatchObject({ decision: 'matcher_rule 1' });
});

it('lets a request wait before it goes on, once and for the longest, and none that gets a page', async () => {
  const delay = (milliseconds: number) => ({ action: 'delay', delay: { milliseconds } }) as const;
  const host = await world.site({
    rules: [{ type: 'all', ttl_seconds: 60 }],
    matchers: [
      { ...delay(10), condition: holds('path', 'starts_with', ['/slow']) },
      { ...delay(300), condition: holds('path', 'starts_with', ['/slow']) },
      { ...delay(10_000), mode: 'observe' },
      { ...delay(10_000), condition: holds('path', 'equals', ['/no']) },
      { action: 'block', condition: holds('path', 'equals', ['/no']) },
    ],
  });
  const timed = async (path: string) => {
    const answer = await world.edge.get(host, path);
    return { answer, seconds: (await lineOf(answer)).request_time };
  };
  const first = await timed('/slow');
  expect([first.answer.status, first.answer.body]).toEqual([200, 'asked /slow']);
  expect(first.seconds).toBeGreaterThanOrEqual(0.3);
  const hit = await timed('/slow');
  expect(await lineOf(hit.answer)).toMatchObject({
    cache_status: 'HIT',
    waf: 'matcher_rule 1=delay; matcher_rule 2=delay; matcher_rule 3=observe',
  });
  expect(hit.seconds).toBeGreaterThanOrEqual(0.3);
  const blocked = await timed('/no');
  expect(blocked.answer.status).toBe(403);
  expect(blocked.seconds).toBeLessThan(10);
  const sent = await world.edge.get(host, '/slow/form', { method: 'POST', body: 'a=b' });
  expect(sent.status).toBe(200);
});

it('holds back a part of those that wait at once, and all are answered', async () => {
  const host = await world.site({ matchers: [{ action: 'delay', delay: { milliseconds: 200 } }] });
  const statuses = await Promise.all(Array.from({ length: 300 }, () => world.status(host)));
  expect(new Set(statuses)).toEqual(new Set([200]));
});

it.each(['streams that are reset', 'connections that end'])(
  'counts none as waiting who has left: %s',
  async (how) => {
    const host = await world.site({ matchers: [{ action: 'delay', delay: { milliseconds: 700 } }] });
    const sessions = Array.from({ length: 3 }, () =>
      connectHttp2(`https://127.0.0.1:${world.edge.httpsPort}`, { rejectUnauthorized: false }),
    );
    // Its answer comes when all frames before it were read.
    const isRead = (session: ClientHttp2Session) => new Promise((settle) => session.ping(settle));
    await Promise.all(
      sessions.map(async (session) => {
        session.on('error', () => {});
        await once(session, 'remoteSettings');
        const streams = Array.from({ length: 100 }, (_, index) => {
          const stream = session.request({ ':authority': host, ':path': `/${index}` });
          stream.on('error', () => {});
          return stream.end();
        });
        await isRead(session);
        if (how === 'connections that end') return session.destroy();
        for (const stream of streams) stream.close(constants.NGHTTP2_CANCEL);
        await isRead(session);
        session.close();
      }),
    );
    await expect
      .poll(async () => (await lineOf(await world.edge.get(host, '/'))).request_time, patience)
      .toBeGreaterThanOrEqual(0.7);
  },
);

it('holds a rule for some of the nodes back at the others', async () => {
  const at = async (nodes: number) => {
    const host = await world.site({ matchers: [{ action: 'block', nodes }] });
    return world.status(host);
  };
  expect([await at(1), await at(100)]).toEqual([200, 403]);
});

it('sends elsewhere, and later rules know the tags of earlier ones', async () => {
  const tagged = holds('tags', 'has', ['scanner']);
  const host = await world.site({
    matchers: [
      { ...scanner, action: 'tag', tag: { name: 'scanner' } },
      { action: 'redirect', condition: tagged, redirect: { url: 'https://example.com/trap', status: 307 } },
    ],
  });
  const answer = await world.edge.get(host, '/', { headers });
  expect([answer.status, answer.headers.location]).toEqual([307, 'https://example.com/trap']);
  expect(await lineOf(answer)).toMatchObject({ waf: 'matcher_rule 1=tag; matcher_rule 2=redirect' });
  expect(await world.status(host, '/', { 'x-breakwater-tags': 'scanner' })).toBe(200);
});

it('whom a higher level lets in a lower one does not block, and what it blocks no lower one lets in', async () => {
  const host = await world.site({ matchers: [{ action: 'block' }] });
  const bare = await world.site({});
  const all = () => Promise.all([host, bare].map((each) => world.status(each)));
  expect(await all()).toEqual([403, 200]);
  await say([{ action: 'block', condition: holds('path', 'equals', ['/no']) }, { action: 'allow' }]);
  expect(await all()).toEqual([200, 200]);
  expect(await world.status(bare, '/no')).toBe(200);
  await say([{ action: 'block' }]);
  const open = await world.site({ matchers: [{ action: 'allow' }] });
  expect(await world.status(open)).toBe(403);
  const answer = await world.edge.get(open);
  expect(await lineOf(answer)).toMatchObject({ decision: 'matcher_rule global 1' });
});

it('leaves proofs of a domain and the edge’s own pages alone', async () => {
  const host = await world.site({ matchers: [{ action: 'block' }] });
  expect(await world.status(host, '/.well-known/acme-challenge/token')).toBe(200);
  expect(await world.status(host, '/.well-known/breakwater/address')).not.toBe(403);
});

it('a path is closed in all its readings, and forged fields change nothing', async () => {
  const host = await world.site({
    matchers: [{ action: 'block', condition: holds('path', 'starts_with', ['/admin']) }],
  });
  for (const target of ['/admin', '/ADMIN/x', '//admin'])
    expect([target, await world.rawStatus(host, target)]).toEqual([target, 403]);
  expect(await world.rawStatus(host, '/', ['X-Original-URL: /admin', 'X-Breakwater-Waf: x'])).toBe(200);
});

it('a pattern that runs away blocks, and not for long', async () => {
  const host = await world.site({});
  // The contract takes no such pattern; a node has to live with any.
  const [rule] = matcherRuleSection.parse({
    rules: [{ action: 'block', condition: holds('query', 'regex', ['x']) }],
  }).rules;
  (rule!.condition!.items[0] as { values: string[] }).values = ['(x+x+)+y'];
  const document = { level: 'global', matcher_rule: { rules: [rule] } };
  const envelope = makeEnvelope('level', 'global', world.edge.nextRevision(), document);
  expect(await world.edge.control('POST', '/documents', [envelope])).toMatchObject([{ status: 'applied' }]);
  const began = performance.now();
  expect(await world.status(host, `/?${'x'.repeat(4000)}`)).toBe(403);
  expect(performance.now() - began).toBeLessThan(1000);
  expect(await world.status(host, '/?a=b')).toBe(200);
});

it('refuses a broken document, and what was there stays', async () => {
  const host = await world.site({ matchers: [{ action: 'block' }] });
  for (const rules of [
    [{ action: 'block' }],
    [{ ...matcherRuleSection.parse({ rules: [{ action: 'block' }] }).rules[0], action: 'teleport' }],
    'none',
  ]) {
    const document = { level: 'global', matcher_rule: { rules } };
    const envelope = makeEnvelope('level', 'global', world.edge.nextRevision(), document);
    expect(await world.edge.control('POST', '/documents', [envelope])).toMatchObject([{ status: 'refused' }]);
  }
  expect(await world.status(host)).toBe(403);
});
