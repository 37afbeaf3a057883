import { readFile, rename } from 'node:fs/promises';
import { createServer, type Server, type ServerResponse } from 'node:http';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { capacityOf } from '../nginx/capacity.ts';
import type { EdgeOptions } from '../process/edge-process.ts';
import { openFilesMax } from '../process/nginx-program.ts';
import { makeSite, TestEdge } from './support.ts';

/** More visitors at once than the sockets between them and the origin would take by themselves. */

/** 5,000, or fewer where a process may open fewer files than nodes should: a worker alone has room for them, should it get them all. */
const visitors = Math.floor(capacityOf(await openFilesMax()).connections / 8);
const megabyte = 1_048_576;
let edge: TestEdge;
let origin: Server;
let giveFirstPart: (() => void) | undefined;

beforeAll(async () => {
  origin = createServer((request, response) => {
    const answer = () => response.setHeader('Cache-Control', 'max-age=600').end(`answer to ${request.url}`);
    // So late that all of a crowd is on its way at once.
    if (request.url!.startsWith('/late')) setTimeout(answer, 300);
    else if (request.url === '/parts') answerPart(request.headers.range, response);
    else answer();
  });
  await new Promise<void>((settle) => origin.listen({ port: 0, host: '127.0.0.1', backlog: 65_535 }, settle));
  edge = await serving();
});
afterAll(async () => {
  await edge.close();
  origin.closeAllConnections();
  await new Promise((settle) => origin.close(settle));
});

/** One of three, each of a letter of its own, or all; the first when the test wants it. */
function answerPart(range: string | undefined, response: ServerResponse): void {
  const parts = ['a', 'b', 'c'].map((letter) => letter.repeat(megabyte));
  if (range === undefined) {
    response.end(parts.join(''));
    return;
  }
  const from = Number(/\d+/.exec(range)![0]);
  const last = from + megabyte - 1;
  response.writeHead(206, { ETag: '"x"', 'Content-Range': `bytes ${from}-${last}/${3 * megabyte}` });
  const part = parts[from / megabyte]!;
  if (from === 0) giveFirstPart = () => response.end(part);
  else response.end(part);
}

async function serving(options: Partial<EdgeOptions> = {}): Promise<TestEdge> {
  const { port } = origin.address() as AddressInfo;
  const started = await TestEdge.start({ workerProcesses: 2, ...options });
  const origins = [{ address: '127.0.0.1', http_port: port }];
  await started.applySites(
    makeSite({ id: 1, domains: ['crowd.test'], origins }),
    makeSite({ id: 2, domains: ['held.test'], origins, systemRules: { leak: 'default' } }),
    makeSite({
      id: 3,
      domains: ['parts.test'],
      origins,
      rules: [{ type: 'all', slice_bytes: megabyte }],
      // So long that nginx would not wait for more before it sends it.
      advanced: { error_pages: [{ statuses: ['502', '503', '504'], body: '!'.repeat(16_000) }] },
    }),
  );
  return started;
}

function open({ httpPort }: TestEdge): Promise<Socket> {
  return new Promise((settle, refuse) => {
    const socket = connect(httpPort, '127.0.0.1', () => settle(socket));
    socket.on('error', refuse);
  });
}

/** The answer's status and content. */
function ask(socket: Socket, path: string, host = 'crowd.test'): Promise<string> {
  return new Promise((settle) => {
    let text = '';
    socket.on('data', (data) => (text += data.toString()));
    socket.on('close', () => {
      const [, status = text] = /^HTTP\/1\.1 (\d+)/.exec(text) ?? [];
      settle(`${status} ${text.split('\r\n\r\n')[1]}`);
    });
    socket.write(`GET ${path} HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`);
  });
}

/** How often an edge found nobody at the socket. */
const refusals = async ({ dir }: TestEdge): Promise<number> =>
  (await readFile(join(dir, 'logs/error.log'), 'utf8')).split('fetch.sock failed').length;

describe('a crowd', () => {
  it.each([
    ['a site', 'crowd.test', '/cold'],
    ['one whose answers are held', 'held.test', '/late'],
  ])(
    `of ${visitors} that all ask for something else at once gets its answers, every one: %s`,
    async (_, host, path) => {
      const sockets = await Promise.all(Array.from({ length: visitors }, () => open(edge)));
      const answers = await Promise.all(
        sockets.map((socket, index) => ask(socket, `${path}-${index}`, host)),
      );
      const wrong = answers.filter((answer, index) => answer !== `200 answer to ${path}-${index}`);
      expect(wrong.slice(0, 3)).toEqual([]);
    },
  );

  it('that a worker has not connections enough for is partly turned away, and is told nothing of the origin', async () => {
    const small = await serving({ workerProcesses: 1, openFilesMax: 1000 });
    const come = async (index: number) => ask(await open(small), `/small-${index}`);
    const answers = await Promise.all(Array.from({ length: 400 }, (_, index) => come(index)));
    const statuses = answers.map((answer) => answer.slice(0, 3));
    expect(statuses).toContain('200');
    // Whoever was not read yet when the worker had none left finds the connection closed.
    expect(statuses).not.toContain('502');
    await small.close();
  });

  it('that finds no room at the fetch server waits for some, then is told when to come again', async () => {
    // A new one, which has no connection to its fetch server yet.
    const fresh = await serving();
    const socket = join(fresh.dir, 'run/fetch.sock');
    await rename(socket, `${socket}.away`);
    for (const method of ['GET', 'POST']) {
      const { status, headers, body } = await fresh.get('crowd.test', '/refused', { method });
      expect([status, headers['retry-after']]).toEqual([503, '1']);
      expect(body).toContain('This node is busy');
    }
    const before = await refusals(fresh);
    const waiting = fresh.get('crowd.test', '/waited-for');
    await expect.poll(() => refusals(fresh)).toBeGreaterThan(before);
    await rename(`${socket}.away`, socket);
    expect((await waiting).body).toBe('answer to /waited-for');
    await fresh.close();
  });

  it('that leaves no room for the next part of a download cuts it off, for in its place there would be another', async () => {
    const download = ask(await open(edge), '/parts', 'parts.test');
    await expect.poll(() => giveFirstPart).toBeDefined();
    const socket = join(edge.dir, 'run/fetch.sock');
    await rename(socket, `${socket}.away`);
    const before = await refusals(edge);
    giveFirstPart!();
    await expect.poll(() => refusals(edge)).toBeGreaterThan(before);
    await rename(`${socket}.away`, socket);
    // What came is of the file, and less than it said.
    expect(await download).toMatch(/^200 a+$/);
    expect((await download).length).toBeLessThan(3 * megabyte);
  });
});
