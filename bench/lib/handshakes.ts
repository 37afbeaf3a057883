import { spawn } from 'node:child_process';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';

const clients = 2;
const program = fileURLToPath(new URL('./handshake-worker.ts', import.meta.url));

/** Full TLS handshakes with as many names in turn; answers with how many there were. */
export async function runHandshakes(port: number, names: string[], seconds: number): Promise<number> {
  const counts = await Promise.all(
    Array.from({ length: clients }, async (_, index) => {
      const child = spawn(process.execPath, [program], { stdio: ['pipe', 'pipe', 'inherit'] });
      const offset = Math.floor((names.length / clients) * index);
      child.stdin.end(JSON.stringify({ port, names, seconds, offset }));
      return Number(await text(child.stdout));
    }),
  );
  return counts.reduce((sum, count) => sum + count, 0);
}
