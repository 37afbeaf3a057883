import { fieldNamesOf, routes } from '@breakwater/contract';
import { makeCustomer, makeNode, startWorld, trySetting, unique, type World } from '@breakwater/test-world';
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { mask } from './operation-log-mask.ts';

let world: World;
beforeAll(async () => {
  world = await startWorld({ templateUrl: inject('templateUrl') });
});
afterAll(() => world.close());

describe('the operation log', () => {
  it('has every changing call when its answer arrives: who, what, what came of it', async () => {
    const name = unique('Area');
    const answer = await world.admin.call('createArea', { body: { name } });
    const { list } = await world.admin.get('listOperationLogs', {
      query: { request_id: answer.headers.get('x-request-id')! },
    });
    expect(list).toHaveLength(1);
    expect(list[0]).toMatchObject({
      user_type: 'admin',
      user_name: 'admin',
      method: 'POST',
      path: '/prod-api/area',
      status: 200,
      ip: '127.0.0.1',
    });
    expect(JSON.parse(list[0]!.request_body)).toEqual({ name });
    expect(JSON.parse(list[0]!.response_body)).toMatchObject({ code: 0 });
  });

  it('has what failed, and what a customer did', async () => {
    const customer = await makeCustomer(world);
    await customer.api.call('removeSite', { params: { id: 999_999 } });
    const { list } = await world.admin.get('listOperationLogs', {
      query: { user_type: 'client', user_id: customer.id },
    });
    expect(list[0]).toMatchObject({ method: 'DELETE', path: '/prod-api/site/999999', status: 404 });
  });

  it('has no reads', async () => {
    await world.admin.get('listAreas', { query: {} });
    expect((await world.admin.get('listOperationLogs', { query: { method: 'get' } })).total).toBe(0);
  });
});

describe('calls that nobody may make', () => {
  const rows = async () => (await world.admin.get('listOperationLogs', { query: {} })).total;

  it('leave no rows: without a session, with a wrong role, unreadable, to nowhere', async () => {
    const customer = await makeCustomer(world);
    const before = await rows();
    const { anonymous, anonymousUser } = world;
    expect((await anonymous.call('createArea', { body: { name: 'x' } })).status).toBe(401);
    expect((await customer.api.send('POST', '/prod-api/area', { name: 'x' })).status).toBe(404);
    expect((await anonymousUser.send('POST', '/prod-api/login', '{')).status).toBe(400);
    expect((await anonymousUser.send('POST', '/prod-api/login', { email: 1 })).status).toBe(400);
    expect((await anonymousUser.send('POST', '/prod-api/nothing', {})).status).toBe(404);
    expect((await anonymousUser.send('POST', '/node-api/state', {})).status).toBe(401);
    await world.server.services.db.execute(
      sql`INSERT INTO admin_user (username, password_hash, group_id)
          SELECT 'reader', password_hash, (SELECT id FROM admin_group WHERE builtin = 'read_only')
          FROM admin_user WHERE username = 'admin'`,
    );
    const reader = await world.signInAdmin('reader', world.adminPassword);
    expect(await rows()).toBe(before + 1);
    expect((await reader.call('createArea', { body: { name: 'x' } })).status).toBe(403);
    expect(await rows()).toBe(before + 1);
  });
});

describe('secrets', () => {
  it('that are sent or answered are not in any row', async () => {
    const key = 'kept-from-every-reader';
    const shipping = {
      kind: 'http',
      http_url: `https://user:${key}@logs.example.com/${key}?a=${key}`,
      http_authorization: `Bearer ${key}`,
    } as const;
    expect((await trySetting(world, 'LogShipping', shipping)).status).toBe(200);
    const more: [string, string, unknown][] = [
      ['POST', '/prod-api/auth/login', { username: 'admin', password: key, pasword: key }],
      [
        'POST',
        `/prod-api/ip_address_list?token=${key}`,
        { name: 'x', source: 'url', url: `http://h/${key}` },
      ],
      ['PUT', '/prod-api/site/1/content_rewrite', { request_headers: [{ name: 'X-Key', value: key }] }],
      [
        'POST',
        '/prod-api/area',
        { name: `/path?sign=${key}`, description: { deep: [{ Authorization: key }] } },
      ],
    ];
    for (const [method, path, body] of more) await world.admin.send(method, path, body);
    const { app_secret } = await makeNode(world, { ip: '192.0.2.9' });
    const stored = await world.server.services.db.execute<{ row: string }>(
      sql`SELECT row_to_json(operation_log)::text AS row FROM operation_log`,
    );
    const text = stored.rows.map(({ row }) => row).join('\n');
    expect(text).toContain('logs.example.com');
    expect(text).not.toContain(key);
    expect(text).not.toContain(app_secret);
  });

  it('are marked in the contract wherever a field sounds like one', () => {
    const { known, secret } = fieldNamesOf(Object.values(routes));
    // Names of things, what caches sort by, the id beside a key, a header of CORS.
    const harmless = [
      'key',
      'key_name',
      'keyword',
      'key_headers',
      'key_cookies',
      'access_key_id',
      'credentials',
      // The public halves of vendors' and authorities' credentials, and what kind of key a certificate has.
      'site_key',
      'eab_key_id',
      'secret_id',
      'access_key',
      'key_type',
      'key_bits',
      'reuse_key',
      // Of who signs rules.
      'public_keys',
      // Whether private addresses are never banned.
      'never_private',
    ];
    const sounding = [...known].filter(
      (name) =>
        /pass(?:word|wd)|secret|token|private|credential|authorization|(?:^|_)key/i.test(name) &&
        !secret.has(name) &&
        !harmless.includes(name) &&
        !name.endsWith('_set'),
    );
    expect(sounding).toEqual([]);
  });
});

describe('mask', () => {
  it('hides secrets at any depth and leaves the rest', () => {
    const value = {
      name: 'x',
      password: 'p',
      list: [{ app_secret: 's', id: 1 }],
      data: { token: 't', private_key: 'k' },
    };
    expect(mask(value)).toEqual({
      name: 'x',
      password: '***',
      list: [{ app_secret: '***', id: 1 }],
      data: { token: '***', private_key: '***' },
    });
  });
});
