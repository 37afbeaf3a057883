import { once } from 'node:events';
import { createServer, request, type ClientRequest, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeSite, startOrigin, TestEdge, type TestOrigin } from './support.ts';

/** One site's origin hangs under a crowd of its visitors; the others know nothing of it. */

/** Of which nginx makes 1,400 connections: far fewer than the crowd would take, if it could. */
const openFilesMax = 2000;
const room = 350;
let edge: TestEdge;
let good: TestOrigin;
let hung: Server;
let isHanging = false;
let held = 0;
let most = 0;

beforeAll(async () => {
  edge = await TestEdge.start({ workerProcesses: 1, openFilesMax });
  good = await startOrigin((_, answer) => answer.end('good'));
  hung = createServer((incoming, answer) => {
    most = Math.max(most, (held += 1));
    answer.on('close', () => (held -= 1));
    answer.setHeader('Cache-Control', 'max-age=1, stale-if-error=600');
    if (!isHanging) answer.end('well');
    else incoming.resume();
  });
  await once(hung.listen({ port: 0, host: '127.0.0.1', backlog: 5000 }), 'listening');
  const at = (port: number) => [{ address: '127.0.0.1', http_port: port, max_fails: 0 }];
  await edge.applySites(
    makeSite({ id: 101, domains: ['hung.test'], origins: at((hung.address() as AddressInfo).port) }),
    makeSite({ id: 102, domains: ['good.test'], origins: at(good.port) }),
  );
});
afterAll(async () => {
  hung.closeAllConnections();
  hung.close();
  await edge.close();
  await good.close();
});

describe('a site whose origin hangs', () => {
  it('holds a part of the node, and neighbours go on as before', async () => {
    await edge.get('hung.test', '/kept');
    isHanging = true;
    const crowd = new Crowd();
    await crowd.come(600);
    await expect.poll(() => held, { timeout: 20_000 }).toBeGreaterThanOrEqual(room / 2);

    const times: number[] = [];
    for (let count = 0; count < 100; count++) {
      const began = performance.now();
      expect((await visit('good.test', `/${count}`)).body).toBe('good');
      times.push(performance.now() - began);
    }
    expect(times.toSorted((one, other) => one - other)[98]).toBeLessThan(500);

    // Those it has no room for hear soon when to come again, and what was kept is given meanwhile.
    await expect.poll(() => crowd.refused.length, { timeout: 20_000 }).toBe(600 - room / 2);
    expect(new Set(crowd.refused)).toEqual(new Set(['503 1']));
    const kept = async () => {
      const { status, body, headers } = await visit('hung.test', '/kept');
      return [status, body, headers['x-cache']];
    };
    await expect.poll(kept).toEqual([200, 'well', 'STALE']);
    expect(most).toBe(room / 2);

    // When its origin is well again, all is as before.
    isHanging = false;
    crowd.leave();
    hung.closeAllConnections();
    await expect.poll(async () => (await edge.get('hung.test', '/new')).status).toBe(200);
  });
});

/** When more come than it can read of, nginx resets connections to make room: who meets that comes again. */
const visit = (host: string, path: string): ReturnType<TestEdge['get']> =>
  edge.get(host, path).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ECONNRESET') throw error;
    return visit(host, path);
  });

/** Visitors of the site that hangs, each of whom wants something else. */
class Crowd {
  /** Those who were told something: the status, and when to come again. */
  readonly refused: string[] = [];
  readonly #calls: ClientRequest[] = [];
  #hasLeft = false;

  /** One after the other, and none goes before it is told something. */
  async come(visitors: number): Promise<void> {
    // What fails before that is told below.
    for (let index = 0; index < visitors; index++)
      await once(this.#ask(index), 'finish').catch(() => undefined);
  }

  #ask(index: number): ClientRequest {
    const call = request({
      host: '127.0.0.1',
      port: edge.httpPort,
      path: `/${index}`,
      headers: { host: 'hung.test' },
      agent: false,
    });
    call.on('response', (answer) => {
      answer.resume();
      this.refused.push(`${answer.statusCode} ${answer.headers['retry-after']}`);
    });
    call.on('error', (error: NodeJS.ErrnoException) => {
      if (this.#hasLeft) return;
      if (error.code === 'ECONNRESET') this.#ask(index);
      else this.refused.push(String(error));
    });
    this.#calls.push(call.end());
    return call;
  }

  leave(): void {
    this.#hasLeft = true;
    for (const call of this.#calls) call.destroy();
  }
}

describe('origins that are asked one after another', () => {
  it('have as long together as one has alone', async () => {
    const addresses = ['127.0.0.2', '127.0.0.3', '127.0.0.4', '127.0.0.5'];
    const silent = await Promise.all(
      addresses.map((address) => startOrigin(() => {}, undefined, 0, address)),
    );
    const origins = addresses.map((address, index) => ({
      address,
      http_port: silent[index]!.port,
      max_fails: 0,
    }));
    const host = await edge.serve(origins, {
      connect_timeout_seconds: 1,
      send_timeout_seconds: 1,
      read_timeout_seconds: 2,
      tries: 4,
      retry_on: ['timeout'],
    });
    const began = performance.now();
    expect((await edge.get(host)).status).toBe(504);
    // Two tries of two seconds, and the second that the last of them may go beyond.
    expect(performance.now() - began).toBeLessThan(6000);
    expect(silent.reduce((sum, each) => sum + each.count(), 0)).toBeLessThanOrEqual(3);
    for (const each of silent) await each.close();
  });
});
