import { errors, type CheckedIpFile, type IpDataDocument, type IpDataPart } from '@breakwater/contract';
import { placeIn } from '@breakwater/policy/address/ip-data';
import { parseAddress } from '@breakwater/policy/address/ip';
import {
  exportSite,
  makeApiClient,
  makeCustomer,
  makeSite,
  startOrigin,
  startWorld,
  waitFor,
  type Answer,
  type Customer,
  type World,
} from '@breakwater/test-world';
import { and, eq, sql } from 'drizzle-orm';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { edgeDocument, ipSource } from '../../db/schema.ts';
import { placeFilesOf } from './ip-source.store.ts';
import { refreshDueFiles } from './ip-source.service.ts';
import { tableOf } from './ip-data.service.ts';
import { PlaceFinder } from './place-finder.ts';
import { makeMmdb } from './test-mmdb.ts';

let world: World;
beforeAll(async () => {
  world = await startWorld({ templateUrl: inject('templateUrl') });
});
afterAll(() => world.close());

/** As MaxMind says countries, GeoCN provinces and carriers, and DB-IP networks. */
const countries = (code: string) =>
  makeMmdb({
    '1.0.0.0/8': { country: { iso_code: code, names: { en: 'There' } } },
    '192.0.2.0/24': { country: { iso_code: 'FR' } },
    '2001:db8::/32': { country: { iso_code: 'DE' } },
  });
const regions = makeMmdb(
  {
    '1.2.0.0/16': { province: '内蒙古自治区', city: '包头市', isp: '中国电信' },
    '1.3.0.0/16': { province: '广东省' },
  },
  { database_type: 'GeoCN', description: 'provinces' },
);
const networks = makeMmdb({
  '1.0.0.0/8': { autonomous_system_number: 4134, autonomous_system_organization: 'Chinanet' },
  '2001:db8::/32': { asn: 'AS4200000001' },
});

const upload = async (
  bytes: Uint8Array,
  name = 'own.mmdb',
  language: 'zh' | 'en' = 'en',
): Promise<Answer<CheckedIpFile>> => {
  const api = makeApiClient(() => world.adminUrl, await tokenOf(), language);
  return api.call('uploadIpFile', { body: { file: new File([new Uint8Array(bytes)], name) } });
};
const tokenOf = async () => {
  const body = { username: 'admin', password: world.adminPassword };
  return (await world.anonymous.get('signInAdmin', { body })).token;
};
const partOf = async (part: IpDataPart) =>
  (await world.admin.get('getIpData', {})).parts.find((each) => each.part === part)!;
const use = async (part: IpDataPart, fileId: number, more: object = {}) =>
  world.admin.call('useIpFile', {
    params: { part },
    body: { file_id: fileId, replaces: (await partOf(part)).file_id, attribution: 'mine', ...more },
  });
const lookUp = (ip: string) => world.admin.get('lookUpAddress', { query: { ip } });

const remove = (part: IpDataPart, fileId: number) =>
  world.admin.call('removeIpFile', { params: { part }, query: { file_id: String(fileId) } });
const stale = { status: 409, code: errors.stale_version.code };

