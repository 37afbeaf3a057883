import { createHmac } from 'node:crypto';
import type { browserVerifyRule } from '@breakwater/contract/site-config/browser-verify';
import {
  lettersOf,
  pictureSecret,
  signChallenge,
  signPass,
  slidePlace,
  turnOf,
} from '@breakwater/policy/protect/verify';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type * as z from 'zod';
import { AccessWorld } from './access-support.ts';
import { makeSite, TestEdge, type Answer, type CallOptions } from './support.ts';
import { told, worked, type Told } from './verify-support.ts';

/** Challenges, their answers and passes, on a real nginx. */

const key = 'a'.repeat(64);
const hmac = (secret: string, text: string) => createHmac('sha256', secret).update(text).digest('hex');
const agent = 'Mozilla/5.0 Test';
const headers = { 'user-agent': agent, accept: 'text/html' };
const answerPath = '/.well-known/breakwater/verify/answer';

let world: AccessWorld;
beforeAll(async () => {
  world = await AccessWorld.start();
});
afterAll(() => world.close());
beforeEach(() => useKeys([key]));

const useKeys = (keys: string[], edge: TestEdge = world.edge) => edge.control('PUT', '/pass_keys', { keys });
type Settings = z.input<typeof browserVerifyRule>;
const site = (verify: Settings = {}, more = {}) =>
  world.site({ verify: { enabled: true, difficulty: 8, ...verify }, ...more });

const get = (host: string, path = '/', options: CallOptions = {}) =>
  world.edge.get(host, path, { ...options, headers: { ...headers, ...options.headers } });
const send = (host: string, fields: Record<string, string>, options: CallOptions = {}, edge = world.edge) =>
  edge.get(host, answerPath, {
    method: 'POST',
    ...options,
    headers: { ...headers, 'content-type': 'application/x-www-form-urlencoded', ...options.headers },
    body: new URLSearchParams(fields).toString(),
  });
const cookieOf = ({ headers: fields }: Answer) => fields['set-cookie']![0]!.split(';')[0]!;
const withPass = (host: string, cookie: string, options: CallOptions = {}) =>
  get(host, '/', { ...options, headers: { cookie, ...options.headers } });

/** The cookie of who has solved a challenge. */
async function pass(host: string, options: CallOptions = {}): Promise<string> {
  const page = told(await get(host, '/', options));
  const answer = await send(host, { token: page.token, answer: worked(page) }, options);
  expect([answer.status, answer.body]).toEqual([200, '{}']);
  return cookieOf(answer);
}

const bound = (host: string, more = {}) => ({
  siteId: /\d+/.exec(host)![0],
  network: '127.0.0/24',
  agent,
  ...more,
});
const now = () => Math.floor(Date.now() / 1000);

describe('a page', () => {
  it('stands in the way until it is solved, small, without anything from elsewhere, kept by nobody', async () => {
    const host = await site({ status: 503, title: 'Wait <b>', color: '#112233' });
    const page = await get(host, '/x', { headers: { 'accept-language': 'fr;q=0.5, zh-CN, en;q=0.3' } });
    expect(page.status).toBe(503);
    expect(page.headers['cache-control']).toBe('no-store');
    const [, nonce] = /script-src 'nonce-([0-9a-f]{32})'/.exec(
      page.headers['content-security-policy'] as string,
    )!;
    expect(page.headers['content-security-policy']).toMatch(/^default-src 'none';/);
    expect(page.body.match(/<(?:script|style)[^>]*>/g)!.every((tag) => tag.includes(nonce!))).toBe(true);
    expect(page.body).not.toMatch(/https?:\/\/|src="\//);
    expect(page.body).toContain('<html lang="zh">');
    expect(page.body).toContain('<h1>Wait &lt;b&gt;</h1>');
    expect(Buffer.byteLength(page.body)).toBeLessThan(30_000);
    expect(world.seen['user-agent']).not.toBe(agent);
    const cookie = await pass(host);
    expect((await withPass(host, cookie)).body).toBe('asked /');
  });

  it.each(['slide', 'rotate', 'image'] as const)('of %s shows a picture, below 30 kB', async (kind) => {
    const page = await get(await site({ kind }));
    expect(Buffer.byteLength(page.body)).toBeLessThan(30_000);
    const [, picture] = /src="data:image\/bmp;base64,([^"]+)"/.exec(page.body)!;
    const bytes = Buffer.from(picture!, 'base64');
    expect([bytes.toString('latin1', 0, 2), bytes.readUInt32LE(2)]).toEqual(['BM', bytes.length]);
  });

  it('is JSON for programs and for parts of pages', async () => {
    const host = await site({ status: 503 });
    for (const fields of [
      { accept: 'application/json' },
      { 'x-requested-with': 'XMLHttpRequest' },
      { 'sec-fetch-dest': 'empty' },
      { 'sec-fetch-dest': 'image' },
    ]) {
      const answer = await get(host, '/', { headers: fields });
      expect([answer.status, answer.headers['content-type']]).toEqual([403, 'application/json']);
      expect(JSON.parse(answer.body)).toEqual({
        error: 'browser_verification',
        request_id: answer.headers['x-request-id'],
      });
    }
    expect(told(await get(host, '/', { headers: { 'sec-fetch-dest': 'document' } })).kind).toBe('javascript');
  });

  it('a thousand at once', async () => {
    const host = await site({ kind: 'proof_of_work', difficulty: 10 });
    const pages: Told[] = [];
    for (let round = 0; round < 10; round++)
      pages.push(...(await Promise.all(Array.from({ length: 100 }, () => get(host)))).map(told));
    expect(new Set(pages.map(({ token }) => token)).size).toBe(1000);
    // What is asked for gets harder meanwhile.
    expect(Math.max(...pages.map(({ bits }) => bits))).toBeGreaterThan(10);
    expect((await withPass(host, await pass(host))).status).toBe(200);
  });
});

