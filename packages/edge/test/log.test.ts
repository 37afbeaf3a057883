import { readdir, readFile, stat } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { makeSite, startOrigin, TestEdge, type TestOrigin } from './support.ts';

let edge: TestEdge;
let origin: TestOrigin;
/** What its requests are called. */
const seen: string[] = [];

beforeAll(async () => {
  edge = await TestEdge.start();
  origin = await startOrigin((request, response) => {
    seen.push(String(request.headers['x-request-id']));
    response.setHeader('Content-Type', 'text/plain');
    response.end('x'.repeat(1000));
  });
  await edge.applySites(
    makeSite({
      id: 7,
      domains: ['log.test'],
      origins: [{ address: '127.0.0.1', http_port: origin.port }],
      rules: [{ type: 'all', ttl_seconds: 600 }],
    }),
  );
});
afterAll(async () => {
  await edge.close();
  await origin.close();
});

/** The fields of what the cache has stored of a path, without their values. */
async function storedFields(path: string): Promise<string[] | undefined> {
  const folder = join(edge.dir, 'cache');
  for (const name of await readdir(folder, { recursive: true })) {
    const file = join(folder, name);
    if (!(await stat(file)).isFile()) continue;
    const text = await readFile(file, 'latin1');
    const [head = '', fields = ''] = text.split('\r\n\r\n', 1)[0]!.split(/HTTP\/1\.1 200[^\r]*\r\n/);
    if (head.includes(path)) return fields.split('\r\n').map((line) => line.split(':')[0]!);
  }
  return undefined;
}

it('has nothing stored of an answer that each hit would read in vain', async () => {
  await edge.get('log.test', '/lean');
  const lean = ['Connection', 'Content-Length', 'Content-Type', 'Date', 'X-Accel-Expires', 'X-Breakwater'];
  await expect.poll(async () => (await storedFields('/lean'))?.toSorted()).toEqual(lean);
  const answer = await edge.get('log.test', '/lean');
  expect(answer.headers['x-cache']).toBe('HIT');
  const [miss] = await edge.logLines(1, ({ request_uri }) => request_uri === '/lean');
  expect(miss).toMatchObject({ cache_status: 'MISS', cache_reason: 'rule_ttl', origin_status: 200 });
});

it('logs a miss with its origin, and a hit without', async () => {
  const headers = { referer: 'http://from.test/"x"', 'user-agent': 'agent \\ 例' };
  const miss = await edge.get('log.test', '/p?q=1', {
    headers: {
      referer: headers.referer,
      'user-agent': Buffer.from(headers['user-agent']).toString('latin1'),
    },
  });
  await edge.get('log.test', '/p?q=1');
  const [first, second] = await edge.logLines(2, ({ request_uri }) => request_uri === '/p?q=1');
  expect(first).toMatchObject({
    request_id: miss.headers['x-request-id'],
    site_id: 7,
    client_id: 1007,
    order_id: 2007,
    host: 'log.test',
    remote_addr: '127.0.0.1',
    method: 'GET',
    scheme: 'http',
    protocol: 'HTTP/1.1',
    status: 200,
    body_bytes_sent: 1000,
    cache_status: 'MISS',
    origin_addr: `127.0.0.1:${origin.port}`,
    origin_status: 200,
    origin_bytes: 1000,
    referer: headers.referer,
    user_agent: headers['user-agent'],
    content_type: 'text/plain',
    tls_version: '',
  });
  expect(first!.bytes_sent).toBeGreaterThan(1000);
  expect(first!.remote_port).toBeGreaterThan(0);
  expect(first!.time).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
  expect(Math.abs(Date.parse(first!.time) - Date.now())).toBeLessThan(5000);
  expect(second).toMatchObject({
    cache_status: 'HIT',
    origin_addr: '',
    origin_status: 0,
    origin_time: 0,
    origin_bytes: 0,
    site_id: 7,
  });
});

