import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { makeSite, patience, TestEdge, type Answer, type TestOrigin } from './support.ts';
import { asked, pages, put, sent, startValidatingOrigin } from './validating-origin.ts';

/** What is stored and too old is asked for by its validators (RFC 9111 §4.3). */

const megabyte = 1_048_576;
let edge: TestEdge;
let origin: TestOrigin;

beforeAll(async () => {
  edge = await TestEdge.start();
  origin = await startValidatingOrigin();
  const origins = [{ address: '127.0.0.1', http_port: origin.port }];
  const all = { type: 'all' as const };
  await edge.applySites(
    makeSite({ id: 1, domains: ['re.test'], origins }),
    makeSite({
      id: 2,
      domains: ['parts.test'],
      origins,
      rules: [{ ...all, ttl_seconds: 2, slice_bytes: megabyte }],
    }),
    makeSite({
      id: 3,
      domains: ['large-parts.test'],
      origins,
      rules: [{ ...all, ttl_seconds: 2, slice_bytes: 4_194_304 }],
    }),
    makeSite({
      id: 4,
      domains: ['dogs.test'],
      origins,
      rewrite: { body: { replacements: [{ find: 'cat', replace: 'dog' }] } },
    }),
    makeSite({ id: 5, domains: ['small.test'], origins, speed: { gzip: true, min_length_bytes: 1 } }),
  );
});
afterAll(async () => {
  await edge.close();
  await origin.close();
});
const get = (path: string, headers: Record<string, string> = {}, host = 're.test') =>
  edge.get(host, path, { headers });
const state = ({ headers }: Answer) => headers['x-cache'];
const short = { 'Cache-Control': 'max-age=2' };

/** Asks until what is stored is too old, and gives the first answer that is not from the cache alone. */
async function whenStale(path: string, headers: Record<string, string> = {}, host = 're.test') {
  const before = asked[path]!.length;
  let answer: Answer | undefined;
  await vi.waitFor(async () => {
    answer = await get(path, headers, host);
    expect(asked[path]!.length).toBeGreaterThan(before);
  }, patience);
  return answer!;
}

const statuses = (path: string) => asked[path]!.map(({ status }) => status);
const oneHourAgo = () => new Date(Date.now() - 3_600_000).toUTCString();