describe('an answer', () => {
  it.each(['javascript', 'proof_of_work', 'click', 'slide', 'rotate', 'image'] as const)(
    'of %s is taken by work, and lets in',
    async (kind) => {
      const host = await site({ kind });
      expect((await withPass(host, await pass(host))).status).toBe(200);
    },
  );

  it.each([
    ['slide', (secret: string) => [`${slidePlace(secret).x + 3}`, `${slidePlace(secret).x + 20}`]],
    ['rotate', (secret: string) => [`${turnOf(secret) - 5}`, `${turnOf(secret) + 40}`]],
    ['image', (secret: string) => [lettersOf(secret).toLowerCase(), 'AAAAA']],
  ] as const)('of %s is taken by sight, and no wrong one', async (kind, seen) => {
    const host = await site({ kind });
    for (const [place, status] of [
      [0, 200],
      [1, 403],
    ] as const) {
      const { token } = told(await get(host));
      const value = seen(pictureSecret(token, key, hmac))[place]!;
      expect((await send(host, { token, answer: `sight:${value}` })).status).toBe(status);
    }
  });

  it('of the page that waits is too early before its time', async () => {
    const host = await site({ kind: 'delay', delay_seconds: 3 });
    const page = told(await get(host));
    const fields = { token: page.token, answer: worked(page) };
    expect(JSON.parse((await send(host, fields)).body)).toEqual({ reason: 'early' });
    const older = { kind: 'delay', issued: now() - 4, difficulty: 8, nonce: 'b'.repeat(32) } as const;
    const token = signChallenge(older, bound(host), key, hmac);
    const answer = worked({ ...page, token, bits: 8 });
    expect((await send(host, { token, answer })).status).toBe(200);
  });

  it('is taken once, and from nobody else', async () => {
    const host = await site();
    const other = await site();
    const page = told(await get(host));
    const fields = { token: page.token, answer: worked(page) };
    const reason = async (...call: Parameters<typeof send>) =>
      (JSON.parse((await send(...call)).body) as { reason?: string }).reason;
    expect(await reason(other, fields)).toBe('forged');
    expect(await reason(host, fields, { from: '127.0.9.1' })).toBe('forged');
    expect(await reason(host, fields, { headers: { 'user-agent': 'other' } })).toBe('forged');
    expect(await reason(host, { ...fields, token: page.token.replace('javascript', 'cookie') })).toBe(
      'forged',
    );
    expect(await reason(host, { ...fields, token: 'x' })).toBe('malformed');
    expect(await reason(host, fields, { from: '127.0.0.9' })).toBeUndefined();
    expect(await reason(host, fields)).toBe('used');
    expect(await reason(host, { token: told(await get(host)).token, answer: 'work:x' })).toBe('wrong');
    const old = { kind: 'javascript', issued: now() - 7300, difficulty: 8, nonce: 'c'.repeat(32) } as const;
    expect(await reason(host, { token: signChallenge(old, bound(host), key, hmac), answer: 'work:1' })).toBe(
      'expired',
    );
  });

  it('that is wrong too often is not heard any more', async () => {
    const host = await site({ kind: 'image', wrong_answers_max: 3 });
    const wrong = async () =>
      (await send(host, { token: told(await get(host)).token, answer: 'sight:no' })).status;
    expect([await wrong(), await wrong(), await wrong(), await wrong()]).toEqual([403, 403, 403, 429]);
  });

  it('with marks of automation is refused where that is strict', async () => {
    for (const [strict, status] of [
      [true, 403],
      [false, 200],
    ] as const) {
      const host = await site({ strict });
      const page = told(await get(host));
      const answer = await send(host, { token: page.token, answer: worked(page), marks: 'w' });
      expect([strict, answer.status]).toEqual([strict, status]);
    }
  });
});

