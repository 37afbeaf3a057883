import { createHash, createHmac } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Vector } from '@breakwater/policy/vectors/vectors';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { bundleForBrowser } from '../apps/console/browser-bundle.ts';
import { closeBrowser, openConsole } from './browser.ts';
import type { RunVectors } from './policy-page.ts';

declare const runVectors: RunVectors;

/** The policy's vectors in a real browser: what the console previews is what nodes decide. */

const folder = new URL('../packages/policy/vectors/', import.meta.url);
let server: Server;
let page: Page;
let scriptErrors: string[];

beforeAll(async () => {
  const script = await bundleForBrowser(new URL('policy-page.ts', import.meta.url));
  server = createServer((request, response) => {
    if (request.url !== '/digest' && request.url !== '/md5') {
      response.setHeader('content-type', 'text/html; charset=utf-8');
      response.end(`<!doctype html><script>${script.replaceAll('</script', '<\\/script')}</script>`);
      return;
    }
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const parts = (JSON.parse(Buffer.concat(chunks).toString()) as string[]).map((hex) =>
        Buffer.from(hex, 'hex'),
      );
      const [first, second] = parts;
      const kind = request.url === '/md5' ? 'md5' : 'sha256';
      const hash = second === undefined ? createHash(kind) : createHmac(kind, first!);
      response.end(hash.update(second ?? first!).digest('hex'));
    });
  });
  await new Promise<void>((settle) => server.listen(0, '127.0.0.1', settle));
  const visitor = await openConsole(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  page = visitor.page;
  scriptErrors = visitor.scriptErrors;
});
afterAll(async () => {
  await closeBrowser();
  server?.closeAllConnections();
  server?.close();
});

test.each(readdirSync(folder).filter((name) => name.endsWith('.json')))('%s', async (file) => {
  const vectors = JSON.parse(readFileSync(new URL(file, folder), 'utf8')) as Vector[];
  const decision = file.replace('.json', '');
  const { answers, wanted } = await page.evaluate(([name, list]) => runVectors(name, list), [
    decision,
    vectors,
  ] as const);
  const named = (results: unknown[]) =>
    results.map((result, index) => ({ about: vectors[index]!.about, result }));
  expect(named(answers)).toEqual(named(wanted));
  expect(scriptErrors).toEqual([]);
});
