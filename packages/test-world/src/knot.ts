import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { DnsHost } from './dns-host.ts';
import { freePorts } from './ports.ts';
import { waitFor } from './wait.ts';

/** A real Knot DNS with these zones, whose key may query, transfer and update them. */
export async function startKnot(
  zones: readonly string[],
): Promise<Pick<DnsHost, 'server' | 'tsig' | 'close'>> {
  const folder = await mkdtemp(join(tmpdir(), 'breakwater-knot-'));
  const [port] = await freePorts(1);
  const tsig = {
    name: 'update-key',
    algorithm: 'hmac-sha256',
    key: randomBytes(32).toString('base64'),
  } as const;
  for (const zone of zones) await writeFile(join(folder, `${zone}.zone`), zoneFile(zone));
  await writeFile(join(folder, 'knot.conf'), settings(folder, port!, tsig, zones));
  const server = spawn('/usr/sbin/knotd', ['-c', join(folder, 'knot.conf')], { stdio: 'ignore' });
  const close = async () => {
    if (server.exitCode === null && server.signalCode === null) {
      server.kill('SIGTERM');
      await once(server, 'exit');
    }
    await rm(folder, { recursive: true, force: true });
  };
  try {
    await waitFor('Knot DNS', () => isOpen(port!));
  } catch (error) {
    await close();
    throw error;
  }
  return { server: `127.0.0.1:${port}`, tsig, close };
}

const zoneFile = (zone: string): string => `$ORIGIN ${zone}.
@ 60 SOA ns host 1 3600 600 86400 60
@ 60 NS ns
ns 60 A 192.0.2.53
`;

const settings = (
  folder: string,
  port: number,
  { name, algorithm, key }: DnsHost['tsig'],
  zones: readonly string[],
): string => `
server:
    rundir: ${folder}
    listen: 127.0.0.1@${port}
    udp-workers: 1
    tcp-workers: 2
    background-workers: 1
database:
    storage: ${folder}
key:
  - id: ${name}
    algorithm: ${algorithm}
    secret: ${key}
acl:
  - id: by-key
    key: ${name}
    action: [query, transfer, update]
template:
  - id: default
    storage: ${folder}
    file: "%s.zone"
    acl: by-key
zone:
${zones.map((zone) => `  - domain: ${zone}\n`).join('')}`;

function isOpen(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    socket.on('connect', () => resolve(true)).on('error', () => resolve(false));
    socket.on('connect', () => socket.destroy());
  });
}
