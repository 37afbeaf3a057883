import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import { afterEach, expect, it } from 'vitest';
import { fetchText } from './fetch-text.ts';

let server: Server | undefined;
afterEach(async () => {
  server?.closeAllConnections();
  await new Promise<void>((settle) => (server ? server.close(() => settle()) : settle()));
  server = undefined;
});

async function serve(listener: RequestListener): Promise<number> {
  const started = createServer(listener);
  server = started;
  await new Promise<void>((settle) => started.listen(0, '127.0.0.1', settle));
  return (started.address() as AddressInfo).port;
}

const limits = { bytesMax: 1000, seconds: 5, allowPrivate: false };

it.each([
  'http://127.0.0.1:PORT/',
  'http://localhost:PORT/',
  'http://[::1]:PORT/',
  'http://[::ffff:127.0.0.1]:PORT/',
  'http://0.0.0.0:PORT/',
  'http://2130706433:PORT/',
  'http://0x7f.1:PORT/',
  'http://10.0.0.1:PORT/',
  'http://169.254.169.254/latest/meta-data/',
  'http://[fd00::1]:PORT/',
  'http://[64:ff9b::7f00:1]:PORT/',
])('asks no private address: %s', async (url) => {
  let asked = 0;
  const port = await serve((_, response) => {
    asked += 1;
    response.end('secret');
  });
  await expect(fetchText(url.replace('PORT', String(port)), limits)).rejects.toThrow(/private/);
  expect(asked).toBe(0);
});

it('asks nothing but HTTP', async () => {
  for (const url of ['file:///etc/passwd', 'ftp://example.com/', 'data:,x'])
    await expect(fetchText(url, limits)).rejects.toThrow(/http and https/);
  const port = await serve((_, response) =>
    response.writeHead(302, { location: 'file:///etc/passwd' }).end(),
  );
  await expect(fetchText(`http://127.0.0.1:${port}/`, { ...limits, allowPrivate: true })).rejects.toThrow(
    /http and https/,
  );
});

it('waits no longer and reads no more than it may', async () => {
  const port = await serve((_, response) => response.write('x'));
  const open = { ...limits, allowPrivate: true };
  await expect(fetchText(`http://127.0.0.1:${port}/`, { ...open, seconds: 0.3 })).rejects.toThrow(
    /timed out/,
  );
  server!.closeAllConnections();
  const other = await serve((_, response) => response.end('x'.repeat(2_000_000)));
  await expect(fetchText(`http://127.0.0.1:${other}/`, open)).rejects.toThrow(/larger/);
});

it('waits no longer for a packed answer that begins and does not end', async () => {
  const packed = gzipSync('192.0.2.1\n'.repeat(50));
  const port = await serve((_, response) => {
    response.writeHead(200, { 'content-encoding': 'gzip' });
    response.write(packed.subarray(0, packed.length - 8));
  });
  const tarpit = fetchText(`http://127.0.0.1:${port}/`, { ...limits, allowPrivate: true, seconds: 0.3 });
  await expect(tarpit).rejects.toThrow(/timed out/);
}, 3000);
