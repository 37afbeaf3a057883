import { startDnsServer, startPebble, type DnsServer, type Pebble } from '@breakwater/test-world';
import { freePorts } from '@breakwater/test-world/ports';
import { execFileSync } from 'node:child_process';
import { X509Certificate } from 'node:crypto';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { certificateKeyTypes } from '@breakwater/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { keyAuthorization, newAccountKey, registerAccount, signerOf } from './acme-account.ts';
import {
  downloadCertificate,
  finalizeOrder,
  newOrder,
  readAuthorization,
  readOrder,
  revokeCertificate,
  startChallenge,
  type AcmeOrder,
} from './acme-order.ts';
import { retryAtOf } from '../call-http.ts';
import { AcmeProblem } from './acme-problem.ts';
import { AcmeSession, type AcmeSigner } from './acme-session.ts';
import { certificateRequest, derOf, newCertificateKey, renewalId, typeOfKey } from './certificate-key.ts';
import { readRenewalInfo } from './renewal-info.ts';

/** The protocol, against Let's Encrypt's test authority: it refuses half of all nonces and takes its time to look. */

let pebble: Pebble;
let bound: Pebble;
let dns: DnsServer;
let answers: Server;
const known = new Map<string, string>();
const externalKey = Buffer.alloc(32, 7).toString('base64url');
const reach = (host: string) =>
  Promise.resolve({ address: host === 'localhost' ? '127.0.0.1' : host, family: 4 as const });

beforeAll(async () => {
  dns = await startDnsServer('example.com', ['* IN A 127.0.0.1']);
  const [httpPort] = (await freePorts(1)) as [number];
  answers = createServer((request, response) => {
    const token = request.url!.split('/').at(-1)!;
    response.end(known.get(token) ?? 'nothing known');
  });
  await new Promise<void>((resolve) => answers.listen(httpPort, '127.0.0.1', resolve));
  const both = { httpPort, dnsServer: dns.address };
  [pebble, bound] = await Promise.all([
    startPebble({ ...both, nonceReject: 50, sleepSeconds: 2 }),
    startPebble({ ...both, externalKeys: { 'kid-1': externalKey } }),
  ]);
});
afterAll(async () => {
  answers?.close();
  await Promise.all([pebble?.close(), bound?.close(), dns?.close()]);
});

const sessionAt = ({ directoryUrl, ca }: Pebble) => new AcmeSession({ directoryUrl, directoryCa: ca }, reach);
const plain = { email: 'ops@example.com', termsAgreed: true, external: undefined };

async function account(session: AcmeSession): Promise<AcmeSigner> {
  const signer = await signerOf(await newAccountKey(), '');
  return { ...signer, accountUrl: await registerAccount(session, signer, plain) };
}

async function until(
  session: AcmeSession,
  signer: AcmeSigner,
  order: AcmeOrder,
  wanted: AcmeOrder['status'],
) {
  for (let at = order; ; at = await readOrder(session, signer, order.url)) {
    if (at.status === wanted || at.status === 'invalid') return at;
    await sleep(100);
  }
}

async function prove(session: AcmeSession, signer: AcmeSigner, order: AcmeOrder) {
  for (const url of order.authorizations) {
    const { challenge } = await readAuthorization(session, signer, { url, kind: 'http-01' });
    known.set(challenge!.token, await keyAuthorization(signer, challenge!.token));
    await startChallenge(session, signer, challenge!.url);
  }
}

async function obtain(
  session: AcmeSession,
  signer: AcmeSigner,
  names: string[],
  key: string,
): Promise<string> {
  const order = await newOrder(session, signer, { names, profile: '' });
  await prove(session, signer, order);
  const ready = await until(session, signer, order, 'ready');
  await finalizeOrder(session, signer, { order: ready, csr: await certificateRequest(key, names) });
  const valid = await until(session, signer, order, 'valid');
  return downloadCertificate(session, signer, valid.certificate!);
}

