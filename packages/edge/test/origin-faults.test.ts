import { readdir, readFile, stat } from 'node:fs/promises';
import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { join } from 'node:path';
import { freePorts } from '@breakwater/test-world/ports';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startOrigin, TestEdge, type Answer, type TestOrigin } from './support.ts';

/** One worker: what blocks it blocks all. */
let edge: TestEdge;
let healthy: TestOrigin;
let neighbour: string;
const servers: Server[] = [];

beforeAll(async () => {
  edge = await TestEdge.start({ workerProcesses: 1, cacheSizeMax: '64m' });
  healthy = await startOrigin((_request, response) => response.end('well'));
  neighbour = await edge.serve([{ address: '127.0.0.1', http_port: healthy.port }]);
});
afterAll(async () => {
  await edge.close();
  await healthy.close();
  for (const server of servers) server.close();
});

/** An origin that does with each connection what it is told; says how many are open. */
async function rawOrigin(onRequest: (socket: Socket) => void): Promise<{ port: number; open: () => number }> {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => {});
    socket.on('close', () => sockets.delete(socket));
    socket.once('data', () => onRequest(socket));
  });
  servers.push(server);
  await new Promise<void>((settle) => server.listen(0, '127.0.0.1', settle));
  return { port: (server.address() as AddressInfo).port, open: () => sockets.size };
}

const at = (port: number) => [{ address: '127.0.0.1', http_port: port, max_fails: 0 }];

/** Another site on the same worker answers at once. */
async function neighbourIsWell(): Promise<void> {
  const started = Date.now();
  expect((await edge.get(neighbour)).body).toBe('well');
  expect(Date.now() - started).toBeLessThan(500);
}

async function expectPage(answer: Answer, status: number, text: string, port: number): Promise<void> {
  expect(answer.status).toBe(status);
  expect(answer.body).toContain(text);
  expect(answer.body).toContain(answer.headers['x-request-id']);
  const [line] = await edge.logLines(1, ({ request_id }) => request_id === answer.headers['x-request-id']);
  expect(line).toMatchObject({ status, origin_addr: `127.0.0.1:${port}` });
}

/** Reads an answer as it comes, until it ends or `enough` says so; then the visitor leaves. */
function readRaw(host: string, enough: (text: string) => boolean): Promise<{ text: string; ended: boolean }> {
  return new Promise((settle, refuse) => {
    const socket = connect(edge.httpPort, '127.0.0.1');
    let text = '';
    socket.on('error', refuse);
    socket.on('data', (data) => {
      text += data.toString('latin1');
      if (enough(text)) settle((socket.destroy(), { text, ended: false }));
    });
    socket.on('end', () => settle((socket.destroy(), { text, ended: true })));
    socket.write(`GET / HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`);
  });
}

