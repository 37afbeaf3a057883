import { request, type IncomingMessage, type ServerResponse } from 'node:http';
import { connect as connectHttp2, type ClientHttp2Session } from 'node:http2';
import { afterAll, beforeAll, describe, expect, it, vi, type TestContext } from 'vitest';
import { giveRanged } from './ranged-content.ts';
import { makeSite, startOrigin, TestEdge, type SiteInput, type TestOrigin } from './support.ts';

/**
 * Bytes that arrive while answers share a bandwidth; two workers send them. A machine with much else to do slows downloads
 * and lets them catch up later, so what is looked at are seconds for many bytes, with room for that. Each test has sites of
 * its own and mostly waits, so all run at once.
 */

const content = Buffer.alloc(16_000_000);
let edge: TestEdge;
let origin: TestOrigin;
let nextId = 1;

beforeAll(async () => {
  edge = await TestEdge.start({ workerProcesses: 2 });
  origin = await startOrigin(serveContent);
});
afterAll(async () => {
  await edge.close();
  await origin.close();
});

function serveContent(asked: IncomingMessage, response: ServerResponse): void {
  response.setHeader('Cache-Control', 'max-age=600').setHeader('ETag', '"v1"');
  giveRanged(asked, response, content);
}

interface Download {
  bytes(): number;
  stop(): void;
}

type Test = Pick<TestContext, 'onTestFinished'>;

function download(test: Test, host: string, from = '127.0.0.1', path = '/'): Download {
  let bytes = 0;
  const options = {
    host: '127.0.0.1',
    port: edge.httpPort,
    path,
    headers: { host },
    localAddress: from,
    agent: false,
  };
  const call = request(options, (response) => {
    response.on('data', (chunk: Buffer) => (bytes += chunk.length));
    response.on('error', () => {});
  });
  call.on('error', () => {});
  call.end();
  const stop = () => void call.destroy();
  test.onTestFinished(stop);
  return { bytes: () => bytes, stop };
}

/** One stream of a connection. */
function downloadOver(session: ClientHttp2Session, host: string): Download {
  let bytes = 0;
  const stream = session.request({ ':path': '/', ':authority': host });
  stream.on('data', (chunk: Buffer) => (bytes += chunk.length));
  stream.on('error', () => {});
  stream.end();
  return { bytes: () => bytes, stop: () => stream.close() };
}

async function siteWith(security: SiteInput['security'], more: Partial<SiteInput> = {}): Promise<string> {
  const id = nextId++;
  const host = `band${id}.test`;
  const origins = [{ address: '127.0.0.1', http_port: origin.port }];
  // What is kept already comes as fast as nginx sends it.
  await edge.applySites(makeSite({ id, domains: [host], origins, ...more }));
  await edge.get(host);
  const [result] = await edge.applySites(
    makeSite({ id, domains: [host], origins, ...more, ...(security === undefined ? {} : { security }) }),
  );
  expect(result!.error).toBeUndefined();
  return host;
}

const several = (count: number, start: () => Download) => Array.from({ length: count }, start);
const received = (running: readonly Download[]) => running.reduce((all, { bytes }) => all + bytes(), 0);

/** Seconds that the downloads together take for so many bytes more. */
async function secondsFor(running: readonly Download[], bytes: number): Promise<number> {
  const goal = received(running) + bytes;
  const from = performance.now();
  await vi.waitFor(() => expect(received(running)).toBeGreaterThan(goal), { timeout: 80_000, interval: 20 });
  return (performance.now() - from) / 1000;
}

/** Neither beyond the limit, in bytes a second, nor far from it. */
async function expectHeldTo(limit: number, running: readonly Download[]): Promise<void> {
  const seconds = await secondsFor(running, limit * 4);
  // Of the first second each sends its part at once, which is greater the fewer there are yet.
  expect(seconds).toBeGreaterThan(2);
  // As slow as a busy machine may be.
  expect(seconds).toBeLessThan(60);
}

/** While they get so many bytes more, each gets about as many. */
async function expectEvenShares(running: readonly Download[], bytes: number): Promise<void> {
  const before = running.map((each) => each.bytes());
  await secondsFor(running, bytes);
  const gained = running.map((each, index) => each.bytes() - before[index]!);
  expect(Math.min(...gained)).toBeGreaterThan(Math.max(...gained) / 3);
}

