import type { IncomingMessage } from 'node:http';
import { connect as connectHttp2 } from 'node:http2';
import { connect, type Socket } from 'node:net';
import { createHash } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { makeSite, patience, startOrigin, TestEdge, type SiteInput, type TestOrigin } from './support.ts';

/** Large content that is judged while it streams, on a real nginx. */

let edge: TestEdge;
let origin: TestOrigin;
/** What the origin was last sent, once all of it was there. */
let sent: { length: number; hash: string; headers: string };
let arrived = 0;
let sites = 0;

async function readAll(request: IncomingMessage): Promise<void> {
  let length = 0;
  const hash = createHash('sha256');
  try {
    for await (const chunk of request as AsyncIterable<Buffer>) {
      length += chunk.length;
      arrived += chunk.length;
      hash.update(chunk);
    }
  } catch {
    // Whoever sent it went away.
  }
  sent = { length, hash: hash.digest('hex'), headers: request.rawHeaders.join(' ').toLowerCase() };
}

beforeAll(async () => {
  origin = await startOrigin((request, response) => {
    if (request.url === '/cut')
      void readAll(request).then(() =>
        response.writeHead(200, { 'content-length': 100 }).write('only this', () => response.destroy()),
      );
    else if (request.url === '/none') response.destroy();
    else if (request.url === '/early') response.writeHead(409).end('no more of it');
    else
      void readAll(request).then(() => {
        // An origin has no say in what was found.
        response.setHeader('X-Breakwater-Judged', 'YQ==,YQ==,YQ==');
        response.end(`got ${sent.length}`);
      });
  });
  edge = await TestEdge.start();
});
afterAll(async () => {
  await edge.close();
  await origin.close();
});

async function serve(
  systemRules: NonNullable<SiteInput['systemRules']> = {},
  more: Partial<SiteInput> = {},
): Promise<string> {
  const id = ++sites;
  const host = `judged${id}.test`;
  const origins = [{ address: '127.0.0.1', http_port: origin.port }];
  const rules = { mode: 'default', large_bodies: 'judge', ...systemRules } as const;
  const [result] = await edge.applySites(
    makeSite({ id, domains: [host], origins, systemRules: rules, ...more }),
  );
  if (result!.error !== undefined) throw new Error(result!.error);
  return host;
}

const lineOf = async (id: string | undefined) =>
  (await edge.logLines(1, ({ request_id }) => request_id === id))[0]!;

interface Sent {
  status: number;
  id: string | undefined;
  text: string;
  headers: string;
}

/** A POST, with the framing that is asked for, in pieces of 100 kB. */
type Send = (
  host: string,
  body: string,
  type?: string,
  more?: Record<string, string>,
  path?: string,
) => Promise<Sent>;

const form = 'application/x-www-form-urlencoded';
const multipart = 'multipart/form-data; boundary=x';

const overHttp1 =
  (isChunked: boolean): Send =>
  async (host, body, type = form, more = {}, path = '/') => {
    const socket = connect(edge.httpPort, '127.0.0.1');
    let answer = '';
    const closed = new Promise((settle) => socket.on('close', settle));
    socket.on('data', (chunk: Buffer) => (answer += chunk.toString('latin1')));
    socket.on('error', () => undefined);
    const framing = isChunked ? 'Transfer-Encoding: chunked' : `Content-Length: ${body.length}`;
    const fields = Object.entries(more).map(([name, value]) => `${name}: ${value}\r\n`);
    socket.write(
      `POST ${path} HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n${framing}\r\nContent-Type: ${type}\r\n${fields.join('')}\r\n`,
    );
    for (let at = 0; at < body.length && !socket.destroyed; at += 100_000) {
      const piece = body.slice(at, at + 100_000);
      socket.write(isChunked ? `${piece.length.toString(16)}\r\n${piece}\r\n` : piece, 'latin1');
    }
    if (isChunked) socket.write('0\r\n\r\n');
    await closed;
    const [headers = '', text = ''] = answer.split('\r\n\r\n');
    const id = /^X-Request-Id: (\S+)/im.exec(headers)?.[1];
    return { status: Number(answer.split(' ')[1]), id, text, headers };
  };

