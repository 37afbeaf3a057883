import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { freePorts } from './ports.ts';
import { waitFor } from './wait.ts';

/** The Java side, with the libraries that `npm run test:opensearch` has fetched. */
const program = join(import.meta.dirname, '../../../tools/opensearch');

export interface TestOpensearch {
  url: string;
  /** As a machine would end that loses its power. */
  kill(): Promise<void>;
  stop(): Promise<void>;
}

/** One node of OpenSearch on a port of its own; one that is started again in the same folder has what it had. */
export async function startOpensearch(folder: string, port?: number): Promise<TestOpensearch> {
  const own = String(port ?? (await freePorts(1))[0]);
  const url = `http://127.0.0.1:${own}`;
  const child = spawn(
    'java',
    [
      '-Xms384m',
      '-Xmx768m',
      '-cp',
      `${program}/target/dependency/*`,
      `${program}/TestNode.java`,
      folder,
      own,
    ],
    { stdio: ['pipe', 'pipe', 'pipe'] },
  );
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (text: Buffer) => (output = `${output}${text.toString()}`.slice(-20_000)));
  await waitFor(
    'OpenSearch to answer',
    async () => {
      if (child.exitCode !== null) return true;
      return (await fetch(`${url}/_cluster/health?wait_for_status=yellow&timeout=1s`)).ok;
    },
    120,
  );
  if (child.exitCode !== null) throw new Error(`OpenSearch did not start:\n${output}`);
  return {
    url,
    kill: () => ended(child, () => child.kill('SIGKILL')),
    // It ends with its input.
    stop: () => ended(child, () => child.stdin.end()),
  };
}

async function ended(child: ChildProcess, end: () => void): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exit = once(child, 'exit');
  end();
  await exit;
}
