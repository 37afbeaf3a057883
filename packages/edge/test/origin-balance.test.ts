import { freePorts } from '@breakwater/test-world/ports';
import type { ServerResponse } from 'node:http';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { makeSite, startOrigin, TestEdge, type TestOrigin, patience } from './support.ts';

let edge: TestEdge;
let ports: number[];
const named: Record<string, TestOrigin> = {};
const held: ServerResponse[] = [];
const local = { address: '127.0.0.1' };
const all = (more: object = {}) =>
  Object.values(named).map(({ port }) => ({ ...local, http_port: port, ...more }));

beforeAll(async () => {
  ports = await freePorts(2);
  edge = await TestEdge.start({ httpPorts: ports });
  for (const name of ['a', 'b', 'c'])
    named[name] = await startOrigin((request, response) => {
      if (request.url === '/held') held.push(response);
      else response.end(name);
    });
});

afterAll(async () => {
  for (const response of held) response.end();
  await edge.close();
  for (const origin of Object.values(named)) await origin.close();
});

async function answers(host: string, paths: string[], from?: string): Promise<string[]> {
  const list: string[] = [];
  for (const path of paths) {
    const { status, body } = await edge.get(host, path, from === undefined ? {} : { from });
    list.push(status === 200 ? body : `${status}`);
  }
  return list;
}

const paths = Array.from({ length: 60 }, (_, number) => `/file-${number}`);

describe('methods', () => {
  it('round_robin: one after the other', async () => {
    expect(await answers(await edge.serve(all()), paths.slice(0, 6))).toEqual(['a', 'b', 'c', 'a', 'b', 'c']);
  });

  it('random: drawn by weight', async () => {
    const host = await edge.serve(
      [
        { ...local, http_port: named.a!.port, weight: 75 },
        { ...local, http_port: named.b!.port, weight: 25 },
      ],
      { method: 'random' },
    );
    const drawn = await answers(host, [...paths, ...paths, ...paths, ...paths, ...paths]);
    const share = drawn.filter((name) => name === 'a').length / drawn.length;
    // Five standard deviations of 300 draws.
    expect(Math.abs(share - 0.75)).toBeLessThan(0.125);
    expect(drawn.join('')).not.toMatch(/^(aaab)+$/);
  });

  it('ip_hash: a visitor stays with one, others with others', async () => {
    const host = await edge.serve(all(), { method: 'ip_hash' });
    const places = new Set<string>();
    // Ports of origins are part of the hash and differ each time: fewer visitors than this may well share two origins.
    for (let visitor = 2; visitor < 52; visitor++) {
      const own = new Set(await answers(host, paths.slice(0, 2), `127.0.0.${visitor}`));
      expect(own.size).toBe(1);
      places.add([...own][0]!);
    }
    expect(places.size).toBe(3);
  });

  it.each(['url_hash', 'consistent'] as const)('%s: an address stays with one', async (method) => {
    const host = await edge.serve(all(), { method });
    const first = await answers(host, paths, '127.0.0.2');
    expect(await answers(host, paths, '127.0.0.3')).toEqual(first);
    expect(new Set(first).size).toBe(3);
  });

  it('consistent: with one origin less, what the others had stays where it was', async () => {
    const site = { id: 900, domains: ['fixed.test'], rules: [{ type: 'all', action: 'bypass' }] } as const;
    const config = { method: 'consistent' } as const;
    const put = (origins: ReturnType<typeof all>) =>
      edge.applySites(
        makeSite({ ...site, domains: [...site.domains], rules: [...site.rules], origins, config }),
      );
    await put(all());
    const before = await answers('fixed.test', paths);
    await put(all().slice(0, 2));
    const after = await answers('fixed.test', paths);
    before.forEach((name, index) => name !== 'c' && expect(after[index]).toBe(name));
    expect(new Set(after)).toEqual(new Set(['a', 'b']));
  });

  it('least_conn: the one with the fewest under way', async () => {
    const host = await edge.serve(all().slice(0, 2), { method: 'least_conn' });
    const before = held.length;
    const waiting = [edge.get(host, '/held'), edge.get(host, '/held')];
    await vi.waitFor(() => expect(held.length).toBe(before + 2), patience);
    // One each; when one of them has ended, its origin has the fewest.
    held[before]!.end('first');
    await Promise.race(waiting);
    expect(new Set(await answers(host, paths.slice(0, 4))).size).toBe(1);
    held[before + 1]!.end();
    await Promise.all(waiting);
    expect(new Set(await answers(host, paths.slice(0, 4)))).toEqual(new Set(['a', 'b']));
  });
});

describe('max_conns', () => {
  it('gives an origin no more at once, and says so when all have as much', async () => {
    const host = await edge.serve([
      { ...local, http_port: named.a!.port, max_conns: 2 },
      { ...local, http_port: named.b!.port, max_conns: 1, state: 'backup' },
    ]);
    const before = held.length;
    const waiting = [0, 1, 2].map(() => edge.get(host, '/held'));
    await vi.waitFor(() => expect(held.length).toBe(before + 3), patience);
    const refused = await edge.get(host, '/');
    expect([refused.status, refused.body.includes('is busy')]).toEqual([503, true]);
    held[before]!.end();
    held[before + 1]!.end();
    held[before + 2]!.end();
    await Promise.all(waiting);
    expect(await answers(host, paths.slice(0, 3))).toEqual(['a', 'a', 'a']);
  });

  it('takes a request that failed off again', async () => {
    const [port] = (await freePorts(1)) as [number];
    const host = await edge.serve([{ ...local, http_port: port, max_conns: 1, max_fails: 0 }]);
    expect(await answers(host, paths.slice(0, 3))).toEqual(['502', '502', '502']);
  });
});

describe('follow_port', () => {
  it('asks at the port where the visitor asked, and keeps the answers apart', async () => {
    const [first, second] = ports as [number, number];
    const say = (name: string, port: number) =>
      startOrigin(
        (_request, response) => {
          response.setHeader('Cache-Control', 'max-age=60');
          response.end(name);
        },
        undefined,
        port,
        '127.0.0.9',
      );
    const origins = [await say('first', first), await say('second', second)];
    const host = await edge.serve([{ address: '127.0.0.9', http_port: 1 }], { follow_port: true }, []);
    for (const status of ['MISS', 'HIT'])
      for (const [port, name] of [
        [first, 'first'],
        [second, 'second'],
      ] as const) {
        const answer = await edge.get(host, '/', { port });
        expect([answer.body, answer.headers['x-cache']]).toEqual([name, status]);
      }
    for (const origin of origins) await origin.close();
  });
});
