import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { makeSite, startOrigin, TestEdge, type TestOrigin } from '../../packages/edge/test/support.ts';
import { median } from './result.ts';
import { runWrk } from './wrk.ts';

const host = 'stored.test';
const folder = '/stored/';
const pathOf = (index: number) => `${folder}${index % 1000}/${index}`;
/** Of what was stored, so many are looked at to see that they still are. */
const samples = 500;
const fillSeconds = 10;
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
  const edge = await TestEdge.start({ workerProcesses: 2, cacheSizeMax: '20g' });
  const origins = [{ address: '127.0.0.1', http_port: origin.port }];
  await edge.applySites(makeSite({ id: 1, domains: [host], origins }));
  await fill(edge, origin, count);
  for (let sample = 0; sample < samples; sample++) {
    const { headers } = await edge.get(host, pathOf(1 + Math.floor((sample / samples) * count)));
    if (headers['x-cache'] !== 'HIT') throw new Error(`the edge keeps less than ${count} answers`);
  }
  return edge;
}

/** By real requests, each of a path of its own. */
async function fill(edge: TestEdge, origin: TestOrigin, count: number): Promise<void> {
  const dir = await mkdtemp(join(tmpdir(), 'breakwater-bench-'));
  const script = join(dir, 'paths.lua');
  const before = origin.count();
  try {
    for (let stored = 0; stored < count; stored = origin.count() - before) {
      // A little is asked for twice, for what was under way when the last run ended.
      const first = Math.max(0, stored - connections);
      await writeFile(
        script,
        `local n = ${first}
         request = function()
           n = n % ${count} + 1
           return wrk.format('GET', '${folder}' .. n % 1000 .. '/' .. n)
         end`,
      );
      const url = `http://127.0.0.1:${edge.httpPort}/`;
      await runWrk({ url, headers: { Host: host }, connections, seconds: fillSeconds, script });
      console.log(`${Math.min(count, origin.count() - before)} of ${count} stored`);
    }
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
