import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { AccessWorld } from './access-support.ts';

let world: AccessWorld;
beforeAll(async () => {
  world = await AccessWorld.start();
});
afterAll(() => world.close());

const trusted = { mode: 'header' as const, headers: ['X-Real-IP'], trusted: ['127.0.0.0/8'] };

describe('rules of access', () => {
  it('refuse an address, and let others in', async () => {
    const host = await world.site({
      access: { rules: [{ action: 'deny', addresses: ['127.0.0.2-127.0.0.9'] }] },
    });
    const asked = world.origin.count();
    const refused = await world.edge.get(host, '/', { from: '127.0.0.5' });
    expect(refused.status).toBe(403);
    expect(world.origin.count()).toBe(asked);
    expect((await world.edge.get(host, '/', { from: '127.0.0.1' })).body).toBe('asked /');
    // What is in the cache is no more open than what is not.
    expect((await world.edge.get(host, '/', { from: '127.0.0.9' })).status).toBe(403);
  });

  it('let only some in', async () => {
    const host = await world.site({
      access: { rules: [{ action: 'allow', addresses: ['127.0.0.2'] }], otherwise: 'deny' },
    });
    expect((await world.edge.get(host, '/', { from: '127.0.0.2' })).status).toBe(200);
    expect((await world.edge.get(host, '/', { from: '127.0.0.3' })).status).toBe(403);
  });

  it('take the visitor’s address from where the site takes it', async () => {
    const host = await world.site({
      realIp: trusted,
      access: { rules: [{ action: 'deny', addresses: ['198.51.100.0/24', '2001:db8::/32'] }] },
    });
    const from = (address: string) => world.status(host, '/', { 'X-Real-IP': address });
    expect(await from('198.51.100.7')).toBe(403);
    expect(await from('::ffff:198.51.100.7')).toBe(403);
    expect(await from('::FFFF:C633:6407')).toBe(403);
    expect(await from('2001:DB8:0::1')).toBe(403);
    expect(await from('203.0.113.7')).toBe(200);
  });

  it('heed no address that a visitor makes up', async () => {
    const host = await world.site({
      access: { rules: [{ action: 'allow', addresses: ['198.51.100.7'] }], otherwise: 'deny' },
    });
    for (const name of ['X-Forwarded-For', 'X-Real-IP', 'CF-Connecting-IP', 'True-Client-IP', 'X-Client-IP'])
      expect([name, await world.status(host, '/', { [name]: '198.51.100.7' })]).toEqual([name, 403]);
    expect(await world.status(host, '/', { Forwarded: 'for=198.51.100.7' })).toBe(403);
  });

  it('ask for methods and agents', async () => {
    const host = await world.site({
      access: {
        rules: [
          { action: 'deny', methods: ['DELETE'] },
          { action: 'deny', agents: ['badbot', 'evil*crawler'], empty_agent: true },
        ],
      },
    });
    expect(
      (await world.edge.get(host, '/', { method: 'DELETE', headers: { 'user-agent': 'a' } })).status,
    ).toBe(403);
    expect(await world.status(host, '/', { 'user-agent': 'Mozilla (BadBot/1.0)' })).toBe(403);
    expect(await world.status(host, '/', { 'user-agent': 'Evil little CRAWLER' })).toBe(403);
    expect(await world.status(host)).toBe(403);
    expect(await world.status(host, '/', { 'user-agent': 'Mozilla' })).toBe(200);
  });

  it('leave the proof of a domain open', async () => {
    const host = await world.site({ access: { otherwise: 'deny' } });
    expect(await world.status(host, '/.well-known/acme-challenge/token_1')).toBe(200);
    expect(await world.status(host, '/.well-known/acme-challenge/../../admin')).toBe(403);
  });

  it('come before the redirect to HTTPS', async () => {
    const host = await world.site({
      access: { rules: [{ action: 'deny', only_paths: ['/admin/'] }] },
      tls: {
        force_https: { enabled: true, status: 301, port: 443, only_domains: [], except_domains: [] },
      },
    });
    expect(await world.status(host, '/admin/')).toBe(403);
    expect(await world.status(host, '/')).toBe(301);
  });
});