describe('an origin that', () => {
  it('is down: 502', async () => {
    const [port] = (await freePorts(1)) as [number];
    const host = await edge.serve(at(port));
    await expectPage(await edge.get(host), 502, 'cannot be reached', port);
    await neighbourIsWell();
  });

  it('never answers: 504 in the time that was set, and nobody else waits', async () => {
    const origin = await rawOrigin(() => {});
    const host = await edge.serve(at(origin.port), { read_timeout_seconds: 1, tries: 1 });
    const started = Date.now();
    const asked = edge.get(host);
    await neighbourIsWell();
    await expectPage(await asked, 504, 'too long', origin.port);
    expect(Date.now() - started).toBeLessThan(3000);
  });

  it('stalls in the middle of its answer: the visitor is not left waiting, and nothing is kept', async () => {
    let asked = 0;
    const origin = await rawOrigin((socket) => {
      asked += 1;
      socket.write('HTTP/1.1 200 OK\r\nCache-Control: max-age=60\r\nContent-Length: 1000\r\n\r\nhalf');
    });
    const host = await edge.serve(at(origin.port), { read_timeout_seconds: 1 }, []);
    const answering = readRaw(host, () => false);
    await neighbourIsWell();
    const { text, ended } = await answering;
    expect([ended, text.startsWith('HTTP/1.1 200'), text.endsWith('half')]).toEqual([true, true, true]);
    await readRaw(host, () => false);
    expect(asked).toBe(2);
    await expect.poll(() => origin.open()).toBe(0);
  });

  it.each([
    ['has a broken header', 'HTTP/1.1 200 OK\r\nno colon here\0\r\n\r\nx'],
    ['ends before its header does', 'HTTP/1.1 200 OK\r\nContent-Le'],
    ['says nothing and closes', ''],
    ['has a header beyond all measure', `HTTP/1.1 200 OK\r\nX-Long: ${'y'.repeat(100_000)}\r\n\r\nx`],
  ])('%s: 502', async (_name, answer) => {
    const origin = await rawOrigin((socket) => void socket.end(answer));
    const host = await edge.serve(at(origin.port), { tries: 1 });
    await expectPage(await edge.get(host), 502, 'cannot be reached', origin.port);
    await neighbourIsWell();
  });

  it.each([
    ['speaks no HTTP', 'garbage\r\n\r\n'],
    ['states a length that is none', 'HTTP/1.1 200 OK\r\nContent-Length: many\r\n\r\nxx'],
  ])('%s: 502, though nginx would pass it on', async (_name, answer) => {
    const origin = await rawOrigin((socket) => void socket.end(answer));
    const host = await edge.serve([{ ...at(origin.port)[0]!, max_fails: 2, fail_timeout_seconds: 60 }]);
    for (let time = 0; time < 2; time++) {
      const { status, body } = await edge.get(host);
      expect([status, body.includes('cannot be reached'), body.includes('xx')]).toEqual([502, true, false]);
    }
    const { origins } = await edge.control<{ origins: { address: string; down_until: number }[] }>(
      'GET',
      '/state',
    );
    expect(
      origins.some(({ address, down_until }) => address === `127.0.0.1:${origin.port}` && down_until > 0),
    ).toBe(true);
    await neighbourIsWell();
  });

  it.each([
    ['a stated length', 'Content-Length: 100\r\n\r\ntoo short'],
    ['chunks', 'Transfer-Encoding: chunked\r\n\r\n9\r\ntoo short\r\n'],
    ['a broken chunk', 'Transfer-Encoding: chunked\r\n\r\n9\r\ntoo short\r\nzz\r\n'],
  ])('ends too soon, with %s: the visitor can tell, and it is not kept', async (_name, rest) => {
    let asked = 0;
    const origin = await rawOrigin((socket) => {
      asked += 1;
      socket.end(`HTTP/1.1 200 OK\r\nCache-Control: max-age=60\r\n${rest}`);
    });
    const host = await edge.serve(at(origin.port), {}, []);
    for (const time of [1, 2]) {
      const outcome = await edge.get(host).then(
        ({ status }) => status,
        () => 'cut off',
      );
      expect(['cut off', 502]).toContain(outcome);
      expect(asked).toBe(time);
    }
    await neighbourIsWell();
  });

  it('sends more than it said: the rest is nobody’s answer', async () => {
    const origin = await rawOrigin((socket) => {
      socket.write(
        'HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nfineHTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nstray',
      );
    });
    const host = await edge.serve(at(origin.port));
    for (let time = 0; time < 3; time++) expect((await edge.get(host)).body).toBe('fine');
  });

  it.each([
    ['not to be kept', 'no-store'],
    ['to be kept', 'max-age=60'],
  ])(
    'answers without end, %s: it comes as it is, and ends when the visitor leaves',
    async (_name, cacheControl) => {
      const origin = await rawOrigin((socket) => {
        socket.write(`HTTP/1.1 200 OK\r\nCache-Control: ${cacheControl}\r\n\r\n`);
        const timer = setInterval(() => socket.write('x'.repeat(50_000)), 1);
        socket.on('close', () => clearInterval(timer));
      });
      const host = await edge.serve(at(origin.port), {}, []);
      const reading = readRaw(host, (text) => text.length > 3_000_000);
      await neighbourIsWell();
      await reading;
      await expect.poll(() => origin.open(), { timeout: 20_000 }).toBe(0);
      // Nothing of it is left on the disk, and nothing is held in memory for it.
      expect(await sizeOf(join(edge.dir, 'cache'))).toBeLessThan(5_000_000);
      await neighbourIsWell();
    },
    30_000,
  );

  it('moves to a new address: the next request goes there', async () => {
    const [first, second] = [
      await startOrigin((_request, response) => response.end('old'), undefined, 0, '127.0.0.21'),
      await startOrigin((_request, response) => response.end('unused'), undefined, 0, '127.0.0.22'),
    ];
    await second.close();
    const moved = await startOrigin(
      (_request, response) => response.end('new'),
      undefined,
      first.port,
      '127.0.0.22',
    );
    await edge.control('PUT', '/resolved', { 'moving.example': ['127.0.0.21'] });
    const host = await edge.serve([{ address: 'moving.example', http_port: first.port }]);
    expect((await edge.get(host)).body).toBe('old');
    await edge.control('PUT', '/resolved', { 'moving.example': ['127.0.0.22'] });
    const answer = await edge.get(host);
    expect(answer.body).toBe('new');
    const [line] = await edge.logLines(1, ({ request_id }) => request_id === answer.headers['x-request-id']);
    expect(line!.origin_addr).toBe(`127.0.0.22:${first.port}`);
    for (const origin of [first, moved]) await origin.close();
  });
});

