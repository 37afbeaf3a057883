import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { mkdir, mkdtemp, readFile, rm } from 'node:fs/promises';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text as textOf } from 'node:stream/consumers';
import type { DocumentEnvelope } from '@breakwater/contract';
import { waitFor } from '@breakwater/test-world/wait';
import pino from 'pino';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { DocumentStore } from './apply.ts';
import { ControlPlane } from './control-plane.ts';
import { EdgeControl } from '../nginx/edge-control.ts';
import { Puller } from './pull.ts';

/** An agent whose control plane and nginx say what the test has them say: what comes with the news, and what follows. */

const logger = pino({ level: 'silent' });
const generation = 3;
let folder: string;
let stop: AbortController;
let line: ServerResponse | undefined;
/** What nginx and the control plane were asked, in order. */
let happened: string[];
let isReached: boolean;
let isNginxAway: boolean;
/** The newest revision that a pull brings. */
let newest: number;
/** What a pull waits for. */
let held: Promise<void>;
let servers: ReturnType<typeof createServer>[];

const refresh = (revision: number): DocumentEnvelope => {
  const body = JSON.stringify({ refresh_id: revision });
  const hash = createHash('sha256').update(body).digest('hex');
  return { kind: 'refresh', key: String(revision), revision, deleted: false, hash, body };
};
const push = (revision: number, since: number, more: { generation?: number } = {}) => {
  const page = { generation, since, documents: [refresh(revision)], ...more };
  tell({ type: 'revision', revision, page });
};
const tell = (event: object) => line!.write(`data: ${JSON.stringify(event)}\n\n`);
const cursor = async () => JSON.parse(await readFile(join(folder, 'cursor.json'), 'utf8')) as object;
const answer = (response: ServerResponse, data: object) =>
  response.end(JSON.stringify({ code: 0, message: '', data }));

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'pushed-'));
  await mkdir(join(folder, 'refresh'));
  [line, happened, isReached, isNginxAway, newest, held] = [undefined, [], true, false, 7, Promise.resolve()];
  stop = new AbortController();
  const nginx = createServer((request, response) => {
    if (request.url !== '/documents' || request.method === 'GET') return void response.end('[]');
    void textOf(request).then((text) => {
      if (isNginxAway) return response.destroy();
      const documents = JSON.parse(text) as DocumentEnvelope[];
      happened.push(`nginx ${documents.map(({ key }) => key).join(' ')}`);
      response.end(
        JSON.stringify(
          documents.map(({ kind, key, revision }) => ({ kind, key, revision, status: 'applied' })),
        ),
      );
    });
  }).listen(join(folder, 'control.sock'));
  const server = createServer((request, response) => void serve(request.url!, textOf(request), response));
  server.listen(0, '127.0.0.1');
  servers = [nginx, server];
  await Promise.all(servers.map((one) => once(one, 'listening')));
  const { port } = server.address() as AddressInfo;
  const control = new EdgeControl(join(folder, 'control.sock'));
  const credentials = { url: `http://127.0.0.1:${port}`, appId: 'a', appSecret: 'b' };
  const puller = new Puller({
    controlPlane: new ControlPlane(credentials, stop.signal),
    documents: new DocumentStore({ documentsDir: folder, control, logger }),
    cursorPath: join(folder, 'cursor.json'),
    owner: 'test',
    logger,
  });
  void puller.run(stop.signal);
  await waitFor('its list from nothing', () => happened.includes('pull 7'));
  happened.length = 0;
});
afterEach(async () => {
  stop.abort();
  for (const one of servers) one.closeAllConnections();
  for (const one of servers) one.close();
  await rm(folder, { recursive: true, force: true });
});