describe('a certificate', () => {
  it('is obtained for several names, with its chain, and revoked once', async () => {
    const session = sessionAt(pebble);
    const signer = await account(session);
    const key = await newCertificateKey('ecdsa_p256');
    const chain = await obtain(session, signer, ['a.example.com', 'b.example.com'], key);
    const leaf = new X509Certificate(chain);
    expect(leaf.subjectAltName).toBe('DNS:a.example.com, DNS:b.example.com');
    expect(leaf.checkPrivateKey((await import('node:crypto')).createPrivateKey(key))).toBe(true);
    expect(chain.match(/BEGIN CERTIFICATE/g)!.length).toBeGreaterThan(1);
    expect(await pebble.statusOf(leaf.serialNumber)).toBe('Valid');
    const revocation = { der: derOf(chain), reason: 'superseded' } as const;
    await revokeCertificate(session, signer, revocation);
    await revokeCertificate(session, signer, revocation);
    expect(await pebble.statusOf(leaf.serialNumber)).toBe('Revoked');
  });

  it('that cannot be proven has the authority’s own words', async () => {
    const session = sessionAt(pebble);
    const signer = await account(session);
    const order = await newOrder(session, signer, { names: ['wrong.example.com'], profile: '' });
    const [url] = order.authorizations as [string];
    const { challenge } = await readAuthorization(session, signer, { url, kind: 'http-01' });
    await startChallenge(session, signer, challenge!.url);
    expect((await until(session, signer, order, 'ready')).status).toBe('invalid');
    const { status, words } = await readAuthorization(session, signer, { url, kind: 'http-01' });
    expect(status).toBe('invalid');
    expect(words).toContain('nothing known');
  });

  it.each(certificateKeyTypes)('is asked for with a key of %s', async (type) => {
    const key = await newCertificateKey(type);
    expect(typeOfKey(key)).toBe(type);
    const csr = await certificateRequest(key, ['a.example.com', '*.a.example.com']);
    const text = execFileSync('openssl', ['req', '-inform', 'der', '-verify', '-noout', '-text'], {
      input: csr,
      encoding: 'utf8',
      stdio: ['pipe', 'pipe', 'pipe'],
    });
    expect(text).toContain('DNS:a.example.com, DNS:*.a.example.com');
  });
});

describe('an account', () => {
  it('is the same for the same key', async () => {
    const session = sessionAt(pebble);
    const signer = await signerOf(await newAccountKey(), '');
    const url = await registerAccount(session, signer, plain);
    expect(await registerAccount(sessionAt(pebble), signer, plain)).toBe(url);
  });

  it('is bound to another where the authority wants that, and to the right one', async () => {
    const register = async (external: { keyId: string; hmacKey: string } | undefined) =>
      registerAccount(sessionAt(bound), await signerOf(await newAccountKey(), ''), { ...plain, external });
    await expect(register(undefined)).rejects.toMatchObject({ issue: 'acme_eab_required' });
    const wrong = Buffer.alloc(32, 8).toString('base64url');
    await expect(register({ keyId: 'kid-1', hmacKey: wrong })).rejects.toMatchObject({
      issue: 'acme_refused',
    });
    expect(await register({ keyId: 'kid-1', hmacKey: externalKey })).toContain('https://');
  });

  it('has the words of the authority that refuses it', async () => {
    const signer = await signerOf(await newAccountKey(), '');
    const refused = registerAccount(sessionAt(pebble), signer, { ...plain, termsAgreed: false });
    await expect(refused).rejects.toMatchObject({
      issue: 'acme_refused',
      type: 'agreementRequired',
      detail: expect.stringContaining('terms of service'),
    });
  });
});

describe('an authority that is not there, or not what it says', () => {
  it('is told apart by its problem', async () => {
    const [port] = (await freePorts(1)) as [number];
    const at = (directoryUrl: string, directoryCa = '') =>
      new AcmeSession({ directoryUrl, directoryCa }, reach).directory();
    await expect(at(`https://127.0.0.1:${port}/dir`)).rejects.toMatchObject({
      issue: 'provider_unreachable',
      detail: 'ECONNREFUSED',
    });
    await expect(at(pebble.directoryUrl)).rejects.toMatchObject({
      issue: 'provider_unreachable',
      detail: expect.stringMatching(/certificate/),
    });
    await expect(at(pebble.directoryUrl.replace(/dir$/, 'nowhere'), pebble.ca)).rejects.toBeInstanceOf(
      AcmeProblem,
    );
  });
});