async function sizeOf(folder: string): Promise<number> {
  let bytes = 0;
  for (const name of await readdir(folder, { recursive: true })) {
    const found = await stat(join(folder, name)).catch(() => undefined);
    if (found?.isFile()) bytes += found.size;
  }
  return bytes;
}

describe('a large upload', () => {
  it('streams to the origin, held neither in memory nor on the disk', async () => {
    const total = 200 * 1024 * 1024;
    let received = 0;
    let most = 0;
    const origin = await startOrigin((request, response) => {
      request.on('data', (chunk: Buffer) => (received += chunk.length));
      request.on('end', () => response.end(String(received)));
    });
    const host = await edge.serve(at(origin.port));
    const before = await memoryOf(edge.edge.pid);
    const answer = await new Promise<string>((settle, refuse) => {
      const socket = connect(edge.httpPort, '127.0.0.1');
      let text = '';
      let sent = 0;
      const chunk = Buffer.alloc(256 * 1024, 'x');
      const watch = setInterval(() => {
        void Promise.all([sizeOf(join(edge.dir, 'tmp')), memoryOf(edge.edge.pid)]).then(([disk, memory]) => {
          most = Math.max(most, disk, memory - before);
        });
      }, 50);
      const send = () => {
        while (sent < total) {
          sent += chunk.length;
          if (!socket.write(chunk)) return;
        }
      };
      socket.on('drain', send);
      socket.on('error', refuse);
      socket.on('data', (data) => (text += data.toString()));
      socket.on('end', () => settle((clearInterval(watch), text)));
      socket.write(
        `PUT /big HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\nContent-Length: ${total}\r\n\r\n`,
      );
      send();
    });
    expect(answer.endsWith(String(total)) || answer.includes(`\r\n${total}`)).toBe(true);
    expect(received).toBe(total);
    expect(most).toBeLessThan(20 * 1024 * 1024);
    await origin.close();
  });
});

/** Memory of nginx's workers that is theirs alone, in bytes. */
async function memoryOf(master: number): Promise<number> {
  const children = await readFile(`/proc/${master}/task/${master}/children`, 'utf8');
  let bytes = 0;
  for (const pid of children.trim().split(' ')) {
    const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '');
    bytes += Number(/^RssAnon:\s+(\d+) kB$/m.exec(status)?.[1] ?? 0) * 1024;
  }
  return bytes;
}
