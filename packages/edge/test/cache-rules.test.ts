import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { startScriptedOrigin, type ScriptedOrigin } from './scripted-origin.ts';
import { makeSite, TestEdge, type Answer, type CallOptions, type SiteInput, patience } from './support.ts';

/** What each field of a cache rule does to real requests. */

let edge: TestEdge;
let origin: ScriptedOrigin;
let sites = 0;

beforeAll(async () => {
  edge = await TestEdge.start();
  origin = await startScriptedOrigin();
});

afterAll(async () => {
  await edge.close();
  await origin.close();
});

type Rule = NonNullable<SiteInput['rules']>[number];
type Ask = (path: string, headers?: Record<string, string>, options?: CallOptions) => Promise<Answer>;

/** A site of its own whose one rule, for everything unless it says otherwise, is this. */
async function withRule(rule: Partial<Rule>): Promise<Ask> {
  sites += 1;
  const host = `rule-${sites}.test`;
  const rules = [{ type: 'all' as const, ttl_seconds: 600, ...rule }];
  const origins = [{ address: '127.0.0.1', http_port: origin.port }];
  const [result] = await edge.applySites(
    makeSite({ id: sites, domains: [host], origins, rules, cache: { invalidate_on_change: true } }),
  );
  expect(result).toMatchObject({ status: 'applied' });
  return (path, headers = {}, options = {}) => edge.get(host, path, { headers, ...options });
}

const state = ({ headers }: Answer) => headers['x-cache'];
const wait = (milliseconds: number) => new Promise((settle) => setTimeout(settle, milliseconds));

async function isStored(ask: Ask, path: string, headers?: Record<string, string>): Promise<boolean> {
  await ask(path, headers);
  return state(await ask(path, headers)) === 'HIT';
}

describe('what a rule matches', () => {
  it('a path in any case, where it says so', async () => {
    const ask = await withRule({ type: 'folder', content: ['/P'], case_insensitive: true });
    expect(await isStored(ask, `${origin.serve({})}/x`)).toBe(false);
    const path = origin.serve({});
    const any = await withRule({
      type: 'regex',
      content: [`^${path.toUpperCase()}$`],
      case_insensitive: true,
    });
    expect(await isStored(any, path)).toBe(true);
    const exact = await withRule({ type: 'regex', content: [`^${path.toUpperCase()}$`] });
    expect(await isStored(exact, path)).toBe(false);
  });

  it('arguments in any order, where it sorts them', async () => {
    const path = origin.serve({});
    const ask = await withRule({ query_policy: 'sorted' });
    const first = await ask(`${path}?b=2&a=1`);
    const second = await ask(`${path}?a=1&b=2`);
    expect([state(second), second.body]).toEqual(['HIT', first.body]);
    expect(state(await ask(`${path}?a=1&b=3`))).toBe('MISS');
  });
});

describe('how long a rule keeps', () => {
  it('each status for its own time', async () => {
    const ask = await withRule({
      ttl_by_status: [
        { statuses: [404], ttl_seconds: 60 },
        { statuses: [302], ttl_seconds: 0 },
      ],
    });
    expect(
      await isStored(
        ask,
        origin.serve(() => ({ status: 404 })),
      ),
    ).toBe(true);
    expect(
      await isStored(
        ask,
        origin.serve(() => ({ status: 302, headers: { Location: '/' } })),
      ),
    ).toBe(false);
    expect(
      await isStored(
        ask,
        origin.serve(() => ({ status: 301, headers: { Location: '/' } })),
      ),
    ).toBe(true);
    expect(
      await isStored(
        ask,
        origin.serve(() => ({ status: 410 })),
      ),
    ).toBe(false);
  });

  it('nothing that the origin keeps from caches, unless it is told to ignore that', async () => {
    const heeding = await withRule({});
    const ignoring = await withRule({ ignore_cache_control: true });
    for (const directive of ['private', 'no-store', 'no-cache']) {
      expect(await isStored(heeding, origin.serve({ 'Cache-Control': directive }))).toBe(false);
      expect(await isStored(ignoring, origin.serve({ 'Cache-Control': directive }))).toBe(true);
    }
  });

  it('no answer to a signed-in request, even where it ignores the origin', async () => {
    const ask = await withRule({ ignore_cache_control: true });
    expect(await isStored(ask, origin.serve({}), { authorization: 'Basic x' })).toBe(false);
  });

  it('no cookie: where it keeps the answer nobody gets it, not even who came first', async () => {
    const cookie = { 'Set-Cookie': ['a=1', 'b=2'] };
    expect(await isStored(await withRule({}), origin.serve(cookie))).toBe(false);
    const ask = await withRule({ ignore_set_cookie: true });
    const path = origin.serve(cookie);
    for (const expected of ['MISS', 'HIT']) {
      const answer = await ask(path);
      expect([state(answer), answer.headers['set-cookie']]).toEqual([expected, undefined]);
    }
  });

  it('answers of the sizes it names, and none of no stated size', async () => {
    const ask = await withRule({ min_size_bytes: 10, max_size_bytes: 20 });
    const sized = (bytes: number) => origin.serve(() => ({ body: 'x'.repeat(bytes) }));
    expect(await isStored(ask, sized(9))).toBe(false);
    expect(await isStored(ask, sized(10))).toBe(true);
    expect(await isStored(ask, sized(20))).toBe(true);
    expect(await isStored(ask, sized(21))).toBe(false);
    const chunked = origin.serve(() => ({
      headers: { 'Transfer-Encoding': 'chunked' },
      body: 'x'.repeat(15),
    }));
    expect(await isStored(ask, chunked)).toBe(false);
  });

  it('from the request on that it counts to', async () => {
    const ask = await withRule({ min_uses: 3 });
    const path = origin.serve({});
    const states = [];
    for (let time = 0; time < 4; time++) states.push(state(await ask(path)));
    expect(states).toEqual(['MISS', 'MISS', 'MISS', 'HIT']);
  });
});

