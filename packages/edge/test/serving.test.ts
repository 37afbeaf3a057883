import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeSite, startOrigin, TestEdge, type TestOrigin } from './support.ts';

let edge: TestEdge;
let origin: TestOrigin;
let lifetime = 'no-store';

/** Says what it was asked; a query of `header-x=y` becomes a response field. */
beforeAll(async () => {
  edge = await TestEdge.start();
  origin = await startOrigin((request, response) => {
    const url = new URL(request.url!, 'http://origin');
    for (const [name, value] of url.searchParams)
      if (name.startsWith('header-')) response.setHeader(name.slice(7), value);
    if (url.searchParams.has('lifetime')) response.setHeader('Cache-Control', lifetime);
    // A rule for a suffix stores only what such a file may be.
    if (/\.jpg$/i.test(url.pathname)) response.setHeader('Content-Type', 'image/jpeg');
    response.statusCode = Number(url.searchParams.get('status') ?? 200);
    let body = '';
    request.on('data', (chunk: Buffer) => (body += chunk.toString()));
    request.on('end', () =>
      response.end(
        JSON.stringify({
          method: request.method,
          url: request.url,
          headers: request.headers,
          body,
          count: origin.count(),
        }),
      ),
    );
  });
  const origins = [{ address: '127.0.0.1', http_port: origin.port }];
  const results = await edge.applySites(
    makeSite({
      id: 1,
      domains: ['exact.test', '*.wild.test'],
      origins,
      rules: [{ type: 'all', ttl_seconds: 600 }],
    }),
    makeSite({ id: 2, domains: ['deep.wild.test'], origins }),
    makeSite({
      id: 3,
      domains: ['rules.test'],
      origins,
      rules: [
        { type: 'folder', content: ['/private/'], action: 'bypass' },
        { type: 'suffix', content: ['jpg', 'css'], ttl_seconds: 600, query_policy: 'none' },
        {
          type: 'full_path',
          content: ['/exact/page'],
          ttl_seconds: 600,
          query_policy: 'include',
          query_names: ['id'],
        },
        {
          type: 'regex',
          content: ['^/v[0-9]+/'],
          ttl_seconds: 600,
          query_policy: 'exclude',
          query_names: ['utm'],
        },
        { type: 'folder', content: ['/short/'], ttl_seconds: 1 },
        { type: 'folder', content: ['/follow/'], action: 'follow_origin' },
        { type: 'folder', content: ['/off/'], ttl_seconds: 600, enabled: false },
      ],
    }),
    makeSite({ id: 4, domains: ['offline.test'], origins, status: 'offline' }),
    makeSite({ id: 5, domains: ['suspended.test'], origins, status: 'suspended' }),
    makeSite({ id: 6, domains: ['checking.test'], origins, status: 'checking' }),
    makeSite({ id: 7, domains: ['failed.test'], origins, status: 'check_failed' }),
    ...(['order_expired', 'order_suspended', 'client_disabled'] as const).map((statusReason, index) =>
      makeSite({
        id: 8 + index,
        domains: [`${statusReason}.suspended.test`],
        origins,
        status: 'suspended',
        statusReason,
      }),
    ),
    makeSite({
      id: 11,
      domains: ['proven.test', 'new.test', '*.proven.test'],
      waitingDomains: ['new.test', '*.proven.test'],
      origins,
    }),
    makeSite({
      id: 12,
      domains: ['filed.test', 'unfiled.test', '*.unfiled.test'],
      unfiledDomains: ['unfiled.test', '*.unfiled.test'],
      origins,
    }),
  );
  const refused = results.find(({ status }) => status === 'refused');
  if (refused !== undefined) throw new Error(refused.error);
});

afterAll(async () => {
  await edge.close();
  await origin.close();
});

async function states(host: string, path: string, times = 3): Promise<unknown[]> {
  const seen = [];
  for (let time = 0; time < times; time++) seen.push((await edge.get(host, path)).headers['x-cache']);
  return seen;
}

