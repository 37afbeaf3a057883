import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { connect, type AddressInfo } from 'node:net';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { workersOf } from '../process/nginx-workers.ts';
import { makeSite, TestEdge, type Answer, type CallOptions } from './support.ts';

/** Many visitors of one thing at a time, and an origin that keeps each request until it is told what to answer. */

interface Asked {
  request: IncomingMessage;
  response: ServerResponse;
}
let edge: TestEdge;
let origin: Server;
let path: string;
let paths = 0;
/** Of the test at hand, and not answered yet. */
let waiting: Asked[] = [];
let count = 0;
const fresh = { 'Cache-Control': 'max-age=600' };
const megabyte = 1_048_576;

beforeAll(async () => {
  edge = await TestEdge.start({ workerProcesses: 2 });
  origin = createServer((request, response) => {
    count += 1;
    waiting.push({ request, response });
  });
  origin.listen(0, '127.0.0.1');
  await once(origin, 'listening');
  const { port } = origin.address() as AddressInfo;
  const origins = [{ address: '127.0.0.1', http_port: port, max_fails: 0 }];
  // nginx asks once more where a connection that was kept has ended.
  const config = { tries: 1, keepalive_seconds: 0 } as const;
  await edge.applySites(
    makeSite({ id: 1, domains: ['many.test'], origins, config, cache: { invalidate_on_change: true } }),
    makeSite({
      id: 2,
      domains: ['parts.test'],
      origins,
      config,
      rules: [{ type: 'all', ttl_seconds: 600, slice_bytes: megabyte }],
    }),
    makeSite({
      id: 3,
      domains: ['late.test'],
      origins,
      config: { ...config, read_timeout_seconds: 2, retry_on: [] },
    }),
  );
});
afterAll(async () => {
  await edge.close();
  origin.closeAllConnections();
  await new Promise((settle) => origin.close(settle));
});
beforeEach(() => {
  path = `/thing-${paths++}`;
  waiting = [];
  count = 0;
});
afterEach(() => {
  for (const { response } of waiting) response.destroy();
});

const visit = (options: CallOptions = {}, host = 'many.test') => edge.get(host, path, options);
const visits = (number: number, options: CallOptions = {}, host?: string) =>
  Promise.all(Array.from({ length: number }, () => visit(options, host)));

/** The requests that have come, once there are so many; they are not answered by themselves. */
async function asked(number: number): Promise<Asked[]> {
  await expect.poll(() => waiting.length).toBe(number);
  return waiting.splice(0);
}

/** Until the edge has taken so many visitors in. */
async function untilInside(number: number): Promise<void> {
  const connections = async () => (await edge.control<{ connections: number }>('GET', '/state')).connections;
  await expect.poll(connections).toBeGreaterThanOrEqual(number);
}

function answer({ response }: Asked, headers: Record<string, string>, body = 'answer'): void {
  response.writeHead(200, headers).end(body);
}
const states = (answers: Answer[]) => {
  const counts: Record<string, number> = {};
  for (const { status, headers } of answers) {
    const state = `${status} ${headers['x-cache'] as string}`;
    counts[state] = (counts[state] ?? 0) + 1;
  }
  return counts;
};

