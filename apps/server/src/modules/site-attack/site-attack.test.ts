import {
  makeCustomer,
  makeNode,
  makeSite,
  startWorld,
  type Customer,
  type World,
} from '@breakwater/test-world';
import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, expect, inject, it } from 'vitest';
import { site, siteAttack } from '../../db/schema.ts';
import { makeLine, toBytes } from '../../logs/test-lines.ts';
import { tellOfAttacks } from './site-attack.service.ts';

let world: World;
let one: Customer;
let attacked: number;
let quiet: number;
let nodeId: number;
let files = 0;
const minuteMs = 60_000;
const start = Math.floor(Date.now() / 3_600_000) * 3_600_000 - 24 * 3_600_000;
const at = (minutes: number) => new Date(start + minutes * minuteMs);

beforeAll(async () => {
  world = await startWorld({ templateUrl: inject('templateUrl') });
  nodeId = (await makeNode(world, { ip: '192.0.2.53' })).id;
  one = await makeCustomer(world);
  attacked = (await makeSite(one.api)).id;
  quiet = (await makeSite(one.api)).id;
  await save({ requests: 20, window_minutes: 5, quiet_minutes: 10, repeat_minutes: 30 });
});
afterAll(() => world.close());

async function save(value: object) {
  const { version } = await world.admin.get('getAttackNotice', {});
  await world.admin.get('updateAttackNotice', { body: { version, value } });
}

async function attack(
  siteId: number,
  minute: number,
  count: number,
  fields: object = { decision: 'matcher_rule 1' },
) {
  const lines = Array.from({ length: count }, (_, index) =>
    makeLine({
      time: new Date(at(minute).getTime() + index).toISOString(),
      request_id: `${minute}${siteId}${index}`.padStart(32, '0'),
      site_id: siteId,
      client_id: one.id,
      ...fields,
    }),
  );
  files += 1;
  await world.server.services.logStore.ingest({
    nodeId,
    file: `access.${files}`,
    offset: 0,
    lines: toBytes(lines),
  });
}

const tell = (minute: number) => tellOfAttacks(world.server.services, at(minute));
const toldOf = async (id: number) =>
  (await one.api.get('listActivity', { query: { subject_kind: 'site', subject_id: id } })).list
    .filter(({ kind }) => kind.startsWith('attack_'))
    .map(({ kind, about }) => [kind, Object.fromEntries(about.map(({ name, value }) => [name, value]))])
    .toReversed();

it('tells of an attack when it begins, now and then while it goes on, and when it is over', async () => {
  for (let minute = 0; minute < 40; minute += 1) await attack(attacked, minute, 4);
  await attack(quiet, 3, 19);
  // Observed requests count as refused ones do; what lets pass or tags does not.
  await attack(attacked, 4, 3, { waf: 'used_system_rule sql=observe' });
  await attack(attacked, 4, 50, { waf: 'matcher_rule 1=tag' });
  let events = 0;
  for (let minute = 6; minute < 60; minute += 1) events += await tell(minute);
  expect(events).toBe(3);
  expect(await toldOf(attacked)).toEqual([
    ['attack_started', { refused: '20', observed: '3', minutes: '5' }],
    ['attack_continued', { refused: '20', observed: '0', minutes: '30' }],
    ['attack_ended', { minutes: '37', peak: '23' }],
  ]);
  expect(await toldOf(quiet)).toEqual([]);
  expect(await world.server.services.db.$count(siteAttack)).toBe(0);
});

it('tells once when two servers look at once, and nothing of a site that is gone', async () => {
  const { id } = await makeSite(one.api);
  await attack(id, 100, 30);
  await Promise.all([tell(102), tell(102)]);
  expect((await toldOf(id)).map(([kind]) => kind)).toEqual(['attack_started']);
  await world.server.services.db.delete(site).where(eq(site.id, id));
  expect(await tell(103)).toBe(0);
  expect(await world.server.services.db.$count(siteAttack)).toBe(0);
});

it('tells nothing while it is switched off', async () => {
  await attack(quiet, 200, 100);
  await save({ enabled: false });
  expect(await tell(202)).toBe(0);
  await save({ enabled: true, requests: 100 });
  expect(await tell(202)).toBe(1);
});

it('is set by operators alone, and takes no nonsense', async () => {
  const body = { version: 0, value: { requests: 0 } };
  expect(await world.admin.call('updateAttackNotice', { body })).toMatchObject({
    status: 400,
    errors: [{ path: 'value.requests' }],
  });
  expect((await one.api.call('getAttackNotice', {})).status).toBe(404);
  expect((await world.anonymous.call('getAttackNotice', {})).status).toBe(401);
});
