import { createServer } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { ControlPlane } from './control-plane.ts';

async function eventsOf(...sent: object[]): Promise<string[]> {
  const server = createServer((_, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.end(sent.map((event) => `data: ${JSON.stringify(event)}\n\n`).join(''));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  const { port } = server.address() as AddressInfo;
  const credentials = { url: `http://127.0.0.1:${port}`, appId: 'a', appSecret: 'b' };
  const types: string[] = [];
  for await (const { type } of new ControlPlane(credentials, new AbortController().signal).events())
    types.push(type);
  return types;
}

test('what only a newer control plane says is passed over, and the line holds', async () => {
  expect(await eventsOf({ type: 'ping' }, { type: 'of-a-later-release', what: 1 }, { type: 'ping' })).toEqual(
    ['ping', 'ping'],
  );
});

test('so are commands that it does not know, and fields that are new', async () => {
  const command = { type: 'command', id: 'a'.repeat(32), kind: 'of_a_later_release', payload: {} };
  expect(await eventsOf(command, { type: 'revision', revision: 1, why: 'new' })).toEqual(['revision']);
});

test('what it should know and cannot read ends the line', async () => {
  await expect(eventsOf({ type: 'ping' }, { type: 'revision' })).rejects.toThrow('revision');
});
