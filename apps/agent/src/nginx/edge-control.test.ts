import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type IncomingMessage } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { EdgeControl } from './edge-control.ts';

/** A control socket that closes the connection on which the questions of these numbers come. Answers with what was asked. */
async function startControl(...closing: number[]) {
  const folder = await mkdtemp(join(tmpdir(), 'breakwater-control-'));
  const asked: IncomingMessage[] = [];
  const server = createServer((request, response) => {
    asked.push(request);
    if (closing.includes(asked.length)) request.socket.destroy();
    else request.resume().on('end', () => response.end());
  });
  const socket = join(folder, 'control.sock');
  await once(server.listen(socket), 'listening');
  const control = new EdgeControl(socket);
  onTestFinished(async () => {
    control.close();
    server.closeAllConnections();
    server.close();
    await rm(folder, { recursive: true });
  });
  return { control, asked };
}

it('asks again where a kept connection was closed', async () => {
  const { control, asked } = await startControl(2);
  await control.putResolved({});
  await control.putResolved({});
  expect(asked.length).toBe(3);
  expect(asked[1]!.socket).toBe(asked[0]!.socket);
  expect(asked[2]!.socket).not.toBe(asked[0]!.socket);
});

it('asks once more, and then says so', async () => {
  const { control, asked } = await startControl(2, 3);
  await control.putResolved({});
  await expect(control.putResolved({})).rejects.toThrow('socket hang up');
  expect(asked.length).toBe(3);
});

it('does not ask again what was the first on its connection', async () => {
  const { control, asked } = await startControl(1);
  await expect(control.putResolved({})).rejects.toThrow('socket hang up');
  expect(asked.length).toBe(1);
});
