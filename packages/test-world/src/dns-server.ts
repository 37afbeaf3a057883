import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { Resolver } from 'node:dns/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { freePorts } from './ports.ts';
import { waitFor } from './wait.ts';

export interface DnsServer {
  /** As the setting of the platform takes it. */
  readonly address: string;
  /** What its zone holds from now on, as lines of a zone file. */
  write(records: readonly string[]): Promise<void>;
  close(): Promise<void>;
}

/** A zone whose file is missing: questions for it fail at the server. */
export const brokenZone = 'broken.test';

/**
 * A real PowerDNS on the loopback that answers for one zone. Its answers may be kept for no time, so that a change is
 * seen by the next question.
 */
export async function startDnsServer(
  zone: string,
  records: readonly string[] = [],
  /** More zones, as they stay. One without records has no file. */
  others: Readonly<Record<string, readonly string[]>> = {},
): Promise<DnsServer> {
  const folder = await mkdtemp(join(tmpdir(), 'breakwater-dns-'));
  const [port] = await freePorts(1);
  let serial = 0;
  const writeFileOf = (name: string, of: string, lines: readonly string[]) => {
    serial += 1;
    const head = ['$TTL 0', `@ IN SOA ns.${of}. host.${of}. ${serial} 60 60 60 0`, `@ IN NS ns.${of}.`];
    return writeFile(join(folder, name), `$ORIGIN ${of}.\n${[...head, ...lines].join('\n')}\n`);
  };
  const writeZone = (lines: readonly string[]) => writeFileOf('zone', zone, lines);
  await writeZone(records);
  const more = { ...others, [brokenZone]: [] };
  for (const [name, lines] of Object.entries(more))
    if (lines.length > 0) await writeFileOf(name, name, lines);
  await writeFile(
    join(folder, 'zones.conf'),
    [[zone, 'zone'], ...Object.keys(more).map((name) => [name, name])]
      .map(([name, file]) => `zone "${name}" { type master; file "${folder}/${file}"; };\n`)
      .join(''),
  );
  const settings = {
    launch: 'bind',
    'bind-config': join(folder, 'zones.conf'),
    'local-address': '127.0.0.1',
    'local-port': String(port),
    'socket-dir': folder,
    daemon: 'no',
    guardian: 'no',
    'cache-ttl': '0',
    'query-cache-ttl': '0',
    'negquery-cache-ttl': '0',
    'receiver-threads': '1',
    'distributor-threads': '1',
  };
  const options = Object.entries(settings).map(([name, value]) => `--${name}=${value}`);
  const server = spawn('/usr/sbin/pdns_server', ['--no-config', ...options], { stdio: 'ignore' });
  const address = `127.0.0.1:${port}`;
  const close = async () => {
    if (server.exitCode === null && server.signalCode === null) {
      server.kill('SIGTERM');
      await once(server, 'exit');
    }
    await rm(folder, { recursive: true, force: true });
  };
  try {
    await waitFor('the DNS server', () => answers(address, zone));
  } catch (error) {
    await close();
    throw error;
  }
  return {
    address,
    close,
    write: async (lines) => {
      await writeZone(lines);
      await promisify(execFile)('pdns_control', [
        '--no-config',
        `--socket-dir=${folder}`,
        'bind-reload-now',
        zone,
      ]);
    },
  };
}

async function answers(address: string, zone: string): Promise<boolean> {
  const resolver = new Resolver({ timeout: 300, tries: 1 });
  resolver.setServers([address]);
  return (await resolver.resolveSoa(zone)).nsname !== '';
}
