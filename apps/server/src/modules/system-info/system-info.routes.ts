import { MachineMeter } from '@breakwater/agent/live/report';
import { systemInfoRoutes } from '@breakwater/contract';
import { sql } from 'drizzle-orm';
import manifest from '../../../package.json' with { type: 'json' };
import type { Config } from '../../config.ts';
import { implement } from '../../plugins/implement.ts';

/** A meter tells what passed since it was read last, so there is one for each process that serves. */
const meters = new WeakMap<Config, MachineMeter>();
function meterOf(config: Config): MachineMeter {
  const meter = meters.get(config) ?? new MachineMeter(config.dataDir);
  meters.set(config, meter);
  return meter;
}

export const systemInfoModule = implement(systemInfoRoutes, {
  getSystemInfo: async ({ services: { config, db } }) => {
    const [machine, found] = await Promise.all([
      meterOf(config).read(),
      db.execute<{ bytes: string }>(sql`SELECT pg_database_size(current_database()) AS bytes`),
    ]);
    const { processors, cpu_share, load, memory_used, memory_total, disk_used, disk_total } = machine;
    return {
      version: manifest.version,
      started_at: new Date(Date.now() - process.uptime() * 1000).toISOString(),
      processors,
      cpu_share,
      load,
      memory_used,
      memory_total,
      disk_used,
      disk_total,
      database_bytes: Number(found.rows[0]?.bytes),
    };
  },
});
