import type { NumberedIndex } from './days.ts';
import type { Source } from './question.ts';
import { settledAfterMs } from './retention.ts';
import { endOfDay } from './names.ts';
import { writePart } from './roll.ts';

const dayMs = 24 * 3_600_000;

interface Shard {
  routing: { primary: boolean };
  seq_no?: { global_checkpoint: number };
}
interface Stats {
  indices?: Record<string, { uuid: string; shards: Record<string, Shard[]> }>;
}

/**
 * Sums up what has come of days that are not over, as soon as it is so many lines: charts of them read no more lines
 * than come between two rounds, however many the day has.
 */
export async function sumUpRunning(source: Source, now: Date, linesMin: number): Promise<void> {
  await source.days.load();
  for (const index of await listNumbered(source, now.getTime()))
    for (;;) {
      const part = await source.days.beginPart(index, linesMin);
      if (!part) break;
      await writePart(source, part);
      await source.days.commitPart(part);
    }
}

async function listNumbered({ cluster, names }: Source, now: number): Promise<NumberedIndex[]> {
  const path = `/${names.recordsIn(now - dayMs, now + dayMs)}/_stats/docs?level=shards`;
  const { indices = {} } = await cluster.call<Stats>('GET', path);
  return Object.entries(indices).flatMap(([index, { uuid, shards }]) => {
    const found = names.readRecords(index);
    if (!found || endOfDay(found.day) + settledAfterMs <= now) return [];
    // Each shard has numbers of its own: an index that somebody gave more of them is summed up when its day is over.
    const [copies = [], ...others] = Object.values(shards);
    const last = copies.find(({ routing }) => routing.primary)?.seq_no?.global_checkpoint;
    return last === undefined || others.length > 0 ? [] : [{ ...found, id: uuid, last }];
  });
}
