import type { matcherRule } from '@breakwater/contract/site-config/matcher-rule';
import { connect } from 'node:http2';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type * as z from 'zod';
import { AccessWorld } from './access-support.ts';
import { makeEnvelope, startOrigin, type Answer, type SiteInput, type TestOrigin } from './support.ts';

/** Rules that ask for the answer, on a real nginx. */

let world: AccessWorld;
let origin: TestOrigin;
let asked: string[] = [];
beforeAll(async () => {
  world = await AccessWorld.start();
  origin = await startOrigin((request, response) => {
    asked.push(`${request.method} ${request.url}`);
    const { pathname, searchParams } = new URL(request.url!, 'http://origin');
    request.resume();
    response.statusCode = Number(searchParams.get('status') ?? 200);
    response.setHeader('X-Internal', 'leaked');
    response.setHeader('Set-Cookie', ['a=1', 'debug=31337']);
    response.setHeader('Content-Type', searchParams.get('type') ?? 'text/plain');
    response.setHeader('ETag', '"1"');
    if (pathname.startsWith('/kept')) {
      response.removeHeader('Set-Cookie');
      response.setHeader('Cache-Control', 'max-age=600');
    }
    const body = 'secret '.repeat(Number(searchParams.get('words') ?? 1));
    if (pathname === '/chunked') response.write('secret');
    else response.setHeader('Content-Length', body.length);
    setTimeout(() => response.end(body), Number(searchParams.get('wait') ?? 0));
  });
});
afterAll(async () => {
  await world.close();
  await origin.close();
});

type Rule = z.input<typeof matcherRule>;
type Leaf = NonNullable<Rule['condition']>['items'][number];

const at = (...items: Leaf[]) => ({ condition: { items } });
const failed: Leaf = { field: 'response_status', operator: 'at_least', values: ['500'] };
const isHit: Leaf = { field: 'response_cache', operator: 'equals', values: ['HIT'] };

function siteOf(matchers: Rule[], more: Partial<SiteInput> = {}) {
  return world.site({ origins: [{ address: '127.0.0.1', http_port: origin.port }], matchers, ...more });
}

async function lineOf({ headers }: Answer) {
  const id = headers['x-request-id'] as string;
  return (await world.edge.logLines(1, ({ request_id }) => request_id === id))[0]!;
}

function expectWithheld({ status, headers, body }: Answer, wanted = 403) {
  expect(status).toBe(wanted);
  expect(body).not.toContain('secret');
  expect(body).toContain(headers['x-request-id'] as string);
  expect(headers).toMatchObject({ 'cache-control': 'no-store', 'content-type': 'text/html; charset=utf-8' });
  for (const name of ['x-internal', 'set-cookie', 'etag', 'content-encoding', 'last-modified'])
    expect(headers).not.toHaveProperty(name);
}

it('withholds an answer by its status, and lets the others through as they are', async () => {
  const host = await siteOf([{ action: 'block', ...at(failed) }]);
  const blocked = await world.edge.get(host, '/a?status=500');
  expectWithheld(blocked);
  expect(await lineOf(blocked)).toMatchObject({
    status: 403,
    origin_status: 500,
    decision: 'matcher_rule 1',
    waf: 'matcher_rule 1=block',
    waf_part: 'response_status: 500',
  });
  const passed = await world.edge.get(host, '/a?status=404');
  expect([passed.status, passed.body, passed.headers['x-internal']]).toEqual([404, 'secret ', 'leaked']);
  expect(await lineOf(passed)).toMatchObject({ decision: '', waf: '' });
});

it('has the status and the words of the rule, or ends the connection', async () => {
  const host = await siteOf([
    { action: 'block', block: { status: 404, body: 'none of {{status}}' }, ...at(failed) },
    {
      action: 'block',
      block: { kind: 'close' },
      ...at({ field: 'response_content_type', operator: 'starts_with', values: ['application/x-sh'] }),
    },
  ]);
  const blocked = await world.edge.get(host, '/?status=503');
  expect([blocked.status, blocked.body]).toEqual([404, 'none of 404']);
  await expect(world.edge.get(host, '/?type=application/x-sh')).rejects.toThrow(/socket hang up|ECONNRESET/);
});

it('asks answers from the cache, too, and stores none that it withholds', async () => {
  const host = await siteOf([{ action: 'block', ...at(isHit) }]);
  expect((await world.edge.get(host, '/kept')).body).toBe('secret ');
  const hit = await world.edge.get(host, '/kept');
  expectWithheld(hit);
  expect(await lineOf(hit)).toMatchObject({ cache_status: 'HIT', decision: 'matcher_rule 1' });
  const never = await siteOf([
    { action: 'block', ...at({ field: 'response_cache', operator: 'equals', values: ['MISS'] }) },
  ]);
  asked = [];
  for (const _ of [1, 2]) expectWithheld(await world.edge.get(never, '/kept/never'));
  expect(asked).toEqual(['GET /kept/never', 'GET /kept/never']);
});

