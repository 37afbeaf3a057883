import { request } from 'node:http';
import { deflateRawSync, deflateSync, gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeSite, startOrigin, TestEdge, type SiteInput, type TestOrigin } from './support.ts';

/** Content that a visitor sends packed is judged as it reads unpacked, and goes on as it came. */

let edge: TestEdge;
let origin: TestOrigin;
let sites = 0;
let sent: Buffer = Buffer.alloc(0);

beforeAll(async () => {
  origin = await startOrigin((message, response) => {
    const chunks: Buffer[] = [];
    message.on('data', (chunk: Buffer) => chunks.push(chunk));
    message.on('end', () => {
      sent = Buffer.concat(chunks);
      response.end('ok');
    });
  });
  edge = await TestEdge.start();
});
afterAll(async () => {
  await edge.close();
  await origin.close();
});

async function serve(systemRules: NonNullable<SiteInput['systemRules']> = { mode: 'default' }) {
  const id = ++sites;
  const host = `packed${id}.test`;
  const origins = [{ address: '127.0.0.1', http_port: origin.port }];
  const [result] = await edge.applySites(makeSite({ id, domains: [host], origins, systemRules }));
  if (result!.error !== undefined) throw new Error(result!.error);
  return host;
}

/** Status, and what the log says first of protection. */
function post(host: string, body: Buffer, encoding: string | string[]): Promise<[number, string]> {
  return new Promise((settle, refuse) => {
    const call = request({ host: '127.0.0.1', port: edge.httpPort, method: 'POST', path: '/', agent: false });
    call.setHeader('host', host);
    call.setHeader('content-type', 'application/x-www-form-urlencoded');
    call.setHeader('content-encoding', encoding);
    call.setHeader('content-length', body.length);
    call.on('error', refuse);
    call.on('response', (response) => {
      response.resume();
      const id = response.headers['x-request-id'];
      response.on('end', () => {
        void edge
          .logLines(1, ({ request_id }) => request_id === id)
          .then(([line]) => settle([response.statusCode!, line!.waf.split(';')[0]!]), refuse);
      });
    });
    call.end(body);
  });
}

const attack = Buffer.from(`a=b&c=${encodeURIComponent('<script>alert(1)</script>')}`);
const blocked = [403, 'used_system_rule html=block'];
const unread = [200, 'used_system_rule unread=observe'];

describe('packed content', () => {
  it.each([
    ['gzip', gzipSync(attack), 'gzip'],
    ['gzip under its old name, in other letters', gzipSync(attack), 'X-GZIP'],
    ['deflate', deflateSync(attack), 'deflate'],
    ['deflate without a header', deflateRawSync(attack), 'deflate'],
    ['gzip of two parts', Buffer.concat([gzipSync('x=y&'), gzipSync(attack)]), 'gzip'],
    ['gzip whose end is missing', gzipSync(attack).subarray(0, -9), 'gzip'],
    ['gzip with more behind it', Buffer.concat([gzipSync(attack), Buffer.from('more')]), 'gzip'],
    ['gzip by the second of two lines', gzipSync(attack), ['identity', 'gzip']],
    ['what is not packed at all', attack, 'gzip'],
  ])('of %s is blocked and does not reach the origin', async (_kind, body, encoding) => {
    const host = await serve();
    const before = origin.count();
    expect(await post(host, body, encoding)).toEqual(blocked);
    expect(origin.count()).toBe(before);
  });

  it('that is harmless goes on as it came, and is not said to be unread', async () => {
    const body = gzipSync('a=b&c=d');
    expect(await post(await serve(), body, 'gzip')).toEqual([200, '']);
    expect(sent).toEqual(body);
  });

  it('that unpacks to more than is judged is judged by its beginning', async () => {
    const host = await serve({ mode: 'default', body_bytes: 1000 });
    const bomb = gzipSync(Buffer.alloc(50_000_000, 'a'));
    expect(await post(host, bomb, 'gzip')).toEqual(unread);
    expect(sent).toEqual(bomb);
    expect(
      await post(host, gzipSync(Buffer.concat([attack, Buffer.alloc(50_000_000, 'a')])), 'gzip'),
    ).toEqual(blocked);
    expect(await post(host, Buffer.concat(Array(2000).fill(gzipSync('')) as Buffer[]), 'gzip')).toEqual(
      unread,
    );
  });

  it('that cannot be unpacked goes on, and the log says so', async () => {
    const host = await serve();
    expect(await post(host, gzipSync(attack), 'br')).toEqual(unread);
    expect(await post(host, gzipSync(gzipSync(attack)), 'gzip, gzip')).toEqual(unread);
    expect(await post(host, Buffer.from('no gzip'), 'gzip')).toEqual(unread);
    expect(await post(host, gzipSync(attack), 'gzip')).toEqual(blocked);
  });
});
