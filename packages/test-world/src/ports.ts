import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';

/** Below where the kernel picks ports for outgoing connections (32768 and up), any of which could take one from us. */
const [lowest, highest] = [20_000, 32_000];
/** Each worker of a run has a share of its own: a server that starts anew finds its port free. */
const shares = 16;
const shareSize = (highest - lowest) / shares;
const lowestOfShare = lowest + (Number(process.env.VITEST_POOL_ID ?? 0) % shares) * shareSize;

/** Ports given out last, oldest first, which a server may have left for a moment. */
const recent = new Set<number>();
const recentMax = shareSize / 2;

/** Ports that are free now, for servers that must be told theirs and keep it over a restart. */
export async function freePorts(count: number): Promise<number[]> {
  const ports: number[] = [];
  while (ports.length < count) {
    const port = lowestOfShare + randomInt(shareSize);
    if (recent.has(port) || !(await isFree(port))) continue;
    recent.add(port);
    ports.push(port);
  }
  for (const port of recent) if (recent.size > recentMax) recent.delete(port);
  return ports;
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
