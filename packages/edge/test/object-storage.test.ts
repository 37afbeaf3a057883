import { createHash, createHmac } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import type { IncomingMessage } from 'node:http';
import { connect } from 'node:http2';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startOrigin, TestEdge, type TestOrigin } from './support.ts';

const secret = 'wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY';
const storage = { region: 'eu-west-9', bucket: 'pictures', access_key_id: 'AKIDEXAMPLE' };
let edge: TestEdge;
let origin: TestOrigin;
let last: IncomingMessage;

const hmac = (key: string | Buffer, text: string) => createHmac('sha256', key).update(text).digest();

/** What AWS's rules make of the request as it arrived, worked out without the product's code. */
function isSigned(request: IncomingMessage): boolean {
  const found = /^AWS4-HMAC-SHA256 Credential=(\S+?),\s*SignedHeaders=(\S+?),\s*Signature=(\w+)$/.exec(
    request.headers.authorization ?? '',
  );
  if (!found) return false;
  const [, credential, names, signature] = found;
  const [accessKey, day, region, ...rest] = credential!.split('/');
  const time = String(request.headers['x-amz-date']);
  const signed = names!.split(';');
  const unsigned = Object.keys(request.headers).filter(
    (name) => name.startsWith('x-amz-') && !signed.includes(name),
  );
  if (!time.startsWith(day!) || Math.abs(Date.parse(isoOf(time)) - Date.now()) > 60_000) return false;
  if (accessKey !== storage.access_key_id || region !== storage.region || unsigned.length > 0) return false;
  const [path, query = ''] = request.url!.split('?');
  const fields = [...new URLSearchParams(query)].map((pair) => pair.map(encode).join('=')).sort();
  const canonical = [
    request.method,
    decodeURIComponent(path!).split('/').map(encode).join('/'),
    fields.join('&'),
    ...signed.map((name) => `${name}:${String(request.headers[name])}`),
    '',
    names,
    request.headers['x-amz-content-sha256'],
  ].join('\n');
  const scope = [day, region, ...rest].join('/');
  const hashed = createHash('sha256').update(canonical).digest('hex');
  const key = [day!, region, 's3', 'aws4_request'].reduce<string | Buffer>(hmac, `AWS4${secret}`);
  return hmac(key, ['AWS4-HMAC-SHA256', time, scope, hashed].join('\n')).toString('hex') === signature;
}

const isoOf = (time: string) =>
  time.replace(/^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/, '$1-$2-$3T$4:$5:$6Z');