it('knows the size that is stated, header fields by line, and how long the origin took', async () => {
  const host = await siteOf([
    {
      action: 'tag',
      tag: { name: 'large' },
      ...at({ field: 'response_size', operator: 'greater_than', values: ['70'] }),
    },
    {
      action: 'tag',
      tag: { name: 'debug' },
      ...at({ field: 'response_header', name: 'Set-Cookie', operator: 'starts_with', values: ['debug='] }),
    },
    {
      action: 'tag',
      tag: { name: 'slow' },
      ...at({ field: 'response_origin_ms', operator: 'at_least', values: ['300'] }),
    },
    {
      action: 'notify',
      mode: 'observe',
      ...at({ field: 'tags', operator: 'has_all', values: ['large', 'debug'] }, failed),
    },
  ]);
  const tagsOf = async (path: string) => (await lineOf(await world.edge.get(host, path))).waf_tags;
  expect(await tagsOf('/?words=11')).toBe('large debug');
  expect(await tagsOf('/chunked?words=11&wait=400')).toBe('debug');
  expect(await tagsOf('/kept?words=9&wait=400')).toBe('slow');
  expect(await tagsOf('/kept?words=9&wait=400')).toBe('');
  const line = await lineOf(await world.edge.get(host, '/?words=11&status=500'));
  expect(line.waf).toBe('matcher_rule 1=tag; matcher_rule 2=tag; matcher_rule 4=observe');
  expect(line.waf_part).toContain('response_header.set-cookie: ***');
});

it('keeps the order of rules: who is let past those that follow is so with the answer', async () => {
  const host = await siteOf([
    { action: 'tag', tag: { name: 'first' }, ...at(failed) },
    { action: 'allow', ...at({ field: 'path', operator: 'equals', values: ['/open'] }) },
    { action: 'block', ...at(failed) },
  ]);
  const open = await world.edge.get(host, '/open?status=500');
  expect([open.status, open.body]).toEqual([500, 'secret ']);
  expect((await lineOf(open)).waf).toBe('matcher_rule 2=allow; matcher_rule 1=tag');
  expectWithheld(await world.edge.get(host, '/?status=500'));
});

it('withholds an answer from whom it would ban, and whom no ban is for', async () => {
  const host = await siteOf([{ action: 'ban', ban: { seconds: 60 }, ...at(failed) }]);
  const banned = await world.edge.get(host, '/?status=500');
  expect(banned.status).toBe(403);
  expect(banned.body).not.toContain('secret');
  expect((await lineOf(banned)).waf).toBe('matcher_rule 1=ban');
});

it('bans who gets such an answer from then on', async () => {
  const setting = { never: [], never_robots: true, never_private: false, objection: '' };
  await world.edge.control('POST', '/documents', [
    makeEnvelope('ban_setting', 'platform', world.edge.nextRevision(), setting),
  ]);
  const host = await siteOf([{ action: 'ban', ban: { seconds: 60 }, ...at(failed) }]);
  const from = '127.0.0.9';
  expect((await world.edge.get(host, '/', { from })).status).toBe(200);
  const banned = await world.edge.get(host, '/?status=500', { from });
  expectWithheld(banned);
  expect(await lineOf(banned)).toMatchObject({ decision: 'matcher_rule 1', waf: 'matcher_rule 1=ban' });
  expect(await lineOf(await world.edge.get(host, '/', { from }))).toMatchObject({ decision: 'ban' });
  expect((await world.edge.get(host, '/')).status).toBe(200);
});

it('withholds answers in parts, to HEAD, to content and to ranges', async () => {
  const rule: Rule = {
    action: 'block',
    ...at({ field: 'response_header', name: 'x-internal', operator: 'exists' }),
  };
  const sliced = await siteOf([rule], {
    rules: [{ type: 'all', ttl_seconds: 600, slice_bytes: 1_048_576 }],
  });
  expectWithheld(await world.edge.get(sliced, '/kept/large?words=300000'));
  const host = await siteOf([rule]);
  const head = await world.edge.get(host, '/', { method: 'HEAD' });
  expect([head.status, head.headers['x-internal']]).toEqual([403, undefined]);
  expectWithheld(await world.edge.get(host, '/', { method: 'POST', body: 'x'.repeat(2_000_000) }));
  expectWithheld(await world.edge.get(host, '/kept', { headers: { range: 'bytes=0-2' } }));
});

it('says that the connection ends', async () => {
  const host = await siteOf([{ action: 'block', ...at(failed) }]);
  const text = await world.raw(Buffer.from(`GET /?status=500 HTTP/1.1\r\nHost: ${host}\r\n\r\n`));
  expect(text).toMatch(/^HTTP\/1\.1 403 /);
  expect(text).toContain('Connection: close\r\n');
});

it('leaves a connection of HTTP/2 as good as before', async () => {
  const host = await siteOf([{ action: 'block', ...at(failed) }]);
  const session = connect(`https://127.0.0.1:${world.edge.httpsPort}`, {
    servername: host,
    rejectUnauthorized: false,
  });
  const ask = async (path: string) => {
    const stream = session.request({ ':path': path, ':authority': host });
    let status = 0;
    stream.on('response', (headers) => (status = headers[':status']!));
    let body = '';
    for await (const chunk of stream) body += String(chunk);
    return [status, body.includes('secret')];
  };
  const all = await Promise.all([ask('/?wait=300'), ask('/?status=500')]);
  expect(all).toEqual([
    [200, true],
    [403, false],
  ]);
  expect(await ask('/')).toEqual([200, true]);
  session.close();
});

it('asks what stands in for an origin that fails', async () => {
  const host = await siteOf(
    [{ action: 'block', block: { status: 410 }, ...at({ ...failed, operator: 'equals', values: ['502'] }) }],
    { origins: [{ address: '127.0.0.1', http_port: 9 }] },
  );
  expectWithheld(await world.edge.get(host, '/'), 410);
});
