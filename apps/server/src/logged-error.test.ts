import { sql } from 'drizzle-orm';
import { cloneDatabase } from '@breakwater/test-world';
import pino from 'pino';
import { expect, inject, it } from 'vitest';
import { openDatabase } from './db/database.ts';
import { loggedError } from './logged-error.ts';

it('a query that fails is logged without its parameters, also as the cause of another error', async () => {
  const postgres = await cloneDatabase(inject('templateUrl'));
  const database = openDatabase(postgres.url);
  const lines: string[] = [];
  const log = pino({ serializers: { err: loggedError } }, { write: (line) => lines.push(line) });
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
