import { request } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { makeSite, startOrigin, TestEdge, type SiteInput, type TestOrigin } from './support.ts';

/** Bytes that arrive while answers share a bandwidth; two workers send them. */

const content = Buffer.alloc(40_000_000);
let edge: TestEdge;
let origin: TestOrigin;
let nextId = 1;
let downloads: Download[] = [];

beforeAll(async () => {
  edge = await TestEdge.start({ workerProcesses: 2 });
  origin = await startOrigin((_request, response) =>
    response.setHeader('Cache-Control', 'max-age=600').end(content),
  );
});
afterEach(() => {
  for (const { stop } of downloads) stop();
  downloads = [];
});
afterAll(async () => {
  await edge.close();
  await origin.close();
});

interface Download {
  bytes(): number;
  stop(): void;
}

function download(host: string, from = '127.0.0.1'): Download {
  let bytes = 0;
  const options = {
    host: '127.0.0.1',
    port: edge.httpPort,
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
  const started = { bytes: () => bytes, stop: () => call.destroy() };
  downloads.push(started);
  return started;
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

/** Bytes a second over some seconds, after one in which the answers find their parts. */
async function measure(running: readonly Download[], seconds = 4): Promise<number[]> {
  await delay(1500);
  const before = running.map(({ bytes }) => bytes());
  const start = performance.now();
  await delay(seconds * 1000);
  const took = (performance.now() - start) / 1000;
  return running.map(({ bytes }, index) => (bytes() - before[index]!) / took);
}

const sum = (rates: number[]) => rates.reduce((all, each) => all + each, 0);

function expectAbout(rate: number, wanted: number, tolerance = 0.25): void {
  expect(rate).toBeGreaterThan(wanted * (1 - tolerance));
  expect(rate).toBeLessThan(wanted * (1 + tolerance));
}

it('a site’s is shared by 1, 4 and 16 downloads, and given back by those that end', async () => {
  const limit = 4_000_000;
  const host = await siteWith({ bandwidth: limit });
  const first = download(host);
  expectAbout(sum(await measure([first])), limit);
  const four = [first, download(host), download(host), download(host)];
  const rates = await measure(four);
  expectAbout(sum(rates), limit);
  // The one that had all of it before neither keeps it nor waits for the others to catch up.
  for (const rate of rates) expectAbout(rate, limit / 4, 0.4);
  const sixteen = [...four, ...Array.from({ length: 12 }, () => download(host))];
  expectAbout(sum(await measure(sixteen)), limit);
  for (const { stop } of sixteen.slice(2)) stop();
  expectAbout(sum(await measure(sixteen.slice(0, 2))), limit);
}, 60_000);

it('an address’s is its own, and the site’s and one answer’s hold besides', async () => {
  const host = await siteWith({ bandwidth_per_address: 1_000_000 });
  const rates = await measure([
    download(host, '127.0.0.2'),
    download(host, '127.0.0.2'),
    download(host, '127.0.0.3'),
  ]);
  expectAbout(rates[0]! + rates[1]!, 1_000_000);
  expectAbout(rates[2]!, 1_000_000);
  for (const { stop } of downloads) stop();
  const other = await siteWith({
    bandwidth: 2_000_000,
    bandwidth_per_address: 1_500_000,
    bandwidth_per_connection: 400_000,
  });
  const ofOne = await measure([1, 2, 3, 4, 5, 6].map(() => download(other, '127.0.0.2')));
  expectAbout(sum(ofOne), 1_500_000);
  for (const { stop } of downloads.slice(-4)) stop();
  for (const rate of await measure(downloads.slice(-6, -4))) expectAbout(rate, 400_000);
}, 60_000);

it('leaves other sites alone, those too that have other limits', async () => {
  const slow = await siteWith({ bandwidth: 200_000 }, { advanced: { error_pages: [] } });
  const free = await siteWith(undefined);
  const limited = await siteWith({ connections: 100 });
  download(slow);
  for (const host of [free, limited]) {
    const { body } = await edge.get(host);
    expect(body.length).toBe(content.length);
  }
});

it('holds where a rule has its answers a place of their own', async () => {
  const host = await siteWith(
    { bandwidth: 1_000_000 },
    { rules: [{ type: 'all', ttl_seconds: 600, lock: false }] },
  );
  expectAbout(sum(await measure([download(host), download(host)])), 1_000_000);
});
