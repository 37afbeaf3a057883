import { spawn } from 'node:child_process';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';

const clients = 2;
const program = fileURLToPath(new URL('./handshake-worker.ts', import.meta.url));

/** Full TLS handshakes with as many names in turn, from one of them on; answers with how many there were. */
export const runHandshakes = (port: number, names: string[], seconds: number, from = 0): Promise<number> =>
  together((client) =>
    run({ port, names, seconds, offset: from + Math.floor((names.length / clients) * client) }),
  );

/** One with each name. */
export function runThroughNames(port: number, names: string[]): Promise<number> {
  const share = Math.ceil(names.length / clients);
  return together((client) =>
    run({ port, names: names.slice(client * share, (client + 1) * share), offset: 0 }),
  );
}

async function together(each: (client: number) => Promise<number>): Promise<number> {
  const counts = await Promise.all(Array.from({ length: clients }, (_, client) => each(client)));
  return counts.reduce((sum, count) => sum + count, 0);
}

async function run(job: object): Promise<number> {
  const child = spawn(process.execPath, [program], { stdio: ['pipe', 'pipe', 'inherit'] });
  child.stdin.end(JSON.stringify(job));
  return Number(await text(child.stdout));
}
