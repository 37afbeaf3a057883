import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { connect as connectTls } from 'node:tls';
import type { DocumentEnvelope } from '@breakwater/contract';
import { startEdge, type EdgeProcess } from '@breakwater/edge/process/edge-process';
import { Authority } from '@breakwater/test-world/authority';
import { startResponder } from '@breakwater/test-world/ocsp-responder';
import { freePorts } from '@breakwater/test-world/ports';
import { waitFor } from '@breakwater/test-world';
import pino from 'pino';
import { expect, it, onTestFinished } from 'vitest';
import { EdgeControl } from './edge-control.ts';
import { Stapler } from './staple.ts';
import { edgeOptions, siteDocument, temporaryFolder } from '../test-edge.ts';

const domain = 'site1.example.com';

async function startNode() {
  const edgeDir = await temporaryFolder();
  const options = await edgeOptions();
  const edge: EdgeProcess = await startEdge({ ...options, edgeDir });
  const control = new EdgeControl(edge.controlSocket);
  const warnings: string[] = [];
  const logger = pino({ level: 'warn' }, { write: (line: string) => void warnings.push(line) });
  const startStapler = async (privateAddresses = true) => {
    const ending = new AbortController();
    const stapler = new Stapler({ control, folder: join(edgeDir, 'ocsp'), logger, privateAddresses });
    await stapler.load();
    const running = stapler.run(ending.signal);
    const stop = async () => {
      ending.abort();
      await running;
    };
    onTestFinished(stop);
    return { stapler, stop };
  };
  onTestFinished(async () => {
    control.close();
    await edge.stop(0);
  });
  return { control, startStapler, warnings, port: options.httpsPorts[0]! };
}

function envelope(kind: DocumentEnvelope['kind'], key: string, document: object): DocumentEnvelope {
  const body = JSON.stringify(document);
  return {
    kind,
    key,
    revision: Date.now(),
    deleted: false,
    hash: createHash('sha256').update(body).digest('hex'),
    body,
  };
}

/** What the server staples to its certificate. */
function stapledTo(port: number): Promise<Buffer | null> {
  return new Promise((settle, refuse) => {
    const socket = connectTls({
      host: '127.0.0.1',
      port,
      servername: domain,
      rejectUnauthorized: false,
      requestOCSP: true,
    });
    socket.on('OCSPResponse', (answer: Buffer | null) => {
      settle(answer === null || answer.length === 0 ? null : answer);
      socket.destroy();
    });
    socket.on('error', refuse);
  });
}

/** What OpenSSL's own client makes of it. */
function openSslSays(port: number): Promise<string> {
  return new Promise((settle) => {
    const child = spawn('openssl', [
      's_client',
      '-connect',
      `127.0.0.1:${port}`,
      '-servername',
      domain,
      '-status',
    ]);
    let text = '';
    child.stdout.on('data', (chunk: Buffer) => (text += chunk.toString()));
    child.on('close', () => settle(text));
    child.stdin.end();
  });
}

it('staples what a real responder says, keeps it while that is down, and goes by the certificate', async () => {
  const authority = await Authority.make('Stapling authority');
  onTestFinished(() => authority.close());
  const [responderPort] = (await freePorts(1)) as [number];
  const responder = `http://127.0.0.1:${responderPort}/`;
  const { control, startStapler, warnings, port } = await startNode();
  const { stapler, stop } = await startStapler();
  const put = async (kind: DocumentEnvelope['kind'], key: string, document: object) => {
    const one = envelope(kind, key, document);
    expect(await control.apply([one])).toMatchObject([{ status: 'applied' }]);
    stapler.track(`${kind}/${key}`, one.body);
  };
  const issue = async () => {
    const { certificate, key } = await authority.issue([domain], { responder });
    return { certificate_id: 7, domains: [domain], certificate, private_key: key };
  };
  const first = await issue();
  const second = await issue();
  // It reads the list once, so it starts when all are issued.
  const working = await startResponder(authority, responderPort);
  onTestFinished(working.stop);
  await put('certificate', '7', first);
  await put('site', '1', siteDocument(1, { certificate_settings: { certificate_ids: [7] } }));
  expect(await stapledTo(port)).toBeNull();

  // The site inherits it; then it says so itself.
  await put('level', 'global', { level: 'global', certificate_settings: { ocsp_stapling: true } });
  await waitFor('the stapled answer', async () => (await stapledTo(port)) !== null);
  const settings = { certificate_ids: [7], ocsp_stapling: true };
  await put('level', 'global', { level: 'global' });
  await put('site', '1', siteDocument(1, { certificate_settings: settings }));
  await waitFor('the stapled answer', async () => (await stapledTo(port)) !== null);
  expect(await openSslSays(port)).toMatch(/OCSP Response Status: successful[^]*Cert Status: good/);
  expect(warnings).toEqual([]);

  // The agent starts again while the responder is down, and nginx is told what is on disk.
  await stop();
  await working.stop();
  const next = await startStapler();
  next.stapler.track('site/1', JSON.stringify(siteDocument(1, { certificate_settings: settings })));
  await next.stapler.tellAgain();
  expect(await stapledTo(port)).not.toBeNull();

  // What was said of the one certificate is not said of the next.
  const renewed = envelope('certificate', '7', second);
  await control.apply([renewed]);
  expect(await stapledTo(port)).toBeNull();
  next.stapler.track('certificate/7', renewed.body);
  await waitFor('the warning', async () => warnings.some((line) => line.includes('ECONNREFUSED')));
  onTestFinished((await startResponder(authority, responderPort)).stop);
  next.stapler.track('certificate/7', renewed.body);
  await waitFor('the new answer', async () => (await stapledTo(port)) !== null);
});

it('takes no answer that is not good, and asks nobody at a private address unless told to', async () => {
  const authority = await Authority.make('Honest');
  const liar = await Authority.make('Liar');
  onTestFinished(async () => {
    await authority.close();
    await liar.close();
  });
  const [liarPort, listenerPort] = (await freePorts(2)) as [number, number];
  const { control, startStapler, warnings, port } = await startNode();
  await liar.issue([domain]);
  onTestFinished((await startResponder(liar, liarPort)).stop);
  const issued = await authority.issue([domain], { responder: `http://127.0.0.1:${liarPort}/` });
  const document = {
    certificate_id: 7,
    domains: [domain],
    certificate: issued.certificate,
    private_key: issued.key,
  };
  const site = siteDocument(1, { certificate_settings: { certificate_ids: [7], ocsp_stapling: true } });
  await control.apply([envelope('certificate', '7', document), envelope('site', '1', site)]);
  const { stapler, stop } = await startStapler();
  stapler.track('site/1', JSON.stringify(site));
  await waitFor('the refusal', async () => warnings.some((line) => line.includes('no good OCSP answer')));
  expect(await stapledTo(port)).toBeNull();
  await stop();

  let asked = 0;
  const listener = createServer((_request, response) => {
    asked += 1;
    response.end();
  });
  await new Promise<void>((settle) => listener.listen(listenerPort, '127.0.0.1', settle));
  onTestFinished(() => void listener.close());
  const inward = await authority.issue([domain], { responder: `http://localhost:${listenerPort}/` });
  const other = { ...document, certificate: inward.certificate, private_key: inward.key };
  await control.apply([envelope('certificate', '7', other)]);
  const careful = await startStapler(false);
  careful.stapler.track('site/1', JSON.stringify(site));
  await waitFor('the refusal to ask', async () => warnings.some((line) => line.includes('private address')));
  await delay(50);
  expect(asked).toBe(0);
});