describe('an answer that is no file of the suffix', () => {
  const page = { 'Content-Type': 'text/html; charset=utf-8' };

  it('is not kept: the page of an account under a made-up name', async () => {
    const ask = await withRule({ type: 'suffix', content: ['css', 'png', 'zip'] });
    for (const suffix of ['css', 'png', 'zip'])
      expect(await isStored(ask, `${origin.serve(page)}/x.${suffix}`)).toBe(false);
    expect(await isStored(ask, `${origin.serve({ 'Content-Type': 'text/css' })}/x.css`)).toBe(true);
  });

  it('is kept where the origin says so itself', async () => {
    const ask = await withRule({ type: 'suffix', content: ['css'] });
    expect(await isStored(ask, `${origin.serve({ ...page, 'Cache-Control': 'max-age=60' })}/x.css`)).toBe(
      true,
    );
  });

  it('is kept where the rule looks at no type', async () => {
    const ask = await withRule({ type: 'suffix', content: ['css'], match_content_type: false });
    expect(await isStored(ask, `${origin.serve(page)}/x.css`)).toBe(true);
  });
});

describe('what tells answers apart', () => {
  const phone = { 'user-agent': 'Mozilla/5.0 (Linux; Android 14) Chrome/126 Mobile Safari/537.36' };
  const desktop = { 'user-agent': 'Mozilla/5.0 (X11; Linux x86_64) Chrome/126 Safari/537.36' };

  it('phones and other devices', async () => {
    const ask = await withRule({ vary_device: true });
    const path = origin.serve((request) => ({
      body: String(request.headers['user-agent']?.includes('Mobile')),
    }));
    const seen = [];
    for (const headers of [phone, desktop, phone, desktop, { 'user-agent': 'curl' }])
      seen.push((await ask(path, headers)).body);
    expect(seen).toEqual(['true', 'false', 'true', 'false', 'false']);
    expect(state(await ask(path, desktop))).toBe('HIT');
  });

  it('fields and cookies by their values, in every line of theirs', async () => {
    const ask = await withRule({ key_headers: ['accept-language'], key_cookies: ['lang'] });
    const path = origin.serve((request) => ({
      body: `${String(request.headers['accept-language'])} ${String(request.headers.cookie)}`,
    }));
    const zh = await ask(path, { 'accept-language': 'zh', cookie: 'lang=zh; other=1' });
    const en = await ask(path, { 'accept-language': 'en', cookie: 'lang=zh' });
    const other = await ask(path, { 'accept-language': 'zh', cookie: 'lang=en' });
    expect([state(zh), state(en), state(other)]).toEqual(['MISS', 'MISS', 'MISS']);
    const again = await ask(path, { 'accept-language': 'zh', cookie: 'other=2; lang=zh' });
    expect([state(again), again.body]).toEqual(['HIT', zh.body]);
    const doubled = ['zh', 'evil'] as unknown as string;
    expect(state(await ask(path, { 'accept-language': doubled, cookie: 'lang=zh' }))).toBe('MISS');
    expect((await ask(path, { 'accept-language': 'zh', cookie: 'lang=zh' })).body).not.toContain('evil');
  });

  it('long values too, and a change at the origin is for all of them', async () => {
    const ask = await withRule({ key_headers: ['x-long'] });
    const path = origin.serve({});
    const long = { 'x-long': 'a'.repeat(3000) };
    const longer = { 'x-long': `${'a'.repeat(2999)}b` };
    expect([await isStored(ask, path, long), await isStored(ask, path, longer)]).toEqual([true, true]);
    await ask(path, {}, { method: 'POST', body: 'x' });
    expect([state(await ask(path, long)), state(await ask(path, longer))]).toEqual(['MISS', 'MISS']);
  });

  it('cookies whose presence leads around the cache', async () => {
    const ask = await withRule({ no_cache_cookies: ['session', 'wp_*'] });
    const path = origin.serve({});
    expect(await isStored(ask, path)).toBe(true);
    for (const cookie of ['session=1', 'a=1; wp_user=2'])
      expect(state(await ask(path, { cookie }))).toBe('BYPASS');
    expect(state(await ask(path, { cookie: 'a=1' }))).toBe('HIT');
    const fresh = origin.serve({});
    await ask(fresh, { cookie: 'session=1' });
    expect(state(await ask(fresh))).toBe('MISS');
  });
});