describe('a file of the operator’s', () => {
  it('is checked before it is used: what it says is shown, and nothing is changed', async () => {
    const { data } = await upload(countries('JP'), 'GeoLite2-Country.mmdb');
    expect(data).toMatchObject({
      name: 'GeoLite2-Country.mmdb',
      report: {
        database_type: 'Test',
        built_at: '2026-05-28T20:26:40.000Z',
        networks: 3,
        countries: 3,
        provinces: 0,
        asns: 0,
        parts: ['country'],
      },
    });
    expect(data.report.samples).toContainEqual({
      address: '1.0.0.0',
      country: 'JP',
      province: '',
      carrier: '',
      asn: null,
    });
    expect((await upload(regions)).data.report).toMatchObject({
      parts: ['region'],
      provinces: 2,
      carriers: 1,
    });
    expect((await upload(networks)).data.report).toMatchObject({ parts: ['asn'], asns: 2 });
    expect(await partOf('country')).toMatchObject({ source: 'shipped' });
    expect(await partOf('asn')).toMatchObject({ source: 'none' });
  });

  it('may come packed', async () => {
    const file = networks;
    expect((await upload(gzipSync(file))).data.bytes).toBe(file.length);
    const head = Buffer.alloc(512);
    head.write('GeoLite2-ASN_20260101/GeoLite2-ASN.mmdb', 0);
    head.write(file.length.toString(8).padStart(11, '0'), 124);
    head.write('ustar', 257);
    const archive = Buffer.concat([head, file, Buffer.alloc(512 - (file.length % 512) + 1024)]);
    expect((await upload(gzipSync(archive))).data.bytes).toBe(file.length);
  });

  it('is refused in the reader’s words where it is no such file, or says nothing that is known', async () => {
    expect(await upload(Buffer.from('no such file'))).toMatchObject({
      status: 400,
      errors: [{ path: 'file', message: 'Not a complete MaxMind DB (.mmdb) file' }],
    });
    expect(await upload(countries('JP').subarray(200), 'cut', 'zh')).toMatchObject({
      status: 400,
      errors: [{ path: 'file', message: '不是完整的 MaxMind DB（.mmdb）文件' }],
    });
    expect(await upload(makeMmdb({ '1.0.0.0/8': { weather: 'fair' } }))).toMatchObject({
      status: 400,
      errors: [{ path: 'file', message: expect.stringContaining('no recognized country') as string }],
    });
    const { data } = await upload(networks);
    expect(await use('country', data.file_id)).toMatchObject({
      status: 400,
      errors: [{ path: 'file_id', message: 'The file does not contain this kind of data' }],
    });
    expect(await use('country', 1_000_000)).toMatchObject({ status: 404 });
  });

  it('goes to the nodes as one document with a task, part by part, and is given up for what is shipped', async () => {
    const site = await makeSite(world.admin);
    const rules = [{ action: 'deny' as const, countries: ['kp'] }];
    const query = { site_id: site.id };
    await world.admin.get('updateAccessControl', { query, body: { version: 1, value: { rules } } });
    const tableAtNodes = async () => {
      const [row] = await world.server.services.db
        .select()
        .from(edgeDocument)
        .where(and(eq(edgeDocument.kind, 'ip_data'), eq(edgeDocument.key, 'ip')));
      return JSON.parse(row!.body) as IpDataDocument;
    };
    expect((await tableAtNodes()).asn).toBe(undefined);

    const first = await use('country', (await upload(countries('CN'))).data.file_id);
    const task = await world.admin.get('listTasks', { query: { type: 'ip_data_update' } });
    expect(task.list[0]).toMatchObject({ id: first.data.task_id, title: 'country' });
    await use('region', (await upload(regions)).data.file_id);
    await use('asn', (await upload(networks)).data.file_id);
    const document = await tableAtNodes();
    expect(placeIn(tableOf(document), parseAddress('1.2.3.4')!)).toEqual({
      country: 'CN',
      province: 'NM',
      carrier: 'telecom',
    });
    expect(document.asn).toBeDefined();
    expect(await lookUp('1.3.0.1')).toMatchObject({
      place: { country: 'CN', province: 'GD', carrier: '' },
      asn: 4134,
    });
    expect(await lookUp('2001:db8::7')).toMatchObject({ place: { country: 'DE' }, asn: 4_200_000_001 });
    expect(await lookUp('202.96.128.86')).toMatchObject({ place: { country: '' }, asn: null });
    expect(await partOf('region')).toMatchObject({
      source: 'file',
      attribution: 'mine',
      report: { database_type: 'GeoCN', description: 'provinces' },
    });

    // What the log says of visitors is of the same files.
    const { services } = world.server;
    const finder = new PlaceFinder(placeFilesOf(services.db, ''), services.log);
    await finder.refresh(0);
    expect(finder.placeOf('1.2.3.4')).toEqual({
      country: 'CN',
      province: 'NM',
      carrier: 'telecom',
      asn: 4134,
    });

    for (const part of ['country', 'region', 'asn'] as const)
      expect(await remove(part, (await partOf(part)).file_id!)).toMatchObject({ status: 200 });
    expect(await remove('asn', 1)).toMatchObject({ status: 404 });
    expect(await lookUp('202.96.128.86')).toMatchObject({
      place: { country: 'CN', province: 'GD', carrier: 'telecom' },
      asn: null,
    });
    expect(await finder.refresh(60_000)).toBe(true);
    expect(finder.placeOf('202.96.128.86').province).toBe('GD');
  });
});

describe('a part that two replace at once', () => {
  it('has the file of one of them, which nobody gives up unseen', async () => {
    const files = [await upload(countries('PE')), await upload(countries('CL'))].map(
      ({ data }) => data.file_id,
    );
    const { file_id: replaces } = await partOf('country');
    const answers = await Promise.all(files.map((file) => use('country', file, { replaces })));
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409]);
    expect(answers.find(({ status }) => status === 409)).toMatchObject(stale);
    const taken = files[answers.findIndex(({ status }) => status === 200)]!;
    const other = files.find((file) => file !== taken)!;
    expect(await partOf('country')).toMatchObject({ file_id: taken });
    expect(await remove('country', other)).toMatchObject(stale);
    expect(await remove('country', taken)).toMatchObject({ status: 200 });
  });

  it('keeps what is put in service while the one before is being fetched again', async () => {
    let onAsked = async () => {};
    const origin = await startOrigin((_request, response) => {
      void onAsked().then(() => response.end(countries('BR')));
    });
    try {
      const url = `http://127.0.0.1:${origin.port}/country.mmdb`;
      const checked = await world.admin.get('fetchIpFile', { body: { url } });
      await use('country', checked.file_id, { url, interval_seconds: 3600 });
      const { file_id: mine } = (await upload(countries('PE'))).data;
      onAsked = async () => void (await use('country', mine));
      expect(await world.admin.call('refreshIpFile', { params: { part: 'country' } })).toMatchObject(stale);
      expect(await partOf('country')).toMatchObject({ file_id: mine, source: 'file', last_error: '' });
      await remove('country', mine);
    } finally {
      await origin.close();
    }
  });
});

