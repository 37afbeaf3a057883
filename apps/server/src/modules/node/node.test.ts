import { errors } from '@breakwater/contract';
import { startWorld, unique, type World } from '@breakwater/test-world';
import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { node as nodeTable, operationLog } from '../../db/schema.ts';
import { nodeStatus } from './node.store.ts';

let world: World;
let areaId: number;
let lastIp = 0;
beforeAll(async () => {
  world = await startWorld({ templateUrl: inject('templateUrl') });
  areaId = (await world.admin.get('createArea', { body: { name: unique('Area') } })).id;
});
afterAll(() => world.close());

const nextIp = () => `198.51.100.${++lastIp}`;
const makeNode = (ip = nextIp()) =>
  world.admin.get('createNode', { body: { name: unique('node'), area_id: areaId, ip } });

describe('nodes', () => {
  it('get credentials that are shown once and kept encrypted', async () => {
    const made = await makeNode();
    expect(made.app_id).toMatch(/^[0-9a-f]{16}$/);
    expect(made.app_secret).toMatch(/^[0-9a-f]{32}$/);
    const { db, secrets } = world.server.services;
    const [row] = await db.select().from(nodeTable).where(eq(nodeTable.id, made.id));
    expect(row?.appSecret).not.toContain(made.app_secret);
    expect(secrets.decrypt(row!.appSecret)).toBe(made.app_secret);
    expect(JSON.stringify(await world.admin.get('getNode', { params: { id: made.id } }))).not.toContain(
      made.app_secret,
    );
    expect(JSON.stringify(await db.select().from(operationLog))).not.toContain(made.app_secret);

    const renewed = await world.admin.get('renewNodeCredentials', { params: { id: made.id } });
    expect(renewed.app_id).toBe(made.app_id);
    expect(renewed.app_secret).not.toBe(made.app_secret);
  });

  it('are listed by name, address, area and line group', async () => {
    const ip = nextIp();
    const { id } = await makeNode(ip);
    const group = await world.admin.get('createLineGroup', { body: { name: unique('Group') } });
    await world.admin.get('bindNodeLineGroups', { params: { id }, body: { line_group_ids: [group.id] } });
    for (const query of [{ ip }, { line_group_id: group.id }, { ip, area_id: areaId }]) {
      const { list } = await world.admin.get('listNodes', { query });
      expect(list.map((row) => row.id)).toEqual([id]);
      expect(list[0]).toMatchObject({ ip, status: 'unseen', line_groups: [{ id: group.id }] });
    }
  });

  it('have addresses of their own, and keep at least one', async () => {
    const first = await makeNode();
    const taken = nextIp();
    await makeNode(taken);
    const node_id = first.id;
    const create = (ip: string) => world.admin.call('createNodeIp', { body: { node_id, ip } });
    expect(await create(taken)).toMatchObject({ status: 400, errors: [{ path: 'ip' }] });
    expect(await create('1.2.3')).toMatchObject({
      status: 400,
      errors: [{ path: 'ip', message: 'IP Format Error' }],
    });
    const { data } = await create('2001:db8::1');
    await world.admin.get('updateNodeIp', { params: { id: data.id }, body: { enabled: false } });
    const { list } = await world.admin.get('listNodeIps', { query: { node_id } });
    expect(list.map((row) => [row.ip, row.enabled])).toEqual([
      [expect.any(String), true],
      ['2001:db8::1', false],
    ]);
    await world.admin.get('removeNodeIp', { params: { id: data.id } });
    expect(await world.admin.call('removeNodeIp', { params: { id: list[0]!.id } })).toMatchObject({
      status: 409,
    });
  });

  it('are not changed by a save that was built on an older version', async () => {
    const { id } = await makeNode();
    const params = { id };
    const group = await world.admin.get('createLineGroup', { body: { name: unique('Group') } });
    const { ip, name } = await world.admin.get('getNode', { params });
    await world.admin.get('bindNodes', { params: { id: group.id }, body: { add: [id] } });
    const stale = { status: 409, code: errors.stale_version.code };
    const body = { name, area_id: areaId, ip, enabled: true, version: 1 };
    expect(await world.admin.call('updateNode', { params, body })).toMatchObject(stale);
    const binding = { params, body: { line_group_ids: [], version: 1 } };
    expect(await world.admin.call('bindNodeLineGroups', binding)).toMatchObject(stale);
    await world.admin.get('bindNodeLineGroups', { params, body: { line_group_ids: [], version: 2 } });
    expect(await world.admin.get('getNode', { params })).toMatchObject({ line_groups: [], version: 3 });
  });

  it('stay while they serve a line group', async () => {
    const { id } = await makeNode();
    const params = { id };
    const { list } = await world.admin.get('listLineGroups', { query: {} });
    await world.admin.get('bindNodeLineGroups', { params, body: { line_group_ids: [list[0]!.id] } });
    expect(await world.admin.call('removeNode', { params })).toMatchObject({ status: 409, code: 40_902 });
    await world.admin.get('bindNodeLineGroups', { params, body: { line_group_ids: [] } });
    await world.admin.get('removeNode', { params });
    expect(await world.admin.call('getNode', { params })).toMatchObject({ status: 404 });
  });

  it('change name, area, first address and whether they are on', async () => {
    const { id } = await makeNode();
    const name = unique('renamed');
    const ip = nextIp();
    await world.admin.get('updateNode', {
      params: { id },
      body: { name, area_id: areaId, ip, enabled: false, version: 1 },
    });
    expect(await world.admin.get('getNode', { params: { id } })).toMatchObject({ name, ip, enabled: false });
  });
});

describe('nodeStatus', () => {
  const now = new Date('2026-01-01T00:00:30Z');
  const state = { nginx_running: true } as typeof nodeTable.$inferSelect.state;
  it.each([
    ['unseen before its first report', null, state, 'unseen'],
    ['normal while it reports', '2026-01-01T00:00:20Z', state, 'normal'],
    ['abnormal when silent', '2026-01-01T00:00:05Z', state, 'abnormal'],
    [
      'abnormal without nginx',
      '2026-01-01T00:00:29Z',
      { ...state, nginx_running: false } as typeof state,
      'abnormal',
    ],
  ])('is %s', (_, at, of, expected) => {
    expect(nodeStatus({ statusTime: at === null ? null : new Date(at), state: of }, now)).toBe(expected);
  });
});