describe.concurrent('a stale answer', () => {
  it.each([
    ['a strong tag', { ETag: '"v1"' }, { 'if-none-match': '"v1"' }],
    ['a weak one', { ETag: 'W/"v1"' }, { 'if-none-match': 'W/"v1"' }],
    [
      'a date',
      { 'Last-Modified': 'Sun, 01 Feb 2026 00:00:00 GMT' },
      { 'if-modified-since': 'Sun, 01 Feb 2026 00:00:00 GMT' },
    ],
  ])('is asked for by %s, and costs a 304', async (_name, validator, conditions) => {
    const path = put({ body: 'content', headers: { ...short, ...validator, 'X-Own': 'one' } });
    await get(path);
    const answer = await whenStale(path);
    expect([answer.status, answer.body, answer.headers['x-own'], state(answer)]).toEqual([
      200,
      'content',
      'one',
      'EXPIRED',
    ]);
    expect(statuses(path)).toEqual([200, 304]);
    expect(asked[path]![1]!.headers).toMatchObject(conditions);
    // It is fresh again.
    expect(state(await get(path))).toBe('HIT');
    expect(sent[path]).toBe('content'.length);
  });

  it('has the fields of the 304, those of the connection left out, and an age that counts from it', async () => {
    const headers = { ...short, ETag: '"v1"', 'X-One': 'old', 'X-Kept': ['a', 'b'], Date: oneHourAgo() };
    const path = put({ body: 'content', headers: { ...headers, 'Cache-Control': 'max-age=3601' } });
    await get(path);
    pages[path]!.of304 = {
      'Cache-Control': 'max-age=500',
      ETag: '"v1"',
      'X-One': 'new',
      'X-Two': 'more',
      Connection: 'X-Hop',
      'X-Hop': 'secret',
    };
    for (const answer of [await whenStale(path), await get(path)]) {
      expect(answer.headers).toMatchObject({
        'cache-control': 'max-age=500',
        'x-one': 'new',
        'x-two': 'more',
        'x-kept': 'a, b',
        'content-length': '7',
      });
      expect(answer.headers['x-hop']).toBeUndefined();
      expect(Number(answer.headers.age)).toBeLessThan(10);
      expect(Date.now() - Date.parse(answer.headers.date!)).toBeLessThan(10_000);
      expect(answer.body).toBe('content');
    }
    expect(statuses(path)).toEqual([200, 304]);
  });

  it('is fresh by its own lifetime after a 304 that states none', async () => {
    const path = put({ body: 'content', headers: { ...short, ETag: '"v1"' }, of304: {} });
    await get(path);
    const answer = await whenStale(path);
    expect([answer.body, answer.headers.etag, answer.headers['cache-control']]).toEqual([
      'content',
      '"v1"',
      'max-age=2',
    ]);
    expect(state(await get(path))).toBe('HIT');
  });

  it('gives way to what is new', async () => {
    const path = put({ body: 'old', headers: { ...short, ETag: '"v1"' } });
    await get(path);
    pages[path] = { body: 'new', headers: { ...short, ETag: '"v2"' } };
    expect((await whenStale(path)).body).toBe('new');
    expect((await get(path)).body).toBe('new');
    expect(statuses(path)).toEqual([200, 200]);
  });

  it.each([404, 410])('gives way to a %i when it is gone', async (status) => {
    const path = put({ body: 'there', headers: { ...short, ETag: '"v1"' } });
    await get(path);
    pages[path] = { body: 'gone', status, headers: { 'Cache-Control': 'max-age=60' } };
    const answers = [await whenStale(path), await get(path)];
    expect(answers.map(({ status: each, body }) => [each, body])).toEqual([
      [status, 'gone'],
      [status, 'gone'],
    ]);
  });

  it('is not stored with the cookie of a 304, and its visitor has it', async () => {
    const path = put({ body: 'content', headers: { ...short, ETag: '"v1"' } });
    await get(path);
    pages[path]!.of304 = { ...short, 'Set-Cookie': 'a=b' };
    const answer = await whenStale(path);
    expect([answer.status, answer.body, answer.headers['set-cookie']]).toEqual([200, 'content', ['a=b']]);
    pages[path]!.of304 = short;
    const later = await whenStale(path);
    expect([later.body, later.headers['set-cookie']]).toEqual(['content', undefined]);
  });

  it('is what a condition of the visitor is held against, and costs the origin no more', async () => {
    const path = put({ body: 'content', headers: { ...short, ETag: '"v1"' } });
    await get(path);
    const same = await whenStale(path, { 'if-none-match': '"v1"' });
    expect([same.status, same.body]).toEqual([304, '']);
    const other = await whenStale(path, { 'if-none-match': '"v0"' });
    expect([other.status, other.body]).toEqual([200, 'content']);
    expect((await whenStale(path, { range: 'bytes=1-2' })).body).toBe('on');
    expect(statuses(path)).toEqual([200, 304, 304, 304]);
  });

  it('is the variant that is asked for', async () => {
    const path = put({ body: 'content', headers: { ...short, ETag: '"v1"', Vary: 'Accept-Encoding, X-A' } });
    const variants = [{}, { 'x-a': '1' }, { 'x-a': '2', 'accept-encoding': 'gzip, br' }];
    for (const headers of variants) await get(path, headers as Record<string, string>);
    for (const headers of variants) await whenStale(path, headers as Record<string, string>);
    expect(statuses(path).toSorted((one, other) => one - other)).toEqual([200, 200, 200, 304, 304, 304]);
  });

  it('whose content was changed here is asked for by the tag of the origin', async () => {
    const path = put({
      body: 'a cat',
      headers: {
        ...short,
        ETag: '"v1"',
        'Content-Type': 'text/html',
        'Last-Modified': 'Sun, 01 Feb 2026 00:00:00 GMT',
      },
    });
    const first = await get(path, {}, 'dogs.test');
    const again = await whenStale(path, {}, 'dogs.test');
    expect([again.body, again.headers.etag]).toEqual(['a dog', first.headers.etag]);
    expect(again.headers['last-modified']).toBeUndefined();
    expect(asked[path]![1]).toMatchObject({ status: 304, headers: { 'if-none-match': '"v1"' } });
    await whenStale(path, {}, 'dogs.test');
    expect(statuses(path)).toEqual([200, 304, 304]);
  });

  it('that was compressed here stays so, and its tag weak', async () => {
    const path = put({
      body: 'content '.repeat(100),
      headers: { ...short, ETag: '"v1"', 'Content-Type': 'text/html' },
    });
    const ask = { 'accept-encoding': 'gzip' };
    await get(path, ask, 'small.test');
    // Nor is a part cut from it, before or after: a part of the content is not one of what it was compressed to.
    const part = { ...ask, range: 'bytes=-3' };
    for (const answer of [await whenStale(path, part, 'small.test'), await get(path, part, 'small.test')]) {
      expect(answer.status).toBe(200);
      expect(answer.headers).toMatchObject({ 'content-encoding': 'gzip', etag: 'W/"v1"' });
    }
    expect(statuses(path)).toEqual([200, 304]);
    expect((await whenStale(path, {}, 'small.test')).body).toBe('content '.repeat(100));
  });
});