describe('a refusal', () => {
  it('names the request, which the log gives the rule for', async () => {
    const host = await world.site({
      access: {
        rules: [
          { action: 'allow', methods: ['POST'] },
          { action: 'deny', addresses: ['127.0.0.1'] },
        ],
      },
    });
    const { headers, body } = await world.edge.get(host);
    const id = headers['x-request-id'] as string;
    expect(body).toContain(id);
    expect(headers['cache-control']).toBe('no-store');
    const [line] = await world.edge.logLines(1, ({ request_id }) => request_id === id);
    expect(line).toMatchObject({ status: 403, decision: 'access_control 2', cache_status: '' });
  });

  it('of everybody else is logged as such', async () => {
    const host = await world.site({ access: { otherwise: 'deny' } });
    await world.edge.get(host);
    const [line] = await world.edge.logLines(1, (each) => each.host === host);
    expect(line).toMatchObject({ decision: 'access_control otherwise' });
  });

  it('has the status and page that the site says', async () => {
    const host = await world.site({
      access: { otherwise: 'deny', deny: { status: 451, body: 'not in {{client_ip}}: {{request_id}}' } },
    });
    const answer = await world.edge.get(host);
    expect([answer.status, answer.body]).toEqual([
      451,
      `not in 127.0.0.1: ${answer.headers['x-request-id'] as string}`,
    ]);
  });

  it('without a page of its own has the site’s error page for the status', async () => {
    const host = await world.site({
      access: { otherwise: 'deny', deny: { status: 404 } },
      advanced: { error_pages: [{ statuses: ['404'], body: 'nothing here' }] },
    });
    const answer = await world.edge.get(host);
    expect([answer.status, answer.body]).toEqual([404, 'nothing here']);
  });

  it('is answered to what came with content, too', async () => {
    const host = await world.site({ access: { otherwise: 'deny' } });
    expect((await world.edge.get(host, '/', { method: 'POST', body: 'x'.repeat(100_000) })).status).toBe(403);
  });
});

/** Every way of writing a path that some origin takes for `/admin/secret`. */
const writings = [
  '/admin/secret',
  '/ADMIN/secret',
  '/%61dmin/secret',
  '/%2561dmin/secret',
  '/%252561dmin/secret',
  '//admin/secret',
  '///admin//secret',
  '/./admin/secret',
  '/public/../admin/secret',
  '/public/%2e%2e/admin/secret',
  '/public/%2E./admin/secret',
  '/public/%252e%252e/admin/secret',
  '/public%2f..%2fadmin/secret',
  '/public/..%2fadmin%2fsecret',
  '/public/..%5cadmin/secret',
  '/public\\..\\admin\\secret',
  '/%c1%a1dmin/secret',
  '/public/%c0%ae%c0%ae/admin/secret',
  '/public/%e0%80%ae%e0%80%ae/admin/secret',
  '/public/..%c0%afadmin/secret',
  '/%ef%bd%81dmin/secret',
  '/admin;x=1/secret',
  '/public/..;/admin/secret',
  '/admin./secret',
  '/admin%20/secret',
  '/ad%09min/secret',
  '/admin%2fsecret',
  '/admin%5csecret',
  '/admin',
  '/admin/?x=/public/',
  '/admin/#/public/',
];

