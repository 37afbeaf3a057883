import { appendFile, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { gunzipSync } from 'node:zlib';
import { errors, nodeApiRoutes } from '@breakwater/contract';
import { waitFor } from '@breakwater/test-world/wait';
import pino from 'pino';
import { describe, expect, it, onTestFinished } from 'vitest';
import { ControlPlane } from '../delivery/control-plane.ts';
import type { LogFilesOptions } from './log-files.ts';
import { LogShipper, readLines } from './ship.ts';
import { temporaryFolder } from '../test-edge.ts';

/** The log half of the node API over real HTTP, so that a test can have it away, forgetful or full. */
async function startLogStore() {
  const files = new Map<string, string>();
  let away = false;
  const answer = (response: ServerResponse, status: number, code: number, data?: object) =>
    response
      .writeHead(status, { 'content-type': 'application/json' })
      .end(JSON.stringify({ code, message: '', data }));
  const handle = async (request: IncomingMessage, response: ServerResponse) => {
    // It knows no sessions, as one of an older version.
    if (request.url === nodeApiRoutes.nodeSession.path)
      return void answer(response, 404, errors.not_found.code);
    const query = new URL(request.url!, 'http://store').searchParams;
    const file = query.get('file')!;
    const stored = files.get(file) ?? '';
    if (away) return void answer(response, 503, errors.unavailable.code);
    if (request.method === 'GET') return void answer(response, 200, 0, { offset: stored.length });
    const lines = gunzipSync(await bytesOf(request)).toString();
    const offset = Number(query.get('offset'));
    if (offset > stored.length) return void answer(response, 409, errors.log_position.code);
    const whole = lines.slice(stored.length - offset, lines.lastIndexOf('\n') + 1);
    files.set(file, stored + whole);
    answer(response, 200, 0, { offset: stored.length + whole.length });
  };
  const server = createServer((request, response) => void handle(request, response));

  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  return {
    files,
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    setAway: (value: boolean) => (away = value),
    /** Everything stored, in the order of the file names. */
    text: () =>
      [...files]
        .sort(([one], [other]) => (one < other ? -1 : 1))
        .map(([, text]) => text)
        .join(''),
  };
}

async function bytesOf(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}

async function startShipping(limits: Partial<LogFilesOptions> = {}, masked: string[] | null = []) {
  const store = await startLogStore();
  const accessLogPath = join(await temporaryFolder(), 'access.log');
  const folder = dirname(accessLogPath);
  const running = new Set<() => Promise<void>>();
  const start = () => {
    const ending = new AbortController();
    const credentials = { url: store.url, appId: 'A'.repeat(16), appSecret: 's'.repeat(32) };
    const shipper = new LogShipper({
      controlPlane: new ControlPlane(credentials, ending.signal),
      accessLogPath,
      reopenLogs: () => appendFile(accessLogPath, ''),
      logger: pino({ level: 'silent' }),
      pauseMilliseconds: 20,
      graceMilliseconds: 100,
      ...limits,
    });
    if (masked) shipper.mask(masked);
    const run = shipper.run(ending.signal);
    const stop = async () => {
      running.delete(stop);
      ending.abort();
      await run;
    };
    running.add(stop);
    return { shipper, stop };
  };
  onTestFinished(async () => {
    for (const stop of running) await stop();
  });
  const rotated = async () => (await readdir(folder)).filter((name) => name.startsWith('access-'));
  return { store, accessLogPath, folder, start, rotated };
}

describe('log shipping', () => {
  it('waits until it knows what to mask, and ships no secret', async () => {
    const { store, accessLogPath, start } = await startShipping({}, null);
    const secret = '{"request_uri":"/a?token=secret"}\n';
    await writeFile(accessLogPath, secret);
    const { shipper } = start();
    await waitFor('the line is known of', () => shipper.backlogBytes === secret.length);
    expect(store.files.size).toBe(0);
    shipper.mask(['token']);
    await waitFor('the line', () => store.text() === '{"request_uri":"/a?token=******"}\n');
    shipper.mask([]);
    await appendFile(accessLogPath, secret);
    await waitFor('the next line', () => store.text().endsWith(secret));
  });

  it('ships whole lines soon after they are written, and half a line when it is whole', async () => {
    const { store, accessLogPath, start } = await startShipping();
    await writeFile(accessLogPath, 'one\ntw');
    start();
    await waitFor('the first line', () => store.text() === 'one\n');
    await appendFile(accessLogPath, 'o\n');
    await waitFor('the second line', () => store.text() === 'one\ntwo\n');
    expect(store.files.size).toBe(1);
  });

  it('goes on where the control plane stands after a restart of the agent', async () => {
    const { store, accessLogPath, start } = await startShipping();
    await writeFile(accessLogPath, 'one\n');
    const first = start();
    await waitFor('the first line', () => store.text() === 'one\n');
    await first.stop();
    await appendFile(accessLogPath, 'two\n');
    start();
    await waitFor('the second line', () => store.text() === 'one\ntwo\n');
    expect(store.files.size).toBe(1);
  });

  it('rotates by size, keeps the name of a file, and deletes it when it is stored', async () => {
    const { store, accessLogPath, start, rotated } = await startShipping({ rotateBytes: 20 });
    await writeFile(accessLogPath, '0123456789012345678\n');
    start();
    await waitFor('the rotation', async () => (await stat(accessLogPath)).size === 0);
    await appendFile(accessLogPath, 'next\n');
    await waitFor('both files', () => store.text() === '0123456789012345678\nnext\n');
    expect(store.files.size).toBe(2);
    await waitFor('the end of the rotated file', async () => (await rotated()).length === 0);
  });

  it('keeps what the control plane could not take, and ships it once when it is back', async () => {
    const { store, accessLogPath, start, rotated } = await startShipping({ rotateBytes: 10 });
    store.setAway(true);
    await writeFile(accessLogPath, 'written in the outage\n');
    const { shipper } = start();
    await waitFor('the rotation', async () => (await rotated()).length === 1);
    await appendFile(accessLogPath, 'and more\n');
    await waitFor('the backlog', () => shipper.backlogBytes === 31);
    store.setAway(false);
    await waitFor('all of it', () => store.text() === 'written in the outage\nand more\n');
    await waitFor('no backlog', () => shipper.backlogBytes === 0);
    expect(shipper.droppedBytes).toBe(0);
  });

  it('gives up the oldest file beyond the limit, and says so', async () => {
    const { store, accessLogPath, start, rotated } = await startShipping({
      rotateBytes: 10,
      backlogBytesMax: 25,
    });
    store.setAway(true);
    await writeFile(accessLogPath, 'first file\n');
    const { shipper } = start();
    for (const [index, line] of ['second file\n', 'third file\n'].entries()) {
      await waitFor('the rotation', async () => (await rotated()).length === index + 1);
      await appendFile(accessLogPath, line);
    }
    await waitFor('the loss', () => shipper.droppedBytes === 11);
    store.setAway(false);
    await waitFor('the rest', () => store.text() === 'second file\nthird file\n');
  });

  it('does not take what is stored, and held for somebody else, for waiting: neither in an outage nor after a restart', async () => {
    const { store, accessLogPath, start, rotated } = await startShipping({
      rotateBytes: 10,
      backlogBytesMax: 30,
      isHeld: () => true,
    });
    await writeFile(accessLogPath, '');
    const first = start();
    for (const [index, line] of ['first file\n', 'second file\n', 'third file\n'].entries()) {
      await appendFile(accessLogPath, line);
      await waitFor('the rotation', async () => (await rotated()).length === index + 1);
    }
    await waitFor('all of them', () => store.text() === 'first file\nsecond file\nthird file\n');
    await first.stop();
    const second = start();
    await waitFor('their positions', () => second.shipper.backlogBytes === 0);
    await appendFile(accessLogPath, 'fourth file\n');
    await waitFor('the fourth', () => store.text().endsWith('fourth file\n'));
    store.setAway(true);
    for (const [index, line] of ['fifth file\n', 'sixth file\n', 'seventh file\n'].entries()) {
      await appendFile(accessLogPath, line);
      await waitFor('the rotation', async () => (await rotated()).length >= Math.min(5 + index, 6));
    }
    await waitFor('the loss', () => second.shipper.droppedBytes === 'fifth file\n'.length);
    await waitFor('all others', async () => (await rotated()).length === 6);
  });

  it('starts again from the beginning for a control plane that lost its store', async () => {
    const { store, accessLogPath, start } = await startShipping();
    await writeFile(accessLogPath, 'one\n');
    start();
    await waitFor('the first line', () => store.text() === 'one\n');
    store.files.clear();
    await appendFile(accessLogPath, 'two\n');
    await waitFor('both lines', () => store.text() === 'one\ntwo\n');
  });

  it('finds everything again after a crash between renaming and reopening', async () => {
    const { store, accessLogPath, folder, start } = await startShipping();
    await writeFile(accessLogPath, 'one\n');
    const first = start();
    await waitFor('the first line', () => store.text() === 'one\n');
    await first.stop();
    const { name } = JSON.parse(await readFile(join(folder, 'current.json'), 'utf8')) as { name: string };
    await rename(accessLogPath, join(folder, name));
    await appendFile(join(folder, name), 'two\n');
    start();
    await waitFor('the second line', () => store.text() === 'one\ntwo\n');
    await waitFor('a new log', () => stat(accessLogPath).then(() => true));
    await appendFile(accessLogPath, 'three\n');
    await waitFor('the third line', () => store.text().endsWith('three\n'));
    expect(store.files.get(name)).toBe('one\ntwo\n');
  });

  it('takes a log that somebody replaced for a new file', async () => {
    const { store, accessLogPath, start } = await startShipping();
    await writeFile(accessLogPath, 'a long first line\n');
    start();
    await waitFor('the first line', () => store.text() === 'a long first line\n');
    await rm(accessLogPath);
    await sleep(60);
    await writeFile(accessLogPath, 'two\n');
    await waitFor('the other file', () => [...store.files.values()].includes('two\n'));
    expect(store.files.size).toBe(2);
  });
});

describe('readLines', () => {
  it('answers whole lines from a position', async () => {
    const path = join(await temporaryFolder(), 'log');
    await writeFile(path, 'one\ntwo\nthr');
    expect((await readLines(path, 0)).toString()).toBe('one\ntwo\n');
    expect((await readLines(path, 4)).toString()).toBe('two\n');
    expect(await readLines(path, 8)).toHaveLength(0);
    expect(await readLines(path, 99)).toHaveLength(0);
  });
});
