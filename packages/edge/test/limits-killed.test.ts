import { readdir, readFile, readlink } from 'node:fs/promises';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, it, vi } from 'vitest';
import { makeSite, patience, TestEdge } from './support.ts';

const host = 'killed.test';
const connections = 8;

it('counts what the other workers hold on when one is killed, and lets in as many as it held', async () => {
  const waiting: ServerResponse[] = [];
  let isWaiting = true;
  const origin = createServer((request, response) => {
    if (isWaiting && request.url !== '/free') waiting.push(response);
    else response.end();
  });
  await new Promise<void>((settle) => origin.listen(0, '127.0.0.1', settle));
  const edge = await TestEdge.start({ workerProcesses: 2 });
  try {
    const { port } = origin.address() as AddressInfo;
    const origins = [{ address: '127.0.0.1', http_port: port }];
    await edge.applySites(makeSite({ id: 1, domains: [host], origins, security: { connections } }));
    const ended: string[] = [];
    const hold = async (number: number) => {
      const { status } = await edge.get(host, `/wait/${number}`).catch(() => ({ status: 'broken off' }));
      ended.push(`${number}: ${status}`);
    };
    const first = Array.from({ length: connections }, (_, number) => hold(number));
    await vi.waitFor(() => expect(waiting).toHaveLength(connections), patience);
    process.kill(await busiestWorker(edge), 'SIGKILL');
    await vi.waitFor(() => expect(ended).not.toEqual([]), patience);
    await vi.waitFor(async () => expect((await edge.get(host, '/free')).status).toBe(200), patience);
    // As many as the dead worker held. What it was asking the origin for others has been asked again.
    const [before, asked] = [ended.length, waiting.length];
    const again = Array.from({ length: before }, (_, number) => hold(100 + number));
    await vi.waitFor(
      () => expect([waiting.length - asked, ended.slice(before)]).toEqual([again.length, []]),
      patience,
    );
    expect((await edge.get(host, '/free')).status).toBe(429);
    isWaiting = false;
    for (const response of waiting) response.end();
    await Promise.all([...first, ...again]);
    await vi.waitFor(async () => expect((await edge.get(host, '/free')).status).toBe(200), patience);
  } finally {
    await edge.close();
    origin.closeAllConnections();
    await new Promise((settle) => origin.close(settle));
  }
});

/** Of the workers the one with most visitors: their connections are told by the port, for each worker has others at the fetch server. */
async function busiestWorker({ edge, httpPort }: TestEdge): Promise<number> {
  const port = httpPort.toString(16).toUpperCase().padStart(4, '0');
  const established = '01';
  const sockets = new Set(
    (await readFile('/proc/net/tcp', 'utf8'))
      .split('\n')
      .map((line) => line.trim().split(/\s+/))
      .filter(([, local, , state]) => local?.endsWith(`:${port}`) && state === established)
      .map((fields) => `socket:[${fields[9]}]`),
  );
  const children = await readFile(`/proc/${edge.pid}/task/${edge.pid}/children`, 'utf8');
  let found = { pid: 0, visitors: 0 };
  for (const pid of children.trim().split(' ').map(Number)) {
    const folder = `/proc/${pid}/fd`;
    const files = await Promise.all(
      (await readdir(folder)).map((file) => readlink(`${folder}/${file}`).catch(() => '')),
    );
    const visitors = files.filter((file) => sockets.has(file)).length;
    if (visitors > found.visitors) found = { pid, visitors };
  }
  return found.pid;
}
