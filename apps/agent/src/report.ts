import { readFile, statfs } from 'node:fs/promises';
import { totalmem } from 'node:os';
import type { NodeState } from '@breakwater/contract';

/** Processor time since boot, in ticks. */
export interface CpuTimes {
  busy: number;
  total: number;
}

/** The first line of `/proc/stat` (proc_stat(5)): user, nice, system, idle, iowait, irq, softirq, steal. */
export function parseCpuTimes(stat: string): CpuTimes {
  const times = (stat.split('\n')[0] ?? '').trim().split(/\s+/).slice(1, 9).map(Number);
  const total = times.reduce((sum, time) => sum + time, 0);
  return { busy: total - (times[3] ?? 0) - (times[4] ?? 0), total };
}

/** Share of the processors that was busy between two readings. */
export function cpuShare(before: CpuTimes, after: CpuTimes): number {
  const total = after.total - before.total;
  return total > 0 ? Math.min(1, Math.max(0, (after.busy - before.busy) / total)) : 0;
}

/** Memory in use is what nobody could be given: total less `MemAvailable` (proc_meminfo(5)). */
export function memoryUsed(meminfo: string, total: number): number {
  const available = /^MemAvailable:\s+(\d+) kB$/m.exec(meminfo);
  return available ? Math.max(0, total - Number(available[1]) * 1024) : 0;
}

type MachineState = Pick<
  NodeState,
  'cpu_share' | 'memory_total' | 'memory_used' | 'disk_total' | 'disk_used'
>;

/** What the machine says of itself; the share of the processors is that since the last reading. */
export class MachineMeter {
  readonly #folder: string;
  #cpu: CpuTimes = { busy: 0, total: 0 };

  /** `folder`: the disk reported is the one it lies on. */
  constructor(folder: string) {
    this.#folder = folder;
  }

  async read(): Promise<MachineState> {
    const [stat, meminfo, disk] = await Promise.all([
      readFile('/proc/stat', 'utf8'),
      readFile('/proc/meminfo', 'utf8'),
      statfs(this.#folder),
    ]);
    const cpu = parseCpuTimes(stat);
    const share = cpuShare(this.#cpu, cpu);
    this.#cpu = cpu;
    return {
      cpu_share: share,
      memory_total: totalmem(),
      memory_used: memoryUsed(meminfo, totalmem()),
      disk_total: disk.blocks * disk.bsize,
      disk_used: (disk.blocks - disk.bfree) * disk.bsize,
    };
  }
}