const overHttp2 =
  (hasLength: boolean): Send =>
  async (host, body, type = form, more = {}, path = '/') => {
    const session = connectHttp2(`https://127.0.0.1:${edge.httpsPort}`, { rejectUnauthorized: false });
    const length = hasLength ? { 'content-length': `${body.length}` } : {};
    const stream = session.request({
      ':method': 'POST',
      ':path': path,
      ':authority': host,
      'content-type': type,
      ...length,
      ...more,
    });
    let headers: Record<string, unknown> = {};
    let text = '';
    stream.on('response', (given) => (headers = given));
    stream.on('data', (chunk: Buffer) => (text += chunk.toString('latin1')));
    stream.on('error', () => undefined);
    const closed = new Promise((settle) => stream.on('close', settle));
    stream.end(Buffer.from(body, 'latin1'));
    await closed;
    session.destroy();
    return {
      status: Number(headers[':status']),
      id: headers['x-request-id'] as string | undefined,
      text,
      headers: JSON.stringify(headers),
    };
  };

const ways: [string, Send, isChunked: boolean][] = [
  ['HTTP/1.1 with a length', overHttp1(false), false],
  ['HTTP/1.1 in chunks', overHttp1(true), true],
  ['HTTP/2 with a length', overHttp2(true), false],
  ['HTTP/2 without', overHttp2(false), true],
];
const script = '<script>alert(1)</script>';
const large = `a=${'b'.repeat(3_000_000)}`;
const part = (name: string, text: string) =>
  `--x\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${text}\r\n`;
const file = `--x\r\nContent-Disposition: form-data; name="f"; filename="a.bin"\r\n\r\n${'\u0001'.repeat(3_000_000)}\r\n--x--\r\n`;

it.each(ways)('goes on whole and as it was where its beginning is harmless: %s', async (_way, send) => {
  const host = await serve();
  const answer = await send(host, large);
  expect([answer.status, answer.text.includes('got 3000002')]).toEqual([200, true]);
  expect(sent.length).toBe(large.length);
  expect(sent.hash).toBe(createHash('sha256').update(large).digest('hex'));
  expect(sent.headers).not.toContain('x-breakwater');
  expect(answer.headers.toLowerCase()).not.toContain('judged');
  expect(await lineOf(answer.id)).toMatchObject({ decision: '', waf: 'used_system_rule unread=observe' });
});

it.each(ways)('is blocked by its beginning, and the origin gets nothing: %s', async (_way, send) => {
  const host = await serve();
  const before = origin.count();
  for (const [body, type] of [
    [`c=${encodeURIComponent(script)}&${large}`, form],
    [`${part('a', script)}${file}`, multipart],
  ] as const) {
    const answer = await send(host, body, type);
    expect([answer.status, origin.count() - before]).toEqual([403, 0]);
    const line = await lineOf(answer.id);
    expect(line).toMatchObject({ decision: 'used_system_rule html' });
    expect(line.waf).toContain('used_system_rule html=block');
    expect(line.waf_part).toContain('script');
  }
});

it('of unknown length that turns out short is judged whole', async () => {
  const host = await serve();
  for (const send of [overHttp1(true), overHttp2(false)]) {
    expect((await send(host, `c=${encodeURIComponent(script)}`)).status).toBe(403);
    const harmless = await send(host, 'a=b');
    expect([harmless.status, sent.length]).toEqual([200, 3]);
    expect((await lineOf(harmless.id)).waf).toBe('');
    const none = await send(host, '');
    expect([none.status, sent.length]).toEqual([200, 0]);
  }
});

it('says what was found and not blocked, and that what stands behind is unread', async () => {
  const watching = await serve({ mode: 'observe' });
  const seen = await overHttp1(false)(watching, `c=${encodeURIComponent(script)}&${large}`);
  expect(seen.status).toBe(200);
  expect((await lineOf(seen.id)).waf).toContain('used_system_rule html=observe');
  const host = await serve();
  const padded = await overHttp1(false)(host, `${large}&c=${encodeURIComponent(script)}`);
  expect(padded.status).toBe(200);
  expect((await lineOf(padded.id)).waf).toBe('used_system_rule unread=observe');
});

