import { readFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import { connect as connectTls } from 'node:tls';
import { randomFrom } from '@breakwater/policy/lib/test-random';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { relayTo, type Relay } from './client-hello.ts';
import { makeSite, startOrigin, TestEdge, type TestOrigin } from './support.ts';

/** First messages of TLS that no client sends, at a node that reads them for fingerprints. */

let origin: TestOrigin;
let edge: TestEdge;
let relay: Relay;
beforeAll(async () => {
  origin = await startOrigin((request, response) => response.end(`asked ${request.url!}`));
  edge = await TestEdge.start();
  relay = await relayTo(edge.httpsPort);
  const origins = [{ address: '127.0.0.1', http_port: origin.port }];
  const advanced = { access_log: { ja4: true } };
  await edge.applySites(makeSite({ id: 1, domains: ['hello.test'], origins, advanced }));
});
afterAll(async () => {
  await relay.close();
  await edge.close();
  await origin.close();
});

/** Bytes as they are, until the node ends it. */
const send = (bytes: Buffer): Promise<void> =>
  new Promise((settle) => {
    const socket = connect(edge.httpsPort, '127.0.0.1', () => socket.end(bytes));
    socket.setTimeout(5000, () => socket.destroy());
    socket.on('data', () => socket.destroy());
    socket.on('error', () => {});
    socket.on('close', () => settle());
  });

async function expectService(): Promise<void> {
  const answer = await edge.get('hello.test', '/', { servername: 'hello.test' });
  expect(answer.body).toBe('asked /');
  const [line] = await edge.logLines(1, ({ scheme }) => scheme === 'https');
  expect(line!.ja4).toMatch(/^t13d/);
  // A worker that a message ends is named there by its master.
  expect(await readFile(join(edge.dir, 'logs/error.log'), 'utf8')).not.toMatch(/exited|signal|lua/i);
}

/** The hello of a client that is let in, as records. */
async function realHello(): Promise<Buffer> {
  const before = relay.sent.length;
  await new Promise<void>((settle, refuse) => {
    const target = {
      host: '127.0.0.1',
      port: relay.port,
      servername: 'hello.test',
      rejectUnauthorized: false,
    };
    const socket = connectTls({ ...target, ALPNProtocols: ['h2', 'http/1.1'] }, () => {
      socket.destroy();
      settle();
    });
    socket.on('error', refuse);
  });
  return relay.sent[before]!;
}

it('end no worker, whatever stands in them', async () => {
  const good = await realHello();
  const random = randomFrom(20_260_926);
  for (let round = 0; round < 400; round++) {
    const bad = Buffer.from(good);
    for (let times = 0; times < 1 + (round % 4); times++)
      bad[Math.floor(random() * bad.length)] = Math.floor(random() * 256);
    await send(round % 5 === 0 ? bad.subarray(0, Math.floor(random() * bad.length)) : bad);
  }
  await expectService();
});

const short = (value: number) => Buffer.from([value >> 8, value & 0xff]);
const list = (items: Buffer[]) => {
  const all = Buffer.concat(items);
  return Buffer.concat([short(all.length), all]);
};

it.each([
  ['thousands of extensions', [Buffer.from([0xc0, 0x2f])], 3900],
  ['thousands of ciphers', Array.from({ length: 7000 }, (_, index) => short(0xc000 + index)), 0],
])('with %s are passed over', async (_name, ciphers, extensions) => {
  const hello = Buffer.concat([
    Buffer.from([3, 3]),
    Buffer.alloc(32, 7),
    Buffer.from([0]),
    list(ciphers),
    Buffer.from([1, 0]),
    list(Array.from({ length: extensions }, () => Buffer.from([0x77, 0x77, 0, 0]))),
  ]);
  const message = Buffer.concat([Buffer.from([1, 0]), short(hello.length), hello]);
  await send(Buffer.concat([Buffer.from([22, 3, 1]), short(message.length), message]));
  await expectService();
});
