import { spawnSync } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startCaptchaVendor } from '@breakwater/test-world/captcha-vendor';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { makeSelfSigned } from '../process/default-certificate.ts';
import { answerPath, headers, putAccount, reasonOf } from './captcha-support.ts';
import { makeSite, TestEdge } from './support.ts';
import { told } from './verify-support.ts';

/** Whom a node takes for a vendor: over TLS by its certificate and name, and nobody on private networks unless it may. */

const trusted = makeSelfSigned('vendor.test');
const unknown = makeSelfSigned('vendor.test');
let edge: TestEdge;
let caFolder: string;
beforeAll(async () => {
  caFolder = await mkdtemp(join(tmpdir(), 'breakwater-ca-'));
  await writeFile(join(caFolder, 'ca.pem'), trusted.certificate);
  spawnSync('openssl', ['rehash', caFolder]);
  spawnSync('chmod', ['-R', 'a+rX', caFolder]);
  edge = await TestEdge.start({ caFolder });
  await edge.control('PUT', '/resolved', { 'vendor.test': ['127.0.0.1'], 'other.test': ['127.0.0.1'] });
});
afterAll(async () => {
  await edge.close();
  await rm(caFolder, { recursive: true });
});

let sites = 0;

/** What becomes of an answer whose vendor is asked there. */
async function answerBy(verifyUrl: string, at = edge, secret = 'secret'): Promise<string | undefined> {
  const id = ++sites;
  const host = `reach${id}.test`;
  const account = {
    account_id: id,
    vendor: 'recaptcha' as const,
    site_key: 'site',
    secret_key: secret,
    verify_url: verifyUrl,
    script_url: 'https://vendor.test/api.js',
    sources: ['https://vendor.test'],
  };
  expect((await putAccount(at, account)).status).toBe('applied');
  await at.applySites(
    makeSite({
      id,
      domains: [host],
      origins: [{ address: '192.0.2.1' }],
      verify: { enabled: true, kind: 'external', captcha_account_id: id },
    }),
  );
  const page = told(await at.get(host, '/', { headers }));
  const answer = await at.get(host, answerPath, {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams({ token: page.token, answer: 'vendor:abc' }).toString(),
  });
  return reasonOf(answer);
}

/** A vendor that vouches for everybody, whoever asks. */
async function withVendor(
  pair: { certificate: string; key: string },
  run: (port: number) => Promise<void>,
): Promise<void> {
  const server: Server = createServer({ cert: pair.certificate, key: pair.key }, (_, response) => {
    response.end(JSON.stringify({ success: true, hostname: `reach${sites}.test` }));
  });
  server.on('secureConnection', (socket) => socket.on('error', () => {}));
  await new Promise<void>((settle) => server.listen(0, '127.0.0.1', settle));
  try {
    await run((server.address() as AddressInfo).port);
  } finally {
    server.closeAllConnections();
    server.close();
  }
}

it('one with a certificate of a known authority for its name is believed', () =>
  withVendor(trusted, async (port) => {
    expect(await answerBy(`https://vendor.test:${port}/recaptcha/api/siteverify`)).toBe('passed');
  }));

it('one with another name is not', () =>
  withVendor(trusted, async (port) => {
    expect(await answerBy(`https://other.test:${port}/recaptcha/api/siteverify`)).toBe('away');
  }));

it('nor one of an unknown authority', () =>
  withVendor(unknown, async (port) => {
    expect(await answerBy(`https://vendor.test:${port}/recaptcha/api/siteverify`)).toBe('away');
  }));

it('a private address is not asked, by number or by name, unless the node may ask private origins', async () => {
  const vendor = await startCaptchaVendor();
  const guarded = await TestEdge.start({ privateOrigins: false });
  try {
    await guarded.control('PUT', '/resolved', { 'vendor.test': ['127.0.0.1'] });
    const url = new URL(vendor.account('recaptcha', 1).verify_url);
    expect(await answerBy(url.href, guarded)).toBe('away');
    url.hostname = 'vendor.test';
    expect(await answerBy(url.href, guarded)).toBe('away');
    expect(vendor.verified).toHaveLength(0);
    expect(await answerBy(url.href, edge, vendor.secretKey)).toBe('wrong');
    expect(vendor.verified).toHaveLength(1);
  } finally {
    await guarded.close();
    await vendor.close();
  }
});
