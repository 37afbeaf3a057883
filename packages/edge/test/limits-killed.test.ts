import { readdir, readFile } from 'node:fs/promises';
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
    process.kill(await busiestWorker(edge.edge.pid), 'SIGKILL');
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

/** Of the workers the one with most open files, which here are connections. */
async function busiestWorker(master: number): Promise<number> {
  const children = await readFile(`/proc/${master}/task/${master}/children`, 'utf8');
  let found = { pid: 0, files: 0 };
  for (const pid of children.trim().split(' ').map(Number)) {
    if (!(await readFile(`/proc/${pid}/cmdline`, 'utf8')).startsWith('nginx: worker')) continue;
    const files = (await readdir(`/proc/${pid}/fd`)).length;
    if (files > found.files) found = { pid, files };
  }
  return found.pid;
}
