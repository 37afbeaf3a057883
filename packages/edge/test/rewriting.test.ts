import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startScriptedOrigin, type ScriptedOrigin } from './scripted-origin.ts';
import { makeSite, TestEdge, type SiteInput } from './support.ts';

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

/** A site of its own with these rules, under its host. */
async function serve(
  rewrite: NonNullable<SiteInput['rewrite']>,
  more: Partial<SiteInput> = {},
): Promise<string> {
  const id = 1 + sites++;
  const host = `rewrite${id}.test`;
  const origins = [{ address: '127.0.0.1', http_port: origin.port }];
  const [result] = await edge.applySites(makeSite({ id, domains: [host], origins, rewrite, ...more }));
  if (result!.error !== undefined) throw new Error(result!.error);
  return host;
}

/** An origin's folder that answers with what it was asked, as JSON. */
function echo(headers: Record<string, string> = {}): string {
  return origin.serve(({ url, method, headers: sent }) => ({
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify({ url, method, headers: sent }),
  }));
}

interface Echo {
  url: string;
  method: string;
  headers: Record<string, string | undefined>;
}
const seen = (answer: { body: string }) => JSON.parse(answer.body) as Echo;
const bypass: NonNullable<SiteInput['rules']> = [{ type: 'all', action: 'bypass' }];
const keep: NonNullable<SiteInput['rules']> = [{ type: 'all', action: 'cache', ttl_seconds: 60 }];

describe('redirects', () => {
  it('send the visitor elsewhere before an origin is asked', async () => {
    const host = await serve({
      redirects: [
        { type: 'url', from: '/old', to: '/new', status: 301 },
        { type: 'prefix', from: '/shop/', to: 'https://shop.example/', status: 308 },
        { type: 'regex', from: '^/u/([0-9]+)$', to: '/user?id=$1', status: 303 },
      ],
    });
    const before = origin.count();
    const answers = [
      await edge.get(host, '/old?a=1'),
      await edge.get(host, '/shop/a%2Fb?c', { method: 'POST', body: 'x' }),
      await edge.get(host, '/u/42'),
    ];
    expect(answers.map(({ status, headers }) => `${status} ${headers.location}`)).toEqual([
      '301 /new?a=1',
      '308 https://shop.example/a%2Fb?c',
      '303 /user?id=42',
    ]);
    expect(origin.count()).toBe(before);
  });

  it('are made by the host and by the port that the visitor chose', async () => {
    const host = await serve({
      redirects: [
        { type: 'port', from: `${edge.httpPort}`, to: 'https://${host}:8443' },
        { type: 'domain', from: 'rewrite9.test', to: 'https://new.example' },
      ],
    });
    expect((await edge.get(host, '/a?b')).headers.location).toBe(`https://${host}:8443/a?b`);
    expect((await edge.get(host, '/a?b', { servername: host })).status).toBe(404);
  });

  it.each([
    ['//evil.example', '/evil.example'],
    ['/%2fevil.example', '/evil.example'],
    ['/%2f%2fevil.example', '/evil.example'],
    ['/https:evil.example', '/https:evil.example'],
    ['/a%3fadmin=1%23', '/a%3Fadmin=1%23'],
    ['/@evil.example', '/@evil.example'],
  ])('let %s lead to no other host', async (path, wanted) => {
    const host = await serve({ redirects: [{ type: 'regex', from: '^/go/([\\s\\S]*)$', to: '/$1' }] });
    const { status, headers } = await edge.get(host, `/go${path}`);
    expect(`${status} ${headers.location}`).toBe(`302 ${wanted}`);
    expect(headers['set-cookie']).toBeUndefined();
    const base = `https://${host}/`;
    expect(new URL(headers.location!, base).host).toBe(host);
  });

  it.each([
    '/\\evil.example',
    '/%5cevil.example',
    '/%09/evil.example',
    '/%252f%252fevil.example',
    '/a%0d%0aSet-Cookie:%20x=1',
    '/x/..%2f/y/.//evil.example',
    '/%c0%afevil.example',
  ])('are not made of %s, which is refused', async (path) => {
    const host = await serve({ redirects: [{ type: 'regex', from: '^/go/([\\s\\S]*)$', to: '/$1' }] });
    const { status, headers } = await edge.get(host, `/go${path}`);
    expect([status, headers.location, headers['set-cookie']]).toEqual([400, undefined, undefined]);
  });

  it('do not lead back to where the visitor is', async () => {
    const page = origin.serve({});
    const host = await serve({ redirects: [{ type: 'regex', from: '^/(.*)$', to: '/$1' }] });
    expect((await edge.get(host, `${page}?x`)).status).toBe(200);
  });

  it('leave open the way of those who issue certificates', async () => {
    const host = await serve({ redirects: [{ type: 'prefix', from: '/', to: 'https://b.example/' }] });
    expect((await edge.get(host, '/.well-known/acme-challenge/token')).status).toBe(404);
    expect((await edge.get(host, '/.well-known/other')).status).toBe(302);
  });
});

