import { createHash } from 'node:crypto';
import { chownSync, mkdirSync, writeFileSync } from 'node:fs';
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { crc32 } from 'node:zlib';
import { makeSite, startOrigin, TestEdge, type TestOrigin } from '../../packages/edge/test/support.ts';
import { median } from './result.ts';
import { runWrk } from './wrk.ts';

/**
 * How an edge comes to a million stored answers within minutes: it stores one by a request, stops, the others are written as that one's
 * file with another path in its key, and it starts again. What a file is worth nginx says: every one of them is asked for afterwards, and
 * has to be given without the origin being asked.
 */

const host = 'stored.test';
const folder = '/stored/';
const digits = 8;
/** All as long as each other, so that what a file says of its own places holds for all. */
const pathOf = (index: number) =>
  `${folder}${String(index % 1000).padStart(3, '0')}/${String(index).padStart(digits, '0')}`;
const askSeconds = 10;
const connections = 64;

/** Milliseconds from the message until a folder with so many stored answers is refreshed: medians of many turns, one edge and then the other. */
export async function compareFolders(
  few: number,
  many: number,
  turns: number,
): Promise<{ few: number; many: number }> {
  const origin = await startOrigin((_, response) => {
    response.setHeader('cache-control', 'max-age=86400');
    response.end('x');
  });
  const edges: TestEdge[] = [];
  try {
    for (const count of [few, many]) edges.push(await startFilled(origin, count));
    const times: number[][] = edges.map(() => []);
    for (let turn = 0; turn < turns; turn++)
      for (const [index, edge] of edges.entries()) times[index]!.push(await refreshFolder(edge, turn));
    return { few: median(times[0]!), many: median(times[1]!) };
  } finally {
    for (const edge of edges) await edge.close();
    await origin.close();
  }
}

async function startFilled(origin: TestOrigin, count: number): Promise<TestEdge> {
  const options = { workerProcesses: 2, cacheSizeMax: '20g' };
  const first = await TestEdge.start(options);
  const site = makeSite({
    id: 1,
    domains: [host],
    origins: [{ address: '127.0.0.1', http_port: origin.port }],
  });
  let edge: TestEdge | undefined;
  try {
    await first.applySites(site);
    await first.get(host, pathOf(1));
    await first.edge.stop(2);
    await writeOthers(join(first.dir, 'cache'), count);
    edge = await TestEdge.start({ ...options, edgeDir: first.dir });
    await edge.applySites(site);
    await askForAll(edge, origin, count);
    return edge;
  } catch (error) {
    await (edge ?? first).close();
    throw error;
  }
}

/** Where `ngx_http_file_cache_header_t` of nginx has the checksum of the key. */
const checksumAt = 48;

async function writeOthers(cache: string, count: number): Promise<void> {
  const found = await readdir(cache, { recursive: true, withFileTypes: true });
  const [known, ...more] = found.filter((entry) => entry.isFile());
  if (known === undefined || more.length > 0) throw new Error('not one answer is stored');
  const path = join(known.parentPath, known.name);
  const { uid, gid } = await stat(path);
  const bytes = await readFile(path);
  const keyAt = bytes.indexOf('\nKEY: ') + 6;
  const key = bytes.toString('latin1', keyAt, bytes.indexOf('\n', keyAt));
  const pathAt = key.indexOf(pathOf(1));
  if (pathAt < 0 || key.indexOf(pathOf(1), pathAt + 1) >= 0) throw new Error(`the key is ${key}`);
  const made = new Set<string>();
  for (let index = 2; index <= count; index++) {
    const name = Buffer.from(pathOf(index), 'latin1');
    name.copy(bytes, keyAt + pathAt);
    const other = bytes.subarray(keyAt, keyAt + key.length);
    bytes.writeUInt32LE(crc32(other), checksumAt);
    const digest = createHash('md5').update(other).digest('hex');
    const file = join(cache, digest.slice(-1), digest.slice(-3, -1), digest);
    for (const parent of [dirname(dirname(file)), dirname(file)]) {
      if (made.has(parent)) continue;
      mkdirSync(parent, { recursive: true });
      chownSync(parent, uid, gid);
      made.add(parent);
    }
    writeFileSync(file, bytes);
  }
}

/** Each by a path of its own, and all from what is stored. */
async function askForAll(edge: TestEdge, origin: TestOrigin, count: number): Promise<void> {
  const dir = await mkdtemp(join(tmpdir(), 'breakwater-bench-'));
  const script = join(dir, 'paths.lua');
  const before = origin.count();
  try {
    for (let asked = 0; asked < count;) {
      // A little is asked for twice, for what was under way when the last run ended.
      const first = Math.max(0, asked - connections);
      await writeFile(
        script,
        `local n = ${first}
         request = function()
           n = n % ${count} + 1
           return wrk.format('GET', string.format('${folder}%03d/%0${digits}d', n % 1000, n))
         end`,
      );
      const url = `http://127.0.0.1:${edge.httpPort}/`;
      const { requests } = await runWrk({
        url,
        headers: { Host: host },
        connections,
        seconds: askSeconds,
        script,
      });
      asked = first + requests;
      console.log(`${Math.min(count, asked)} of ${count} given from what is stored`);
    }
    if (origin.count() > before) throw new Error(`${origin.count() - before} of ${count} were not stored`);
  } finally {
    await rm(dir, { recursive: true, force: true });
  }
}

let refreshes = 0;

async function refreshFolder(edge: TestEdge, turn: number): Promise<number> {
  const path = pathOf(1 + (turn % 1000));
  await edge.get(host, path);
  const began = performance.now();
  await edge.applyRefresh({ refresh_id: ++refreshes, site_id: 1, folders: { [host]: [folder] } });
  const took = performance.now() - began;
  const { headers } = await edge.get(host, path);
  if (headers['x-cache'] !== 'MISS') throw new Error('a refreshed answer was served');
  return took;
}
