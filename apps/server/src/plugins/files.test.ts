import { ipFileBytesMax, routes, type RouteSpec } from '@breakwater/contract';
import {
  exportSite,
  makeApiClient,
  makeSite,
  startWorld,
  unique,
  waitFor,
  type World,
} from '@breakwater/test-world';
import { readdir, readlink } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { ipFile, operationLog, site as siteTable } from '../db/schema.ts';
import { makeMmdb } from '../modules/ip-data/test-mmdb.ts';

/** Forms with files, and answers that are files, through the real listener. */

let world: World;
let token: string;

beforeAll(async () => {
  world = await startWorld({ templateUrl: inject('templateUrl') });
  const body = { username: 'admin', password: world.adminPassword };
  ({ token } = await world.anonymous.get('signInAdmin', { body }));
});
afterAll(() => world.close());

const path = '/prod-api/ip_data/file';
const good = makeMmdb({ '192.0.2.0/24': { country: { iso_code: 'JP' } } });
const formOf = (...parts: [name: string, value: string | File][]): FormData => {
  const form = new FormData();
  for (const [name, value] of parts) form.append(name, value);
  return form;
};
const fileOf = (content: string | Uint8Array<ArrayBuffer>, name = 'x.mmdb') => new File([content], name);
/** What this process still holds of files that arrived: they have no name, and their handles say so. */
async function held(): Promise<string[]> {
  const links = await Promise.all(
    (await readdir('/proc/self/fd')).map((fd) => readlink(join('/proc/self/fd', fd)).catch(() => '')),
  );
  const { dataDir } = world.server.services.config;
  return links.filter((link) => link.startsWith(join(dataDir, 'uploads')));
}

describe('a form with a file', () => {
  it('is known by what it holds, whatever its name and its stated type say', async () => {
    const named = await world.admin.send(
      'POST',
      path,
      formOf(['file', fileOf(new Uint8Array(good), 'photo.png')]),
    );
    expect(named).toMatchObject({ status: 200, data: { name: 'photo.png' } });
    const other = await world.admin.send('POST', path, formOf(['file', fileOf('<svg/>', 'country.mmdb')]));
    expect(other).toMatchObject({
      status: 400,
      errors: [{ path: 'file', message: 'Not a complete MaxMind DB (.mmdb) file' }],
    });
    expect(await held()).toEqual([]);
  });

  it('says which field is missing, unknown, sent twice, or no file', async () => {
    const file = fileOf(new Uint8Array(good));
    const tries: [FormData, string][] = [
      [formOf(), 'file'],
      [formOf(['other', file]), 'other'],
      [formOf(['file', file], ['more', '1']), 'more'],
      [formOf(['file', 'a text']), 'file'],
    ];
    for (const [form, field] of tries)
      expect(await world.admin.send('POST', path, form), field).toMatchObject({
        status: 400,
        code: 40_000,
        errors: [{ path: field }],
      });
    expect((await world.admin.send('POST', path, formOf(['file', file], ['file', file]))).status).toBe(400);
    expect(await held()).toEqual([]);
  });

  it('over the limit is refused at its field, in both languages', async () => {
    const file = fileOf('{'.padEnd(1024 * 1024 + 1), 'site.json');
    for (const [language, message] of [
      ['zh', '文件过大，最大 1024 KB'],
      ['en', 'The file is too large (maximum 1024 KB)'],
    ] as const) {
      const api = makeApiClient(() => world.adminUrl, token, language);
      const answer = await api.send('POST', '/prod-api/site/import', formOf(['file', file]));
      expect(answer).toMatchObject({ status: 413, code: 41_300, errors: [{ path: 'file', message }] });
    }
    expect(await held()).toEqual([]);
  });

  it('has its other fields within a limit of their own, and texts as numbers where these are meant', async () => {
    const site = await makeSite(world.admin);
    const file = { ...(await exportSite(world.admin, site.id)), domains: [`${unique('b')}.example.com`] };
    const json = new Blob([JSON.stringify(file)]);
    const form = formOf(['order_id', '0'], ['file', new File([json], 'site.json')]);
    expect(await world.admin.send('POST', '/prod-api/site/import', form)).toMatchObject({
      status: 400,
      errors: [{ path: 'order_id', message: 'Below the minimum' }],
    });
    const long = formOf(['file', new File([json], 'site.json')], ['order_id', '1'.repeat(70_000)]);
    expect((await world.admin.send('POST', '/prod-api/site/import', long)).status).toBe(413);
  });

  it('that is no JSON, or nested without end, or names a prototype is refused', async () => {
    for (const text of ['{', `{"a":${'['.repeat(20_000)}`, '{"__proto__":{"x":1}}'])
      expect(
        await world.admin.send('POST', '/prod-api/site/import', formOf(['file', fileOf(text)])),
        text.slice(0, 20),
      ).toMatchObject({ status: 400, errors: [{ path: 'file' }] });
  });

  it('does its work once under an Idempotency-Key, and another file under it is refused', async () => {
    const source = await makeSite(world.admin);
    const file = { ...(await exportSite(world.admin, source.id)), domains: [`${unique('o')}.example.com`] };
    const send = (value: object) =>
      world.admin.send('POST', '/prod-api/site/import', formOf(['file', fileOf(JSON.stringify(value))]), {
        'idempotency-key': 'one',
      });
    const before = await world.server.services.db.$count(siteTable);
    const first = await send(file);
    expect(first.status).toBe(200);
    expect((await send(file)).data).toEqual(first.data);
    expect(await send({ ...file, domains: ['other.example.com'] })).toMatchObject({ code: 40_906 });
    expect(await world.server.services.db.$count(siteTable)).toBe(before + 1);
  });

  it('is read from nobody who may not call: the answer comes before the file', async () => {
    const { hostname, port } = new URL(world.adminUrl);
    const answer = await new Promise<string>((resolve, reject) => {
      const socket = connect(Number(port), hostname);
      let text = '';
      socket.on('data', (chunk) => (text += chunk.toString()));
      socket.on('error', reject);
      socket.on('close', () => resolve(text));
      socket.setTimeout(300, () => socket.destroy());
      socket.write(headOf(path, 'nobody'));
    });
    expect(answer).toContain('HTTP/1.1 401');
    expect(await held()).toEqual([]);
  });

  it('that breaks off leaves nothing', async () => {
    const { db } = world.server.services;
    const before = await db.$count(ipFile);
    const { hostname, port } = new URL(world.adminUrl);
    const socket = connect(Number(port), hostname);
    socket.write(headOf(path, token));
    socket.write('--x\r\nContent-Disposition: form-data; name="file"; filename="a"\r\n\r\n');
    socket.write(good.subarray(0, 100));
    await waitFor('the file to arrive', async () => (await held()).length > 0);
    expect(await readdir(join(world.server.services.config.dataDir, 'uploads'))).toEqual([]);
    socket.destroy();
    await waitFor('the file to be given up', async () => (await held()).length === 0);
    expect(await db.$count(ipFile)).toBe(before);
  });

  it('is not taken by a call that takes none, nor JSON by one that takes forms', async () => {
    expect((await world.admin.send('POST', '/prod-api/area', formOf(['name', 'x']))).status).toBe(415);
    expect((await world.admin.send('POST', path, { file: 'x' })).status).toBe(415);
  });

  it('stands in the operation log without its bytes', async () => {
    const name = `${unique('log')}.mmdb`;
    await world.admin.send('POST', path, formOf(['file', fileOf(new Uint8Array(good), name)]));
    const rows = await world.server.services.db.select().from(operationLog);
    expect(rows.find(({ requestBody }) => requestBody.includes(name))?.requestBody).toBe(
      JSON.stringify({ file: { name } }),
    );
  });
});