describe('what can be kept', () => {
  it('is asked for once, however long the origin takes', async () => {
    const all = visits(100);
    const [first] = await asked(1);
    // Nobody answers this one, so two seconds have passed when it fails.
    expect((await edge.get('late.test', '/')).status).toBe(504);
    expect(count).toBe(2);
    answer(first!, fresh);
    expect(states(await all)).toEqual({ '200 MISS': 1, '200 HIT': 99 });
    expect(count).toBe(2);
  });

  it('is asked for once when it has expired', async () => {
    const first = visit();
    answer((await asked(1))[0]!, { 'Cache-Control': 'max-age=2' });
    await first;
    const all: Promise<Answer>[] = [];
    while (waiting.length === 0) {
      const arrival = once(origin, 'request');
      all.push(visit());
      await Promise.race([all.at(-1), arrival]);
    }
    all.push(...Array.from({ length: 20 }, () => visit()));
    await untilInside(21);
    // Goes to the origin behind all of them, as those of them would that do not wait.
    const last = edge.get('many.test', `${path}-last`);
    await expect.poll(() => waiting.length).toBeGreaterThan(1);
    for (const each of waiting.splice(0)) answer(each, fresh);
    await Promise.all([...all, last]);
    expect(count).toBe(3);
  });

  it('is asked for as a whole when HEAD comes first', async () => {
    const head = visit({ method: 'HEAD' });
    const [first] = await asked(1);
    const all = visits(5);
    await untilInside(6);
    answer(first!, fresh);
    await head;
    expect(states(await all)).toEqual({ '200 HIT': 5 });
    expect([first!.request.method, count]).toEqual(['GET', 1]);
  });

  it('is asked for once by those who want the same variant', async () => {
    const visitsIn = (language: string) => visits(3, { headers: { 'accept-language': language } });
    const chinese = visitsIn('zh');
    const [first] = await asked(1);
    const english = visitsIn('en');
    await untilInside(6);
    answer(first!, { ...fresh, Vary: 'Accept-Language' }, 'zh');
    const [second] = await asked(1);
    answer(second!, { ...fresh, Vary: 'Accept-Language' }, 'en');
    expect((await chinese).map(({ body }) => body)).toEqual(['zh', 'zh', 'zh']);
    expect((await english).map(({ body }) => body)).toEqual(['en', 'en', 'en']);
    expect(count).toBe(2);
  });

  it('is kept in all variants that are asked for at once, also where the first takes long to come', async () => {
    const visitIn = (language: string) => visit({ headers: { 'accept-language': language } });
    const chinese = visitIn('zh');
    const [first] = await asked(1);
    first!.response.writeHead(200, { ...fresh, Vary: 'Accept-Language', 'Content-Length': 4 });
    first!.response.write('zh');
    const english = visitIn('en');
    await untilInside(2);
    // Goes to the origin behind that, as that would if it did not wait.
    const other = edge.get('many.test', `${path}-other`);
    await expect.poll(() => waiting.map(({ request }) => request.url)).toContain(`${path}-other`);
    answer(waiting.pop()!, fresh);
    await other;
    first!.response.end('zh');
    expect((await chinese).body).toBe('zhzh');
    answer((await asked(1))[0]!, { ...fresh, Vary: 'Accept-Language' }, 'en');
    expect((await english).body).toBe('en');
    expect([(await visitIn('zh')).body, (await visitIn('en')).body]).toEqual(['zhzh', 'en']);
    expect(count).toBe(3);
  });

  it('is asked for again, and not by each, when the visitor who came first has left', async () => {
    const socket = connect(edge.httpPort, '127.0.0.1');
    socket.write(`GET ${path} HTTP/1.1\r\nHost: many.test\r\n\r\n`);
    const [first] = await asked(1);
    const all = visits(10);
    await untilInside(11);
    socket.destroy();
    answer(first!, fresh);
    // Who looked into the cache just before the second answer came may ask too.
    const more = setInterval(() => waiting.splice(0).forEach((each) => answer(each, fresh)), 10);
    const counts = states(await all);
    clearInterval(more);
    expect(Object.keys(counts).toSorted()).toEqual(['200 HIT', '200 MISS']);
    expect(count).toBeLessThanOrEqual(5);
  });

  it('is asked for again when the origin broke off, once', async () => {
    const broken = visit().catch(() => 'broken');
    const [first] = await asked(1);
    const all = visits(5);
    await untilInside(6);
    first!.response.writeHead(200, { ...fresh, 'Content-Length': 100 });
    first!.response.write('half', () => first!.response.destroy());
    expect(await broken).toBe('broken');
    answer((await asked(1))[0]!, fresh);
    expect(states(await all)).toEqual({ '200 MISS': 1, '200 HIT': 4 });
  });

  it('is asked for by each when the origin has failed', async () => {
    const all = visits(5);
    const [first] = await asked(1);
    await untilInside(5);
    first!.request.socket.destroy();
    for (const each of await asked(4)) answer(each, fresh);
    expect((await all).map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([
      200, 200, 200, 200, 502,
    ]);
  });

  it('is asked for anew by those who come after it was changed', async () => {
    const before = visits(3);
    const [first] = await asked(1);
    await untilInside(3);
    const change = visit({ method: 'POST', body: 'new' });
    answer((await asked(1))[0]!, {});
    await change;
    const after = visits(3);
    const [second] = await asked(1);
    answer(first!, fresh, 'old');
    answer(second!, fresh, 'new');
    await before;
    for (const { body } of [...(await after), await visit()]) expect(body).toBe('new');
  });
});

describe('what cannot be kept', () => {
  it('keeps nobody waiting once that is known', async () => {
    const all = visits(100);
    const [first] = await asked(1);
    await untilInside(100);
    answer(first!, { 'Cache-Control': 'private' });
    // All of them are there before any is answered.
    for (const each of await asked(99)) answer(each, { 'Cache-Control': 'private' });
    expect(states(await all)).toEqual({ '200 MISS': 100 });
    const later = visits(10);
    for (const each of await asked(10)) answer(each, { 'Cache-Control': 'private' });
    await later;
    const next = visit();
    answer((await asked(1))[0]!, fresh);
    await next;
    expect(states(await visits(5))).toEqual({ '200 HIT': 5 });
  });

  it('for visitors with a cookie keeps the others waiting, and not them', async () => {
    const known = visits(5, { headers: { cookie: 'session=1' } });
    const [one] = await asked(1);
    answer(one!, { 'Cache-Control': 'private' });
    for (const each of await asked(4)) answer(each, { 'Cache-Control': 'private' });
    await known;
    const others = visits(5);
    answer((await asked(1))[0]!, fresh);
    expect(states(await others)).toEqual({ '200 MISS': 1, '200 HIT': 4 });
  });

  it('for signed-in visitors keeps the others waiting, and not them', async () => {
    const signedIn = visits(5, { headers: { authorization: 'Bearer x' } });
    const [one] = await asked(1);
    const others = visits(5);
    const [other] = await asked(1);
    await untilInside(10);
    answer(one!, fresh);
    for (const each of await asked(4)) answer(each, fresh);
    await signedIn;
    answer(other!, fresh);
    expect(states(await others)).toEqual({ '200 MISS': 1, '200 HIT': 4 });
  });
});

describe('parts', () => {
  const content = Buffer.alloc(2 * megabyte + 7, 'part');
  function answerPart({ request, response }: Asked, headers: Record<string, string> = {}): void {
    const [, from, to] = /^bytes=(\d+)-(\d+)$/.exec(request.headers.range!)!;
    const end = Math.min(Number(to), content.length - 1);
    const range = `bytes ${from}-${end}/${content.length}`;
    response.writeHead(206, { ETag: '"v1"', 'Content-Range': range, ...headers });
    response.end(content.subarray(Number(from), end + 1));
  }

  it('are asked for once each', async () => {
    const all = visits(10, {}, 'parts.test');
    for (let part = 0; part < 3; part++) {
      const [each] = await asked(1);
      await untilInside(10);
      answerPart(each!);
    }
    for (const { body } of await all) expect(body.length).toBe(content.length);
    expect(count).toBe(3);
  });

  it('that cannot be kept keep nobody waiting', async () => {
    const all = visits(10, {}, 'parts.test');
    const [first] = await asked(1);
    await untilInside(10);
    answer(first!, { ETag: '"v1"', 'Set-Cookie': 'a=b' });
    for (const each of await asked(9)) answer(each, { ETag: '"v1"', 'Set-Cookie': 'a=b' });
    expect((await all).map(({ status }) => status)).toEqual(Array.from({ length: 10 }, () => 200));
  });

  it('that are none are asked for as a whole, once', async () => {
    const all = visits(10, {}, 'parts.test');
    const [first] = await asked(1);
    await untilInside(10);
    answerPart(first!, { ETag: 'W/"v1"' });
    const [whole] = await asked(1);
    expect(whole!.request.headers.range).toBeUndefined();
    answer(whole!, {}, 'all of it');
    for (const { body } of await all) expect(body).toBe('all of it');
    expect(count).toBe(2);
  });
});

describe('a worker that was killed', () => {
  it('keeps nobody waiting', async () => {
    const lost = visit().catch(() => 'lost');
    await asked(1);
    for (const pid of await workersOf(edge.edge.pid)) process.kill(pid, 'SIGKILL');
    expect(await lost).toBe('lost');
    const next = visit();
    answer((await asked(1))[0]!, fresh);
    expect((await next).status).toBe(200);
  });
});
