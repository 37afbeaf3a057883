import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createServer, request, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { capacityOf } from '../nginx/capacity.ts';
import { makeSite, patience, TestEdge } from './support.ts';

/** How many requests of a site may wait, for another's answer or for room at its origins, and what becomes of the others. */

const openFilesMax = 2000;
/** One site alone has half of what there is for all, at origins and to wait. */
const places = Math.floor(capacityOf(openFilesMax).connections / 4 / 2);

let edge: TestEdge;
let origin: Server;
/** What the origin was asked for, and has not answered. */
const held: ServerResponse[] = [];
const asked: Record<string, number> = {};
let isHolding = true;

beforeAll(async () => {
  origin = createServer((incoming, answer) => {
    const target = `${incoming.headers.host}${incoming.url}`;
    asked[target] = (asked[target] ?? 0) + 1;
    answer.setHeader('Cache-Control', 'max-age=600');
    incoming.resume();
    if (!isHolding || incoming.url === '/now') answer.end('here');
    else held.push(answer);
  });
  await once(origin.listen({ port: 0, host: '127.0.0.1', backlog: 5000 }), 'listening');
  edge = await TestEdge.start({ workerProcesses: 1, openFilesMax });
  const { port } = origin.address() as AddressInfo;
  const origins = [{ address: '127.0.0.1', http_port: port, max_fails: 0 }];
  const sites = ['crowded.test', 'neighbour.test', 'full.test'];
  await edge.applySites(...sites.map((host, index) => makeSite({ id: index + 1, domains: [host], origins })));
});
afterAll(async () => {
  origin.closeAllConnections();
  origin.close();
  await edge.close();
});

/** The status of a visitor's answer, and when to come again; asked as soon as this is there. */
async function visit(host: string, path: string, method = 'GET'): Promise<{ told: Promise<string> }> {
  const call = request({
    port: edge.httpPort,
    host: '127.0.0.1',
    method,
    path,
    headers: { host },
    agent: false,
  });
  const told = new Promise<string>((settle) => {
    call.on('response', (answer) => {
      const again = answer.headers['retry-after'];
      answer
        .resume()
        .on('end', () => settle(`${answer.statusCode}${again === undefined ? '' : ` ${again}`}`));
    });
    call.on('error', (error) => settle(String(error)));
  });
  if (method === 'POST') call.setHeader('content-length', 1);
  call.end(method === 'POST' ? 'x' : undefined);
  await once(call, 'finish').catch(() => undefined);
  return { told };
}

function answerAll(): void {
  for (const answer of held.splice(0)) answer.end('here');
}

async function allHeld(): Promise<void> {
  await expect.poll(() => held.length, patience).toBe(places);
}

describe('many who want the same', () => {
  it('wait for one, as many as there is room for; some ask for themselves, and the others are told so at once', async () => {
    const told: string[] = [];
    const first = await visit('crowded.test', '/same');
    await expect.poll(() => held.length, patience).toBe(1);
    const crowd = [first];
    for (let count = 1; count < 2 * places + 50; count++) crowd.push(await visit('crowded.test', '/same'));
    for (const each of crowd) void each.told.then((text) => told.push(text));
    // The origin has not answered anybody.
    await expect.poll(() => told.length, patience).toBe(50);
    expect(new Set(told)).toEqual(new Set(['503 1']));
    await allHeld();

    // Whoever wants something of another site waits there for one who asks.
    const others = await Promise.all(Array.from({ length: 20 }, () => visit('neighbour.test', '/same')));
    await (
      await visit('neighbour.test', '/now')
    ).told;
    await expect.poll(() => asked['neighbour.test/same'], patience).toBe(1);

    answerAll();
    expect(new Set(await Promise.all(others.map((each) => each.told)))).toEqual(new Set(['200']));
    expect(asked['neighbour.test/same']).toBe(1);
    await Promise.all(crowd.map((each) => each.told));
    expect(told.filter((text) => text === '200')).toHaveLength(2 * places);
    expect(asked['crowded.test/same']).toBe(places);
  });
});

describe('who finds no room at the origins', () => {
  it('waits for it for some seconds, and not with content', async () => {
    const crowd = [];
    for (let count = 0; count < places; count++) crowd.push(await visit('full.test', `/${count}`));
    await allHeld();
    const log = async () =>
      (await readFile(join(edge.dir, 'logs/error.log'), 'utf8')).split('site 3: its origins').length;
    const before = await log();

    const began = performance.now();
    const order: string[] = [];
    const waiting = await visit('full.test', '/late');
    void waiting.told.then(() => order.push('waiting'));
    await expect.poll(log, patience).toBeGreaterThan(before);
    const posting = await visit('full.test', '/posted', 'POST');
    void posting.told.then(() => order.push('posting'));
    expect(await posting.told).toBe('503 1');
    expect(await waiting.told).toBe('503 1');
    expect(order).toEqual(['posting', 'waiting']);
    // Three times, of a tenth of a second, of four, and of one second at least.
    expect(performance.now() - began).toBeGreaterThan(1500);

    // Who waits when there is room again has it.
    const next = await visit('full.test', '/next');
    answerAll();
    isHolding = false;
    expect(await next.told).toBe('200');
    expect(new Set(await Promise.all(crowd.map((each) => each.told)))).toEqual(new Set(['200']));
    expect([asked['full.test/late'], asked['full.test/posted']]).toEqual([undefined, undefined]);
  });
});