describe('a pass', () => {
  it('is good for its site, network and agent, for its time and no longer', async () => {
    const host = await site();
    const other = await site();
    const cookie = await pass(host);
    const statusOf = async (...call: Parameters<typeof withPass>) => (await withPass(...call)).status;
    expect(await statusOf(host, cookie)).toBe(200);
    expect(await statusOf(host, cookie, { from: '127.0.0.77' })).toBe(200);
    expect(await statusOf(host, cookie, { from: '127.0.9.1' })).toBe(403);
    expect(await statusOf(host, cookie, { headers: { 'user-agent': 'other' } })).toBe(403);
    expect(await statusOf(other, cookie)).toBe(403);
    expect(await statusOf(host, `${cookie.slice(0, -1)}${cookie.endsWith('0') ? '1' : '0'}`)).toBe(403);
    const made = (issued: number) => {
      const own = { kind: 'javascript', issued, seconds: 60, id: 'd'.repeat(32) } as const;
      return `bw_pass=${signPass(own, bound(host), key, hmac)}`;
    };
    expect(await statusOf(host, made(now() - 61))).toBe(403);
    // The clock of the node that gave it runs ahead, or far too far.
    expect(await statusOf(host, made(now() + 60))).toBe(200);
    expect(await statusOf(host, made(now() + 600))).toBe(403);
  });

  it('of a weaker kind does not do', async () => {
    const host = await site({ kind: 'slide' });
    const weak = { kind: 'javascript', issued: now(), seconds: 60, id: 'e'.repeat(32) } as const;
    expect((await withPass(host, `bw_pass=${signPass(weak, bound(host), key, hmac)}`)).status).toBe(403);
  });

  it('is asked for again after so many requests', async () => {
    const host = await site({ pass_requests: 10 });
    const cookie = await pass(host);
    const statuses: number[] = [];
    for (let count = 0; count < 11; count++) statuses.push((await withPass(host, cookie)).status);
    expect(statuses).toEqual([...Array<number>(10).fill(200), 403]);
  });

  it('goes on after the keys were changed, until they are gone', async () => {
    const host = await site();
    const cookie = await pass(host);
    await useKeys(['b'.repeat(64), key]);
    expect((await withPass(host, cookie)).status).toBe(200);
    const newer = await pass(host);
    await useKeys(['b'.repeat(64)]);
    expect((await withPass(host, cookie)).status).toBe(403);
    expect((await withPass(host, newer)).status).toBe(200);
  });

  it('of one node is good at another with its keys', async () => {
    const host = await site();
    const cookie = await pass(host);
    const other = await TestEdge.start();
    try {
      await other.applySites(
        makeSite({
          id: Number(/\d+/.exec(host)![0]),
          domains: [host],
          origins: [{ address: '127.0.0.1', http_port: world.origin.port }],
          verify: { enabled: true },
        }),
      );
      const status = async () => (await other.get(host, '/', { headers: { ...headers, cookie } })).status;
      expect(await status()).toBe(403);
      await useKeys([key], other);
      expect(await status()).toBe(200);
    } finally {
      await other.close();
    }
  });

  it('is the edge’s own: origins do not see it, and the cache gives one answer to all', async () => {
    const host = await site({}, { rules: [{ type: 'all', ttl_seconds: 60 }] });
    const cookie = await pass(host);
    const first = await withPass(host, `a=1; ${cookie}; b=2`);
    expect([first.status, world.seen.cookie]).toEqual([200, 'a=1; b=2']);
    const hit = await withPass(host, await pass(host));
    expect(hit.headers.age).toBeDefined();
    const answer = await send(host, { token: '' });
    expect(answer.headers['set-cookie']).toBeUndefined();
  });

  it('is marked as no script and no other site may read it', async () => {
    const host = await site();
    const page = told(await get(host));
    const answer = await send(host, { token: page.token, answer: worked(page) });
    expect(answer.headers['set-cookie']![0]).toMatch(
      /^bw_pass=[\w.]+; Path=\/; Max-Age=3600; HttpOnly; SameSite=Lax$/,
    );
    const options = { servername: host };
    const safe = told(await get(host, '/', options));
    const over = await send(host, { token: safe.token, answer: worked(safe) }, options);
    expect(over.headers['set-cookie']![0]).toMatch(/HttpOnly; SameSite=Lax; Secure$/);
  });
});

