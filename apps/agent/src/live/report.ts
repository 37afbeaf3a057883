import { access, readFile, statfs } from 'node:fs/promises';
import { availableParallelism, totalmem } from 'node:os';
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

/** Bytes that an interface has received and sent since it is there. */
export interface NetworkBytes {
  name: string;
  received: number;
  sent: number;
}

/** Every interface of `/proc/net/dev` (proc_net(5)) but the one to the machine itself. */
export function parseNetwork(text: string): NetworkBytes[] {
  return text.split('\n').flatMap((line) => {
    const match = /^\s*(\S+):\s*(.*)$/.exec(line);
    if (!match || match[1] === 'lo') return [];
    const counts = match[2]!.trim().split(/\s+/).map(Number);
    return [{ name: match[1]!, received: counts[0] ?? 0, sent: counts[8] ?? 0 }];
  });
}

/** Those of real devices where there are any: what passes a bridge or tunnel passes one of them as well. */
async function outerInterfaces(all: readonly NetworkBytes[]): Promise<readonly NetworkBytes[]> {
  const real = await Promise.all(
    all.map(({ name }) =>
      access(`/sys/class/net/${name}/device`).then(
        () => true,
        () => false,
      ),
    ),
  );
  const devices = all.filter((_, index) => real[index]);
  return devices.length > 0 ? devices : all;
}

interface NetworkReading {
  at: number;
  received: number;
  sent: number;
}

/** Bytes a second between two readings; an interface that went away makes none of it negative. */
export function networkRates(before: NetworkReading | undefined, after: NetworkReading) {
  const seconds = before === undefined ? 0 : (after.at - before.at) / 1000;
  if (before === undefined || seconds <= 0) return { network_in: 0, network_out: 0 };
  return {
    network_in: Math.max(0, after.received - before.received) / seconds,
    network_out: Math.max(0, after.sent - before.sent) / seconds,
  };
}

type MachineState = Pick<
  NodeState,
  | 'cpu_share'
  | 'memory_total'
  | 'memory_used'
  | 'disk_total'
  | 'disk_used'
  | 'processors'
  | 'load'
  | 'network_in'
  | 'network_out'
>;

/** What the machine says of itself; the share of the processors and the traffic are those since the last reading. */
export class MachineMeter {
  readonly #folder: string;
  #cpu: CpuTimes = { busy: 0, total: 0 };
  #network: NetworkReading | undefined;

  /** `folder`: the disk reported is the one it lies on. */
  constructor(folder: string) {
    this.#folder = folder;
  }

  async read(): Promise<MachineState> {
    const [stat, meminfo, load, disk] = await Promise.all([
      readFile('/proc/stat', 'utf8'),
      readFile('/proc/meminfo', 'utf8'),
      readFile('/proc/loadavg', 'utf8'),
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
      processors: availableParallelism(),
      load: Number(load.split(' ')[0]),
      ...(await this.#rates()),
    };
  }

  async #rates() {
    const interfaces = await outerInterfaces(parseNetwork(await readFile('/proc/net/dev', 'utf8')));
    const reading = {
      at: performance.now(),
      received: interfaces.reduce((sum, { received }) => sum + received, 0),
      sent: interfaces.reduce((sum, { sent }) => sum + sent, 0),
    };
    const rates = networkRates(this.#network, reading);
    this.#network = reading;
    return rates;
  }
}