describe('what pebble does not do, by a server that answers as the documents say', () => {
  const servers: Server[] = [];
  afterAll(() => servers.forEach((server) => server.close()));

  async function authority(listener: (base: string) => RequestListener): Promise<AcmeSession> {
    let base = '';
    const server = createServer((request, response) => {
      if (request.url === '/dir')
        return response.end(
          JSON.stringify({
            newNonce: `${base}/nonce`,
            newAccount: `${base}/account`,
            newOrder: `${base}/order`,
            renewalInfo: `${base}/renewal`,
          }),
        );
      if (request.url === '/nonce') return response.setHeader('replay-nonce', 'nonce').end();
      return listener(base)(request, response);
    });
    servers.push(server);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    return new AcmeSession({ directoryUrl: `${base}/dir`, directoryCa: '' }, reach);
  }

  it('a rate limit keeps its words and when to come again', async () => {
    const session = await authority(() => (_request, response) => {
      response.statusCode = 429;
      response.setHeader('retry-after', '3600');
      response.end(
        JSON.stringify({
          type: 'urn:ietf:params:acme:error:rateLimited',
          detail: 'too many certificates already issued',
          subproblems: [{ detail: 'for this name', identifier: { type: 'dns', value: 'a.example.com' } }],
        }),
      );
    });
    const signer = { ...(await signerOf(await newAccountKey(), '')), accountUrl: 'http://a/1' };
    const problem = await newOrder(session, signer, { names: ['a.example.com'], profile: '' }).then(
      () => undefined,
      (error: AcmeProblem) => error,
    );
    expect(problem).toMatchObject({
      issue: 'acme_rate_limited',
      detail: 'too many certificates already issued · a.example.com: for this name',
    });
    expect(problem!.retryAt!.getTime() - Date.now()).toBeGreaterThan(3_590_000);
  });

  it('a profile is named in the order, and left out where there is none', async () => {
    const payloads: unknown[] = [];
    const session = await authority((base) => (request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        const { payload } = JSON.parse(Buffer.concat(chunks).toString()) as { payload: string };
        payloads.push(JSON.parse(Buffer.from(payload, 'base64url').toString()));
        response.statusCode = 201;
        response.setHeader('replay-nonce', 'nonce').setHeader('location', `${base}/order/1`);
        response.end(JSON.stringify({ status: 'pending', authorizations: [], finalize: `${base}/end` }));
      });
    });
    const signer = { ...(await signerOf(await newAccountKey(), '')), accountUrl: 'http://a/1' };
    for (const profile of ['shortlived', ''])
      await newOrder(session, signer, { names: ['a.example.com'], profile });
    const identifiers = [{ type: 'dns', value: 'a.example.com' }];
    expect(payloads).toEqual([{ identifiers, profile: 'shortlived' }, { identifiers }]);
  });

  it('renewal information is asked for by key and serial number, and read as it stands', async () => {
    let asked = '';
    const [start, end] = ['2030-01-01T00:00:00Z', '2030-01-03T00:00:00Z'];
    const session = await authority(() => (request, response) => {
      asked = request.url!;
      response.setHeader('retry-after', '21600');
      response.end(
        JSON.stringify({ suggestedWindow: { start, end }, explanationURL: 'https://why.example/' }),
      );
    });
    const key = await newCertificateKey('ecdsa_p256');
    const real = sessionAt(bound);
    const signer = await signerOf(await newAccountKey(), '');
    const external = { keyId: 'kid-1', hmacKey: externalKey };
    const accountUrl = await registerAccount(real, signer, { ...plain, external });
    const chain = await obtain(real, { ...signer, accountUrl }, ['ari.example.com'], key);
    const id = renewalId(chain)!;
    const info = await readRenewalInfo(session, id, 0);
    expect(asked).toBe(`/renewal/${id}`);
    expect(info).toEqual({
      start: new Date(start),
      end: new Date(end),
      explanationUrl: 'https://why.example/',
      nextAt: new Date(21_600_000),
    });
    const [authorityKey, serial] = id
      .split('.')
      .map((part) => Buffer.from(part, 'base64url').toString('hex'));
    const leaf = new X509Certificate(chain);
    expect(BigInt(`0x${serial}`)).toBe(BigInt(`0x${leaf.serialNumber}`));
    const text = execFileSync('openssl', ['x509', '-noout', '-ext', 'authorityKeyIdentifier'], {
      input: chain,
      encoding: 'utf8',
    });
    expect(text.replaceAll(':', '').toLowerCase()).toContain(authorityKey);
    expect(await readRenewalInfo(real, id)).toBeUndefined();
  });
});

/** The example of RFC 9773 §4.1. */
it('the id of renewal information is that of the standard', () => {
  const certificate = `-----BEGIN CERTIFICATE-----
MIIBQzCB66ADAgECAgUAh2VDITAKBggqhkjOPQQDAjAVMRMwEQYDVQQDEwpFeGFt
cGxlIENBMCIYDzAwMDEwMTAxMDAwMDAwWhgPMDAwMTAxMDEwMDAwMDBaMBYxFDAS
BgNVBAMTC2V4YW1wbGUuY29tMFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAEeBZu
7cbpAYNXZLbbh8rNIzuOoqOOtmxA1v7cRm//AwyMwWxyHz4zfwmBhcSrf47NUAFf
qzLQ2PPQxdTXREYEnKMjMCEwHwYDVR0jBBgwFoAUaYhba4dGQEHhs3uEe6CuLN4B
yNQwCgYIKoZIzj0EAwIDRwAwRAIge09+S5TZAlw5tgtiVvuERV6cT4mfutXIlwTb
+FYN/8oCIClDsqBklhB9KAelFiYt9+6FDj3z4KGVelYM5MdsO3pK
-----END CERTIFICATE-----`;
  expect(renewalId(certificate)).toBe('aYhba4dGQEHhs3uEe6CuLN4ByNQ.AIdlQyE');
});

it('Retry-After is read in both forms, and never waits for more than a week', () => {
  expect(retryAtOf('120', 0)).toEqual(new Date(120_000));
  expect(retryAtOf('Thu, 01 Jan 1970 01:00:00 GMT', 0)).toEqual(new Date(3_600_000));
  expect(retryAtOf('99999999', 0)).toEqual(new Date(604_800_000));
  expect(retryAtOf('soon', 0)).toBeUndefined();
});
