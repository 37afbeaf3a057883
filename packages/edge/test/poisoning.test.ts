import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ambiguousRequests, oddRequests } from './ambiguous-requests.ts';
import { startScriptedOrigin, type ScriptedOrigin } from './scripted-origin.ts';
import { makeSite, startOrigin, TestEdge, type TestOrigin } from './support.ts';
import { unkeyedFields } from './unkeyed-fields.ts';

/** Attempts to have one visitor's answer kept for others, or to have one request taken for two. */

let edge: TestEdge;
let origin: ScriptedOrigin;
let echo: TestOrigin;
const fresh = { 'Cache-Control': 'max-age=600' };

beforeAll(async () => {
  edge = await TestEdge.start();
  origin = await startScriptedOrigin();
  // Says what it was asked, in a way that differs for every target.
  echo = await startOrigin((request, response) => {
    response.setHeader('Cache-Control', 'max-age=600').end(`${request.headers.host} ${request.url}`);
  });
  await edge.applySites(
    makeSite({ id: 1, domains: ['c.test'], origins: [{ address: '127.0.0.1', http_port: origin.port }] }),
    makeSite({
      id: 2,
      domains: ['echo.test', 'other.test'],
      origins: [{ address: '127.0.0.1', http_port: echo.port }],
    }),
    makeSite({
      id: 3,
      domains: ['without.test'],
      origins: [{ address: '127.0.0.1', http_port: origin.port }],
      rules: [{ type: 'all', ttl_seconds: 60, query_policy: 'exclude', query_names: ['utm_source'] }],
    }),
    makeSite({
      id: 4,
      domains: ['only.test'],
      origins: [{ address: '127.0.0.1', http_port: origin.port }],
      rules: [{ type: 'all', ttl_seconds: 60, query_policy: 'include', query_names: ['q'] }],
    }),
  );
});

afterAll(async () => {
  await edge.close();
  await origin.close();
  await echo.close();
});

interface Heard {
  statuses: number[];
  text: string;
}

/** What comes back until the connection ends or is idle. */
function raw(text: string): Promise<Heard> {
  return new Promise((settle, refuse) => {
    const socket = connect(edge.httpPort, '127.0.0.1', () => socket.write(text, 'latin1'));
    let seen = '';
    socket.setTimeout(400, () => socket.destroy());
    socket.on('data', (data) => (seen += data.toString('latin1')));
    socket.on('error', refuse);
    socket.on('close', () => {
      const statuses = [...seen.matchAll(/HTTP\/1\.1 (\d{3})/g)].map(([, status]) => Number(status));
      settle({ statuses, text: seen });
    });
  });
}

describe('arguments that are not in the key', () => {
  it.each([';q=EVIL', '%26q=EVIL', '?q=EVIL', '&%71=EVIL', '&q[]=EVIL', '&amp;q=EVIL', '#&q=EVIL'])(
    'are not what an origin reads as two arguments: %s',
    async (more) => {
      const path = origin.serve((request) => ({ headers: fresh, body: request.url! }));
      for (const host of ['without.test', 'only.test']) {
        await edge.get(host, `${path}?utm_source=1${more}`);
        expect((await edge.get(host, path)).body).not.toContain('EVIL');
      }
    },
  );

  it('leave out what every origin reads alike', async () => {
    const path = origin.serve((request) => ({ headers: fresh, body: request.url! }));
    for (const host of ['without.test', 'only.test']) {
      const first = await edge.get(host, `${path}?utm_source=a%20b+c&q=1`);
      expect((await edge.get(host, `${path}?q=1&utm_source=2`)).body).toBe(first.body);
    }
  });
});