describe('the cookie that has to come back', () => {
  it('sends on to where the visitor wanted, with the method', async () => {
    const host = await site({ kind: 'cookie' });
    const first = await get(host, '/a?b=c%20d');
    expect(first.status).toBe(307);
    const second = await get(host, first.headers.location!, { headers: { cookie: cookieOf(first) } });
    expect([second.status, second.headers.location]).toEqual([307, '/a?b=c%20d']);
    expect((await withPass(host, cookieOf(second))).status).toBe(200);
    const again = await get(host, first.headers.location!, { headers: { cookie: cookieOf(first) } });
    expect(again.status).toBe(403);
    expect((await get(host, first.headers.location!)).status).toBe(403);
  });

  it('sends to no other site', async () => {
    const host = await site({ kind: 'cookie' });
    for (const target of ['//evil.test/', '/%5Cevil.test', 'https://evil.test/', '/%0D%0Ax:+y']) {
      const first = await get(host);
      const back = `/.well-known/breakwater/verify/cookie?to=${target}`;
      const second = await get(host, back, { headers: { cookie: cookieOf(first) } });
      expect([target, second.status, second.headers.location]).toEqual([target, 307, '/']);
    }
  });
});

describe('a form that was sent', () => {
  const form = { 'content-type': 'application/x-www-form-urlencoded' };
  const post = (host: string, body: string, fields: Record<string, string>) =>
    get(host, '/form', { method: 'POST', body, headers: { ...form, ...fields } });

  it('of the site itself is in the page, to be sent again', async () => {
    const host = await site();
    const page = await post(host, 'a=1+2&b=%3C%22%3E&a=%E4%B8%AD', { origin: `http://${host}` });
    expect(told(page)).toMatchObject({ form: true, post: true });
    expect(page.body).toContain(
      '<textarea name="a">\n1 2</textarea><textarea name="b">\n&lt;&quot;&gt;</textarea><textarea name="a">\n中</textarea>',
    );
  });

  it('of another site, too large, or of another kind is not', async () => {
    const host = await site();
    const own = { origin: `http://${host}` };
    for (const page of [
      await post(host, 'a=1', { origin: 'http://evil.test' }),
      await post(host, 'a=1', {}),
      await post(host, 'a=1', { ...own, 'sec-fetch-site': 'cross-site', 'sec-fetch-dest': 'document' }),
      await post(host, `a=${'x'.repeat(9000)}`, own),
      await post(host, 'a=1', { ...own, 'content-type': 'text/plain' }),
    ]) {
      expect(told(page)).toMatchObject({ form: false, post: true });
      expect(page.body).not.toContain('<textarea');
    }
  });
});

it('asks nobody who is exempt, and only where it is to', async () => {
  const host = await site({
    only_paths: ['/shop/'],
    except_paths: ['/shop/api/'],
    exempt_addresses: ['127.0.5.0/24'],
    address_lists: [7],
  });
  await world.edge.applyList(7, ['127.0.6.1']);
  expect((await get(host, '/')).status).toBe(200);
  expect((await get(host, '/shop/a')).status).toBe(403);
  expect((await get(host, '/SHOP/a')).status).toBe(403);
  expect((await get(host, '/shop/api/x')).status).toBe(200);
  expect((await get(host, '/shop/a', { from: '127.0.5.9' })).status).toBe(200);
  expect((await get(host, '/shop/a', { from: '127.0.6.1' })).status).toBe(200);
  const robot = { 'user-agent': 'Googlebot/2.1' };
  await world.edge.control('PUT', '/robots', {
    verdicts: [{ address: '127.0.7.1', robot: 'google', seconds: 600 }],
  });
  expect((await get(host, '/shop/a', { from: '127.0.7.1', headers: robot })).status).toBe(200);
  expect((await get(host, '/shop/a', { from: '127.0.7.2', headers: robot })).status).toBe(403);
});

it('the log says who was asked, and why an answer was refused', async () => {
  const host = await site();
  const page = await get(host);
  const refused = await send(host, { token: 'x' });
  const line = async (answer: Answer) => {
    const id = answer.headers['x-request-id'];
    return (await world.edge.logLines(1, ({ request_id }) => request_id === id))[0];
  };
  expect(await line(page)).toMatchObject({
    decision: 'browser_verify_rule',
    waf: 'browser_verify_rule=challenge',
    status: 403,
  });
  expect(await line(refused)).toMatchObject({ decision: 'browser_verify_rule malformed' });
});
