import { makeNode, startWorld, type World } from '@breakwater/test-world';
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, inject, it } from 'vitest';
import { askNode } from '../../delivery/commands.ts';

let world: World;
beforeAll(async () => {
  world = await startWorld({ templateUrl: inject('templateUrl') });
});
afterAll(() => world.close());

/** Every question that was ever put to a node: counted by the database, whether the row is still there or not. */
async function countQuestions(): Promise<void> {
  const { db } = world.server.services;
  await db.execute(sql`CREATE TABLE asked (id text)`);
  await db.execute(
    sql`CREATE FUNCTION note_asked() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN INSERT INTO asked VALUES (NEW.id); RETURN NEW; END'`,
  );
  await db.execute(
    sql`CREATE TRIGGER asked BEFORE INSERT ON node_command FOR EACH ROW EXECUTE FUNCTION note_asked()`,
  );
}
const asked = async () => (await world.server.services.db.execute(sql`SELECT id FROM asked`)).rows;

it('asks nothing of a node that is away, and says whether it was ever there', async () => {
  const { db } = world.server.services;
  const { id } = await makeNode(world, { ip: '192.0.2.90' });
  await countQuestions();
  const test = () => world.admin.call('testLogShipping', { params: { id } });
  expect(await test()).toMatchObject({ status: 503, code: 50_304 });
  await db.execute(sql`UPDATE node SET status_time = now() - interval '1 day' WHERE id = ${id}`);
  expect(await test()).toMatchObject({ status: 503, code: 50_303 });
  expect(await askNode(db, id, 'try_snippet', { site_id: 1, snippet: '' })).toBeUndefined();
  expect(await asked()).toEqual([]);
  expect(await world.admin.call('testLogShipping', { params: { id: 999_999 } })).toMatchObject({
    status: 404,
  });
});