describe('no writing of a path', () => {
  it.each(['a rule that closes', 'a rule that opens the rest'])('gets past %s', async (kind) => {
    const access =
      kind === 'a rule that closes'
        ? { rules: [{ action: 'deny' as const, only_paths: ['/admin/'] }] }
        : { rules: [{ action: 'allow' as const, only_paths: ['/public/'] }], otherwise: 'deny' as const };
    const host = await world.site({ access });
    const asked = world.origin.count();
    for (const target of writings) {
      const status = await world.rawStatus(host, target);
      // 400: nginx takes it for no request.
      expect([target, [403, 400].includes(status)]).toEqual([target, true]);
    }
    expect(world.origin.count()).toBe(asked);
    expect(await world.rawStatus(host, '/public/x')).toBe(200);
  });

  it('gets past it as an absolute address either, whatever host that names', async () => {
    const host = await world.site({ access: { rules: [{ action: 'deny', only_paths: ['/admin/'] }] } });
    const asked = world.origin.count();
    for (const target of [
      `http://${host}/admin/secret`,
      `http://${host}//admin/secret`,
      `HTTP://${host}/public/../admin/secret`,
      `http://other.test/admin/secret`,
      `http://${host}?/../admin/secret`,
    ])
      expect([target, await world.rawStatus(host, target)]).not.toEqual([target, 0]);
    expect(await world.rawStatus(host, `http://${host}/admin/secret`)).toBe(403);
    expect(await world.rawStatus(host, `http://${host}//admin/secret`)).toBe(403);
    expect(await world.rawStatus(host, `http://${host}/public/../admin/secret`)).toBe(403);
    // The host of the address counts (RFC 9112 §3.2.2), and that one is not served here.
    expect(await world.rawStatus(host, 'http://other.test/admin/secret')).toBe(421);
    expect(world.origin.count()).toBeLessThanOrEqual(asked + 1);
    expect(await world.rawStatus('other.test', `http://${host}/admin/secret`)).toBe(403);
  });

  it('gets past a rule of methods by another that nginx knows', async () => {
    const host = await world.site({
      access: { rules: [{ action: 'allow', methods: ['GET', 'HEAD'] }], otherwise: 'deny' },
    });
    for (const method of ['POST', 'PUT', 'DELETE', 'PATCH', 'OPTIONS', 'PROPFIND', 'get', 'TRACE', 'FOO']) {
      const answer = await world.raw(`${method} / HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`);
      expect([method, /^HTTP\/1.1 (403|405|400) /.test(answer)]).toEqual([method, true]);
    }
  });
});

describe('rules of referers', () => {
  const referer = { enabled: true, allow: ['*.partner.test'], only_paths: ['*.jpg'] };

  it('keep other sites from showing what is here', async () => {
    const host = await world.site({ referer });
    const from = (path: string, value?: string) =>
      world.status(host, path, value === undefined ? {} : { referer: value });
    expect(await from('/a.jpg', 'https://evil.test/page')).toBe(403);
    expect(await from('/a.JPG', 'https://evil.test/page')).toBe(403);
    expect(await from('/a.jpg')).toBe(200);
    expect(await from('/a.jpg', 'https://www.partner.test/x')).toBe(200);
    expect(await from('/a.jpg', `https://${host}/x`)).toBe(200);
    expect(await from('/a.html', 'https://evil.test/page')).toBe(200);
    expect(await from('/a.jpg', 'https://www.partner.test@evil.test/')).toBe(403);
  });

  it('read every line of the field', async () => {
    const host = await world.site({ referer: { enabled: true, allow: ['good.test'], allow_empty: false } });
    const good = 'Referer: https://good.test/';
    expect(await world.rawStatus(host, '/', [good])).toBe(200);
    expect(await world.rawStatus(host, '/', [good, 'Referer: https://evil.test/'])).toBe(403);
    expect(await world.rawStatus(host, '/', ['Referer: https://evil.test/', good])).toBe(403);
    expect(await world.rawStatus(host, '/')).toBe(403);
  });

  it('answer with another picture, and say why in the log', async () => {
    const host = await world.site({
      referer: { ...referer, action: 'redirect', redirect_url: 'https://cdn.test/no.png' },
    });
    const { status, headers } = await world.edge.get(host, '/b.jpg', {
      headers: { referer: 'https://evil.test' },
    });
    expect([status, headers.location]).toEqual([302, 'https://cdn.test/no.png']);
    const [line] = await world.edge.logLines(1, (each) => each.host === host);
    expect(line).toMatchObject({ status: 302, decision: 'block_referer not_allowed' });
  });

  it('hear the origin too where asked', async () => {
    const host = await world.site({ referer: { enabled: true, check_origin: true } });
    expect(await world.status(host, '/', { origin: 'https://evil.test' })).toBe(403);
    expect(await world.status(host, '/', { origin: `https://${host}` })).toBe(200);
  });
});
