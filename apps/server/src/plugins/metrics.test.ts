import { makeNode, makeNodeState, makeSite, startWorld, type World } from '@breakwater/test-world';
import { eq, sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { node as nodeTable } from '../db/schema.ts';
import { makeLine, toBytes } from '../logs/test-lines.ts';
import { metricsText } from './metrics.ts';

const token = 'a token for the figures';
let world: World;
let node: { id: number };
beforeAll(async () => {
  world = await startWorld({ templateUrl: inject('templateUrl'), metricsToken: token });
  node = await makeNode(world, { ip: '192.0.2.77', name: 'a "node"\\' });
  await makeSite(world.admin);
  const lines = toBytes([makeLine(), makeLine({ time: '2026-03-01T10:00:30.000Z' })]);
  await world.server.services.logStore.ingest({ nodeId: node.id, file: 'a', offset: 0, lines });
});
afterAll(() => world.close());

const ask = (url: string, authorization?: string) =>
  fetch(`${url}/metrics`, authorization === undefined ? {} : { headers: { authorization } });
const figures = async () => (await ask(world.adminUrl, `Bearer ${token}`)).text();

describe('/metrics', () => {
  it('is for who has the token, on the administrator port', async () => {
    expect((await ask(world.adminUrl, `Bearer ${token}`)).status).toBe(200);
    for (const wrong of [undefined, '', 'Bearer', `Bearer ${token}x`, `Basic ${token}`, token]) {
      const answer = await ask(world.adminUrl, wrong);
      expect(answer.status).toBe(401);
      expect(await answer.text()).not.toContain('breakwater_');
    }
    expect(await (await ask(world.userUrl, `Bearer ${token}`)).text()).not.toContain('breakwater_');
  });

  it('is not there without one', async () => {
    const other = await startWorld({ templateUrl: inject('templateUrl') });
    try {
      expect(await (await ask(other.adminUrl, 'Bearer ')).text()).not.toContain('breakwater_');
    } finally {
      await other.close();
    }
  });

  it('says what is there: sites, records, and a node that never reported', async () => {
    const text = await figures();
    expect(text).toMatch(/^breakwater_sites 1$/m);
    expect(text).toMatch(/^breakwater_log_records 2$/m);
    expect(text).toMatch(/^breakwater_log_newest_timestamp_seconds 1772359230$/m);
    const labels = `{node_id="${node.id}",node="a \\"node\\"\\\\"}`;
    expect(text).toContain(`breakwater_node_up${labels} 0\n`);
    expect(text).not.toContain(`breakwater_node_connections${labels}`);
  });

  it('says how far consumers of events are behind', async () => {
    const { db } = world.server.services;
    await db.execute(sql`INSERT INTO event_consumer (name, position, attempt) VALUES ('late', 0, 3)`);
    const text = await figures();
    expect(text).toMatch(/^breakwater_events_waiting\{consumer="late"\} [1-9]\d*$/m);
    expect(text).toContain('breakwater_events_failures{consumer="late"} 3\n');
  });

  it('has what a node reported', async () => {
    await world.server.services.db
      .update(nodeTable)
      .set({
        statusTime: new Date(),
        state: makeNodeState({ cpu_share: 0.25, connections: 12, log_backlog: 7 }),
      })
      .where(eq(nodeTable.id, node.id));
    const text = await figures();
    for (const [name, value] of [
      ['up', 1],
      ['cpu_share', 0.25],
      ['connections', 12],
      ['load', 1.5],
      ['log_backlog_bytes', 7],
    ])
      expect(text).toMatch(new RegExp(`^breakwater_node_${name}\\{.*\\} ${value}$`, 'm'));
  });
});

it('every line is a comment or a sample, as the format has it', () => {
  const text = metricsText([
    { name: 'a_total', type: 'counter', help: 'A.', values: [{ labels: { x: 'one\ntwo' }, value: 1.5 }] },
    { name: 'none', type: 'gauge', help: 'B.', values: [] },
  ]);
  expect(text).toBe('# HELP a_total A.\n# TYPE a_total counter\na_total{x="one\\ntwo"} 1.5\n');
});
