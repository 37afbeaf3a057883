import { readFile, readdir } from 'node:fs/promises';

/** Microseconds of processor time that the workers of an nginx have used so far (Linux: 100 ticks a second). */
export async function workerCpuMicros(masterPid: number): Promise<number> {
  let ticks = 0;
  for (const name of await readdir('/proc')) {
    if (!/^\d+$/.test(name)) continue;
    const stat = await readFile(`/proc/${name}/stat`, 'utf8').catch(() => '');
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    if (Number(fields[1]) === masterPid) ticks += Number(fields[11]) + Number(fields[12]);
  }
  return ticks * 10_000;
}
