import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { request } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Authority } from './authority.ts';
import { freePorts } from './ports.ts';
import { waitFor } from './wait.ts';

export interface PebbleOptions {
  /** Where it looks for answers of http-01. */
  httpPort: number;
  /** Whom it asks for names: address and port. */
  dnsServer: string;
  /** Of good nonces so many percent are refused; a twentieth, as by itself, unless said. */
  nonceReject?: number;
  /** It looks for an answer after up to so many seconds. Absent: at once. */
  sleepSeconds?: number;
  /** Authorizations that are good it takes again, so many percent; none unless said. */
  reuse?: number;
  /** How long what it issues is good; five years unless said. */
  validityDays?: number;
  /** Accounts are bound to these keys (base64url) by their ids. */
  externalKeys?: Readonly<Record<string, string>>;
}

/** Let's Encrypt's test authority: it keeps nothing over a restart, and makes new keys. */
export interface Pebble {
  directoryUrl: string;
  /** By whom its own HTTPS is trusted, PEM. */
  ca: string;
  /** By whom what it issues is trusted, PEM. */
  root(): Promise<string>;
  /** What it says of a certificate by its serial number in hex. */
  statusOf(serial: string): Promise<string>;
  /** Ends it; `start` begins another at the same place. */
  stop(): Promise<void>;
  start(): Promise<void>;
  close(): Promise<void>;
}

export async function startPebble(options: PebbleOptions): Promise<Pebble> {
  const folder = await mkdtemp(join(tmpdir(), 'breakwater-pebble-'));
  const authority = await Authority.make('Pebble listener');
  const pair = await authority.issue(['127.0.0.1']);
  const [port, managementPort] = (await freePorts(2)) as [number, number];
  await writeFile(join(folder, 'cert.pem'), pair.certificate);
  await writeFile(join(folder, 'key.pem'), pair.key);
  const { httpPort, externalKeys, validityDays } = options;
  const config = {
    listenAddress: `127.0.0.1:${port}`,
    managementListenAddress: `127.0.0.1:${managementPort}`,
    certificate: join(folder, 'cert.pem'),
    privateKey: join(folder, 'key.pem'),
    httpPort,
    tlsPort: 1,
    ocspResponderURL: '',
    ...(validityDays === undefined ? {} : { certificateValidityPeriod: validityDays * 86_400 }),
    externalAccountBindingRequired: externalKeys !== undefined,
    ...(externalKeys ? { externalAccountMACKeys: externalKeys } : {}),
  };
  await writeFile(join(folder, 'config.json'), JSON.stringify({ pebble: config }));
  const ca = authority.certificate;
  const get = (path: string) => textOf(`https://127.0.0.1:${managementPort}${path}`, ca);
  let running: ReturnType<typeof spawn> | undefined;
  const start = async () => {
    running = spawn(
      '/usr/bin/pebble',
      ['-config', join(folder, 'config.json'), '-dnsserver', options.dnsServer],
      {
        stdio: 'ignore',
        env: { ...process.env, ...environment(options) },
      },
    );
    await waitFor('pebble', () => get('/roots/0').then((text) => text.includes('BEGIN CERTIFICATE')));
  };
  const stop = async () => {
    if (running?.exitCode === null && running.signalCode === null) {
      running.kill('SIGTERM');
      await once(running, 'exit');
    }
  };
  const close = async () => {
    await stop();
    await authority.close();
    await rm(folder, { recursive: true, force: true });
  };
  try {
    await start();
  } catch (error) {
    await close();
    throw error;
  }
  const directoryUrl = `https://127.0.0.1:${port}/dir`;
  const statusOf = async (serial: string) =>
    (JSON.parse(await get(`/cert-status-by-serial/${serial}`)) as { Status: string }).Status;
  return { directoryUrl, ca, root: () => get('/roots/0'), statusOf, start, stop, close };
}

const environment = ({ nonceReject = 5, sleepSeconds, reuse = 0 }: PebbleOptions) => ({
  PEBBLE_WFE_NONCEREJECT: String(nonceReject),
  PEBBLE_AUTHZREUSE: String(reuse),
  ...(sleepSeconds === undefined
    ? { PEBBLE_VA_NOSLEEP: '1' }
    : { PEBBLE_VA_SLEEPTIME: String(sleepSeconds) }),
});

function textOf(url: string, ca: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const call = request(url, { ca, agent: false }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('error', reject);
      response.on('end', () => resolve(Buffer.concat(chunks).toString()));
    });
    call.on('error', reject);
    call.end();
  });
}