describe('what browsers are told', () => {
  it('is what the rule says, from now on, whatever is stored', async () => {
    const ask = await withRule({ browser_ttl_seconds: 300 });
    const old = {
      Date: new Date(Date.now() - 1_000_000).toUTCString(),
      Expires: '0',
      'Cache-Control': 'max-age=9',
    };
    const path = origin.serve(old);
    for (const expected of ['MISS', 'HIT']) {
      const { headers } = await ask(path);
      const [, lifetime] = /^max-age=(\d+)$/.exec(headers['cache-control']!)!;
      expect([headers['x-cache'], headers.expires]).toEqual([expected, undefined]);
      // What is left of it, as a browser counts (RFC 9111 §4.2.3).
      expect(Number(lifetime) - Number(headers.age)).toBe(300);
    }
    const conditional = origin.serve({ ETag: '"v1"' });
    await ask(conditional);
    const { status, headers } = await ask(conditional, { 'if-none-match': '"v1"' });
    expect([status, headers['cache-control']]).toEqual([304, `max-age=${300 + Number(headers.age)}`]);
  });

  it('leaves what is private, and errors', async () => {
    const ask = await withRule({ browser_ttl_seconds: 300 });
    expect((await ask(origin.serve({ 'Cache-Control': 'private' }))).headers['cache-control']).toBe(
      'private',
    );
    expect((await ask(origin.serve(() => ({ status: 500 })))).headers['cache-control']).toBeUndefined();
  });
});

describe('stale answers by a rule', () => {
  it('are given in place of what the origin says of it', async () => {
    let isDown = false;
    const script = () =>
      isDown
        ? { status: 503, body: 'failed' }
        : { headers: { 'Cache-Control': 'stale-if-error=0' }, body: 'good' };
    const [given, kept] = [origin.serve(script), origin.serve(script)];
    const ask = await withRule({ ttl_seconds: 1, stale_if_error_seconds: 60 });
    const plain = await withRule({ ttl_seconds: 1 });
    await Promise.all([ask(given), plain(kept)]);
    isDown = true;
    await wait(2100);
    expect([state(await ask(given)), (await ask(given)).body]).toEqual(['STALE', 'good']);
    expect((await plain(kept)).body).toBe('failed');
  });

  it('are given while they are asked for again', async () => {
    const ask = await withRule({ ttl_seconds: 1, stale_while_revalidate_seconds: 60 });
    const path = origin.serve({});
    const first = await ask(path);
    await wait(2100);
    const stale = await ask(path);
    expect([state(stale), stale.body]).toEqual(['STALE', first.body]);
    await vi.waitFor(async () => expect((await ask(path)).body).not.toBe(first.body), patience);
  });
});

describe('requests for one thing at the same time', () => {
  /** How many of ten at once reach the origin, which takes a while to answer. */
  async function reaching(rule: Partial<Rule>): Promise<number> {
    const ask = await withRule(rule);
    const path = origin.serve({ 'X-Slow': '300' });
    const before = origin.count();
    await Promise.all(Array.from({ length: 10 }, () => ask(path)));
    return origin.count() - before;
  }

  it('ask the origin once, or each for itself where the rule says so', async () => {
    expect(await reaching({})).toBe(1);
    expect(await reaching({ lock: false })).toBe(10);
  });
});