describe('URL rewrites', () => {
  it('change what the origin is asked, and the cache', async () => {
    const page = echo();
    const host = await serve(
      {
        url_rewrites: [
          { type: 'regex', from: '^/item/([0-9]+)$', to: `${page}/index.php?id=$1` },
          { type: 'prefix', from: '/app/', to: `${page}/`, keep_query: false },
        ],
      },
      { rules: keep },
    );
    expect(seen(await edge.get(host, '/item/7?x=1')).url).toBe(`${page}/index.php?id=7&x=1`);
    expect(seen(await edge.get(host, '/app/a%2Fb%20c?x=1')).url).toBe(`${page}/a%2Fb%20c`);
    expect(seen(await edge.get(host, '/app/b%20c?x=1')).url).toBe(`${page}/b%20c`);
    const other = await edge.get(host, `${page}/b%20c`);
    expect(other.headers['x-cache']).toBe('HIT');
  });

  it('go on with the next rule where they are told to', async () => {
    const page = echo();
    const host = await serve({
      url_rewrites: [
        { type: 'path', from: '/a', to: '/b', flow: 'continue' },
        { type: 'path', from: '/b', to: `${page}/c` },
        { type: 'prefix', from: page, to: '/never' },
      ],
    });
    expect(seen(await edge.get(host, '/a')).url).toBe(`${page}/c`);
  });

  it('hold for methods with content, and for cache rules', async () => {
    const page = echo();
    const host = await serve(
      { url_rewrites: [{ type: 'prefix', from: '/api/', to: `${page}/` }] },
      { rules: [{ type: 'folder', content: [page], action: 'cache', ttl_seconds: 60 }] },
    );
    expect(seen(await edge.get(host, '/api/x', { method: 'POST', body: 'hello' }))).toMatchObject({
      url: `${page}/x`,
      method: 'POST',
    });
    await edge.get(host, '/api/kept');
    expect((await edge.get(host, '/api/kept')).headers['x-cache']).toBe('HIT');
  });

  it.each(['/s/a%3Fadmin=1', '/s/a%23', '/s/100%25/x', '/s//evil.example'])(
    'ask the origin for one path with %s',
    async (path) => {
      const page = echo();
      const host = await serve({
        url_rewrites: [{ type: 'regex', from: '^/s/([\\s\\S]*)$', to: `${page}/t/$1` }],
      });
      const { url, headers } = seen(await edge.get(host, path));
      expect(url.startsWith(`${page}/t/`)).toBe(true);
      expect(url).not.toMatch(/[?\r\n ]/);
      expect(headers['x-evil']).toBeUndefined();
    },
  );
});

describe('header fields', () => {
  it('are changed on the way to the origin', async () => {
    const page = echo();
    const host = await serve(
      {
        request_headers: [
          { name: 'X-Tenant', value: 'blue ${host} ${path}' },
          { name: 'True-Client-IP', value: '${client_ip}' },
          { action: 'remove', name: 'X-Debug' },
          { action: 'add', name: 'X-List', value: 'second' },
          { action: 'replace', name: 'User-Agent', pattern: '^(\\w+)/.*$', value: '$1' },
          { name: 'Authorization', value: 'Basic c2VjcmV0' },
          { name: 'Cookie', value: 'a=b' },
        ],
      },
      { rules: bypass },
    );
    const { headers } = seen(
      await edge.get(host, `${page}/%61?q`, {
        headers: { 'x-debug': '1', 'x-list': 'first', 'user-agent': 'wget/1.2 (linux)', cookie: 'c=d' },
      }),
    );
    expect(headers).toMatchObject({
      'x-tenant': `blue ${host} ${page}/a`,
      'true-client-ip': '127.0.0.1',
      'x-list': 'first, second',
      'user-agent': 'wget',
      authorization: 'Basic c2VjcmV0',
      cookie: 'a=b',
      host,
    });
    expect(headers['x-debug']).toBeUndefined();
  });

  it('are changed on the way to the visitor, of stored answers too', async () => {
    const page = origin.serve({
      'X-Powered-By': 'PHP',
      'Set-Cookie': ['a=1; Path=/', 'b=2; Path=/'],
      'X-Old': 'x1 x2',
    });
    const host = await serve(
      {
        response_headers: [
          { action: 'remove', name: 'X-Powered-By' },
          { name: 'X-Frame-Options', value: 'DENY' },
          { name: 'X-Where', value: '${scheme}://${host}${uri}' },
          { action: 'replace', name: 'Set-Cookie', pattern: 'Path=/', value: 'Path=/; Secure' },
          { action: 'replace', name: 'X-Old', pattern: 'x([0-9])', value: '<$1>' },
          { action: 'add', name: 'Link', value: '</a.css>; rel=preload' },
          { action: 'add', name: 'Link', value: '</b.css>; rel=preload' },
        ],
      },
      { rules: bypass },
    );
    const { headers } = await edge.get(host, `${page}?x=1`);
    expect(headers).toMatchObject({
      'x-frame-options': 'DENY',
      'x-where': `http://${host}${page}?x=1`,
      'set-cookie': ['a=1; Path=/; Secure', 'b=2; Path=/; Secure'],
      'x-old': '<1> <2>',
      link: '</a.css>; rel=preload, </b.css>; rel=preload',
    });
    expect(headers['x-powered-by']).toBeUndefined();
    const kept = await serve(
      { response_headers: [{ name: 'X-Frame-Options', value: 'DENY' }] },
      { rules: keep },
    );
    const plain = origin.serve({ 'X-Powered-By': 'PHP' });
    await edge.get(kept, plain);
    const hit = await edge.get(kept, plain);
    expect(hit.headers).toMatchObject({ 'x-cache': 'HIT', 'x-frame-options': 'DENY', 'x-powered-by': 'PHP' });
  });

  it('never end a line with what a visitor sends', async () => {
    const page = origin.serve({});
    const host = await serve({ response_headers: [{ name: 'X-Path', value: '${path} ${query}' }] });
    const { headers } = await edge.get(host, `${page}/x?a=%0d%0aX-Evil:2`);
    expect(headers['x-path']).toBe(`${page}/x a=%0d%0aX-Evil:2`);
    expect(headers['x-evil']).toBeUndefined();
  });

  it('let no path of a visitor turn an origin’s redirect into one to another host', async () => {
    const page = origin.serve(({ url }) => ({
      status: 302,
      headers: { location: `http://internal${url!.slice(url!.indexOf('/', 1))}` },
    }));
    const host = await serve({
      response_headers: [
        { action: 'replace', name: 'Location', pattern: '^http://internal(.*)$', value: '$1' },
      ],
    });
    expect((await edge.get(host, `${page}/x`)).headers.location).toBe('/x');
    expect((await edge.get(host, `${page}//evil.example`)).headers.location).toBe(
      'http://internal//evil.example',
    );
  });
});

