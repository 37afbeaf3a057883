import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { waitFor } from '@breakwater/test-world/wait';
import pino from 'pino';
import { expect, onTestFinished, test } from 'vitest';
import { DocumentStore } from './apply.ts';
import { ControlPlane } from './control-plane.ts';
import { EdgeControl } from '../nginx/edge-control.ts';
import { Puller } from './pull.ts';

const logger = pino({ level: 'silent' });

test('after a list from nothing it asks on, which says that it has dropped what the list did not name', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'pull-'));
  const happened: string[] = [];
  const nginx = createServer((request, response) => {
    happened.push(`nginx: ${request.method} ${request.url}`);
    response.end('[]');
  }).listen(join(folder, 'control.sock'));
  const server = createServer((request, response) => {
    const [path, query] = request.url!.split('?');
    if (path === '/node-api/events') {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write(`data: ${JSON.stringify({ type: 'hello', revision: 7, generation: 3 })}\n\n`);
      return;
    }
    if (path !== '/node-api/documents') return void response.writeHead(404).end();
    happened.push(query!);
    const reset = query === 'since=0&generation=0';
    const data = { generation: 3, reset, documents: [], next_since: 7, has_more: false, refreshes_gone: 0 };
    response.end(JSON.stringify({ code: 0, message: '', data }));
  }).listen(0, '127.0.0.1');
  await Promise.all([once(nginx, 'listening'), once(server, 'listening')]);
  const stop = new AbortController();
  onTestFinished(async () => {
    stop.abort();
    for (const one of [nginx, server]) one.closeAllConnections();
    for (const one of [nginx, server]) one.close();
    await rm(folder, { recursive: true, force: true });
  });
  const { port } = server.address() as AddressInfo;
  const control = new EdgeControl(join(folder, 'control.sock'));
  const puller = new Puller({
    controlPlane: new ControlPlane(
      { url: `http://127.0.0.1:${port}`, appId: 'a', appSecret: 'b' },
      stop.signal,
    ),
    documents: new DocumentStore({ documentsDir: folder, control, logger }),
    cursorPath: join(folder, 'cursor.json'),
    owner: 'test',
    logger,
  });
  void puller.run(stop.signal);
  await waitFor('it has asked on', () => happened.length >= 3);
  expect(happened).toEqual(['since=0&generation=0', 'nginx: GET /documents', 'since=7&generation=3']);
});
