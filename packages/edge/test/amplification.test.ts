import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Server } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startScriptedOrigin, type ScriptedOrigin } from './scripted-origin.ts';
import { makeSite, TestEdge } from './support.ts';

/** What one visitor asks for little of may not cost the origin much. */

let edge: TestEdge;
let origin: ScriptedOrigin;
/** Sends its file as it is asked for, and counts what it has sent. */
let files: Server;
let asked: string[] = [];
let sent = 0;
/** Connections to it. */
let open = 0;
const megabyte = 1_048_576;
const fileBytes = 64 * megabyte;

beforeAll(async () => {
  edge = await TestEdge.start({ workerProcesses: 1 });
  origin = await startScriptedOrigin();
  const content = Buffer.alloc(megabyte, 'x');
  files = createServer((socket) => {
    open += 1;
    socket.on('close', () => (open -= 1));
    socket.on('error', () => {});
    socket.on('data', (data) => {
      const text = data.toString();
      const [method] = text.split(' ');
      const range = /^range: bytes=(\d+)-(\d+)/im.exec(text);
      asked.push(`${method} ${range?.[0] ?? ''}`.trim());
      const [from, to] = range === null ? [0, fileBytes - 1] : [Number(range[1]), Number(range[2])];
      const status =
        range === null ? '200 OK' : `206 Part\r\nContent-Range: bytes ${from}-${to}/${fileBytes}`;
      let left = method === 'HEAD' ? 0 : to - from + 1;
      socket.write(
        `HTTP/1.1 ${status}\r\nETag: "v1"\r\nCache-Control: max-age=600\r\nContent-Length: ${to - from + 1}\r\nConnection: close\r\n\r\n`,
      );
      const send = () => {
        while (left > 0) {
          const piece = content.subarray(0, Math.min(left, content.length));
          left -= piece.length;
          if (!socket.write(piece, () => (sent += piece.length))) return;
        }
        socket.end();
      };
      socket.on('drain', send);
      send();
    });
  });
  files.listen(0, '127.0.0.1');
  await once(files, 'listening');
  const at = (port: number) => [{ address: '127.0.0.1', http_port: port, max_fails: 0 }];
  await edge.applySites(
    makeSite({ id: 1, domains: ['files.test'], origins: at((files.address() as AddressInfo).port) }),
    makeSite({ id: 2, domains: ['pages.test'], origins: at(origin.port) }),
  );
});
afterAll(async () => {
  await edge.close();
  await origin.close();
  files.close();
});

/** What the visitor's side has of an answer until it ends, or until so many bytes have come. */
function visit(text: string, bytesMax = Infinity): Promise<{ head: string; bytes: number }> {
  return new Promise((settle, refuse) => {
    const socket = connect(edge.httpPort, '127.0.0.1', () => socket.write(text));
    let all = '';
    socket.on('error', refuse);
    socket.on('data', (data) => {
      all += data.toString('latin1');
      if (all.length >= bytesMax) socket.destroy();
    });
    socket.on('close', () => {
      const end = all.indexOf('\r\n\r\n');
      settle({ head: all.slice(0, end), bytes: all.length - end - 4 });
    });
  });
}
const request = (method: string, path: string, ...fields: string[]) =>
  [`${method} ${path} HTTP/1.1`, 'Host: files.test', 'Connection: close', ...fields, '', ''].join('\r\n');

/** What of a file waits in the system's buffers is on its way, whoever wants it. */
const buffered = 16 * megabyte;

describe('of a large file that is not stored', () => {
  it.each([
    ['the header alone', 'HEAD', [], 0],
    ['one byte', 'GET', ['Range: bytes=0-0'], 1],
    ['the last bytes', 'GET', ['Range: bytes=67108860-67108863'], 4],
  ])('%s costs the origin no more', async (_name, method, fields, bytes) => {
    [asked, sent] = [[], 0];
    const path = `/${method}-${bytes}`;
    for (let time = 0; time < 3; time++) {
      const answer = await visit(request(method, path, ...fields));
      expect(answer.head).toContain(bytes === 0 ? 'HTTP/1.1 200' : 'HTTP/1.1 206');
      expect(answer.bytes).toBe(bytes);
    }
    // The first finds out how large it is.
    const little = bytes === 0 ? 'HEAD' : `GET ${fields[0]!}`;
    expect(asked).toEqual(['GET', little, little, little]);
    await expect.poll(() => open).toBe(0);
    expect(sent).toBeLessThan(buffered);
  });

  it('one byte costs no more when the visitor has left at once', async () => {
    [asked, sent] = [[], 0];
    for (let time = 0; time < 3; time++) await visit(request('GET', '/left', 'Range: bytes=0-0'), 1);
    await expect.poll(() => open).toBe(0);
    expect(sent).toBeLessThan(buffered);
  });

  it('all is asked for and kept once a good part of it was wanted', async () => {
    [asked, sent] = [[], 0];
    const part = (from: number) =>
      visit(request('GET', '/wanted', `Range: bytes=${from}-${from + 8 * megabyte - 1}`));
    for (const from of [0, 8 * megabyte]) expect((await part(from)).bytes).toBe(8 * megabyte);
    await expect.poll(async () => (await visit(request('HEAD', '/wanted'))).head).toContain('X-Cache: HIT');
    expect(asked.filter((line) => line === 'GET').length).toBe(2);
    const before = asked.length;
    expect((await part(megabyte)).head).toContain('X-Cache: HIT');
    expect(asked.length).toBe(before);
  });

  it('all is kept when somebody wants all', async () => {
    asked = [];
    await visit(request('HEAD', '/all'));
    expect((await visit(request('GET', '/all'))).bytes).toBe(fileBytes);
    await expect.poll(async () => (await visit(request('HEAD', '/all'))).head).toContain('X-Cache: HIT');
  });
});

describe('encodings that a visitor makes up', () => {
  const ask = (path: string, ...lines: string[]) =>
    visit(
      ['GET ' + path + ' HTTP/1.1', 'Host: pages.test', 'Connection: close', ...lines, '', ''].join('\r\n'),
    );

  it.each([
    ['beside a refusal of the bare form', (n: number) => [`Accept-Encoding: gzip, identity;q=0, x${n}`]],
    ['in a second line', (n: number) => ['Accept-Encoding: gzip', `Accept-Encoding: x${n}`]],
  ])('%s have no variants of their own', async (_name, lines) => {
    const path = origin.serve({ 'Cache-Control': 'max-age=600', Vary: 'Accept-Encoding' });
    const before = origin.count();
    for (let n = 0; n < 5; n++) await ask(path, ...lines(n));
    expect(origin.count() - before).toBe(1);
  });
});