const encode = (text: string) =>
  encodeURIComponent(text).replace(/[!'()*]/g, (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`);

beforeAll(async () => {
  origin = await startOrigin((request, response) => {
    last = request;
    response.statusCode = isSigned(request) ? 200 : 403;
    response.setHeader('Cache-Control', 'max-age=60');
    const range = request.headers.range === 'bytes=0-3';
    if (range && response.statusCode === 200) {
      response.statusCode = 206;
      response.setHeader('Content-Range', 'bytes 0-3/9');
    }
    response.end(response.statusCode === 403 ? 'not signed' : range ? 'cont' : 'contents!');
  });
  edge = await TestEdge.start();
});
afterAll(async () => {
  await edge.close();
  await origin.close();
});

const serve = (more: object = {}, rules?: Parameters<TestEdge['serve']>[2]) =>
  edge.serve(
    [{ address: '127.0.0.1', http_port: origin.port }],
    { host: 'storage.test', object_storage: { ...storage, secret_access_key: secret, ...more } },
    rules,
  );

describe.each([
  ['before the host', false, '', 'pictures.storage.test'],
  ['before the path', true, '/pictures', 'storage.test'],
])('a bucket %s', (_, pathStyle, prefix, host) => {
  it.each([
    ['/a/b.jpg', '/a/b.jpg'],
    ['/with%20space', '/with%20space'],
    ['/%e4%be%8b', '/%E4%BE%8B'],
    ['/a+b', '/a%2Bb'],
    ['/a%2Fb', '/a/b'],
    ["/it's(1)*!", '/it%27s%281%29%2A%21'],
    ['/a?versionId=x+y%2F', '/a?versionId=x%20y%2F'],
  ])('is asked for %s by a signature that holds', async (path, asked) => {
    const site = await serve({ path_style: pathStyle });
    expect(await edge.get(site, path)).toMatchObject({ status: 200, body: 'contents!' });
    expect(last.url).toBe(prefix + asked);
    expect(last.headers.via).toBe('1.1 Breakwater');
    expect(last.headers.host).toBe(host);
  });
});

describe('object storage', () => {
  it('gives parts, and answers HEAD', async () => {
    const site = await serve();
    const part = await edge.get(site, '/a', { headers: { range: 'bytes=0-3' } });
    expect(part).toMatchObject({ status: 206, body: 'cont' });
    expect((await edge.get(site, '/a', { method: 'HEAD' })).status).toBe(200);
  });

  it('is shown nothing of the visitor, and asked for nothing but objects', async () => {
    const site = await serve();
    const headers = {
      authorization: 'Basic eA==',
      cookie: 'a=1',
      'x-amz-security-token': 'mine',
      'x-amz-date': '20200101T000000Z',
    };
    const path = '/a?acl&list-type=2&X-Amz-Signature=1&AWSAccessKeyId=2';
    expect((await edge.get(site, path, { headers })).status).toBe(200);
    expect(last.url).toBe('/a');
    expect(last.headers).not.toHaveProperty('cookie');
    expect(last.headers).not.toHaveProperty('x-amz-security-token');
    const before = origin.count();
    for (const out of ['/', '/?list-type=2']) expect((await edge.get(site, out)).status).toBe(403);
    for (const out of ['/a/../b', '/a/%2e%2e/b', '/../other/x', '/a/..%2f%2e%2e/other/x'])
      expect((await edge.get(site, out)).status).toBe(400);
    expect(origin.count()).toBe(before);
  });

  it('is never written to', async () => {
    const site = await serve();
    const before = origin.count();
    for (const method of ['POST', 'PUT', 'DELETE', 'PATCH']) {
      const answer = await edge.get(site, '/a', { method, body: 'x' });
      expect([answer.status, answer.headers.allow]).toEqual([405, 'GET, HEAD, OPTIONS']);
    }
    expect(origin.count()).toBe(before);
  });

  it('gets no calls of gRPC either, though its site takes them', async () => {
    const site = await edge.serve([{ address: '127.0.0.1', http_port: origin.port }], {
      grpc: true,
      object_storage: { ...storage, secret_access_key: secret },
    });
    const before = origin.count();
    const session = connect(`https://127.0.0.1:${edge.httpsPort}`, { rejectUnauthorized: false });
    const call = session.request({
      ':method': 'POST',
      ':path': '/a',
      ':authority': site,
      'content-type': 'application/grpc',
    });
    const status = new Promise((settle, refuse) => {
      call.on('response', (headers) => settle(headers[':status']));
      call.on('error', refuse);
    });
    call.end('x');
    expect(await status).toBe(405);
    session.destroy();
    expect(origin.count()).toBe(before);
  });

  it('is asked once for what is kept, though the request was signed', async () => {
    const site = await serve({}, []);
    const before = origin.count();
    const first = await edge.get(site, '/kept');
    const again = await edge.get(site, '/kept');
    expect([first.headers['x-cache'], again.headers['x-cache']]).toEqual(['MISS', 'HIT']);
    expect([again.status, origin.count() - before]).toEqual([200, 1]);
  });

  it('says itself that a secret is wrong; other sites keep the authorization of their visitors', async () => {
    const wrong = await serve({ secret_access_key: 'wrong' });
    expect(await edge.get(wrong, '/a')).toMatchObject({ status: 403, body: 'not signed' });
    const plain = await edge.serve([{ address: '127.0.0.1', http_port: origin.port }]);
    await edge.get(plain, '/a', { headers: { authorization: 'Basic eA==' } });
    expect(last.headers.authorization).toBe('Basic eA==');
  });

  it('has its secret in no answer and no log', async () => {
    const site = await serve();
    const answer = await edge.get(site, '/shown');
    await edge.logLines(1, (line) => JSON.stringify(line).includes('/shown'));
    const gone = await edge.serve([{ address: '127.0.0.1', http_port: 1 }], {
      object_storage: { ...storage, secret_access_key: secret },
    });
    expect((await edge.get(gone, '/a')).status).toBe(502);
    const errors = await readFile(join(edge.dir, 'logs/error.log'), 'utf8');
    expect(errors).toContain('connect() failed');
    const texts = [JSON.stringify(answer), errors, await readFile(edge.edge.accessLogPath, 'utf8')];
    for (const text of texts) expect(text.includes(secret) || text.includes('AWS4-HMAC')).toBe(false);
  });
});
