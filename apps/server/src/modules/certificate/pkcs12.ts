import type { IssueKey } from '@breakwater/contract';
import { runWorker } from '../../worker-run.ts';

/** What a PKCS#12 file (RFC 7292) holds, in PEM: all its certificates, and its keys without a password. */
export interface Pkcs12Content {
  certificates: string;
  keys: string;
}
export type Pkcs12Answer = Pkcs12Content | { problem: IssueKey };

/** A file says itself how many rounds its password takes: no more than this is spent on one, and on one at a time. */
const limits = { seconds: 5, heapMegabytes: 128 };
let last: Promise<unknown> = Promise.resolve();

/** Reads a file in base64. */
export function readPkcs12(base64: string, password: string): Promise<Pkcs12Answer> {
  const read = last.then(() => readBeside(base64, password));
  last = read;
  return read;
}

async function readBeside(base64: string, password: string): Promise<Pkcs12Answer> {
  try {
    return await runWorker<Pkcs12Answer>(
      new URL('./pkcs12-worker.ts', import.meta.url),
      { base64, password },
      limits,
    );
  } catch {
    return { problem: 'pfx_invalid' };
  }
}
