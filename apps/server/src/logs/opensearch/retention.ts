import type { LogRetention } from '@breakwater/contract/statistics';
import type { Coverage } from '../coverage.ts';
import { LogStoreFullError } from '../log-store.ts';
import { endOfDay } from './names.ts';
import type { Source } from './question.ts';
import { deleteRoll, writeRoll } from './roll.ts';
import type { StateDocuments } from './state.ts';

const dayMs = 24 * 3_600_000;
/** Lines of a day keep arriving for a while after it; what comes later still is summed up in the next round. */
export const settledAfterMs = 3_600_000;
/** A node may still ship a file it kept through a long outage, so positions outlive the records of a short policy. */
const positionDaysMin = 90;

/** An index of records, as the store lists it. */
export interface RecordIndex {
  index: string;
  day: string;
  generation: number;
  records: number;
  bytes: number;
  created: string;
}

interface Listed {
  index: string;
  health: 'green' | 'yellow' | 'red';
  'docs.count': string | null;
  'store.size': string | null;
  'creation.date.string': string;
}

export async function listIndices({ cluster }: Pick<Source, 'cluster'>, pattern: string): Promise<Listed[]> {
  return cluster.call<Listed[]>(
    'GET',
    `/_cat/indices/${pattern}?ignore_unavailable=true&format=json&bytes=b&h=index,health,docs.count,store.size,creation.date.string&s=index`,
  );
}

async function listRecords(source: Source): Promise<RecordIndex[]> {
  const listed = await listIndices(source, source.names.allRecords);
  return listed.flatMap((each) => {
    const found = source.names.readRecords(each.index);
    if (!found) return [];
    return [
      {
        index: each.index,
        ...found,
        records: Number(each['docs.count'] ?? 0),
        bytes: Number(each['store.size'] ?? 0),
        created: each['creation.date.string'],
      },
    ];
  });
}

/** Sums up the days that are over, and those of which lines came later. */
export async function sumUpDays(source: Source, now: Date): Promise<void> {
  await source.days.load();
  // What others took the place of an hour ago or more: questions that still count it are answered.
  const gone = source.days.superseded;
  for (const name of gone) await deleteRoll(source, name);
  if (gone.length > 0) await source.days.forgetRolls(gone);
  const there = new Set((await listRecords(source)).map(({ index }) => index));
  const days = new Set([...there].map((index) => source.names.readRecords(index)!.day));
  for (const day of [...days].toSorted()) {
    if (endOfDay(day) + settledAfterMs > now.getTime()) continue;
    if (!source.days.isBegun(day) && !there.has(source.days.openIndex(day))) continue;
    const roll = await source.days.begin(day);
    await writeRoll(source, roll);
    await source.days.commit(roll);
  }
}

/** Whole days are deleted: those of which nothing is to be kept any more. */
export async function deleteExpired(
  source: Source,
  state: StateDocuments,
  coverage: Coverage,
  retention: LogRetention,
  now: Date,
): Promise<{ records: number; rollupRows: number }> {
  const recordsBefore = now.getTime() - retention.record_days * dayMs;
  const figuresBefore = now.getTime() - retention.rollup_days * dayMs;
  let records = 0;
  for (const each of await listRecords(source)) {
    if (endOfDay(each.day) > recordsBefore) continue;
    // What came a moment ago, or could not be summed up in a full store, is deleted in a later round.
    if (source.days.isBegun(each.day) || each.index === source.days.openIndex(each.day)) continue;
    await dropRecords(source, each.day);
    await source.cluster.call('DELETE', `/${each.index}`);
    records += each.records;
  }
  const rollupRows = await deleteFigures(source, figuresBefore);
  const forgotten = source.days.known.filter(
    (day) => endOfDay(day) <= Math.min(figuresBefore, recordsBefore),
  );
  if (forgotten.length > 0) await source.days.forget(forgotten);
  await deletePositions(source, now.getTime() - Math.max(retention.record_days, positionDaysMin) * dayMs);
  await coverage.load();
  await coverage.forget(figuresBefore);
  return { records, rollupRows };
}

/** A full store takes not even the note that makes room, so its index is unlocked for that; the store locks it again by itself. */
async function dropRecords({ cluster, days, names }: Source, day: string): Promise<void> {
  try {
    await days.dropRecords(day);
  } catch (error) {
    if (!(error instanceof LogStoreFullError)) throw error;
    const unlocked = { index: { blocks: { read_only_allow_delete: null } } };
    await cluster.call('PUT', `/${names.state}/_settings`, unlocked);
    await days.dropRecords(day);
  }
}

/** Months that are over as a whole, then days of the month in which the limit lies. */
async function deleteFigures({ cluster, names }: Source, before: number): Promise<number> {
  const firstDay = Math.floor(before / dayMs) * dayMs;
  let rows = 0;
  for (const { index, 'docs.count': count } of await listIndices({ cluster }, names.allFigures)) {
    const month = /(\d{4})\.(\d\d)$/.exec(index);
    if (!month || Date.UTC(Number(month[1]), Number(month[2]), 1) > before) continue;
    await cluster.call('DELETE', `/${index}`);
    rows += Number(count ?? 0);
  }
  const { deleted } = await cluster.call<{ deleted?: number }>(
    'POST',
    `/${names.allFigures}/_delete_by_query?ignore_unavailable=true&allow_no_indices=true&conflicts=proceed&refresh=true`,
    { query: { range: { time: { lt: firstDay, format: 'epoch_millis' } } } },
  );
  return rows + (deleted ?? 0);
}

async function deletePositions({ cluster, names }: Source, before: number): Promise<void> {
  await cluster.call('POST', `/${names.state}/_delete_by_query?ignore_unavailable=true&conflicts=proceed`, {
    query: {
      bool: {
        filter: [
          { term: { kind: 'position' } },
          { range: { updated_at: { lt: before, format: 'epoch_millis' } } },
        ],
      },
    },
  });
}
