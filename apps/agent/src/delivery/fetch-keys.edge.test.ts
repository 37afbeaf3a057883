import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { workersOf } from '@breakwater/edge/process/nginx-workers';
import { startWorld, waitFor, type World } from '@breakwater/test-world';
import { sql } from 'drizzle-orm';
import { expect, inject, it, onTestFinished } from 'vitest';

async function workersIn(pid: number): Promise<number[]> {
  const workers: number[] = [];
  for (const each of await workersOf(pid)) {
    const title = await readFile(`/proc/${each}/cmdline`, 'utf8').catch(() => '');
    if (title.startsWith('nginx: worker')) workers.push(each);
  }
  return workers;
}

/** When the node was last heard of, once it has said that its nginx runs. */
async function lastReport({ server }: World): Promise<string | undefined> {
  const { rows } = await server.services.db.execute(
    sql`SELECT status_time FROM node WHERE state ->> 'nginx_running' = 'true'`,
  );
  return rows[0] && String(rows[0]['status_time']);
}

it('a new node has the keys of TLS tickets from its start, and does not reload for them', async () => {
  const world = await startWorld({ templateUrl: inject('templateUrl'), edge: true });
  onTestFinished(() => world.close());
  const { pid } = world.agent!.edge;
  // One that has just been forked still has its master's title.
  await expect.poll(async () => (await workersIn(pid)).length).toBe(2);
  const workers = await workersIn(pid);
  const first = await waitFor('a report', () => lastReport(world));
  // What the first was answered is done before the next.
  await waitFor('the next', async () => (await lastReport(world)) !== first);
  expect(await workersIn(pid)).toEqual(workers);
  const conf = await readFile(join(world.edgeDir, 'conf/nginx.conf'), 'utf8');
  expect(conf).toContain('ssl_session_ticket_key ');
});
