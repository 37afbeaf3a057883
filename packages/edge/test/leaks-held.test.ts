import { request as httpRequest } from 'node:http';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { connect, createServer, type AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { idOf, LeakWorld, noise, page, privateKey } from './leaks-support.ts';
import { patience } from './support.ts';

/** How answers are held until they are judged, on a real nginx: that nobody waits for it, and nothing slips past. */

/** From then on `/expired` leaks. */
let answeredBefore = Infinity;
/** Changes to another protocol whoever asks, and says again what it hears. */
const echoing = createServer((socket) => {
  let isChanged = false;
  socket.on('error', () => undefined);
  socket.on('data', (data) => {
    const change = 'HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n';
    socket.write(isChanged ? `got ${data.toString('latin1')}` : change);
    isChanged = true;
  });
});

let world: LeakWorld;
beforeAll(async () => {
  await once(echoing.listen(0, '127.0.0.1'), 'listening');
  world = await LeakWorld.start(() => (world.origin.count() > answeredBefore ? privateKey : page));
});
afterAll(async () => {
  await world.close();
  echoing.close();
});

it('asks of each of many visitors at once, and lets none of them wait for another', async () => {
  const host = await world.serve();
  const answers = await Promise.all(Array.from({ length: 200 }, () => world.edge.get(host, '/key')));
  expect(answers.filter(({ status }) => status !== 403)).toEqual([]);
  expect(answers.filter(({ body }) => body.includes('PRIVATE KEY'))).toEqual([]);
  const others = await Promise.all(Array.from({ length: 200 }, () => world.edge.get(host, '/many')));
  expect(others.filter(({ body }) => body !== page)).toEqual([]);
});

it('holds no event stream, and nothing for longer than a second', async () => {
  const host = await world.serve();
  const events = world.follow(host, '/events?a');
  await expect.poll(() => events.seen.body, patience).toBe('data: one\n\n');
  world.going('?a')!.write('data: two\n\n');
  await expect.poll(() => events.seen.body, patience).toBe('data: one\n\ndata: two\n\n');
  world.going('?a')!.end();
  await expect.poll(() => events.seen.ended, patience).toBe(true);
  expect((await world.lineOf(events.seen.id)).waf).toBe('');

  for (const path of ['/slow?b', '/silent?c']) {
    const slow = world.follow(host, path);
    const name = path.slice(path.indexOf('?'));
    await expect.poll(() => world.going(name), patience).toBeDefined();
    const response = world.going(name)!;
    response.write('and more');
    await expect.poll(() => slow.seen.body, patience).toContain('and more');
    response.end();
    await expect.poll(() => slow.seen.ended, patience).toBe(true);
    expect((await world.lineOf(slow.seen.id)).waf).toBe('used_system_rule leak_unread=observe');
  }
});

it('passes on all of what was let go, whatever comes then', async () => {
  const host = await world.serve();
  const late = world.follow(host, '/silent?late');
  await expect.poll(() => world.going('?late'), patience).toBeDefined();
  world.going('?late')!.write('{"a":"b",');
  await expect.poll(() => late.seen.body, patience).toBe('{"a":"b",');
  world.going('?late')!.end(`"private_key":${JSON.stringify(privateKey)}}`);
  await expect.poll(() => late.seen.ended, patience).toBe(true);
  expect(late.seen.body).toContain('PRIVATE KEY');
  expect(await world.lineOf(late.seen.id)).toMatchObject({
    decision: '',
    waf: 'used_system_rule leak_unread=observe',
  });
});

it('ends at the origin with its visitor', async () => {
  const host = await world.serve();
  const slow = world.follow(host, '/slow?gone');
  await expect.poll(() => slow.seen.status, patience).toBe(200);
  const closed = new Promise((settle) => world.going('?gone')!.on('close', settle));
  slow.leave();
  await closed;
});

it('is told whatever protocol the visitor says to want, and leaves a WebSocket alone', async () => {
  const host = await world.serve();
  const wish = { connection: 'Upgrade', upgrade: 'websocket' };
  for (const path of ['/text', '/key'])
    expect((await world.edge.get(host, path, { headers: wish })).status).toBe(403);
  expect((await world.edge.get(host, '/a', { headers: wish })).body).toBe(page);
  const socket = connect(world.edge.httpPort, '127.0.0.1');
  let heard = '';
  socket.on('data', (data: Buffer) => (heard += data.toString('latin1')));
  const closed = new Promise((settle) => socket.on('close', settle));
  const origins = [{ address: '127.0.0.1', http_port: (echoing.address() as AddressInfo).port }];
  const sockets = await world.serve({ leak: 'default' }, { origins });
  socket.write(`GET / HTTP/1.1\r\nHost: ${sockets}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n`);
  await expect.poll(() => heard, patience).toMatch(/^HTTP\/1\.1 101 /);
  for (const word of ['one', 'two', privateKey]) {
    socket.write(word);
    await expect.poll(() => heard, patience).toContain(`got ${word}`);
  }
  socket.end();
  await closed;
});

it('leaves large files, pictures and their lengths alone', async () => {
  const host = await world.serve();
  for (const path of ['/large.bin', '/large.bin?2', '/image']) {
    const given = await world.edge.get(host, path);
    expect(given.status).toBe(200);
    expect((await world.lineOf(idOf(given))).waf).toBe('');
  }
  const hash = createHash('sha256');
  await new Promise<void>((settle) =>
    httpRequest(
      { host: '127.0.0.1', port: world.edge.httpPort, path: '/large.bin?3', headers: { host }, agent: false },
      (response) => {
        response.on('data', (chunk: Buffer) => hash.update(chunk));
        response.on('end', () => settle());
      },
    ).end(),
  );
  expect(hash.digest('hex')).toBe(createHash('sha256').update(noise).digest('hex'));
});

it('stands beside content that is judged on its way', async () => {
  const host = await world.serve({ mode: 'default', leak: 'default', large_bodies: 'judge' });
  const padded = await world.edge.get(host, '/echo', { method: 'POST', body: 'x'.repeat(2_000_000) });
  expect([padded.status, padded.body]).toEqual([200, 'got 2000000']);
  expect((await world.lineOf(idOf(padded))).waf).toBe('used_system_rule unread=observe');
});

it('does not get into the cache behind a visitor’s back', async () => {
  const host = await world.serve();
  expect((await world.edge.get(host, '/expired?1')).body).toBe(page);
  answeredBefore = world.origin.count();
  await expect
    .poll(async () => (await world.edge.get(host, '/expired?1')).headers['x-cache'], patience)
    .toBe('STALE');
  // The second renewal begins when the first is over, and what that brought would be there.
  await expect
    .poll(async () => {
      expect((await world.edge.get(host, '/expired?1')).body).toBe(page);
      return world.origin.count();
    }, patience)
    .toBeGreaterThan(answeredBefore + 1);
  expect((await world.edge.get(host, '/expired?1')).body).toBe(page);
  answeredBefore = Infinity;
});
