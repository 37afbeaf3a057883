import { connect } from 'node:net';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startScriptedOrigin, type ScriptedOrigin } from './scripted-origin.ts';
import { makeSite, TestEdge, type Answer } from './support.ts';

/** Answers to one visitor that cannot be kept do not lead others around what the cache has for them. */

let edge: TestEdge;
let origin: ScriptedOrigin;

beforeAll(async () => {
  edge = await TestEdge.start({ workerProcesses: 1 });
  origin = await startScriptedOrigin();
  const origins = [{ address: '127.0.0.1', http_port: origin.port }];
  await edge.applySites(
    makeSite({
      id: 1,
      domains: ['shop.test'],
      origins,
      rules: [{ type: 'all', ttl_seconds: 600, no_cache_cookies: ['admin'], key_cookies: ['market'] }],
    }),
  );
});
afterAll(async () => {
  await edge.close();
  await origin.close();
});

const get = (path: string, headers: Record<string, string> = {}) => edge.get('shop.test', path, { headers });
const state = ({ headers }: Answer) => headers['x-cache'];

/** For everybody the same, but for who is signed in. */
const shop = () =>
  origin.serve(({ headers }) => ({
    headers: {
      'Cache-Control': /session|admin|market=new/.test(headers.cookie ?? '') ? 'private' : 'max-age=600',
    },
  }));

it('a private answer for one is no reason not to keep the next', async () => {
  const path = shop();
  expect(state(await get(path, { cookie: 'session=1' }))).toBe('MISS');
  expect(state(await get(path))).toBe('MISS');
  expect(state(await get(path))).toBe('HIT');
});

it('nor one for a visitor whose cookie leads around the cache', async () => {
  const path = shop();
  await get(path, { cookie: 'session=1' });
  for (let time = 0; time < 3; time++) await get(path);
  expect(state(await get(path, { cookie: 'admin=1' }))).toBe('BYPASS');
  expect(state(await get(path))).toBe('HIT');
});

it('nor one of another variant', async () => {
  const path = shop();
  await get(path, { cookie: 'market=old' });
  expect(state(await get(path, { cookie: 'market=new' }))).toBe('MISS');
  expect(state(await get(path, { cookie: 'market=old' }))).toBe('HIT');
});

it('nor a request for another protocol', async () => {
  const path = shop();
  await get(path, { cookie: 'session=1' });
  for (let time = 0; time < 3; time++) await get(path);
  for (const cookie of ['session=1', 'a=b'])
    await new Promise<void>((settle, refuse) => {
      const socket = connect(edge.httpPort, '127.0.0.1');
      socket.on('error', refuse);
      socket.on('data', () => socket.destroy());
      socket.on('close', () => settle());
      socket.write(
        `GET ${path} HTTP/1.1\r\nHost: shop.test\r\nCookie: ${cookie}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n`,
      );
    });
  expect(state(await get(path))).toBe('HIT');
});