it('gives each request a name of its own, in its answer, to its origin and in the log', async () => {
  const before = seen.length;
  const count = 600;
  const names: string[] = [];
  for (let index = 0; index < count; index += 50) {
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, each) => edge.get('log.test', `/named/${index + each}`)),
    );
    names.push(...answers.map(({ headers }) => String(headers['x-request-id'])));
  }
  expect(new Set(names).size).toBe(count);
  for (const name of names) expect(name).toMatch(/^[0-9a-f]{32}$/);
  expect(seen.slice(before).toSorted()).toEqual(names.toSorted());
  const lines = await edge.logLines(count, ({ request_uri }) => request_uri.startsWith('/named/'));
  expect(lines.map(({ request_id }) => request_id).toSorted()).toEqual(names.toSorted());
});

it('logs requests to no site, and what is no request at all, in the same form', async () => {
  await edge.get('nobody.test', '/none');
  const [line] = await edge.logLines(1, ({ request_uri }) => request_uri === '/none');
  expect(line).toMatchObject({
    site_id: 0,
    client_id: 0,
    order_id: 0,
    status: 421,
    cache_status: '',
    origin_addr: '',
  });
  await new Promise<void>((settle) => {
    const socket = connect(edge.httpPort, '127.0.0.1', () => socket.write('this is not HTTP\r\n\r\n'));
    socket.on('data', () => {});
    socket.on('close', () => settle());
  });
  expect(await edge.logLines(1, ({ status }) => status === 400)).toMatchObject([
    { site_id: 0, origin_status: 0 },
  ]);
});

it('logs what a site wants logged, and that it wants fewer records', async () => {
  const origins = [{ address: '127.0.0.1', http_port: origin.port }];
  const rules = [{ type: 'all' as const, ttl_seconds: 600 }];
  await edge.applySites(
    makeSite({
      id: 8,
      domains: ['some.test'],
      origins,
      rules,
      advanced: { access_log: { user_agent: false, query: false, sample_rate: 20 } },
    }),
    makeSite({ id: 9, domains: ['off.test'], origins, rules, advanced: { access_log: { enabled: false } } }),
  );
  const headers = { referer: 'http://from.test/', 'user-agent': 'agent' };
  for (const host of ['some.test', 'off.test'])
    for (let time = 0; time < 2; time++) await edge.get(host, '/path?secret=1', { headers });
  const some = await edge.logLines(2, ({ site_id }) => site_id === 8);
  expect(some.map(({ cache_status }) => cache_status)).toEqual(['MISS', 'HIT']);
  for (const line of some)
    expect(line).toMatchObject({
      remote_addr: '127.0.0.1',
      request_uri: '/path',
      referer: 'http://from.test/',
      user_agent: '',
      sample_rate: 20,
      body_bytes_sent: 1000,
    });
  const off = await edge.logLines(2, ({ site_id }) => site_id === 9);
  expect(off).toHaveLength(2);
  for (const line of off)
    expect(line).toMatchObject({
      remote_addr: '',
      request_uri: '',
      referer: '',
      user_agent: '',
      sample_rate: 0,
      host: 'off.test',
      bytes_sent: expect.any(Number) as number,
    });
  await edge.get('log.test', '/plain?q=2');
  const [plain] = await edge.logLines(1, ({ request_uri }) => request_uri === '/plain?q=2');
  expect(plain).not.toHaveProperty('sample_rate');
});

it('logs which limit refused a request', async () => {
  const rate = { requests: 1, period_seconds: 600, burst: 1 };
  const security = { rate_per_address: rate, body_bytes_max: 10 };
  const origins = [{ address: '127.0.0.1', http_port: origin.port }];
  await edge.applySites(makeSite({ id: 10, domains: ['limited.test'], origins, security }));
  const much = { method: 'POST', body: 'much too much' };
  expect((await edge.get('limited.test', '/', much)).status).toBe(413);
  for (const status of [200, 200, 429]) expect((await edge.get('limited.test', '/')).status).toBe(status);
  const lines = await edge.logLines(4, ({ site_id }) => site_id === 10);
  expect(lines.map(({ decision }) => decision)).toEqual([
    'security content_too_large',
    '',
    '',
    'security too_many_requests',
  ]);
});

it('writes what was logged a moment before it stops', async () => {
  const stopping = await TestEdge.start();
  try {
    for (let index = 0; index < 20; index++) await stopping.get('nobody.test', `/${index}`);
    process.kill(stopping.edge.pid, 'SIGQUIT');
    const lines = await stopping.logLines(20, ({ host }) => host === 'nobody.test');
    expect(lines).toHaveLength(20);
  } finally {
    await stopping.close();
  }
});
