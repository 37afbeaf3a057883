import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { freePorts } from './ports.ts';
import { waitFor } from './wait.ts';

export type LogEngine = 'opensearch' | 'elasticsearch';

/** The Java side of each, with the libraries that `npm run test:opensearch` or `test:elasticsearch` has fetched. */
const programs = join(import.meta.dirname, '../../../tools/log-engine');

/** Which of them this run tests: none, unless its name says so. */
export const testedEngine = process.env.TEST_LOG_ENGINE as LogEngine | undefined;

export interface TestLogEngine {
  url: string;
  /** As a machine would end that loses its power. */
  kill(): Promise<void>;
  stop(): Promise<void>;
}

/** It has read what it had: until then it answers, and knows of no index. */
const isRecovered = async (url: string): Promise<boolean> =>
  (await fetch(`${url}/_cluster/health?wait_for_status=yellow&timeout=1s`)).ok;

/** One node on a port of its own; one that is started again in the same folder has what it had. Settings are the engine's own. */
export async function startLogEngine(
  engine: LogEngine,
  folder: string,
  options: { port?: number; settings?: Record<string, string>; isReady?: typeof isRecovered } = {},
): Promise<TestLogEngine> {
  const { port, settings = {}, isReady = isRecovered } = options;
  const own = String(port ?? (await freePorts(1))[0]);
  const url = `http://127.0.0.1:${own}`;
  const extra = Object.entries(settings).map(([name, value]) => `${name}=${value}`);
  const child = spawn('java', ['@java.args', 'TestNode.java', folder, own, ...extra], {
    cwd: join(programs, engine),
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  let output = '';
  // Said once, and then much may follow that pushes it out.
  let isListening = false;
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (text: Buffer) => {
      output += text.toString();
      isListening ||= output.includes('listening');
      output = output.slice(-20_000);
    });
  await waitFor(
    `${engine} to answer`,
    async () => {
      if (child.exitCode !== null) return true;
      return isListening && (await isReady(url));
    },
    120,
  );
  if (child.exitCode !== null) throw new Error(`${engine} did not start:\n${output}`);
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
