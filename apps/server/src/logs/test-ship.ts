/**
 * Run as a program of its own, to be killed: `node test-ship.ts FOLDER FILE BATCH_BYTES` ships FILE to the store in
 * FOLDER from where that stands, and writes each position it was told to stdout, a line each.
 */
import { readFile } from 'node:fs/promises';
import { openTestStore } from './test-store.ts';

const [folder = '', file = '', batchBytes = ''] = process.argv.slice(2);
const bytes = await readFile(file);
const store = await openTestStore({ folder });
let offset = await store.position(1, 'access.1');
while (offset < bytes.length) {
  const lines = bytes.subarray(offset, offset + Number(batchBytes));
  ({ offset } = await store.ingest({ nodeId: 1, file: 'access.1', offset, lines }));
  process.stdout.write(`${offset}\n`);
}
await store.close();
