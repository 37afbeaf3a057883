import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { makeSite, startOrigin, TestEdge, type TestOrigin } from './support.ts';

/** What is left of a cache after more refreshes than there are counters (`docs/caching.md`, Refresh). */

let edge: TestEdge;
let origin: TestOrigin;
beforeAll(async () => {
  origin = await startOrigin((request, response) => {
    response.setHeader('cache-control', 'max-age=600');
    response.end(request.url);
  });
  edge = await TestEdge.start({ workerProcesses: 1 });
  await edge.applySites(
    ...['many.test', 'some.test', 'none.test'].map((domain, index) =>
      makeSite({
        id: index + 1,
        domains: [domain],
        origins: [{ address: '127.0.0.1', http_port: origin.port }],
      }),
    ),
  );
});
afterAll(async () => {
  await edge.close();
  await origin.close();
});

const paths = Array.from({ length: 40 }, (_, index) => `/kept-${index}/page`);
const state = async (host: string, path: string) => (await edge.get(host, path)).headers['x-cache'];
async function missesOf(host: string): Promise<number> {
  const states = await Promise.all(paths.map((path) => state(host, path)));
  return states.filter((each) => each === 'MISS').length;
}

/** Of folders that the sites have nothing in. */
const perDocument = 20_000;
const documents = 53;
let refreshes = 0;
async function refresh(siteId: number, folders: Record<string, string[]>): Promise<void> {
  const { key } = await edge.applyRefresh({ refresh_id: ++refreshes, site_id: siteId, folders });
  // The platform withdraws it in time.
  const tombstone = { kind: 'refresh', key, revision: edge.nextRevision(), deleted: true };
  await edge.control('POST', '/documents', [tombstone]);
}

it('of as many folders as there are counters needs no more room, and costs a needless miss each at the most; a site stays one refresh away', async () => {
  const bytes = async () => (await stat(join(edge.dir, 'cache-generations'))).size;
  const before = await bytes();
  await refresh(2, { 'some.test': ['/elsewhere/'] });
  for (const host of ['many.test', 'some.test', 'none.test']) await expect.poll(() => missesOf(host)).toBe(0);
  for (let document = 0; document < documents; document++)
    await refresh(1, {
      'many.test': Array.from({ length: perDocument }, (_, index) => `/gone/${document}-${index}/`),
    });
  expect(await bytes()).toBe(before);
  // A site no folder of which was ever refreshed looks at none of these counters.
  expect(await missesOf('none.test')).toBe(0);
  for (const host of ['many.test', 'some.test']) {
    expect(await missesOf(host), host).toBeGreaterThan(paths.length / 4);
    expect(await missesOf(host), host).toBe(0);
  }
  await refresh(1, { 'many.test': ['/kept-7/'] });
  expect(await state('many.test', '/kept-7/page')).toBe('MISS');
  expect(await missesOf('many.test')).toBeLessThan(3);
  const { key } = await edge.applyRefresh({ refresh_id: ++refreshes, site_id: 1, all: true });
  expect(key).toBe(`${refreshes}`);
  expect(await missesOf('many.test')).toBe(paths.length);
  expect([await missesOf('many.test'), await missesOf('some.test')]).toEqual([0, 0]);
});
