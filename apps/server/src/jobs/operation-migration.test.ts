import { readMigrationFiles } from 'drizzle-orm/migrator';
import { randomBytes } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { afterAll, beforeAll, expect, inject, it } from 'vitest';

/** An installation as it was before there were operations, with something of everything that moves. */

const migrations = readMigrationFiles({
  migrationsFolder: fileURLToPath(new URL('../db/migrations', import.meta.url)),
});
const isOurs = ({ sql }: { sql: string[] }) => sql.some((text) => text.includes('RENAME TO "operation"'));
const place = migrations.findIndex(isOurs);

const name = `test_${randomBytes(8).toString('hex')}`;
const connect = async (database: string): Promise<pg.Client> => {
  const url = new URL(inject('templateUrl'));
  url.pathname = `/${database}`;
  const connected = new pg.Client({ connectionString: url.href });
  await connected.connect();
  return connected;
};
let maintenance: pg.Client;
let client: pg.Client;
beforeAll(async () => {
  maintenance = await connect('postgres');
  await maintenance.query(`CREATE DATABASE ${name}`);
  client = await connect(name);
  for (const { sql } of migrations.slice(0, place)) for (const text of sql) await client.query(text);
});
afterAll(async () => {
  await client?.end();
  await maintenance.query(`DROP DATABASE IF EXISTS ${name}`);
  await maintenance.end();
});

it('moves tasks, batches and exports, finished or not, and drops the queue', async () => {
  await client.query(`
    CREATE SCHEMA pgboss; CREATE TABLE pgboss.job (id int);
    INSERT INTO area (name, description) VALUES ('a', '');
    INSERT INTO client (name, email, password_hash, phone, remark, status) VALUES ('c', 'c@example.com', '', '', '', 'active');
    INSERT INTO node (name, area_id, app_id, app_secret) SELECT 'n', id, 'x', 'x' FROM area;
    INSERT INTO task (type, title, object_kind, object_id, client_id, status, created_by, finished_at)
      VALUES ('site_update', 'a.example', 'site', 7, 1, 'failed', 'admin', now()), ('site_update', 'b', 'site', 8, 99, 'pending', 'admin', NULL);
    INSERT INTO sub_task (task_id, node_id, kind, key, revision, status, error)
      VALUES (1, 1, 'site', '7', 3, 'failed', 'no "such" thing'), (2, 1, 'site', '8', 4, 'pending', NULL);
    INSERT INTO site_batch (client_id, kind, input, author_type, author_id, author_name, finished_at)
      VALUES (1, 'create', '{"kind":"create"}', 'client', 1, 'c', NULL), (NULL, 'remove', '{"kind":"remove"}', 'admin', 1, 'admin', now());
    INSERT INTO site_batch_line (batch_id, position, text, site_id, status, error)
      VALUES (1, 3, 'x.example|192.0.2.1', NULL, 'pending', NULL), (1, 1, 'w.example|192.0.2.1', 5, 'done', NULL),
        (2, 1, 'gone.example', 9, 'failed', '{"error":"not_found","fields":[]}');
    INSERT INTO data_export (format, status, filters, records_total, records_done, size_bytes, content, created_by, finished_at)
      VALUES ('csv', 'done', '{}', 10, 10, 99, 'abc', 'admin', now()), ('jsonl', 'running', '{}', 500, 100, 0, '', 'admin', NULL)`);
  for (const text of migrations[place]!.sql) await client.query(text);

  const operations = await client.query(
    `SELECT id, kind, title, client_id, state, total, progress, next_at IS NOT NULL AS due, author_type, created_by,
       finished_at IS NOT NULL AS over FROM operation ORDER BY id`,
  );
  const row = (parts: object) => expect.objectContaining(parts);
  expect(operations.rows).toEqual([
    row({ id: 1, kind: 'site_update', client_id: 1, state: 'failed', due: false, over: true }),
    row({ id: 2, client_id: null, state: 'pending', due: false, over: false }),
    row({
      id: 3,
      kind: 'site_batch',
      title: 'w.example|192.0.2.1 (+1)',
      client_id: 1,
      state: 'running',
      due: true,
      author_type: 'client',
    }),
    row({
      id: 4,
      kind: 'site_batch',
      title: 'gone.example',
      client_id: null,
      state: 'failed',
      due: false,
      over: true,
    }),
    row({ id: 5, kind: 'data_export', state: 'done', total: 10, progress: 10, due: false }),
    row({ id: 6, kind: 'data_export', state: 'pending', total: 500, due: true, over: false }),
  ]);
  const items = await client.query(
    `SELECT operation_id, position, title, node_id, kind, key, state, error, next_at IS NOT NULL AS due
     FROM operation_item ORDER BY operation_id, id`,
  );
  expect(items.rows).toEqual([
    row({ operation_id: 1, node_id: 1, state: 'failed', error: { text: 'no "such" thing' }, due: false }),
    row({ operation_id: 2, node_id: 1, state: 'pending', error: null, due: false }),
    row({ operation_id: 3, position: 1, title: 'w.example|192.0.2.1', key: '5', state: 'done', due: false }),
    row({ operation_id: 3, position: 3, kind: 'site', key: '', state: 'pending', due: true }),
    row({ operation_id: 4, key: '9', state: 'failed', error: { error: 'not_found', fields: [] } }),
    row({ operation_id: 5, state: 'done', due: false }),
    row({ operation_id: 6, state: 'pending', due: true }),
  ]);
  const batches = await client.query('SELECT operation_id, kind, input FROM site_batch ORDER BY 1');
  expect(batches.rows).toEqual([
    { operation_id: 3, kind: 'create', input: { kind: 'create' } },
    { operation_id: 4, kind: 'remove', input: { kind: 'remove' } },
  ]);
  const exported = await client.query('SELECT operation_id, content, size_bytes FROM data_export ORDER BY 1');
  expect(exported.rows[0]).toEqual({ operation_id: 5, content: 'abc', size_bytes: 99 });
  const next = await client.query(
    `INSERT INTO operation (kind, title, subject_kind, created_by) VALUES ('site_sync', '', 'site', '') RETURNING id`,
  );
  expect(next.rows).toEqual([{ id: 7 }]);
  const queue = await client.query(`SELECT FROM pg_namespace WHERE nspname = 'pgboss'`);
  expect(queue.rowCount).toBe(0);
});