describe('hosts', () => {
  it('serves an exact name, in any case and with a port or a trailing dot', async () => {
    expect(await states('exact.test', '/host')).toEqual(['MISS', 'HIT', 'HIT']);
    for (const host of ['EXACT.test', 'exact.test:8080', 'exact.test.'])
      expect(await states(host, '/host', 1)).toEqual(['HIT']);
  });

  it('serves names under a wildcard apart, and an exact name before it', async () => {
    expect(await states('a.wild.test', '/w', 2)).toEqual(['MISS', 'HIT']);
    expect(await states('b.c.wild.test', '/w', 2)).toEqual(['MISS', 'HIT']);
    await edge.get('deep.wild.test', '/which');
    const [line] = await edge.logLines(1, ({ request_uri }) => request_uri === '/which');
    expect(line!.site_id).toBe(2);
  });

  it.each([
    ['unknown.test', 421, undefined, 'not served here', '该域名未接入此节点'],
    ['wild.test', 421, undefined, 'not served here', '该域名未接入此节点'],
    ['offline.test', 503, '3600', 'is offline', '网站已下线'],
    ['checking.test', 503, '60', 'is being verified', '域名正在验证'],
    ['failed.test', 503, undefined, 'could not be verified', '域名未通过验证'],
    ['suspended.test', 503, '3600', 'is suspended', '网站已被暂停服务'],
    ['order_expired.suspended.test', 503, '3600', 'has expired', '服务已到期'],
    [
      'order_suspended.suspended.test',
      503,
      '3600',
      'service order for this site is suspended',
      '订单已被暂停',
    ],
    ['client_disabled.suspended.test', 503, '3600', 'is disabled', '账号已被停用'],
  ])('shows %s a page of its own', async (host, status, retryAfter, english, chinese) => {
    const before = origin.count();
    const answer = await edge.get(host);
    expect(answer.status).toBe(status);
    expect(answer.headers['retry-after']).toBe(retryAfter);
    expect(answer.body).toContain(english);
    expect(answer.body).toContain(chinese);
    expect(origin.count()).toBe(before);
    expect(answer.body).toContain(answer.headers['x-request-id']);
    expect(answer.headers['cache-control']).toBe('no-store');
    expect(answer.headers['x-cache']).toBeUndefined();
  });

  it('serves the proven domains of a site, and the page of a check for those that wait', async () => {
    expect((await edge.get('proven.test')).status).toBe(200);
    for (const host of ['new.test', 'any.proven.test']) {
      const answer = await edge.get(host);
      expect(answer.status).toBe(503);
      expect(answer.body).toContain('is being verified');
    }
  });

  it('serves what is filed, and a page of its own for domains without a filing number', async () => {
    expect((await edge.get('filed.test')).status).toBe(200);
    for (const host of ['unfiled.test', 'any.unfiled.test']) {
      const before = origin.count();
      const answer = await edge.get(host);
      expect([answer.status, answer.headers['cache-control'], origin.count()]).toEqual([
        451,
        'no-store',
        before,
      ]);
      expect(answer.body).toContain('ICP filing number');
      expect(answer.body).toContain('ICP 备案号');
    }
  });
});