describe('an answer that is a file', () => {
  it('says its name in any language, and no browser guesses what it is', async () => {
    const domain = `${unique('www')}.中文.example.com`;
    const made = await makeSite(world.admin, { domain });
    const response = await fetch(`${world.adminUrl}/prod-api/site/${made.id}/export_config`, {
      headers: { authorization: `Bearer ${token}` },
    });
    expect(response.headers.get('content-disposition')).toMatch(
      /^attachment; filename="[\w.-]+"; filename\*=UTF-8''/,
    );
    expect(response.headers.get('x-content-type-options')).toBe('nosniff');
    expect(response.headers.get('cache-control')).toBe('no-store');
    await response.arrayBuffer();
  });

  it('is an envelope where it fails', async () => {
    const answer = await world.admin.call('exportSite', { params: { id: 1_000_000 } });
    expect(answer).toMatchObject({ status: 404, code: 40_400 });
  });
});

it('the description shows files up and down', async () => {
  const { paths } = (await (await fetch(`${world.adminUrl}/openapi.json`)).json()) as {
    paths: Record<string, Record<string, Record<string, unknown>>>;
  };
  expect(paths[path]!['post']!['requestBody']).toMatchObject({
    content: {
      'multipart/form-data': {
        schema: {
          properties: {
            file: {
              contentMediaType: 'application/octet-stream',
              description: `A file (mmdb, gzip) of at most ${ipFileBytesMax} bytes.`,
            },
          },
        },
      },
    },
  });
  const spec: RouteSpec = routes.exportSites;
  expect(paths[spec.path]!['get']!['responses']).toMatchObject({
    '200': { content: { 'application/jsonl': {} } },
  });
});

const headOf = (target: string, bearer: string): string =>
  `POST ${target} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${bearer}\r\n` +
  'Content-Type: multipart/form-data; boundary=x\r\nContent-Length: 1000000\r\n\r\n';