describe.concurrent('must-revalidate', () => {
  it('is never given stale, and a 304 makes it fresh', async () => {
    const path = put({
      body: 'content',
      headers: { 'Cache-Control': 'max-age=2, must-revalidate, stale-if-error=60', ETag: '"v1"' },
    });
    await get(path);
    expect((await whenStale(path)).body).toBe('content');
    expect(state(await get(path))).toBe('HIT');
    pages[path] = { body: 'failed', status: 503, headers: {} };
    expect((await whenStale(path)).status).toBe(503);
    expect(statuses(path)).toEqual([200, 304, 503]);
  });
});

describe.concurrent('what is to be asked for each time', () => {
  it.each(['no-cache', 'max-age=0', 'no-cache, max-age=600', 's-maxage=0'])(
    'is stored with %s, and each visitor costs a 304',
    async (cacheControl) => {
      const path = put({ body: 'content', headers: { 'Cache-Control': cacheControl, ETag: '"v1"' } });
      for (let visitor = 0; visitor < 3; visitor++) {
        const answer = await get(path);
        expect([answer.status, answer.body, answer.headers['cache-control']]).toEqual([
          200,
          'content',
          cacheControl,
        ]);
      }
      expect(statuses(path)).toEqual([200, 304, 304]);
      pages[path] = { body: 'new', headers: { 'Cache-Control': cacheControl, ETag: '"v2"' } };
      expect([(await get(path)).body, (await get(path)).body]).toEqual(['new', 'new']);
      expect(statuses(path)).toEqual([200, 304, 304, 200, 304]);
    },
  );

  it('takes over what a 304 says, and keeps it', async () => {
    const path = put({ body: 'content', headers: { 'Cache-Control': 'no-cache', ETag: '"v1"' } });
    await get(path);
    pages[path]!.of304 = { 'Cache-Control': 'no-cache', 'X-New': 'yes' };
    expect((await get(path)).headers['x-new']).toBe('yes');
    pages[path]!.of304 = {};
    expect((await get(path)).headers['x-new']).toBe('yes');
    pages[path]!.of304 = { 'Cache-Control': 'max-age=600' };
    await get(path);
    expect(state(await get(path))).toBe('HIT');
  });

  it('is not kept of a visitor with cookies, nor given to one, unless it is for all', async () => {
    const headers = { 'Cache-Control': 'no-cache', ETag: '"v1"' };
    const personal = put({ body: 'content', headers });
    for (const cookie of ['a=1', 'a=2']) await get(personal, { cookie });
    await get(personal);
    await get(personal, { cookie: 'a=3' });
    expect(statuses(personal)).toEqual([200, 200, 200, 200]);
    const open = put({ body: 'content', headers: { ...headers, 'Cache-Control': 'public, no-cache' } });
    for (const cookie of ['a=1', 'a=2']) await get(open, { cookie });
    expect(statuses(open)).toEqual([200, 304]);
  });

  it('is not stored where the origin forbids it, or names no validator', async () => {
    for (const headers of [
      { 'Cache-Control': 'no-cache, no-store', ETag: '"v1"' },
      { 'Cache-Control': 'no-cache, private', ETag: '"v1"' },
      { 'Cache-Control': 'no-cache' },
    ]) {
      const path = put({ body: 'content', headers: headers as Record<string, string> });
      await get(path);
      await get(path);
      expect(statuses(path)).toEqual([200, 200]);
    }
  });
});

