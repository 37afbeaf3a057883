import { statfs } from 'node:fs/promises';
import { totalmem } from 'node:os';
import { startWorld } from '@breakwater/test-world';
import { expect, inject, it, onTestFinished } from 'vitest';

it('says what runs, since when, and how its machine is', async () => {
  const world = await startWorld({ templateUrl: inject('templateUrl') });
  onTestFinished(() => world.close());
  const before = Date.now();
  const info = await world.admin.get('getSystemInfo', {});
  expect(info.version).toMatch(/^\d+\.\d+\.\d+/);
  expect(Math.abs(before - process.uptime() * 1000 - Date.parse(info.started_at))).toBeLessThan(5000);
  expect(info.memory_total).toBe(totalmem());
  expect(info.memory_used).toBeGreaterThan(0);
  expect(info.memory_used).toBeLessThan(info.memory_total);
  const { blocks, bsize } = await statfs(world.dataDir);
  expect(info.disk_total).toBe(blocks * bsize);
  expect(info.disk_used).toBeLessThan(info.disk_total);
  const { rows } = await world.server.services.database.pool.query<{ bytes: string }>(
    'SELECT pg_database_size(current_database()) AS bytes',
  );
  // It writes as it is asked, a page or two.
  expect(Math.abs(info.database_bytes - Number(rows[0]?.bytes))).toBeLessThan(1_000_000);
  expect(info.cpu_share).toBeGreaterThan(0);
  expect(info.cpu_share).toBeLessThanOrEqual(1);
});