it('stands in the log beside what rules before it noted, as their entries do', async () => {
  const host = await serve(
    { mode: 'observe' },
    {
      matchers: [
        {
          action: 'notify',
          mode: 'observe',
          condition: { items: [{ field: 'path', operator: 'starts_with', values: ['/'] }] },
        },
      ],
    },
  );
  const { waf, waf_part } = await lineOf(
    (await overHttp1(false)(host, `c=${encodeURIComponent(script)}&${large}`)).id,
  );
  expect(waf).toMatch(/^matcher_rule 1=observe; used_system_rule html=observe/);
  expect(waf_part).toMatch(/^path: \/; .*script/);
});

it('is judged as it reads unpacked', async () => {
  const host = await serve();
  const noise = createHash('shake256', { outputLength: 1_500_000 }).update('a').digest().toString('latin1');
  const packed = gzipSync(Buffer.from(`c=${encodeURIComponent(script)}&d=${noise}`, 'latin1')).toString(
    'latin1',
  );
  expect(packed.length).toBeGreaterThan(1_048_576);
  const answer = await overHttp1(false)(host, packed, form, { 'content-encoding': 'gzip' });
  expect(answer.status).toBe(403);
});

it('is asked of exceptions by the address that the visitor asked for', async () => {
  const host = await serve({ exceptions: [{ path: '/editor/*' }] });
  const body = `c=${encodeURIComponent(script)}&${large}`;
  expect((await overHttp1(false)(host, body, form, {}, '/editor/a?b=c')).status).toBe(200);
  expect((await overHttp1(false)(host, body, form, {}, '/other')).status).toBe(403);
});

it('gets an early answer of its origin', async () => {
  const host = await serve();
  const answer = await overHttp1(false)(host, large, form, {}, '/early');
  expect([answer.status, answer.text.includes('no more of it')]).toEqual([409, true]);
});

it('ends where its origin ends without an answer, or in the middle of one', async () => {
  const host = await serve();
  expect((await overHttp1(false)(host, large, form, {}, '/none')).status).toBe(502);
  const cut = await overHttp1(false)(host, large, form, {}, '/cut');
  expect([cut.status, cut.text]).toEqual([200, 'only this']);
});

it('reaches the origin while it is being sent, and ends with its visitor', async () => {
  const host = await serve();
  const before = origin.count();
  const socket: Socket = connect(edge.httpPort, '127.0.0.1');
  const closed = new Promise((settle) => socket.on('close', settle));
  socket.write(`POST / HTTP/1.1\r\nHost: ${host}\r\nContent-Length: 2147483648\r\n\r\n${'x'.repeat(1000)}`);
  const piece = 'x'.repeat(5_000_000);
  arrived = 0;
  sent = { length: -1, hash: '', headers: '' };
  socket.write(piece);
  await expect.poll(() => arrived, patience).toBe(5_001_000);
  expect(origin.count()).toBe(before + 1);
  socket.destroy();
  await closed;
  await expect.poll(() => sent.length, patience).toBe(5_001_000);
});

it('of a slow visitor does not reach the origin before its beginning is there', async () => {
  const host = await serve({ body_bytes: 10_000 });
  const before = origin.count();
  const socket = connect(edge.httpPort, '127.0.0.1');
  let answer = '';
  socket.on('data', (chunk: Buffer) => (answer += chunk.toString('latin1')));
  const closed = new Promise((settle) => socket.on('close', settle));
  socket.write(
    `POST / HTTP/1.1\r\nHost: ${host}\r\nContent-Length: 2000000\r\nContent-Type: ${form}\r\n\r\na=`,
  );
  for (const piece of ['b&c=<scr', 'ipt>alert(1)</scr', `ipt>&d=${'e'.repeat(9000)}`]) {
    await new Promise((settle) => setTimeout(settle, 100));
    socket.write(piece);
  }
  await new Promise((settle) => setTimeout(settle, 100));
  expect([answer, origin.count() - before]).toEqual(['', 0]);
  socket.write('e'.repeat(2000));
  await closed;
  expect(answer).toMatch(/^HTTP\/1\.1 403 /);
  expect(origin.count()).toBe(before);
});
