import { startVendorServer, type VendorServer } from '@breakwater/test-world';
import { spawn, type ChildProcess } from 'node:child_process';
import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { providers } from '../registry.ts';
import type { DnsClient } from './dns-client.ts';
import { problem, reach } from './test-vendor.ts';

/** On the example server of the documents, as an operator would run it. */

const secret = 'a secret of at least sixteen';
const example = fileURLToPath(new URL('../../../../../docs/examples/dns-server.ts', import.meta.url));
const zone = 'example.com';
let server: ChildProcess;
let url: string;

beforeAll(async () => {
  const zones = [...Array.from({ length: 501 }, (_, n) => `zone-${n}.example`), zone].join(',');
  server = spawn(process.execPath, [example], {
    env: { SECRET: secret, ZONES: zones, PORT: '0' },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [line] = (await once(server.stdout!, 'data')) as [Buffer];
  url = line.toString().trim();
});
afterAll(async () => {
  if (server.exitCode === null) {
    server.kill();
    await once(server, 'exit');
  }
});

const make = (of = secret, at = url): DnsClient =>
  providers.dns.custom_http.make({ url: at, secret: of }, { reach });

describe('an address of the operator', () => {
  it('lists zones and records page by page', async () => {
    expect(await make().zones()).toHaveLength(502);
    const sets = Array.from({ length: 501 }, (_, n) => ({
      name: `n${n}.${zone}`,
      type: 'A' as const,
      ttl: 60,
      values: ['192.0.2.1'],
    }));
    await make().apply(zone, sets);
    expect(await make().list(zone)).toHaveLength(501);
    await make().apply(
      zone,
      sets.map((set) => ({ ...set, values: [] })),
    );
    expect(await make().list(zone)).toEqual([]);
  });

  it.each([
    ['A', ['192.0.2.1', '192.0.2.2']],
    ['MX', ['10 mail.example.com.']],
    ['TXT', ['"one text"', String.raw`"with \"quotes\"" "and a second part"`]],
    ['SRV', ['10 20 443 target.example.com.']],
    ['CAA', ['0 issue "letsencrypt.org"']],
  ] as const)('sets, reads and deletes %s', async (type, values) => {
    const name = `${type.toLowerCase()}.${zone}`;
    await make().set(zone, { name, type, ttl: 60, values: [...values] });
    await make().set(zone, { name, type, ttl: 60, values: [...values] });
    expect(await make().read(zone, name, type)).toEqual({ name, type, ttl: 60, values });
    await make().remove(zone, name, type);
    await make().remove(zone, name, type);
    expect(await make().read(zone, name, type)).toBeUndefined();
  });

  it('keeps lines apart', async () => {
    const set = { name: zone, type: 'A' as const, ttl: 60 };
    await make().set(zone, { ...set, values: ['192.0.2.1'] });
    await make().set(zone, { ...set, line: 'telecom', values: ['192.0.2.2'] });
    await make().remove(zone, zone, 'A');
    expect(await make().list(zone)).toEqual([{ ...set, line: 'telecom', values: ['192.0.2.2'] }]);
  });

  it('says what the address says: another key, another zone', async () => {
    await expect(make('another secret of sixteen').zones()).rejects.toEqual(problem('provider_key'));
    await expect(make().list('nobody.example')).rejects.toEqual(problem('dns_zone_unknown'));
  });
});

describe('what is sent', () => {
  let listener: VendorServer;
  beforeAll(async () => {
    listener = await startVendorServer(() => ({ body: { zones: [zone] } }));
  });
  afterAll(() => listener.close());

  it('is signed with the time and a number that is used once', async () => {
    await make(secret, listener.url).zones();
    await make(secret, listener.url).zones();
    const [first, second] = listener.requests.map(({ headers, body }) => {
      const field = (name: string) => String(headers[`x-breakwater-${name}`]);
      const text = `${field('timestamp')}\n${field('nonce')}\n${body}`;
      expect(field('signature')).toBe(createHmac('sha256', secret).update(text).digest('hex'));
      expect(Math.abs(Date.now() / 1000 - Number(field('timestamp')))).toBeLessThan(60);
      return field('nonce');
    });
    expect(first).not.toBe(second);
    expect(JSON.parse(listener.requests[0]!.body)).toEqual({ action: 'list_zones' });
  });

  it('is not taken twice by the example', async () => {
    await make(secret, listener.url).zones();
    const { headers, body } = listener.requests.at(-1)!;
    const send = () =>
      fetch(url, {
        method: 'POST',
        body,
        headers: Object.fromEntries(
          ['timestamp', 'nonce', 'signature'].map((name) => [
            `x-breakwater-${name}`,
            String(headers[`x-breakwater-${name}`]),
          ]),
        ),
      });
    expect([(await send()).status, (await send()).status]).toEqual([200, 401]);
  });
});
