import { sql } from 'drizzle-orm';
import { cloneDatabase } from '@breakwater/test-world';
import { expect, inject, it } from 'vitest';
import { openDatabase } from './db/database.ts';
import { openLog } from './server-log.ts';

it('a query that fails is logged without its parameters, also as the cause of another error', async () => {
  const postgres = await cloneDatabase(inject('templateUrl'));
  const database = openDatabase(postgres.url);
  const lines: string[] = [];
  const log = openLog('info', { write: (line) => void lines.push(line) });
  const err = await database.db
    .execute(sql`SELECT no_such_function(${'kept-secret'}::text)`)
    .catch((error: unknown) => error);
  log.error({ err }, 'a try');
  log.error({ err: new Error('outer', { cause: err }) }, 'a try');
  log.error({ err: new Error('of another kind') }, 'a try');
  await database.close();
  await postgres.drop();
  expect(lines.join('')).not.toContain('kept-secret');
  expect(lines[0]).toContain('no_such_function');
  expect(lines[1]).toContain('no_such_function');
  expect(lines[2]).toContain('of another kind');
});

it('secrets are masked by their names, at any depth, in errors as well, and passwords in addresses', () => {
  const lines: string[] = [];
  const log = openLog('info', { write: (line) => void lines.push(line) });
  const hidden = 'kept-secret';
  log.info({
    appSecret: hidden,
    deep: [{ private_key: hidden, req: { headers: { authorization: hidden } } }],
  });
  log.child({ part: 'x' }).warn({ url: `https://user:${hidden}@search.example.com/a`, password: hidden });
  const err = Object.assign(new Error(`no answer of https://user:${hidden}@example.com`), {
    config: { http_authorization: hidden },
  });
  log.error({ err, node: 7 }, 'a try');
  expect(lines.join('')).not.toContain(hidden);
  expect(lines.map((line) => JSON.parse(line) as object)).toMatchObject([
    { appSecret: '***', deep: [{ private_key: '***', req: { headers: { authorization: '***' } } }] },
    { part: 'x', url: 'https://***@search.example.com/a' },
    { node: 7, msg: 'a try', err: { message: 'no answer of https://***@example.com' } },
  ]);
});
