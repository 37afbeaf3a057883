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

function isFree(port: number): Promise<boolean> {
  const server = createServer();
  return new Promise((resolve) => {
    server.once('error', () => resolve(false));
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)));
  });
}
