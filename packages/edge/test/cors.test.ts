import type { AccessControl } from '@breakwater/contract/site-config/access-control';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startOrigin, type SiteInput, type TestOrigin } from './support.ts';
import { AccessWorld } from './access-support.ts';

/** Which pages of other sites may read answers (Fetch standard, CORS). */

let world: AccessWorld;
let origin: TestOrigin;
let asked: string[] = [];
beforeAll(async () => {
  world = await AccessWorld.start();
  // An origin with ideas of its own.
  origin = await startOrigin((request, response) => {
    asked.push(`${request.method} ${request.url}`);
    response.setHeader('Cache-Control', 'max-age=600');
    response.setHeader('Access-Control-Allow-Origin', '*');
    response.setHeader('Access-Control-Allow-Credentials', 'true');
    if (request.url === '/missing') response.statusCode = 404;
    if (request.url!.startsWith('/varies')) response.setHeader('Vary', 'Accept-Language');
    response.end('fine');
  });
});
afterAll(async () => {
  await world.close();
  await origin.close();
});

const shared = { enabled: true, origins: ['https://app.example', 'https://*.pages.example:8443'] };
async function site(cors: object, more: Partial<AccessControl> = {}): Promise<string> {
  asked = [];
  return world.site({
    origins: [{ address: '127.0.0.1', http_port: origin.port }],
    access: { cors, ...more },
  });
}
const from = (host: string, page: string, path = '/') =>
  world.edge.get(host, path, { headers: { origin: page } });
const ask = (host: string, page: string, method: string, headers?: string) =>
  world.edge.get(host, '/', {
    method: 'OPTIONS',
    headers: {
      origin: page,
      'access-control-request-method': method,
      ...(headers === undefined ? {} : { 'access-control-request-headers': headers }),
    },
  });

describe('an answer', () => {
  it('says that a page may read it, in place of what the origin says', async () => {
    const host = await site({ ...shared, credentials: true, exposed_headers: ['X-Total', 'ETag'] });
    for (const page of ['https://app.example', 'https://a.b.pages.example:8443']) {
      const { status, headers } = await from(host, page);
      expect([status, headers['access-control-allow-origin'], headers.vary]).toEqual([200, page, 'Origin']);
      expect(headers['access-control-allow-credentials']).toBe('true');
      expect(headers['access-control-expose-headers']).toBe('X-Total, ETag');
    }
    // One answer is stored, and said to each page as it is for that page.
    expect(asked).toEqual(['GET /']);
  });

  it('says it to no other page, however that is written', async () => {
    const host = await site(shared);
    for (const page of [
      'https://other.example',
      'http://app.example',
      'https://app.example:444',
      'https://app.example.evil.test',
      'https://evilapp.example',
      'https://pages.example:8443',
      'https://.pages.example:8443',
      'https://evil.test/.pages.example:8443',
      'https://evil.test?.pages.example:8443',
      'https://a@b.pages.example:8443',
      'https://evil.test#.pages.example:8443',
      'https://a.pages.example:8443, https://app.example',
      'null',
    ]) {
      const { headers } = await from(host, page);
      expect([page, headers['access-control-allow-origin']]).toEqual([page, undefined]);
      expect(headers['access-control-allow-credentials']).toBeUndefined();
      expect(headers.vary).toBe('Origin');
    }
    expect((await world.edge.get(host, '/varies')).headers.vary).toBe('Accept-Language, Origin');
  });

  it('to any page says so, and depends on none', async () => {
    const host = await site({ enabled: true, origins: ['*'] });
    const { headers } = await from(host, 'https://anything.test');
    expect([headers['access-control-allow-origin'], headers.vary]).toEqual(['*', undefined]);
    expect(headers['access-control-allow-credentials']).toBeUndefined();
  });
});

