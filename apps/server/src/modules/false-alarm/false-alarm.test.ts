import { errors } from '@breakwater/contract';
import {
  makeCustomer,
  makeNode,
  makeSite,
  startWorld,
  unique,
  type Customer,
  type World,
} from '@breakwater/test-world';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { makeLine, toBytes } from '../../logs/test-lines.ts';

let world: World;
let one: Customer;
let other: Customer;
let own: number;
let ownName: string;
let foreign: number;
const idOf = (name: number) => name.toString(16).padStart(32, '0');

beforeAll(async () => {
  world = await startWorld({ templateUrl: inject('templateUrl') });
  const node = await makeNode(world, { ip: '192.0.2.52' });
  one = await makeCustomer(world);
  other = await makeCustomer(world);
  ({ id: own, domain: ownName } = await makeSite(one.api));
  // By its name it comes before all others.
  foreign = (await makeSite(other.api, { domain: `${unique('a')}.example.com` })).id;
  const line = (number: number, site_id: number, client_id: number, fields: object) =>
    makeLine({ request_id: idOf(number), site_id, client_id, host: 'www.example.com', ...fields });
  const refused = {
    decision: 'used_system_rule sql',
    waf: 'used_system_rule sql=block',
    waf_part: 'query.q: 1 OR 1=1',
    request_uri: '/find?q=1',
    status: 403,
  };
  await world.server.services.logStore.ingest({
    nodeId: node.id,
    file: 'access.1',
    offset: 0,
    lines: toBytes([
      ...[1, 2, 3].map((number) => line(number, own, one.id, refused)),
      line(10, own, one.id, {}),
      line(20, foreign, other.id, { ...refused, request_uri: '/theirs' }),
    ]),
  });
});
afterAll(() => world.close());

const report = (api: Customer['api'], number: number, site_id = own, note = 'A search, no attack') =>
  api.call('reportFalseAlarm', { body: { site_id, request_id: idOf(number), note } });

describe('a false alarm', () => {
  it('keeps what is needed of the line, is told of as an event, and is answered once', async () => {
    const { data } = await report(one.api, 1);
    const { id } = data as { id: number };
    const { list } = await one.api.get('listFalseAlarms', { query: {} });
    expect(list).toMatchObject([
      {
        id,
        site_id: own,
        site_name: ownName,
        request_id: idOf(1),
        state: 'open',
        outcome: null,
        note: 'A search, no attack',
        line: {
          request_uri: '/find?q=1',
          waf_part: 'query.q: 1 OR 1=1',
          decision: 'used_system_rule sql',
          status: 403,
        },
      },
    ]);
    expect(list[0]!.reported_by).not.toBe('');
    const { list: told } = await world.admin.get('listActivity', {
      query: { subject_kind: 'false_alarm', subject_id: id },
    });
    expect(told).toMatchObject([
      { kind: 'created', about: expect.arrayContaining([{ name: 'host', value: 'www.example.com' }]) },
    ]);

    const { version } = list[0]!;
    const body = { version, outcome: 'exception' as const, answer: 'Let through from now on' };
    const both = await Promise.all(
      [1, 2].map(() => world.admin.call('handleFalseAlarm', { params: { id }, body })),
    );
    expect(both.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409]);
    const { list: after } = await one.api.get('listFalseAlarms', { query: { state: 'handled' } });
    expect(after).toMatchObject([
      { state: 'handled', outcome: 'exception', answer: 'Let through from now on', handled_by: '' },
    ]);
    const { list: seen } = await world.admin.get('listFalseAlarms', { query: { state: 'handled' } });
    expect(seen[0]!.handled_by).not.toBe('');
    expect((await one.api.get('listFalseAlarms', { query: { state: 'open' } })).total).toBe(0);
    // Nobody would read what is added now.
    expect(await report(one.api, 1, own, 'It happens again')).toMatchObject({
      status: 400,
      errors: [{ path: 'note' }],
    });
    expect((await report(one.api, 1, own, '')).status).toBe(200);
  });

  it('is one, however often and by whom at once it is reported', async () => {
    const answers = await Promise.all([
      report(one.api, 2),
      report(world.admin as never, 2, own, 'Their search asks so'),
      report(one.api, 2),
    ]);
    expect(new Set(answers.map(({ data }) => (data as { id: number }).id)).size).toBe(1);
    const { list } = await world.admin.get('listFalseAlarms', { query: { site_id: own, state: 'open' } });
    const [alarm, ...others] = list.filter(({ request_id }) => request_id === idOf(2));
    expect(others).toEqual([]);
    // What each of them wrote is there, and once.
    expect(alarm!.note.split('\n').toSorted()).toEqual(['A search, no attack', 'Their search asks so']);
    // Who read less than that handles it once they have.
    const handle = (version: number) =>
      world.admin.call('handleFalseAlarm', {
        params: { id: alarm!.id },
        body: { version, outcome: 'attack', answer: '' },
      });
    expect(await handle(1)).toMatchObject({ status: 409, code: errors.stale_version.code });
    expect(await handle(2)).toMatchObject({ status: 200 });
  });

  it('of the platform is one without a name to its customer', async () => {
    await report(world.admin as never, 3);
    const { list } = await one.api.get('listFalseAlarms', { query: {} });
    expect(list.find(({ request_id }) => request_id === idOf(3))?.reported_by).toBe('');
  });

  it('is of a logged request that protection had to do with', async () => {
    expect(await report(one.api, 99)).toMatchObject({ status: 400, errors: [{ path: 'request_id' }] });
    expect(await report(one.api, 10)).toMatchObject({ status: 400, errors: [{ path: 'request_id' }] });
    const wrong = await one.api.call('reportFalseAlarm', { body: { site_id: own, request_id: '../1' } });
    expect(wrong).toMatchObject({ status: 400, errors: [{ path: 'request_id' }] });
  });
});

describe('nobody', () => {
  it('reports or sees what is another customer’s', async () => {
    expect(await report(one.api, 20, foreign)).toMatchObject({ status: 400, errors: [{ path: 'site_id' }] });
    // Their request under a site of one's own is not found either.
    expect(await report(one.api, 20)).toMatchObject({ status: 400, errors: [{ path: 'request_id' }] });
    expect((await report(other.api, 20, foreign)).status).toBe(200);
    const { list } = await one.api.get('listFalseAlarms', { query: { site_id: foreign } });
    expect(list).toEqual([]);
  });

  it('comes without a session, and customers handle none', async () => {
    const { list } = await world.admin.get('listFalseAlarms', { query: {} });
    const body = { version: list[0]!.version, outcome: 'other' as const };
    const handle = { params: { id: list[0]!.id }, body };
    expect((await one.api.call('handleFalseAlarm', handle)).status).toBe(404);
    expect((await world.anonymous.call('handleFalseAlarm', handle)).status).toBe(401);
    expect((await world.anonymousUser.call('listFalseAlarms', { query: {} })).status).toBe(401);
    expect(
      (await world.anonymousUser.call('reportFalseAlarm', { body: { site_id: own, request_id: idOf(1) } }))
        .status,
    ).toBe(401);
    const gone = { params: { id: 999_999 }, body };
    expect((await world.admin.call('handleFalseAlarm', gone)).status).toBe(404);
  });
});
