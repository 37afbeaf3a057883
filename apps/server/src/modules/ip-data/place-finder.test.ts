import { parseAddress } from '@breakwater/policy/address/ip';
import { placeIn, readPlaces, type IpTable } from '@breakwater/policy/address/ip-data';
import pino from 'pino';
import { copyFile, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { buildIpData } from './ip-data-build.ts';
import { countryFile } from './ip-data-files.ts';
import { sourcesFrom, type PlaceFiles } from './ip-source.store.ts';
import { readMmdb } from './mmdb.ts';
import { PlaceFinder } from './place-finder.ts';
import { makeMmdb } from './test-mmdb.ts';

/** With nothing in the database. */
const filesAt = (path: string): PlaceFiles => ({
  read: () => sourcesFrom({}, path),
  load: async ({ countryPath }) => (countryPath === '' ? {} : { country: countryPath }),
});
const log = pino({ level: 'silent' });
let table: IpTable;
let finder: PlaceFinder;
let folder: string;
beforeAll(async () => {
  const bytes = (base64: string) => Buffer.from(base64, 'base64').toString('latin1');
  const data = await buildIpData({});
  table = {
    v4: bytes(data.v4),
    v4Places: bytes(data.v4_places),
    v6: bytes(data.v6),
    v6Places: bytes(data.v6_places),
    places: readPlaces(data.places),
  };
  finder = new PlaceFinder(filesAt(''), log);
  await finder.refresh(0);
  folder = await mkdtemp(join(tmpdir(), 'breakwater-places-'));
});
afterAll(() => rm(folder, { recursive: true }));

test('says of addresses all over the world what the table of the nodes says', () => {
  const v4 = Array.from({ length: 20_000 }, (_, index) => (index * 214_748 + 7) % 2 ** 32).map((value) =>
    [value >>> 24, (value >> 16) & 255, (value >> 8) & 255, value & 255].join('.'),
  );
  const v6 = Array.from(
    { length: 4000 },
    (_, index) => `2${(index * 7919).toString(16).padStart(6, '0').slice(-6, -3)}:${index.toString(16)}::1`,
  );
  const wrong = [...v4, ...v6].filter((text) => {
    const wanted = placeIn(table, parseAddress(text)!) ?? { country: '', province: '', carrier: '' };
    return JSON.stringify(finder.placeOf(text)) !== JSON.stringify({ ...wanted, asn: 0 });
  });
  expect(wrong).toEqual([]);
  expect(finder.placeOf('202.96.128.86')).toEqual({
    country: 'CN',
    province: 'GD',
    carrier: 'telecom',
    asn: 0,
  });
  expect(finder.placeOf('2001:4860:4860::8888').country).toBe('US');
});

test.each(['', 'unix:', '1.2.3', '10.0.0.1', '::1', '198.51.100.0/24'])('%s is nowhere', (text) => {
  expect(finder.placeOf(text)).toEqual({ country: '', province: '', carrier: '', asn: 0 });
});

test("an operator's file is taken when it comes and when it changes; a broken one changes nothing", async () => {
  const path = join(folder, 'own.mmdb');
  const own = new PlaceFinder(filesAt(path), log);
  await own.refresh(0);
  expect(own.placeOf('8.8.8.8').country).toBe('US');
  await writeFile(path, 'no such file');
  expect(await own.refresh(60_000)).toBe(false);
  expect(own.placeOf('8.8.8.8').country).toBe('US');
  await copyFile(countryFile(), path);
  expect(await own.refresh(100_000)).toBe(false);
  expect(await own.refresh(120_000)).toBe(true);
  await rm(path);
  expect(await own.refresh(180_000)).toBe(false);
  expect(own.placeOf('8.8.8.8').country).toBe('US');
});

test('a file whose tree runs in circles is left alone', () => {
  const circle = makeMmdb({ '2001:db8::/32': { country: { iso_code: 'DE' } } });
  const whole = [...readMmdb(circle)].filter(({ value }) => Object.keys(value).length > 0);
  expect(whole.length).toBe(1);
  // The sixth node leads to itself.
  circle.writeUInt32BE(5, 40);
  circle.writeUInt32BE(5, 44);
  expect(() => [...readMmdb(circle)]).toThrow('runs in circles');
});