describe('cache rules', () => {
  it('decides by suffix, and leaves the query out', async () => {
    expect(await states('rules.test', '/a/x.JPG?1')).toEqual(['MISS', 'HIT', 'HIT']);
    expect(await states('rules.test', '/a/x.JPG?2', 1)).toEqual(['HIT']);
  });

  it('decides by full path, and counts the arguments named', async () => {
    expect(await states('rules.test', '/exact/page?id=1&x=1', 2)).toEqual(['MISS', 'HIT']);
    expect(await states('rules.test', '/exact/page?x=2&id=1', 1)).toEqual(['HIT']);
    expect(await states('rules.test', '/exact/page?id=2', 1)).toEqual(['MISS']);
    expect(await states('rules.test', '/exact/page/below', 2)).not.toContain('HIT');
  });

  it('decides by regular expression, and leaves the arguments named out', async () => {
    expect(await states('rules.test', '/v12/x?a=1&utm=z&b=2', 2)).toEqual(['MISS', 'HIT']);
    expect(await states('rules.test', '/v12/x?b=2&a=1', 1)).toEqual(['HIT']);
    expect(await states('rules.test', '/v/x', 2)).not.toContain('HIT');
  });

  it('lets the first match decide', async () => {
    expect(await states('rules.test', '/private/x.jpg')).toEqual(['BYPASS', 'BYPASS', 'BYPASS']);
    expect(await states('rules.test', '/%70rivate/y.jpg')).toEqual(['BYPASS', 'BYPASS', 'BYPASS']);
    expect(await states('rules.test', '/off/x', 2)).not.toContain('HIT');
  });

  it('follows the origin where a rule says so, and where none matches', async () => {
    for (const folder of ['/follow/', '/none/']) {
      expect(await states('rules.test', `${folder}a?header-cache-control=max-age%3D60`, 2)).toEqual([
        'MISS',
        'HIT',
      ]);
      expect(await states('rules.test', `${folder}b?header-cache-control=no-store`, 2)).not.toContain('HIT');
      expect(
        await states(
          'rules.test',
          `${folder}c?header-cdn-cache-control=max-age%3D60&header-cache-control=no-store`,
          2,
        ),
      ).toEqual(['MISS', 'HIT']);
      expect(await states('rules.test', `${folder}d`, 2)).not.toContain('HIT');
    }
  });

  it('asks again when the lifetime is over', async () => {
    expect(await states('rules.test', '/short/x', 2)).toEqual(['MISS', 'HIT']);
    await new Promise((settle) => setTimeout(settle, 2100));
    expect(await states('rules.test', '/short/x', 2)).toEqual(['EXPIRED', 'HIT']);
  });

  it('never stores what sets a cookie, nor an answer to a request with credentials', async () => {
    expect(await states('exact.test', '/cookie?header-set-cookie=a%3Db')).not.toContain('HIT');
    const headers = { authorization: 'Basic eDp5' };
    const seen = [];
    for (let time = 0; time < 2; time++)
      seen.push((await edge.get('exact.test', '/login', { headers })).headers['x-cache']);
    expect(seen).not.toContain('HIT');
    expect(await states('exact.test', '/login', 1)).not.toEqual(['HIT']);
  });

  it('keeps answers apart that vary by a request field', async () => {
    const path = '/vary?header-vary=Accept-Language';
    const ask = async (language: string) =>
      (await edge.get('exact.test', path, { headers: { 'accept-language': language } })).headers['x-cache'];
    expect([await ask('zh'), await ask('en'), await ask('zh'), await ask('en')]).toEqual([
      'MISS',
      'MISS',
      'HIT',
      'HIT',
    ]);
  });

  it('keeps the first answer that can be stored after others could not', async () => {
    const path = '/follow/dynamic?lifetime';
    expect(await states('rules.test', path)).toEqual(['MISS', 'MISS', 'MISS']);
    lifetime = 'max-age=60';
    expect(await states('rules.test', path)).toEqual(['MISS', 'HIT', 'HIT']);
  });

  it('tells the age of what it kept', async () => {
    const path = '/aged?header-age=100';
    expect((await edge.get('exact.test', path)).headers.age).toBe('100');
    await new Promise((settle) => setTimeout(settle, 1100));
    expect(Number((await edge.get('exact.test', path)).headers.age)).toBeGreaterThanOrEqual(101);
    expect((await edge.get('rules.test', '/private/x?header-age=7')).headers.age).toBe('7');
  });
});

