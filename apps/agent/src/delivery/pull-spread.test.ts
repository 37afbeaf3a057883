import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { NodeEvent } from '@breakwater/contract';
import { waitFor } from '@breakwater/test-world/wait';
import pino from 'pino';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { DocumentStore } from './apply.ts';
import { ControlPlane } from './control-plane.ts';
import { EdgeControl } from '../nginx/edge-control.ts';
import { Puller } from './pull.ts';

/** Many agents at one control plane, their waits by a clock of the test: what all are told at once, they do one after another. */

const agentCount = 100;
const spreadMilliseconds = 1000;
const logger = pino({ level: 'silent' });

/** Time that passes when the test says so. */
class Clock {
  now = 0;
  #waits: { until: number; end: () => void }[] = [];

  readonly wait = (milliseconds: number, signal: AbortSignal): Promise<void> =>
    new Promise((resolve) => {
      this.#waits.push({ until: this.now + milliseconds, end: resolve });
      signal.addEventListener('abort', () => resolve());
    });

  get waiting(): number {
    return this.#waits.length;
  }

  /** Answers how many waits ended. */
  advance(milliseconds: number): number {
    this.now += milliseconds;
    const over = this.#waits.filter(({ until }) => until <= this.now);
    this.#waits = this.#waits.filter(({ until }) => until > this.now);
    for (const { end } of over) end();
    return over.length;
  }
}

let folder: string;
let stop: AbortController;
let clock: Clock;
let lines: ServerResponse[];
let pulls: number;
let connections: number;
let revision: number;
const tell = (event: NodeEvent) => {
  for (const line of lines) line.write(`data: ${JSON.stringify(event)}\n\n`);
};

const server = createServer((request, response) => {
  const path = request.url!.split('?')[0];
  if (path === '/node-api/events') {
    connections += 1;
    lines.push(response);
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.write(
      `data: ${JSON.stringify({ type: 'hello', revision, generation: revision === 0 ? 0 : 1 })}\n\n`,
    );
    response.write(`data: ${JSON.stringify({ type: 'pace', spread_milliseconds: spreadMilliseconds })}\n\n`);
  } else if (path === '/node-api/documents') {
    pulls += 1;
    const page = {
      generation: 1,
      reset: false,
      documents: [],
      next_since: revision,
      has_more: false,
      refreshes_gone: 0,
    };
    response.end(JSON.stringify({ code: 0, message: '', data: page }));
  } else response.writeHead(404).end();
});

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'spread-'));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
});
afterAll(async () => {
  stop.abort();
  server.closeAllConnections();
  server.close();
  await rm(folder, { recursive: true, force: true });
});

/** Of `agentCount` agents each has its own part of chance, from 0 to 1. */
beforeEach(async () => {
  stop?.abort();
  stop = new AbortController();
  [clock, lines, pulls, connections, revision] = [new Clock(), [], 0, 0, 0];
  const { port } = server.address() as AddressInfo;
  const documents = new DocumentStore({
    documentsDir: folder,
    control: new EdgeControl(join(folder, 'none.sock')),
    logger,
  });
  for (let index = 0; index < agentCount; index++) {
    const credentials = { url: `http://127.0.0.1:${port}`, appId: 'a', appSecret: 'b' };
    const puller = new Puller({
      controlPlane: new ControlPlane(credentials, stop.signal),
      documents,
      cursorPath: join(folder, `cursor-${index}.json`),
      owner: 'test',
      logger,
      random: () => (index + 0.5) / agentCount,
      wait: clock.wait,
    });
    void puller.run(stop.signal);
  }
  await waitFor('all lines', () => connections === agentCount);
});

test('what all are told at once they pull over the time that the control plane says, each once', async () => {
  revision = 1;
  tell({ type: 'revision', revision });
  tell({ type: 'revision', revision });
  await waitFor('all have heard', () => clock.waiting === agentCount);
  expect(pulls).toBe(0);
  for (let part = 1; part <= 10; part++) {
    expect(clock.advance(spreadMilliseconds / 10)).toBe(agentCount / 10);
    await waitFor('those have pulled', () => pulls === (part * agentCount) / 10);
  }
  expect(clock.waiting).toBe(0);
});

test('a line that ends for all is opened again over twice that time, after the wait of a first try', async () => {
  const ended = lines;
  lines = [];
  for (const line of ended) line.end();
  await waitFor('all have noticed', () => clock.waiting === agentCount);
  // From 0.1 to 0.2 seconds, by chance too.
  expect(clock.advance(100)).toBe(0);
  expect(clock.advance(100)).toBe(agentCount);
  await waitFor('all wait for their turn', () => clock.waiting === agentCount);
  expect(connections).toBe(agentCount);
  for (let part = 1; part <= 10; part++) {
    expect(clock.advance((2 * spreadMilliseconds) / 10)).toBe(agentCount / 10);
    await waitFor('those are back', () => connections === agentCount + (part * agentCount) / 10);
  }
});