it.concurrent('a site’s is shared by 1, 4 and 16 downloads', async (test) => {
  const limit = 1_000_000;
  const host = await siteWith({ bandwidth: limit });
  const first = download(test, host);
  await expectHeldTo(limit, [first]);
  const four = [first, ...several(3, () => download(test, host))];
  await expectHeldTo(limit, four);
  // The one that had all of it before neither keeps it nor waits for the others to catch up.
  await expectEvenShares(four, limit * 3);
  const sixteen = [...four, ...several(12, () => download(test, host))];
  await expectHeldTo(limit, sixteen);
});

it.concurrent('a site’s is given back by downloads that end', async (test) => {
  const limit = 1_000_000;
  const host = await siteWith({ bandwidth: limit });
  const first = download(test, host);
  const others = several(15, () => download(test, host));
  await expectHeldTo(limit, [first, ...others]);
  const shared = await secondsFor([first], limit / 8);
  for (const { stop } of others) stop();
  // The rest of a piece that was under way comes at the old rate.
  await secondsFor([first], limit / 8);
  expect(await secondsFor([first], limit / 8)).toBeLessThan(shared / 2);
  await expectHeldTo(limit, [first]);
});

it.concurrent('an address’s is its own', async (test) => {
  const host = await siteWith({ bandwidth_per_address: 1_000_000 });
  const ofOne = several(4, () => download(test, host, '127.0.0.2'));
  const ofAnother = [download(test, host, '127.0.0.3')];
  await Promise.all([expectHeldTo(1_000_000, ofOne), expectHeldTo(1_000_000, ofAnother)]);
});

it.concurrent('beside an address’s, the site’s and one answer’s hold', async (test) => {
  const host = await siteWith({
    bandwidth: 1_500_000,
    bandwidth_per_address: 1_000_000,
    bandwidth_per_connection: 400_000,
  });
  const six = several(6, () => download(test, host, '127.0.0.2'));
  await expectHeldTo(1_000_000, six);
  for (const { stop } of six.slice(1)) stop();
  await expectHeldTo(400_000, six.slice(0, 1));
});

it.concurrent('leaves other sites alone, those too that have other limits', async (test) => {
  const slow = await siteWith({ bandwidth: 200_000 }, { advanced: { error_pages: [] } });
  const free = await siteWith(undefined);
  const limited = await siteWith({ connections: 100 });
  download(test, slow);
  for (const host of [free, limited]) {
    const { body } = await edge.get(host);
    expect(body.length).toBe(content.length);
  }
});

it.concurrent('holds where a rule has its answers a place of their own', async (test) => {
  const host = await siteWith(
    { bandwidth: 1_000_000 },
    { rules: [{ type: 'all', ttl_seconds: 600, lock: false }] },
  );
  await expectHeldTo(
    1_000_000,
    several(4, () => download(test, host)),
  );
});

it.concurrent('holds over HTTP/2, where the streams of one connection share it', async (test) => {
  const host = await siteWith({ bandwidth_per_address: 1_000_000, bandwidth_per_connection: 700_000 });
  const session = connectHttp2(`https://127.0.0.1:${edge.httpsPort}`, { rejectUnauthorized: false });
  test.onTestFinished(() => session.destroy());
  const one = downloadOver(session, host);
  await expectHeldTo(700_000, [one]);
  const two = [one, downloadOver(session, host)];
  await expectHeldTo(1_000_000, two);
  await expectEvenShares(two, 2_000_000);
  // Another connection of the same visitor takes from the same.
  await expectHeldTo(1_000_000, [...two, download(test, host)]);
});

describe.concurrent('an answer kept in parts', () => {
  const inParts: Partial<SiteInput> = { rules: [{ type: 'all', ttl_seconds: 600, slice_bytes: 1_048_576 }] };

  it('follows its part of the whole from one to the next', async (test) => {
    const limit = 1_000_000;
    const host = await siteWith({ bandwidth: limit }, inParts);
    const first = download(test, host);
    await expectHeldTo(limit, [first]);
    const eight = [first, ...several(7, () => download(test, host))];
    await expectHeldTo(limit, eight);
    await expectEvenShares(eight, limit * 6);
    for (const { stop } of eight.slice(1)) stop();
    await expectHeldTo(limit, [first]);
  });

  it.for(['/new', '/'])('is no faster than one answer may be, kept or not: %s', async (path, test) => {
    const host = await siteWith({ bandwidth_per_connection: 1_000_000 }, inParts);
    await expectHeldTo(1_000_000, [download(test, host, '127.0.0.1', path)]);
  });

  it('comes whole', async () => {
    const host = await siteWith({ bandwidth: 8_000_000 }, inParts);
    const { body } = await edge.get(host);
    expect(body.length).toBe(content.length);
  });
});
