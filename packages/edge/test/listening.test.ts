import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { Authority } from '@breakwater/test-world/authority';
import { freePorts } from '@breakwater/test-world/ports';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { backlog } from '../nginx/capacity.ts';
import { TestEdge } from './support.ts';

/** All that nginx listens at, of visitors, of nodes and of its own, as the kernel has it. */

const run = promisify(execFile);
let edge: TestEdge;
let ports: number[];
let extraPort: number;

beforeAll(async () => {
  const authority = await Authority.make('Nodes');
  const pair = await authority.issue(['node-1', 'node-1.shield.internal']);
  await authority.close();
  ports = await freePorts(5);
  extraPort = (await freePorts(1))[0]!;
  const [http, https, proxyHttp, proxyHttps, port] = ports as [number, number, number, number, number];
  edge = await TestEdge.start({
    httpPorts: [http],
    httpsPorts: [https],
    proxyHttpPorts: [proxyHttp],
    proxyHttpsPorts: [proxyHttps],
    shield: () => Promise.resolve({ authority: authority.certificate, ...pair, port }),
  });
});
afterAll(() => edge.close());

/** Where, and how many may wait there: of listening sockets that is what ss has as `Send-Q`. */
async function listening(): Promise<Record<string, number>> {
  const { stdout } = await run('ss', ['-H', '-l', '-n', '-p', '-x', '-t']);
  const lines = stdout.split('\n').filter((line) => line.includes(`pid=${edge.edge.pid},`));
  return Object.fromEntries(
    lines.map((line) => {
      const [, , , waiting, place] = line.split(/\s+/) as [string, string, string, string, string];
      return [place.replace(/^127\.0\.0\.1:|^\/.*\//, ''), Number(waiting)];
    }),
  );
}

it('has room for as many that wait as the system allows', async () => {
  const somaxconn = Number(await readFile('/proc/sys/net/core/somaxconn', 'utf8'));
  const conf = await readFile(join(edge.dir, 'conf/nginx.conf'), 'utf8');
  const own = [...conf.matchAll(/listen "unix:.*\/([\w-]+\.sock)"/g)].map(([, name]) => name!);
  expect(own).toEqual(expect.arrayContaining(['control.sock', 'fetch.sock', 'judge.sock', 'captcha.sock']));
  const wanted = (places: (string | number)[]) =>
    Object.fromEntries(places.map((place) => [place, Math.min(backlog, somaxconn)]));
  expect(await listening()).toEqual(wanted([...own, ...ports]));
  // One that comes with a reload.
  await edge.edge.listen({ http: [extraPort], https: [] });
  expect(await listening()).toEqual(wanted([...own, ...ports, extraPort]));
});