describe('what reaches the origin and the visitor', () => {
  it('sends the visitor, the scheme and the request id on, and lets nobody pretend them', async () => {
    const headers = {
      'x-breakwater': '9999999999 1.1.1.1:1 200',
      'x-accel-expires': '100',
      'x-real-ip': '9.9.9.9',
      'x-forwarded-for': '9.9.9.9',
      'x-forwarded-proto': 'https',
      'x-request-id': 'mine',
    };
    const answer = await edge.get('exact.test', '/headers', { headers });
    const seen = (JSON.parse(answer.body) as { headers: Record<string, string> }).headers;
    expect(seen).toMatchObject({
      host: 'exact.test',
      'x-real-ip': '127.0.0.1',
      'x-forwarded-for': '127.0.0.1',
      'x-forwarded-proto': 'http',
      'x-request-id': answer.headers['x-request-id'],
      'cdn-loop': 'breakwater-test',
    });
    expect(answer.headers['x-request-id']).toMatch(/^[0-9a-f]{32}$/);
    expect(seen['x-breakwater']).toBeUndefined();
  });

  it('lets no internal field of an origin through, and no origin pretend one', async () => {
    const path =
      '/leak?header-x-breakwater=0000000001%20x%20200&header-x-accel-expires=100&header-x-cache=FAKE&header-x-request-id=fake&header-x-accel-redirect=%2Fother';
    for (let time = 0; time < 2; time++) {
      const { headers } = await edge.get('exact.test', path);
      expect(Object.keys(headers).filter((name) => /^x-(breakwater|accel)/.test(name))).toEqual([]);
      expect(headers['x-cache']).toBe(time === 0 ? 'MISS' : 'HIT');
      expect(headers['x-request-id']).toMatch(/^[0-9a-f]{32}$/);
      expect(Number(headers.age)).toBeLessThan(5);
    }
    expect(await states('rules.test', '/none/accel?header-x-accel-expires=100', 2)).not.toContain('HIT');
  });

  it('refuses a request that went through this edge before, and lets other networks by', async () => {
    for (const loop of ['breakwater-test', 'other, breakwater-test; v=1']) {
      const answer = await edge.get('exact.test', '/loop', { headers: { 'cdn-loop': loop } });
      expect(answer.status).toBe(508);
      expect(answer.body).toContain('loop');
    }
    const answer = await edge.get('exact.test', '/loop', {
      headers: { 'cdn-loop': 'other, breakwater-test2' },
    });
    expect(answer.body).toContain('"cdn-loop":"other, breakwater-test2, breakwater-test"');
  });

  it('passes methods and bodies, and stores none of them', async () => {
    for (const method of ['POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']) {
      const answer = await edge.get('exact.test', '/methods', {
        method,
        body: method === 'OPTIONS' ? '' : 'x'.repeat(200_000),
      });
      const seen = JSON.parse(answer.body) as { method: string; body: string };
      expect(seen.method).toBe(method);
      expect(seen.body.length).toBe(method === 'OPTIONS' ? 0 : 200_000);
      expect(answer.headers['x-cache']).toBe('BYPASS');
    }
    expect(await states('exact.test', '/methods', 1)).toEqual(['MISS']);
  });

  it('answers HEAD, ranges and conditions from the cache', async () => {
    const path = '/conditions?header-etag=%22v1%22';
    const head = await edge.get('exact.test', path, { method: 'HEAD' });
    expect([head.status, head.body, head.headers['x-cache']]).toEqual([200, '', 'MISS']);
    const whole = await edge.get('exact.test', path);
    expect(whole.headers['x-cache']).toBe('HIT');
    expect((JSON.parse(whole.body) as { method: string }).method).toBe('GET');
    const part = await edge.get('exact.test', path, { headers: { range: 'bytes=2-5' } });
    expect([part.status, part.body, part.headers['x-cache']]).toEqual([206, whole.body.slice(2, 6), 'HIT']);
    const same = await edge.get('exact.test', path, { headers: { 'if-none-match': '"v1"' } });
    expect([same.status, same.body]).toEqual([304, '']);
    expect((await edge.get('exact.test', path, { headers: { 'if-none-match': '"v2"' } })).status).toBe(200);
  });

  it('sends ranges and conditions on to the origin where a rule goes around the cache', async () => {
    const answer = await edge.get('rules.test', '/private/r', {
      headers: { range: 'bytes=0-9999', 'if-none-match': '"v"' },
    });
    expect((JSON.parse(answer.body) as { headers: object }).headers).toMatchObject({
      range: 'bytes=0-9999',
      'if-none-match': '"v"',
    });
  });

  it("passes an origin's own errors through as they are", async () => {
    for (const status of [404, 500, 502, 503, 504]) {
      const answer = await edge.get('exact.test', `/error?status=${status}`);
      expect(answer.status).toBe(status);
      expect(JSON.parse(answer.body)).toMatchObject({ method: 'GET' });
    }
  });
});
