import { appendFile, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { liveReport, nodeApiRoutes, type LiveReport } from '@breakwater/contract';
import { waitFor } from '@breakwater/test-world/wait';
import pino from 'pino';
import { it, onTestFinished } from 'vitest';
import { ControlPlane } from '../delivery/control-plane.ts';
import { LiveCounter } from './live.ts';
import { temporaryFolder } from '../test-edge.ts';

/** What the node API is told, over real HTTP. */
async function startCounting() {
  const seconds: LiveReport['seconds'] = [];
  const server = createServer((request, response) => {
    // It knows no sessions, as one of an older version.
    if (request.url === nodeApiRoutes.nodeSession.path) return response.writeHead(404).end();
    void text(request).then((body) => {
      seconds.push(...liveReport.parse(JSON.parse(body)).seconds);
      response.end(JSON.stringify({ code: 0, message: 'ok', data: {} }));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const accessLogPath = join(await temporaryFolder(), 'access.log');
  await writeFile(accessLogPath, '');
  const ending = new AbortController();
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const controlPlane = new ControlPlane(
    { url, appId: 'A'.repeat(16), appSecret: 's'.repeat(32) },
    ending.signal,
  );
  const counter = new LiveCounter({
    controlPlane,
    accessLogPath,
    control: { state: () => Promise.reject(new Error('no nginx here')) },
    logger: pino({ level: 'silent' }),
  });
  const running = counter.run(ending.signal);
  onTestFinished(async () => {
    ending.abort();
    await running;
    server.close();
    server.closeAllConnections();
  });
  return { counter, controlPlane, seconds, accessLogPath };
}

it('goes on by the second when the clock that it goes by is set back an hour, and counts what comes once', async () => {
  const { counter, controlPlane, seconds, accessLogPath } = await startCounting();
  counter.watch([{ key: 'all' }]);
  await waitFor('a second', () => seconds.length > 0);
  const hourAgo = () => Date.now() - 3_600_000;
  const now = performance.now();
  controlPlane.clock.learn(hourAgo(), { sent: now, received: now });
  const isBack = ({ time }: { time: number }) => Math.abs(time - hourAgo() / 1000) < 60;
  await waitFor('a second by the new clock', () => seconds.some(isBack));
  // nginx goes by the machine's own clock, which is an hour ahead of the control plane's now.
  const line = {
    time: new Date().toISOString(),
    site_id: 1,
    client_id: 1,
    order_id: 1,
    status: 200,
    bytes_sent: 10,
    cache_status: 'HIT',
    origin_addr: '',
    origin_bytes: 0,
  };
  await appendFile(accessLogPath, `${JSON.stringify(line)}\n`);
  // Written before the clock was set: it says a time that is yet to come.
  const ahead = { ...line, time: new Date(Date.now() + 3_600_000).toISOString() };
  await appendFile(accessLogPath, `${JSON.stringify(ahead)}\n`);
  const requests = () => seconds.reduce((sum, { figures }) => sum + (figures.all?.requests ?? 0), 0);
  await waitFor('both lines', () => requests() === 2);
});
