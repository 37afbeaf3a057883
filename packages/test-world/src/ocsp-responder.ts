import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import type { Authority } from './authority.ts';
import { waitFor } from './wait.ts';

/** A real responder: `openssl ocsp` over the authority's list, which it reads when it starts. */
export async function startResponder(authority: Authority, port: number) {
  let child = await start(authority, port);
  const stop = async () => {
    if (child.exitCode === null && child.signalCode === null && child.kill('SIGKILL'))
      await once(child, 'exit');
  };
  const restart = async () => {
    await stop();
    child = await start(authority, port);
  };
  return { stop, restart };
}

async function start(authority: Authority, port: number): Promise<ChildProcess> {
  const files = ['-index', 'index.txt', '-CA', 'ca.crt', '-rsigner', 'ca.crt', '-rkey', 'ca.key'];
  const child = spawn('openssl', ['ocsp', '-port', `${port}`, ...files, '-nmin', '60'], {
    cwd: authority.dir,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let said = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk: Buffer) => (said += chunk.toString()));
  await waitFor('the responder', async () => said.includes('waiting for OCSP client connections'));
  return child;
}
