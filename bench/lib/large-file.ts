import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { createServer, get } from 'node:http';
import type { AddressInfo } from 'node:net';
import { promisify } from 'node:util';
import { makeSite, type TestEdge } from '../../packages/edge/test/support.ts';
import { median } from './result.ts';

const run = promisify(execFile);

/** A file of a gigabyte, with parts of it, from memory: what an origin with a fast disk is. */
const largeBytes = 2 ** 30;
const block = Buffer.alloc(2 ** 20, 'large file ');

export async function startLargeOrigin(): Promise<{ port: number; close: () => void }> {
  const server = createServer((request, response) => {
    const [, from = '0', to] = /^bytes=(\d+)-(\d*)$/.exec(request.headers.range ?? '') ?? [];
    const start = Number(from);
    const end = Math.min(to ? Number(to) : largeBytes - 1, largeBytes - 1);
    const length = end - start + 1;
    response.setHeader('Content-Type', 'video/mp4').setHeader('ETag', '"large"');
    response.setHeader('Cache-Control', 'max-age=86400').setHeader('Content-Length', length);
    if (request.headers.range === undefined) response.writeHead(200);
    else response.writeHead(206, { 'Content-Range': `bytes ${start}-${end}/${largeBytes}` });
    let left = length;
    const send = () => {
      while (left > 0) {
        const size = Math.min(left, block.length);
        left -= size;
        if (!response.write(size === block.length ? block : block.subarray(0, size))) {
          response.once('drain', send);
          return;
        }
      }
      response.end();
    };
    send();
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return { port: (server.address() as AddressInfo).port, close: () => void server.close() };
}

/** Bytes a second of one download, and whether it came from the cache. */
function download(port: number, host: string, path: string): Promise<{ rate: number; state: string }> {
  return new Promise((settle, refuse) => {
    const began = performance.now();
    const call = get({ host: '127.0.0.1', port, path, headers: { host }, agent: false }, (response) => {
      let bytes = 0;
      response.on('data', (chunk: Buffer) => (bytes += chunk.length));
      response.on('error', refuse);
      response.on('end', () => {
        if (bytes !== largeBytes) return refuse(new Error(`the download ended after ${bytes} bytes`));
        const state = String(response.headers['x-cache']);
        settle({ rate: bytes / ((performance.now() - began) / 1000), state });
      });
    });
    call.on('error', refuse);
  });
}

export interface LargeFileResult {
  cold: number;
  warm: number;
  partsCold: number;
  partsWarm: number;
  /** Bytes a second. */
  plainCold: number;
  plainWarm: number;
}

/** The edge, with a site that keeps it whole and one that keeps it in parts, to a plain nginx at the same origin. */
export async function benchLargeFile(
  edge: TestEdge,
  origin: number,
  plainPort: number,
  rounds: number,
): Promise<LargeFileResult> {
  const origins = [{ address: '127.0.0.1', http_port: origin }];
  const parts = [{ type: 'all' as const, ttl_seconds: 86_400, slice_bytes: 4_194_304 as const }];
  const applied = await edge.applySites(
    makeSite({ id: 910, domains: ['large.test'], origins }),
    makeSite({ id: 911, domains: ['parts.test'], origins, rules: parts }),
  );
  for (const { status, error } of applied) if (status !== 'applied') throw new Error(error);
  const sides = {
    plain: [plainPort, 'large.test'],
    whole: [edge.httpPort, 'large.test'],
    parts: [edge.httpPort, 'parts.test'],
  } as const;
  const names = ['plain', 'whole', 'parts'] as const;
  const rates = { plain: [[], []], whole: [[], []], parts: [[], []] } as Record<
    keyof typeof sides,
    number[][]
  >;
  for (let round = 0; round < rounds; round++)
    for (const side of round % 2 === 0 ? names : names.toReversed()) {
      const [port, host] = sides[side];
      const ask = async (wanted: string) => {
        const { rate, state } = await download(port, host, `/film-${round}`);
        if (state !== wanted) throw new Error(`${side}: ${state} instead of ${wanted}`);
        return rate;
      };
      rates[side][0]!.push(await ask('MISS'));
      // What was just stored would be on its way to the disk meanwhile.
      await run('sync');
      rates[side][1]!.push(median([await ask('HIT'), await ask('HIT'), await ask('HIT')]));
    }
  const ratio = (side: 'whole' | 'parts', index: number) =>
    median(rates[side][index]!.map((rate, round) => rate / rates.plain[index]![round]!));
  return {
    cold: ratio('whole', 0),
    warm: ratio('whole', 1),
    partsCold: ratio('parts', 0),
    partsWarm: ratio('parts', 1),
    plainCold: median(rates.plain[0]!),
    plainWarm: median(rates.plain[1]!),
  };
}
