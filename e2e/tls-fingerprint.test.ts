import { chromium, type Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { relayTo, type Relay } from '../packages/edge/test/client-hello.ts';
import { makeSite, startOrigin, TestEdge, type TestOrigin } from '../packages/edge/test/support.ts';

/** The fingerprint of a browser of today, whose handshakes have what OpenSSL does not know. */

let origin: TestOrigin;
let edge: TestEdge;
let relay: Relay;
let browser: Browser;
beforeAll(async () => {
  origin = await startOrigin((request, response) => response.end(`asked ${request.url!}`));
  edge = await TestEdge.start();
  relay = await relayTo(edge.httpsPort);
  const shared = {
    origins: [{ address: '127.0.0.1', http_port: origin.port }],
    rules: [{ type: 'all' as const, action: 'bypass' as const }],
    advanced: { access_log: { ja4: true } },
  };
  await edge.control('PUT', '/pass_keys', { keys: ['a'.repeat(64)] });
  await edge.applySites(
    makeSite({ id: 1, domains: ['browser.test'], ...shared }),
    makeSite({
      id: 2,
      domains: ['bound.test'],
      ...shared,
      verify: { enabled: true, kind: 'javascript', bind_tls: true },
    }),
  );
  browser = await chromium.launch({
    executablePath: '/usr/bin/chromium-headless-shell',
    args: ['--disable-gpu', '--host-resolver-rules=MAP *.test 127.0.0.1', '--ignore-certificate-errors'],
  });
});
afterAll(async () => {
  await browser?.close();
  await relay?.close();
  await edge?.close();
  await origin?.close();
});

test('is that of its first handshake on all of its connections, and holds its pass', async () => {
  const context = await browser.newContext({ ignoreHTTPSErrors: true });
  const page = await context.newPage();
  const first = relay.seen.length;
  await page.goto(`https://browser.test:${relay.port}/first`);
  expect(await page.textContent('body')).toBe('asked /first');
  const sent = relay.seen.slice(first);
  const [line] = await edge.logLines(1, ({ request_uri }) => request_uri === '/first');
  expect(sent).toContain(line!.ja4);
  expect(line!.ja4).toMatch(/^t13d\d{4}h2_/);
  // ALPS or another that OpenSSL leaves out; without one this would try nothing that curl does not.
  const unknown = relay.extensions.slice(first).flat();
  expect(unknown.some((type) => [27, 17_513, 17_613, 65_037].includes(type))).toBe(true);

  await page.goto(`https://bound.test:${relay.port}/there`);
  await expect.poll(() => page.textContent('body'), { timeout: 20_000 }).toBe('asked /there');
  relay.drop();
  await page.goto(`https://bound.test:${relay.port}/again`);
  expect(await page.textContent('body')).toBe('asked /again');
  const preSharedKey = 41;
  expect(relay.extensions.at(-1)).toContain(preSharedKey);
  expect(relay.seen.at(-1)).not.toBe(line!.ja4);
  const [again] = await edge.logLines(1, ({ request_uri }) => request_uri === '/again');
  expect(again!.ja4).toBe(line!.ja4);
  await context.close();
});
