import type { LinesProblem } from '@breakwater/contract';
import { runWorker } from '../../worker-run.ts';
import { packLines, type PackedList } from './address-list-lines.ts';

/** Lists shorter than this are packed at once: a thread would take longer to start. */
const charactersAtOnce = 8192;
const limits = { seconds: 60, heapMegabytes: 512 };
/** Threads that pack; whoever comes then waits. */
const atOnce = 2;
let packing = 0;
const waiting: (() => void)[] = [];

/** A list to be stored, or what is wrong with it. Long ones are packed beside the server, whatever takes a place in turn. */
export async function packList(content: string): Promise<PackedList | { problem: LinesProblem }> {
  const packed = content.length <= charactersAtOnce ? packLines(content) : await packBeside(content);
  return 'problem' in packed ? packed : { content, ...packed };
}

async function packBeside(content: string): Promise<ReturnType<typeof packLines>> {
  if (packing === atOnce) await new Promise<void>((settle) => waiting.push(settle));
  else packing += 1;
  try {
    return await runWorker(new URL('./address-list-worker.ts', import.meta.url), content, limits);
  } finally {
    const next = waiting.shift();
    if (next === undefined) packing -= 1;
    else next();
  }
}
