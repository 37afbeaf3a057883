import { connect as connectHttp2 } from 'node:http2';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { AccessWorld } from './access-support.ts';

/** What the path of a request is: judged as it is written, and given to the origin so, or refused. */

let world: AccessWorld;
beforeAll(async () => {
  world = await AccessWorld.start();
});
afterAll(() => world.close());

function statusOverHttp2(host: string, target: string): Promise<number> {
  const session = connectHttp2(`https://127.0.0.1:${world.edge.httpsPort}`, { rejectUnauthorized: false });
  return new Promise((settle, refuse) => {
    const stream = session.request({ ':path': target, ':authority': host });
    stream.on('response', (fields) => settle(fields[':status']!));
    stream.on('error', refuse);
    stream.on('close', () => session.close());
    stream.resume().end();
  });
}

describe('below the edge’s own prefix', () => {
  const forms = [
    '/.well-known/breakwater/..%2f..%2fadmin/x',
    '/.well-known/breakwater/../../admin/x',
    '/.well-known/breakwater/%2e%2e/%2e%2e/admin/x',
    '/.well-known/breakwater/address/..%2f..%2f..%2fadmin/x',
    '/.well-known/breakwater/address/../../../admin/x?a',
    '/.well-known/breakwater/address/1-a/..%2f..%2f..%2f..%2fadmin/x',
    '/.well-known/breakwater/..;/..;/admin/x',
    '/.well-known/breakwater/..%5c..%5cadmin/x',
    '/.well-known/breakwater/x',
    '/.well-known/breakwater/',
    '/%2ewell-known/breakwater/x',
    '//.well-known//breakwater/x',
    '//host/.well-known/breakwater/x',
  ];

  it.each(forms)('nothing but its pages is there, and nothing reaches an origin: %s', async (target) => {
    const open = await world.site({});
    const closed = await world.site({ access: { rules: [{ action: 'deny', only_paths: ['/admin/'] }] } });
    const before = world.origin.count();
    expect(await world.rawStatus(open, target)).toBe(404);
    expect(await statusOverHttp2(open, target)).toBe(404);
    expect([403, 404]).toContain(await world.rawStatus(closed, target));
    expect([403, 404]).toContain(await statusOverHttp2(closed, target));
    expect(world.origin.count()).toBe(before);
  });

  it('nothing is rewritten to', async () => {
    const host = await world.site({
      rewrite: {
        url_rewrites: [{ type: 'path', from: '/x', to: '/.well-known/breakwater/y' }],
      },
    });
    const before = world.origin.count();
    expect(await world.status(host, '/x')).toBe(404);
    expect(world.origin.count()).toBe(before);
  });
});

describe('a path that origins may take for another', () => {
  const refused = [
    ['/a/../b', 'dot_segment'],
    ['/a/%2e%2e/b', 'dot_segment'],
    ['/a/..%2fb', 'dot_segment'],
    ['/a/..;/b', 'dot_segment'],
    ['/a/..%5cb', 'backslash'],
    ['/a\\b', 'backslash'],
    ['/%2561', 'double_encoding'],
    ['/a%c0%afb', 'overlong'],
    ['/a%0d%0ab', 'control_character'],
    ['/a#b', 'fragment'],
    ['/a;b%2fc', 'mixed_marks'],
  ];

  it.each(refused)('is refused, and the log says why: %s', async (target, reason) => {
    const host = await world.site({});
    const before = world.origin.count();
    expect(await world.rawStatus(host, target)).toBe(400);
    expect(world.origin.count()).toBe(before);
    const [line] = await world.edge.logLines(1, (each) => each.host === host);
    expect(line).toMatchObject({ request_uri: target, status: 400, decision: `request_path ${reason}` });
  });

  it.each([
    ['an escape that is none', '/a%zz'],
    ['a cut one', '/a%2'],
    ['a zero byte', '/a%00b'],
  ])('is refused by nginx: %s', async (_, target) => {
    const before = world.origin.count();
    expect(await world.rawStatus(await world.site({}), target)).toBe(400);
    expect(world.origin.count()).toBe(before);
  });

  it('is told by the trace of a request', async () => {
    const host = await world.site({});
    const site = Number(/\d+/.exec(host)![0]);
    const request = {
      method: 'GET',
      scheme: 'http',
      host,
      port: 80,
      headers: [],
      address: '192.0.2.1',
      time: 0,
    };
    const stop = async (target: string) => {
      const { steps } = await world.edge.control<{ steps: { outcome: string }[] }>('POST', '/explain', {
        site_id: site,
        request: { ...request, target },
      });
      return steps.find(({ outcome }) => outcome === 'stopped');
    };
    expect(await stop('/a/..%2fb')).toMatchObject({ step: 'request_path', reason: 'path_dot_segment' });
    expect(await stop('/.well-known/breakwater/..%2fb')).toMatchObject({ reason: 'path_of_nobody' });
    expect(await stop('/a')).toBeUndefined();
  });
});

it.each([
  '/a%20b/%E4%BE%8B.png',
  '/api/v4/projects/group%2Fproject',
  '/@scope%2fname',
  '/tags/c%23',
  '/wiki/Who%3F',
  '/app;jsessionid=1',
  '/100%25.pdf',
  '/img//logo.png',
  '//img/logo.png',
  '/.git/config',
  '/%D6%D0%CE%C4/%C0%B4.html',
  "/a+b~c!d$e&f'g(h)i*j,k:l=m@n",
])('what ordinary sites write reaches the origin as it is: %s', async (target) => {
  const host = await world.site({});
  const answer = await world.raw(`GET ${target} HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`);
  expect(answer).toContain('HTTP/1.1 200');
  expect(answer).toContain(`asked ${target}`);
});

it('a redirect and a rewrite hold for every reading of a path', async () => {
  const host = await world.site({
    rewrite: {
      redirects: [{ type: 'prefix', from: '/old/', to: 'https://new.test/' }],
      url_rewrites: [{ type: 'prefix', from: '/inner/', to: '/outer/' }],
    },
  });
  for (const target of ['/old/x', '//host/old/x', '/old;a/x', '/old%2fx', '/%6Fld//x'])
    expect([target, await world.rawStatus(host, target)]).toEqual([target, 302]);
  for (const target of ['/inner/x', '//host/inner/x', '/inner;a/x', '/inner%2fx']) {
    const answer = await world.raw(`GET ${target} HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`);
    expect([target, answer.slice(-'asked /outer/x'.length)]).toEqual([target, 'asked /outer/x']);
  }
});
