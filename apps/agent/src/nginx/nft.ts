import { spawn } from 'node:child_process';
import { text as textOf } from 'node:stream/consumers';
import type { KernelState } from '@breakwater/contract';

export interface NftAnswer {
  state: Exclude<KernelState, 'off'>;
  output: string;
  /** The beginning of what it complained of. */
  complaint: string;
}

interface NftCall {
  /** What it reads. */
  script?: string;
  /** However many rules it is given, it is ended then. */
  timeoutMilliseconds?: number;
}

/** Calls nft (`command` is what stands for it); whatever goes wrong is answered, not thrown. */
export async function callNft(
  command: readonly string[] | undefined,
  given: readonly string[],
  { script = '', timeoutMilliseconds = 30_000 }: NftCall = {},
): Promise<NftAnswer> {
  const [program = 'nft', ...leading] = command ?? ['nft'];
  const path = `${process.env['PATH'] ?? ''}:/usr/sbin:/sbin`;
  const child = spawn(program, [...leading, ...given], {
    stdio: ['pipe', 'pipe', 'pipe'],
    timeout: timeoutMilliseconds,
    env: { ...process.env, PATH: path },
  });
  const ended = new Promise<number | 'missing'>((resolve) => {
    child.on('error', () => resolve('missing'));
    child.on('close', (code) => resolve(code ?? 1));
  });
  child.stdin.on('error', () => undefined);
  child.stdin.end(script);
  const [output, said] = await Promise.all([textOf(child.stdout), textOf(child.stderr)]);
  const complaint = said.slice(0, 1000);
  const code = await ended;
  if (code === 'missing') return { state: 'no_nft', output, complaint: 'there is no nft' };
  if (code === 0) return { state: 'on', output, complaint: '' };
  const isForbidden = complaint.includes('Operation not permitted');
  return { state: isForbidden ? 'no_right' : 'failed', output, complaint };
}
