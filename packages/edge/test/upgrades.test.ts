import { createServer, connect, type AddressInfo, type Server, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startScriptedOrigin, type ScriptedOrigin } from './scripted-origin.ts';
import { makeSite, TestEdge } from './support.ts';

/** Protocols that follow HTTP on a connection, with an origin that changes to one whoever asks. */

let edge: TestEdge;
let changing: Server;
let plain: ScriptedOrigin;
/** The head of the last request it had. */
let asked = '';
const switched =
  'HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\nraw bytes';

beforeAll(async () => {
  edge = await TestEdge.start({ workerProcesses: 1 });
  plain = await startScriptedOrigin();
  changing = createServer((socket) => {
    socket.on('error', () => {});
    socket.on('data', (data) => {
      asked = data.toString().toLowerCase();
      socket.end(switched);
    });
  });
  await new Promise<void>((settle) => changing.listen(0, '127.0.0.1', settle));
  const origins = (port: number) => [{ address: '127.0.0.1', http_port: port, max_fails: 0 }];
  await edge.applySites(
    makeSite({
      id: 1,
      domains: ['changing.test'],
      origins: origins((changing.address() as AddressInfo).port),
    }),
    makeSite({ id: 2, domains: ['plain.test'], origins: origins(plain.port) }),
  );
});
afterAll(async () => {
  await edge.close();
  await plain.close();
  changing.close();
});

/** What comes back until the edge ends the connection. */
function heard(socket: Socket, bytes: string | Buffer): Promise<string> {
  return new Promise((settle) => {
    let text = '';
    socket.on('data', (data) => (text += data.toString('latin1')));
    socket.on('error', () => {});
    socket.on('close', () => settle(text));
    socket.write(bytes);
  });
}

const ask = (line: string, ...fields: string[]): Promise<string> =>
  heard(connect(edge.httpPort, '127.0.0.1'), [line, 'Host: changing.test', ...fields, '', ''].join('\r\n'));

describe('another protocol', () => {
  it.each(['Upgrade', 'keep-alive, UPGRADE', 'upgrade,x-other'])(
    'follows where Connection has %s',
    async (value) => {
      const text = await ask('GET / HTTP/1.1', 'Upgrade: WebSocket', `Connection: ${value}`);
      expect(text).toMatch(/^HTTP\/1.1 101 [^]*raw bytes$/);
      expect(asked).toMatch(/\r\nupgrade: websocket\r\n/);
      expect(asked).toMatch(/\r\nvia: 1\.1 Breakwater\r\n/i);
    },
  );

  it.each([
    ['Connection does not say it', 'GET / HTTP/1.1', 'close'],
    ['Connection says another word', 'GET / HTTP/1.1', 'close, upgraded'],
    ['the method is another', 'PUT / HTTP/1.1', 'close, upgrade'],
    ['HTTP is older', 'GET / HTTP/1.0', 'close, upgrade'],
  ])('does not follow where %s; an origin that changes all the same has failed', async (_, line, value) => {
    const text = await ask(line, 'Upgrade: websocket', `Connection: ${value}`);
    expect(text).toMatch(/^HTTP\/1.1 502 /);
    expect(text).not.toContain('raw bytes');
    expect(asked).not.toMatch(/\r\n(?:upgrade|connection: [^\r]*upgrade)/);
  });

  it.each(['h2c', 'websocket, h2c', 'TLS/1.3'])('is not %s', async (name) => {
    expect(await ask('GET / HTTP/1.1', `Upgrade: ${name}`, 'Connection: close, upgrade')).toMatch(
      /^HTTP\/1.1 502 /,
    );
    expect(asked).not.toContain('\r\nupgrade');
  });

  it('never follows HTTP/2', async () => {
    const socket = connectTls({
      port: edge.httpsPort,
      host: '127.0.0.1',
      servername: 'changing.test',
      ALPNProtocols: ['h2'],
      rejectUnauthorized: false,
    });
    socket.on('data', (data: Buffer) => {
      if (/raw bytes|<\/html>/.test(data.toString('latin1'))) socket.destroy();
    });
    const text = await heard(socket, requestOfHttp2());
    expect(text).not.toContain('raw bytes');
    expect(asked).not.toContain('\r\nupgrade');
    expect(await readFile(join(edge.dir, 'logs/error.log'), 'utf8')).not.toContain('[alert]');
  });
});

/** A client's settings, a request that asks for a WebSocket as HTTP/1.1 would, and that it wants no more streams. */
function requestOfHttp2(): Buffer {
  const frame = (type: number, flags: number, stream: number, content: Buffer) =>
    Buffer.concat([Buffer.from([0, 0, content.length, type, flags, 0, 0, 0, stream]), content]);
  const fields = {
    ':method': 'GET',
    ':scheme': 'https',
    ':path': '/',
    ':authority': 'changing.test',
    upgrade: 'websocket',
  };
  // Each as a literal without indexing (RFC 7541 §6.2.2).
  const literals = Object.entries(fields).flatMap((pair) => [
    Buffer.from([0]),
    ...pair.flatMap((text) => [Buffer.from([text.length]), Buffer.from(text)]),
  ]);
  return Buffer.concat([
    Buffer.from('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'),
    frame(4, 0, 0, Buffer.alloc(0)),
    frame(1, 5, 1, Buffer.concat(literals)),
    frame(7, 0, 0, Buffer.alloc(8)),
  ]);
}

describe('a request that asks for another protocol', () => {
  it('takes no answer of others out of the cache', async () => {
    const path = plain.serve(({ headers }) =>
      headers.upgrade === undefined ? { headers: { 'Cache-Control': 'max-age=600' } } : { status: 400 },
    );
    const state = async () => (await edge.get('plain.test', path)).headers['x-cache'];
    expect([await state(), await state()]).toEqual(['MISS', 'HIT']);
    const headers = { upgrade: 'websocket', connection: 'upgrade' };
    await new Promise<void>((settle) => {
      const socket = connect(edge.httpPort, '127.0.0.1');
      socket.on('data', () => socket.destroy());
      socket.on('close', () => settle());
      const lines = Object.entries({ host: 'plain.test', ...headers }).map(
        ([name, value]) => `${name}: ${value}`,
      );
      socket.write([`GET ${path} HTTP/1.1`, ...lines, '', ''].join('\r\n'));
    });
    expect(await state()).toBe('HIT');
  });
});
