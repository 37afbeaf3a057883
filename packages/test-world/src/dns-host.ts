import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { freePorts } from './ports.ts';
import { waitFor } from './wait.ts';

const schemaFile = '/usr/share/pdns-backend-sqlite3/schema/schema.sqlite3.sql';

/** A DNS host as operators run one: its API, and DNS UPDATE by a TSIG key, on the loopback. */
export interface DnsHost {
  apiUrl: string;
  apiKey: string;
  /** Host and port of DNS. */
  server: string;
  tsig: { name: string; algorithm: 'hmac-sha256' | 'hmac-sha512'; key: string };
  /** What stands at a name from now on, as whoever has the zone writes it: names in values end with a dot. None: nothing. */
  write(zone: string, name: string, type: string, values: readonly string[]): Promise<void>;
  close(): Promise<void>;
}

/** A real PowerDNS with these zones, which the key may change; other zones are there, and it may not. */
export async function startDnsHost(
  zones: readonly string[],
  {
    algorithm = 'hmac-sha256',
    others = [],
  }: { algorithm?: DnsHost['tsig']['algorithm']; others?: string[] } = {},
): Promise<DnsHost> {
  const folder = await mkdtemp(join(tmpdir(), 'breakwater-dns-host-'));
  const [port, apiPort] = await freePorts(2);
  const tsig = { name: 'update-key', algorithm, key: randomBytes(32).toString('base64') };
  const file = join(folder, 'zones.db');
  fill(file, await readFile(schemaFile, 'utf8'), { zones, others, tsig });
  const apiKey = randomBytes(12).toString('hex');
  const settings = {
    launch: 'gsqlite3',
    'gsqlite3-database': file,
    'local-address': '127.0.0.1',
    'local-port': String(port),
    'socket-dir': folder,
    daemon: 'no',
    guardian: 'no',
    api: 'yes',
    'api-key': apiKey,
    webserver: 'yes',
    'webserver-address': '127.0.0.1',
    'webserver-port': String(apiPort),
    dnsupdate: 'yes',
    'allow-dnsupdate-from': '127.0.0.0/8',
    'disable-axfr': 'no',
    // By the key alone.
    'allow-axfr-ips': '',
    'cache-ttl': '0',
    'query-cache-ttl': '0',
    'negquery-cache-ttl': '0',
    'zone-cache-refresh-interval': '0',
    'receiver-threads': '1',
    'distributor-threads': '1',
  };
  const options = Object.entries(settings).map(([name, value]) => `--${name}=${value}`);
  const server = spawn('/usr/sbin/pdns_server', ['--no-config', ...options], { stdio: 'ignore' });
  const close = async () => {
    if (server.exitCode === null && server.signalCode === null) {
      server.kill('SIGTERM');
      await once(server, 'exit');
    }
    await rm(folder, { recursive: true, force: true });
  };
  const apiUrl = `http://127.0.0.1:${apiPort}`;
  const answers = () =>
    fetch(`${apiUrl}/api/v1/servers/localhost`, { headers: { 'x-api-key': apiKey } }).then(
      ({ ok }) => ok,
      () => false,
    );
  try {
    await waitFor('the DNS host', answers);
  } catch (error) {
    await close();
    throw error;
  }
  const write: DnsHost['write'] = async (zone, name, type, values) => {
    const records = values.map((content) => ({ content, disabled: false }));
    const changetype = values.length > 0 ? 'REPLACE' : 'DELETE';
    const response = await fetch(`${apiUrl}/api/v1/servers/localhost/zones/${zone}.`, {
      method: 'PATCH',
      headers: { 'x-api-key': apiKey, 'content-type': 'application/json' },
      body: JSON.stringify({ rrsets: [{ name: `${name}.`, type, ttl: 0, changetype, records }] }),
    });
    if (!response.ok) throw new Error(`the DNS host answered ${response.status} ${await response.text()}`);
  };
  return { apiUrl, apiKey, server: `127.0.0.1:${port}`, tsig, write, close };
}

interface Content {
  zones: readonly string[];
  others: readonly string[];
  tsig: DnsHost['tsig'];
}

function fill(file: string, schema: string, { zones, others, tsig }: Content): void {
  const database = new DatabaseSync(file);
  database.exec(schema);
  database
    .prepare('INSERT INTO tsigkeys (name, algorithm, secret) VALUES (?, ?, ?)')
    .run(tsig.name, tsig.algorithm, tsig.key);
  for (const zone of [...zones, ...others]) {
    const { lastInsertRowid: id } = database
      .prepare("INSERT INTO domains (name, type) VALUES (?, 'NATIVE')")
      .run(zone);
    const record = database.prepare(
      'INSERT INTO records (domain_id, name, type, content, ttl, auth) VALUES (?, ?, ?, ?, 60, 1)',
    );
    record.run(id, zone, 'SOA', `ns.${zone} host.${zone} 1 3600 600 86400 60`);
    record.run(id, zone, 'NS', `ns.${zone}`);
    const keyName = zones.includes(zone) ? tsig.name : 'another-key';
    for (const kind of ['TSIG-ALLOW-DNSUPDATE', 'TSIG-ALLOW-AXFR'])
      database
        .prepare('INSERT INTO domainmetadata (domain_id, kind, content) VALUES (?, ?, ?)')
        .run(id, kind, keyName);
  }
  database.close();
}