describe('a preflight', () => {
  it('is answered here', async () => {
    const host = await site({
      ...shared,
      methods: ['GET', 'PUT'],
      headers: ['X-Token'],
      max_age_seconds: 60,
    });
    const { status, headers } = await ask(host, 'https://app.example', 'PUT', 'x-token');
    expect([status, headers['access-control-allow-origin']]).toEqual([204, 'https://app.example']);
    expect(headers['access-control-allow-methods']).toBe('GET, PUT');
    expect(headers['access-control-allow-headers']).toBe('x-token');
    expect(headers['access-control-max-age']).toBe('60');
    expect(headers.vary).toContain('Origin');
    expect(asked).toEqual([]);
  });

  it('is refused for other pages, methods and fields', async () => {
    const host = await site({ ...shared, methods: ['GET'], headers: ['X-Token'] });
    const wrong: [string, string, string?][] = [
      ['https://other.example', 'GET'],
      ['https://app.example', 'PUT'],
      ['https://app.example', 'get'],
      ['https://app.example', 'GET', 'x-token, x-other'],
      ['https://app.example', 'GET', 'x-tok en'],
    ];
    for (const each of wrong) {
      const { status, headers } = await ask(host, ...each);
      expect([each, status, headers['access-control-allow-origin']]).toEqual([each, 403, undefined]);
    }
    expect(asked).toEqual([]);
  });

  it('comes after rules of access and before passwords, and other OPTIONS go to the origin', async () => {
    const closed = await site(shared, { otherwise: 'deny' });
    expect((await ask(closed, 'https://app.example', 'GET')).status).toBe(403);
    const password = `h1.${'0'.repeat(32)}.${'0'.repeat(64)}`;
    const basic_auth = {
      enabled: true,
      realm: 'R',
      users: [{ name: 'a', password }],
      pass_to_origin: false,
      tries: 9,
    };
    const guarded = await site(shared, { basic_auth });
    expect((await ask(guarded, 'https://app.example', 'GET')).status).toBe(204);
    expect((await from(guarded, 'https://app.example')).status).toBe(401);
    const open = await site(shared);
    expect((await world.edge.get(open, '/', { method: 'OPTIONS' })).status).toBe(200);
    expect(asked).toEqual(['OPTIONS /']);
  });
});

describe('what the edge answers by itself', () => {
  const cors = { ...shared, credentials: true, exposed_headers: ['X-Total'] };
  const password = `h1.${'0'.repeat(32)}.${'0'.repeat(64)}`;
  const users = [{ name: 'a', password }];
  const answers: [name: string, status: number, settings: Partial<SiteInput>][] = [
    ['a refusal', 403, { access: { cors, otherwise: 'deny' } }],
    [
      'one with a page of the site',
      410,
      { access: { cors, otherwise: 'deny', deny: { status: 410, body: 'Gone' } } },
    ],
    ['a wrong referer', 403, { access: { cors }, referer: { enabled: true, allow_empty: false } }],
    [
      'another address in place of a wrong referer',
      302,
      {
        access: { cors },
        referer: { enabled: true, allow_empty: false, action: 'redirect', redirect_url: 'https://e.test/' },
      },
    ],
    ['a link that is not signed', 403, { access: { cors, signing: { enabled: true, type: 'A' } } }],
    [
      'the question for a password',
      401,
      { access: { cors, basic_auth: { enabled: true, realm: 'R', users } } },
    ],
    [
      'the redirect to HTTPS',
      301,
      {
        access: { cors },
        tls: { force_https: { enabled: true, status: 301, port: 443, only_domains: [], except_domains: [] } },
      },
    ],
    [
      'a redirect by rule',
      302,
      {
        access: { cors },
        rewrite: { redirects: [{ type: 'prefix', from: '/', to: 'https://e.test/', status: 302 }] },
      },
    ],
    ['maintenance', 503, { access: { cors }, advanced: { maintenance: { enabled: true } } }],
    ['a site that is offline', 503, { access: { cors }, status: 'offline' }],
    ['a limit', 414, { access: { cors }, security: { url_bytes_max: 100 } }],
    [
      'an error page',
      404,
      { access: { cors }, advanced: { error_pages: [{ statuses: ['404'], body: 'nothing here' }] } },
    ],
    ['an origin that is away', 502, { access: { cors }, origins: [{ address: '127.0.0.1', http_port: 1 }] }],
  ];

  it.each(answers)('%s (%i) says which pages may read it', async (name, status, settings) => {
    const host = await world.site({
      origins: [{ address: '127.0.0.1', http_port: origin.port }],
      ...settings,
    });
    const path = status === 414 ? `/${'x'.repeat(100)}` : '/missing';
    const answer = await from(host, 'https://app.example', path);
    expect([name, answer.status]).toEqual([name, status]);
    expect(answer.headers).toMatchObject({
      'access-control-allow-origin': 'https://app.example',
      'access-control-allow-credentials': 'true',
      'access-control-expose-headers': 'X-Total',
      vary: 'Origin',
    });
    const other = await from(host, 'https://other.example', path);
    expect([other.status, other.headers['access-control-allow-origin']]).toEqual([status, undefined]);
    expect(other.headers.vary).toBe('Origin');
  });

  it('says nothing of it where the site does not', async () => {
    const host = await site({ ...shared, enabled: false }, { otherwise: 'deny' });
    const { status, headers } = await from(host, 'https://app.example');
    expect([status, headers['access-control-allow-origin'], headers.vary]).toEqual([
      403,
      undefined,
      undefined,
    ]);
  });
});
