import { once } from 'node:events';
import { createServer, type Server, type ServerResponse } from 'node:http';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { makeSite, TestEdge } from './support.ts';

/** What is given stale is renewed behind the visitor's back, and keeps nobody waiting. */

let edge: TestEdge;
let origin: Server;
let held: ServerResponse[] = [];
let isHolding = false;
let count = 0;
let path = '';

beforeAll(async () => {
  edge = await TestEdge.start({ workerProcesses: 2 });
  origin = createServer((incoming, answer) => {
    count += 1;
    answer.setHeader('Cache-Control', 'max-age=1, stale-while-revalidate=600');
    if (incoming.url!.includes('vary')) answer.setHeader('Vary', 'Accept-Language');
    if (isHolding && incoming.url === path) held.push(answer);
    else answer.end(`first ${incoming.headers['accept-language'] ?? ''}`);
  });
  await once(origin.listen(0, '127.0.0.1'), 'listening');
  const origins = [{ address: '127.0.0.1', http_port: (origin.address() as AddressInfo).port }];
  const speed = { gzip: true, level: 'fast' } as const;
  await edge.applySites(
    makeSite({ id: 1, domains: ['stale.test'], origins }),
    makeSite({ id: 2, domains: ['fast.test'], origins, speed }),
    makeSite({
      id: 3,
      domains: ['extra.test'],
      origins,
      rules: [{ type: 'all', ttl_seconds: 1, key_headers: ['X-Lang'] }],
    }),
  );
});
afterAll(async () => {
  await edge.close();
  origin.closeAllConnections();
  origin.close();
});
beforeEach(() => {
  held = [];
  isHolding = false;
});

const stateOf = async (host: string, headers: Record<string, string> = {}) =>
  (await edge.get(host, path, { headers })).headers['x-cache'];

/** One after the other on one connection; what comes for each. */
async function onOneConnection(host: string, ...targets: string[]): Promise<string[]> {
  const socket = connect(edge.httpPort, '127.0.0.1');
  const answers: string[] = [];
  for (const target of targets) {
    socket.write(`GET ${target} HTTP/1.1\r\nHost: ${host}\r\n\r\n`);
    answers.push(await answerFrom(socket));
  }
  socket.destroy();
  return answers;
}

function answerFrom(socket: Socket): Promise<string> {
  return new Promise((settle) => {
    let text = '';
    const read = (data: Buffer) => {
      text += data.toString();
      const [, length] = /content-length: (\d+)/i.exec(text) ?? [];
      if (length === undefined || text.split('\r\n\r\n')[1]!.length < Number(length)) return;
      socket.off('data', read);
      settle(/x-cache: (\w+)/i.exec(text)?.[1] ?? text);
    };
    socket.on('data', read);
  });
}

it.each(['stale.test', 'fast.test', 'extra.test'])(
  'keeps the next on the same connection waiting for nothing (%s)',
  async (host) => {
    path = `/${host}`;
    expect(await stateOf(host)).toBe('MISS');
    isHolding = true;
    // It has come to be too old, and is being renewed from the first request that finds it so.
    await expect.poll(() => stateOf(host), { timeout: 5000 }).toBe('STALE');
    await expect.poll(() => held.length).toBe(1);
    expect(await onOneConnection(host, path, '/other', path)).toEqual(['UPDATING', 'MISS', 'UPDATING']);
    held[0]!.end('second');
    await expect.poll(async () => (await edge.get(host, path)).body).toBe('second');
    expect(await stateOf(host)).toBe('HIT');
  },
);

it('does not hold up the connection of the visitor whose request began it', async () => {
  path = '/begun';
  await stateOf('stale.test');
  isHolding = true;
  let states: string[] = [];
  await expect
    .poll(async () => (states = await onOneConnection('stale.test', path, '/next')), { timeout: 5000 })
    .toContain('STALE');
  expect(states[1]).toMatch(/HIT|MISS|STALE|UPDATING/);
  await expect.poll(() => held.length).toBe(1);
  held[0]!.end('second');
});

it('is of the variant that is stale', async () => {
  path = '/vary';
  const languages = ['zh', 'en'];
  const bodies = () =>
    Promise.all(
      languages.map(async (language) => {
        const { headers, body } = await edge.get('stale.test', path, {
          headers: { 'accept-language': language },
        });
        return `${headers['x-cache'] as string} ${body}`;
      }),
    );
  await edge.get('stale.test', path, { headers: { 'accept-language': 'zh' } });
  await edge.get('stale.test', path, { headers: { 'accept-language': 'en' } });
  const before = count;
  await expect.poll(bodies, { timeout: 5000 }).toEqual(['STALE first zh', 'STALE first en']);
  await expect.poll(bodies, { timeout: 5000 }).toEqual(['HIT first zh', 'HIT first en']);
  expect(count).toBe(before + 2);
});