/** A condition on one header of the request. */
const byHeader = (name: string, value: string) => ({
  items: [{ field: 'header' as const, name, operator: 'equals' as const, values: [value] }],
});

describe('conditions', () => {
  it('choose redirects and URL rewrites for each request anew', async () => {
    const page = echo();
    const host = await serve(
      {
        redirects: [
          { type: 'prefix', from: '/', to: 'https://m.example/', condition: byHeader('x-device', 'phone') },
        ],
        url_rewrites: [{ type: 'path', from: '/a', to: `${page}/b`, condition: byHeader('x-new', '1') }],
      },
      { rules: bypass },
    );
    const phone = { headers: { 'x-device': 'phone' } };
    expect((await edge.get(host, '/a', phone)).headers.location).toBe('https://m.example/a');
    expect((await edge.get(host, '/a')).status).toBe(404);
    expect(seen(await edge.get(host, '/a', { headers: { 'x-new': '1' } })).url).toBe(`${page}/b`);
    expect((await edge.get(host, '/a', phone)).headers.location).toBe('https://m.example/a');
  });

  it('keep apart in the cache what they change for the origin and in content', async () => {
    const page = origin.serve(({ headers }) => ({
      headers: { 'content-type': 'text/html' },
      body: `<p>${String(headers['x-beta'] ?? 'no')} cat</p>`,
    }));
    const host = await serve(
      {
        request_headers: [{ name: 'X-Beta', value: 'yes', condition: byHeader('x-group', 'b') }],
        body: { replacements: [{ find: 'cat', replace: 'dog' }], condition: byHeader('x-dog', '1') },
      },
      { rules: keep },
    );
    const ask = async (headers: Record<string, string>) => {
      const answer = await edge.get(host, page, { headers });
      return `${String(answer.headers['x-cache'])} ${answer.body}`;
    };
    const b = { 'x-group': 'b', 'x-breakwater-rewriting': '01' };
    expect([await ask({}), await ask(b), await ask({ 'x-dog': '1' })]).toEqual([
      'MISS <p>no cat</p>',
      'MISS <p>yes cat</p>',
      'MISS <p>no dog</p>',
    ]);
    expect([await ask({}), await ask(b), await ask({ 'x-dog': '1' })]).toEqual([
      'HIT <p>no cat</p>',
      'HIT <p>yes cat</p>',
      'HIT <p>no dog</p>',
    ]);
  });

  it('choose response headers, of stored answers too', async () => {
    const page = origin.serve({});
    const host = await serve(
      { response_headers: [{ name: 'X-For', value: 'b', condition: byHeader('x-group', 'b') }] },
      { rules: keep },
    );
    await edge.get(host, page);
    const b = await edge.get(host, page, { headers: { 'x-group': 'b' } });
    expect(b.headers).toMatchObject({ 'x-cache': 'HIT', 'x-for': 'b' });
    expect((await edge.get(host, page)).headers['x-for']).toBeUndefined();
  });
});