async function serve(url: string, body: Promise<string>, response: ServerResponse): Promise<void> {
  const target = new URL(url, 'http://control');
  if (target.pathname === '/node-api/events') {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    line = response;
    tell({ type: 'hello', revision: newest, generation });
  } else if (target.pathname === '/node-api/documents') {
    const since = Number(target.searchParams.get('since'));
    happened.push(`pull ${since}`);
    await held;
    const revisions = Array.from({ length: newest - 7 }, (_, index) => 8 + index);
    const documents = revisions.filter((revision) => revision > since).map(refresh);
    const reset = since === 0;
    answer(response, {
      generation,
      reset,
      documents,
      next_since: newest,
      has_more: false,
      refreshes_gone: 0,
    });
  } else if (target.pathname === '/node-api/acks') {
    const { results, pushed } = JSON.parse(await body) as {
      results: { key: string }[];
      pushed?: { until: number };
    };
    happened.push(
      `acknowledged ${results.map(({ key }) => key).join(' ')}${pushed ? ` up to ${pushed.until}` : ''}`,
    );
    answer(response, { accepted: results.length, ...(pushed ? { reached: isReached } : {}) });
  } else response.writeHead(404).end();
}

test('what comes with the news is applied without a pull, then written, acknowledged and passed', async () => {
  push(8, 7);
  await waitFor('it is acknowledged', () => happened.length === 2);
  expect(happened).toEqual(['nginx 8', 'acknowledged 8 up to 8']);
  expect(JSON.parse(await readFile(join(folder, 'refresh', '8.json'), 'utf8'))).toEqual(refresh(8));
  await waitFor('the position', async () => JSON.stringify(await cursor()).includes('"since":8'));
  // Doubled; then one that leaves out revisions of other nodes.
  push(8, 7);
  push(12, 8);
  await waitFor('the next', () => happened.length === 4);
  expect(happened.slice(2)).toEqual(['nginx 12', 'acknowledged 12 up to 12']);
});

test.each([
  ['before which one was lost', () => push(9, 8)],
  ['for other line groups', () => push(9, 7, { generation: 2 })],
  [
    'without what it is about, as an older control plane sends it',
    () => tell({ type: 'revision', revision: 9 }),
  ],
])('news %s have all pulled, in order', async (_, send) => {
  newest = 9;
  send();
  await waitFor('both', () => happened.includes('acknowledged 8 9'));
  expect(happened).toEqual(['pull 7', 'nginx 8 9', 'acknowledged 8 9']);
});

test('two in the wrong order are both obeyed, the later one by a pull', async () => {
  newest = 9;
  push(9, 8);
  push(8, 7);
  await waitFor('both', () => happened.some((what) => /^acknowledged.*9/.test(what)));
  const obeyed = happened.filter((what) => what.startsWith('nginx')).join(' ');
  expect(obeyed).toMatch(/8/);
  expect(obeyed).toMatch(/9/);
});

test('they do not wait for a pull that is under way, nor for what it acknowledges', async () => {
  let release = () => {};
  held = new Promise((resolve) => (release = resolve));
  newest = 8;
  tell({ type: 'revision', revision: 8 });
  await waitFor('the pull', () => happened.includes('pull 7'));
  push(9, 7);
  await waitFor('it is applied', () => happened.includes('nginx 9'));
  release();
  await waitFor('the pull is acknowledged', () => happened.includes('acknowledged 8'));
});

test('what nginx did not take, and what the control plane does not find whole, is pulled', async () => {
  isReached = false;
  push(8, 7);
  newest = 8;
  await waitFor('a pull from where it was', () => happened.includes('acknowledged 8'));
  expect(happened).toEqual(['nginx 8', 'acknowledged 8 up to 8', 'pull 7', 'acknowledged 8']);
  happened.length = 0;
  isNginxAway = true;
  newest = 9;
  push(9, 8);
  await waitFor('a pull', () => happened.includes('pull 8'));
  isNginxAway = false;
  await waitFor('it is obeyed', () => happened.includes('acknowledged 9'));
});

test('of a control plane that came back from a backup, all is pulled from what it acknowledged', async () => {
  isReached = false;
  push(20, 7);
  await waitFor('it is applied, and not agreed to', () => happened.includes('pull 7'));
  newest = 8;
  line!.end();
  await waitFor('it is back', () => happened.includes('acknowledged 8'));
  push(9, 8);
  await waitFor('the next is no longer taken for an old one', () => happened.includes('nginx 9'));
});