describe('fields that are not in the key', () => {
  it.each(unkeyedFields)('%s shapes no stored answer', async (name) => {
    const path = origin.serve((request) => ({ headers: fresh, body: JSON.stringify(request.headers) }));
    const poisoned = await edge.get('c.test', path, { headers: { [name]: 'evil.test' } });
    expect(poisoned.body).not.toContain('evil');
    expect((await edge.get('c.test', path)).body).not.toContain('evil');
  });

  it("tells the origin the visitor's own host", async () => {
    const path = origin.serve((request) => ({ body: String(request.headers['x-forwarded-host']) }));
    const answer = await edge.get('C.test:81', path, { headers: { 'x-forwarded-host': 'evil.test' } });
    expect(answer.body).toBe('c.test');
  });

  it('lets no method be overridden', async () => {
    const path = origin.serve((request) => ({ body: String(request.headers['x-http-method-override']) }));
    const headers = { 'x-http-method-override': 'PATCH' };
    expect((await edge.get('c.test', path, { method: 'POST', headers })).body).toBe('undefined');
    expect((await edge.get('c.test', path, { headers })).body).toBe('undefined');
  });

  it('keeps no answer to a field that Connection takes away as one to it', async () => {
    const path = origin.serve((request) => ({
      headers: { ...fresh, Vary: 'Accept-Language' },
      body: String(request.headers['accept-language']),
    }));
    const ask = async (headers: Record<string, string>) => (await edge.get('c.test', path, { headers })).body;
    expect(await ask({ 'accept-language': 'zh', connection: 'Accept-Language' })).toBe('undefined');
    expect(await ask({ 'accept-language': 'zh' })).toBe('zh');
  });
});

describe('hosts', () => {
  it('are one in any case, with a port and with a dot at the end, and shape the answer in none', async () => {
    for (const host of ['ECHO.test', 'echo.test:8080', 'echo.test.', 'echo.test'])
      expect((await edge.get(host, '/host')).body).toBe('echo.test /host');
  });

  it('in the request line come before the field', async () => {
    const answer = await raw(
      'GET http://other.test/line HTTP/1.1\r\nHost: echo.test\r\nConnection: close\r\n\r\n',
    );
    expect(answer.text).toContain('other.test /line');
    expect((await edge.get('echo.test', '/line')).body).toBe('echo.test /line');
  });

  it.each([
    ['two', 'Host: echo.test\r\nHost: other.test\r\n'],
    ['none', ''],
    ['one that is none', 'Host: echo.test/x\r\n'],
  ])('are refused: %s', async (_name, lines) => {
    expect((await raw(`GET / HTTP/1.1\r\n${lines}\r\n`)).statuses).toEqual([400]);
  });
});

describe('paths', () => {
  const targets = [
    '/a/b',
    '/a//b',
    '//a/b',
    '/a%2fb',
    '/%61/b',
    '/a/b;x',
    '/a/b;x=1/y',
    '/a/b?',
    '/a/b?x',
    '/a/b%3fx',
    '/a/b%23',
    '/A/b',
  ];

  it('are kept apart as the origin is asked, byte for byte', async () => {
    for (const round of ['MISS', 'HIT'])
      for (const target of targets) {
        const { text } = await raw(`GET ${target} HTTP/1.1\r\nHost: echo.test\r\nConnection: close\r\n\r\n`);
        const [, state] = /X-Cache: (\w+)/.exec(text) ?? [];
        expect({ target, state, body: text.split('\r\n\r\n')[1] }).toEqual({
          target,
          state: round,
          body: `echo.test ${target}`,
        });
      }
  });

  it.each([
    ['a zero byte', '/a%00b'],
    ['above the root', '/../etc'],
    ['a dot segment', '/a/./b'],
    ['an encoded one', '/a/..%2fb'],
    ['a backslash', '/a\\b'],
    ['an encoded one', '/a%5cb'],
    ['a line break', '/a/b%0d%0aX:y'],
    ['a bare zero byte', '/a\0b'],
  ])('are refused: %s', async (_name, target) => {
    const { statuses } = await raw(`GET ${target} HTTP/1.1\r\nHost: echo.test\r\n\r\n`);
    expect(statuses).toEqual([400]);
  });
});

describe('requests that could be taken for two', () => {
  it.each(ambiguousRequests('echo.test'))('are refused: %s', async (_name, text) => {
    const { statuses, text: heard } = await raw(text);
    expect(heard).not.toContain('/smuggled');
    expect(statuses).toHaveLength(1);
    expect([400, 501]).toContain(statuses[0]);
  });

  it.each(oddRequests('echo.test'))(
    'are answered once, whether refused or taken: %s',
    async (_name, text) => {
      const before = echo.count();
      const { statuses, text: heard } = await raw(text);
      expect(heard).not.toContain('/smuggled');
      expect(statuses).toHaveLength(1);
      expect(echo.count() - before).toBeLessThanOrEqual(1);
    },
  );
});