describe.concurrent('what is not kept', () => {
  it('costs the origin a 304 only, for a visitor who has it', async () => {
    const path = put({ body: 'content', headers: { ETag: '"v1"' } });
    await get(path);
    const conditions = { 'if-none-match': '"v0", "v1"' };
    pages[path]!.headers = { ETag: '"v0", "v1"' };
    for (let visitor = 0; visitor < 3; visitor++) {
      const same = await get(path, conditions);
      expect([same.status, same.body]).toEqual([304, '']);
    }
    expect((await get(path, { 'if-none-match': '"other"' })).body).toBe('content');
    expect((await get(path)).body).toBe('content');
    expect(statuses(path)).toEqual([200, 304, 304, 304, 200, 200]);
  });

  it('is kept from when it may be, whatever a visitor has', async () => {
    const path = put({ body: 'content', headers: { ETag: '"v1"' } });
    await get(path);
    pages[path] = { body: 'new', headers: { 'Cache-Control': 'max-age=600', ETag: '"v2"' } };
    await get(path, { 'if-none-match': '"v1"' });
    expect(state(await get(path))).toBe('HIT');
  });
});

describe.concurrent('a large answer', () => {
  const content = randomBytes(3 * megabyte).toString('latin1');
  const headers = { ...short, ETag: '"v1"', Expires: oneHourAgo(), 'X-One': 'old value' };

  it('is made fresh where it lies', async () => {
    const path = put({ body: content, headers });
    await get(path);
    pages[path]!.of304 = {
      ...headers,
      'Cache-Control': 'max-age=9',
      Expires: new Date().toUTCString(),
      'X-One': 'new',
    };
    for (const answer of [await whenStale(path), await get(path)]) {
      expect([answer.status, state(answer), answer.body.length > megabyte]).toEqual([200, 'HIT', true]);
      expect(answer.headers).toMatchObject({ 'cache-control': 'max-age=9', 'x-one': 'new', etag: '"v1"' });
      expect(answer.headers.expires).toBe(pages[path]!.of304.Expires);
      expect(Number(answer.headers.age)).toBeLessThan(5);
      expect(Date.now() - Date.parse(answer.headers.date!)).toBeLessThan(5000);
    }
    expect(statuses(path)).toEqual([200, 304]);
  });

  it('is asked for whole where what the 304 says does not fit', async () => {
    const path = put({ body: content, headers });
    await get(path);
    pages[path]!.of304 = { ...headers, 'X-Two': 'more' };
    pages[path]!.headers = { ...headers, 'X-Two': 'more' };
    for (const answer of [await whenStale(path), await get(path)])
      expect([answer.status, answer.headers['x-two']]).toEqual([200, 'more']);
    expect(statuses(path)).toEqual([200, 304, 200]);
  });
});

describe.concurrent('an answer that is kept in parts', () => {
  it.each(['parts.test', 'large-parts.test'])('costs one 304 for all of them (%s)', async (host) => {
    const body = randomBytes(9 * megabyte).toString('latin1');
    const path = put({ body, headers: { ETag: '"v1"', Vary: 'Accept-Encoding' } });
    const first = await get(path, { 'accept-encoding': 'gzip' }, host);
    const bytes = sent[path];
    const answer = await whenStale(path, { 'accept-encoding': 'gzip' }, host);
    expect(answer.body === first.body).toBe(true);
    expect(statuses(path).filter((status) => status !== 200)).toEqual([304]);
    const [only] = asked[path]!.filter(({ status }) => status === 304);
    expect(only!.headers).toMatchObject({ 'if-none-match': '"v1"' });
    expect(sent[path]).toBe(bytes);
    pages[path] = { body: `${body.slice(1)}x`, headers: { ETag: '"v2"' } };
    const changed = await whenStale(path, { 'accept-encoding': 'gzip' }, host);
    expect(changed.body === pages[path].body).toBe(true);
  });
});

describe.concurrent('what is renewed behind a visitor’s back', () => {
  it.each([
    ['small', 'content'],
    ['large', randomBytes(2 * megabyte).toString('latin1')],
  ])('costs a 304 (%s)', async (_name, body) => {
    const path = put({
      body,
      headers: { 'Cache-Control': 'max-age=2, stale-while-revalidate=60', ETag: '"v1"' },
    });
    await get(path);
    await vi.waitFor(async () => expect(state(await get(path))).toBe('STALE'), patience);
    await vi.waitFor(async () => expect(state(await get(path))).toBe('HIT'), patience);
    expect(statuses(path)).toEqual([200, 304]);
  });
});
