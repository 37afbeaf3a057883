/**
 * Run as a program of its own, to be killed: `node test-ship.ts FOLDER FILE BATCH_BYTES` ships FILE to the store of FOLDER from where
 * that stands, and writes each position it was told to stdout, a line each; `full` while the store takes no more.
 */
import { readFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { LogStoreFullError } from './log-store.ts';
import { openTestStore } from './test-store.ts';

const [folder = '', file = '', batchBytes = ''] = process.argv.slice(2);
const bytes = await readFile(file);
const store = await openTestStore({ folder });
let offset = await store.position(1, 'access.1');
while (offset < bytes.length) {
  const lines = bytes.subarray(offset, offset + Number(batchBytes));
  try {
    ({ offset } = await store.ingest({ nodeId: 1, file: 'access.1', offset, lines }));
    process.stdout.write(`${offset}\n`);
  } catch (error) {
    if (!(error instanceof LogStoreFullError)) throw error;
    process.stdout.write('full\n');
    await sleep(50);
  }
}
await store.close();
