import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';

/** Below where the kernel picks ports for outgoing connections (32768 and up), any of which could take one from us. */
const [lowest, highest] = [20_000, 32_000];

/** Ports that are free now, for servers that must be told theirs and keep it over a restart. */
export async function freePorts(count: number): Promise<number[]> {
  const ports = new Set<number>();
  while (ports.size < count) {
    const port = randomInt(lowest, highest);
    if (await isFree(port)) ports.add(port);
  }
  return [...ports];
}

/** Sets of ports that this process had, and gives out again. */
const returned: number[][] = [];

/**
 * Ports for something that ends before the next of its kind starts: the same each time, where they are free. Browsers keep
 * what they compiled by address, so a worker's next console opens faster at the address of the one before.
 */
export async function borrowPorts(count: number): Promise<{ ports: number[]; giveBack: () => void }> {
  const at = returned.findIndex((ports) => ports.length === count);
  const ports = returned.splice(at, at < 0 ? 0 : 1)[0] ?? [];
  for (const port of ports) if (!(await isFree(port))) return borrowPorts(count);
  const lent = ports.length > 0 ? ports : await freePorts(count);
  return { ports: lent, giveBack: () => returned.push(lent) };
}

function isFree(port: number): Promise<boolean> {
  const server = createServer();
  return new Promise((resolve) => {
    server.once('error', () => resolve(false));
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)));
  });
}