describe('a file from a URL', () => {
  it('is fetched again, and the last good copy stays where that fails', async () => {
    let answer: { status: number; body: Buffer } = { status: 200, body: countries('BR') };
    const origin = await startOrigin((_request, response) => {
      response.statusCode = answer.status;
      response.end(answer.body);
    });
    try {
      const url = `http://127.0.0.1:${origin.port}/country.mmdb`;
      const checked = await world.admin.get('fetchIpFile', { body: { url } });
      await use('country', checked.file_id, { url, interval_seconds: 3600 });
      expect(await lookUp('1.1.1.1')).toMatchObject({ place: { country: 'BR' } });
      const refresh = () => world.admin.get('refreshIpFile', { params: { part: 'country' } });

      answer = { status: 503, body: Buffer.from('later') };
      expect(await refresh()).toMatchObject({ last_error: 'The server returned status 503' });
      answer = { status: 200, body: Buffer.from('<html>') };
      expect(await refresh()).toMatchObject({ last_error: 'Not a complete MaxMind DB (.mmdb) file' });
      expect(await lookUp('1.1.1.1')).toMatchObject({ place: { country: 'BR' } });
      expect(await partOf('country')).toMatchObject({
        source: 'url',
        url,
        last_error: 'Not a complete MaxMind DB (.mmdb) file',
      });

      answer = { status: 200, body: countries('AR') };
      const { services } = world.server;
      expect(await refreshDueFiles(services)).toBe(0);
      await services.db.update(ipSource).set({ nextFetchAt: sql`now() - interval '1 second'` });
      expect(await refreshDueFiles(services)).toBe(1);
      await waitFor('the new file', async () => (await lookUp('1.1.1.1')).place.country === 'AR');
      expect(await partOf('country')).toMatchObject({ last_error: '' });
    } finally {
      await origin.close();
    }
    expect(await world.admin.call('fetchIpFile', { body: { url: 'http://127.0.0.1:1/x' } })).toMatchObject({
      status: 400,
      errors: [{ path: 'url', message: 'The URL cannot be reached' }],
    });
  });
});

describe('the first change that needs the table', () => {
  const withFreshWorld = async (test: (fresh: World, customer: Customer) => Promise<void>) => {
    const fresh = await startWorld({ templateUrl: inject('templateUrl'), worker: true });
    try {
      await test(fresh, await makeCustomer(fresh));
    } finally {
      await fresh.close();
    }
  };
  const section = { rules: [{ action: 'deny', countries: ['KP'] }] };
  const isThere = async ({ server: { services } }: World) =>
    (await services.db.select().from(edgeDocument).where(eq(edgeDocument.kind, 'ip_data'))).length > 0;

  it('locks nothing while it is built, for a site from a file', () =>
    withFreshWorld(async (fresh, { api }) => {
      const site = await makeSite(api);
      const file = await exportSite(api, site.id);
      const order: string[] = [];
      const importing = api
        .call('importSite', {
          params: { id: site.id },
          body: {
            version: 1,
            file: { ...file, sections: { access_control: section } },
            parts: ['access_control'],
          },
        })
        .then(({ status }) => order.push(`imported ${status}`));
      const other = await api.call('updateListenPort', {
        query: { site_id: site.id },
        body: { version: 1, value: { http_ports: [], https_ports: [] } },
      });
      order.push(`saved ${other.status}`);
      await importing;
      expect(order).toEqual(['saved 200', 'imported 200']);
      expect(await isThere(fresh)).toBe(true);
    }));

  it('is done where a batch brings it', () =>
    withFreshWorld(async (fresh, { api }) => {
      const sites = [await makeSite(api), await makeSite(api)];
      const { id } = await api.get('changeSitesSection', {
        body: {
          sites: { site_ids: sites.map((site) => site.id) },
          section: 'access_control',
          value: section,
          fields: ['rules'],
        },
      });
      const done = async () => (await api.get('getSiteBatch', { params: { id } })).done === 2;
      await waitFor('the batch', done, 30);
      expect(await isThere(fresh)).toBe(true);
    }));
});
