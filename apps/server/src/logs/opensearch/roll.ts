import {
  hostsMax,
  type FigureColumn,
  figureNames,
  type FigureTableName,
  figureTables,
} from '../figure-tables.ts';
import { hourMs, minuteMs } from '../figure-plan.ts';
import { LogStoreFullError } from '../log-store.ts';
import { storeOnce } from './bulk.ts';
import { type Part, type Roll, partsOf } from './days.ts';
import { allBuckets, type Bucket, partTable, type Query, type Source, sumsOf, valueOf } from './question.ts';

/** Sums lines up: charts read these rows, and they outlive the records. */

const tables = ['figure_minute', 'figure_hour', 'total_minute', 'total_hour', 'place_hour'] as const;
type Table = Extract<FigureTableName, (typeof tables)[number]>;
const rowsPerWrite = 5000;

type Keys = Record<string, string | number>;
interface Row {
  keys: Keys;
  sums: Record<FigureColumn, number>;
}

/** Lines that are summed up, and stay as they are from now on. */
interface Lines {
  day: string;
  indices: string;
  query: Query;
}

/** Writes the sums of a day that is over, which do not count yet. */
export async function writeRoll(source: Source, roll: Roll): Promise<void> {
  const { cluster, names } = source;
  const indices = roll.generations.map((each) => names.records(roll.day, each));
  for (const index of indices) await closeIndex(source, index);
  const ofDay = names.recordsOf(roll.day);
  await cluster.call('POST', `/${ofDay}/_refresh?ignore_unavailable=true`);
  const lines = { day: roll.day, indices: ofDay, query: { terms: { _index: indices } } };
  await writeSums(source, lines, roll.name, (table) => table);
}

/** Writes the sums of a part of an index that takes more lines; they do not count yet. */
export async function writePart(
  source: Source,
  { day, generation, name, after, until }: Part,
): Promise<void> {
  const index = source.names.records(day, generation);
  await source.cluster.call('POST', `/${index}/_refresh`);
  const query = { range: { _seq_no: { gt: after, lte: until } } };
  await writeSums(source, { day, indices: index, query }, name, partTable);
}

/**
 * The same lines give the same rows of the same identities, so whoever does it again, or at the same time, adds none: what an
 * attempt before this one has left is part of it.
 */
async function writeSums(
  source: Source,
  lines: Lines,
  roll: string,
  named: (table: Table) => string,
): Promise<void> {
  const figures = source.names.figures(lines.day);
  let count = 0;
  for (const table of tables)
    for await (const rows of rowsOf(source, lines, table))
      for (let at = 0; at < rows.length; at += rowsPerWrite) {
        const items = rows.slice(at, at + rowsPerWrite).map(({ keys, sums }) => ({
          index: figures,
          id: `${roll}-${count++}`,
          document: { ...keys, ...sums, table: named(table), roll },
        }));
        const { blocked, refused, reason } = await storeOnce(source.cluster, items);
        if (blocked.length > 0) throw new LogStoreFullError(new Error(reason));
        if (refused.length > 0) throw new Error(`The sums of ${lines.day} were not taken: ${refused[0]}`);
      }
  await source.cluster.call('POST', `/${figures}/_refresh?ignore_unavailable=true`);
}

/** Waits for what is being written, and lets nothing more in. */
async function closeIndex({ cluster, names }: Source, index: string): Promise<void> {
  const found = await cluster.find(`/${index}`);
  if (found) await cluster.call('PUT', `/${index}/_block/write`);
  else if (!names.readRecords(index)) throw new Error(`${index} is no index of records`);
}

export async function deleteRoll({ cluster, names }: Source, name: string): Promise<void> {
  const figures = names.figures(name);
  await cluster.call('POST', `/${figures}/_refresh?ignore_unavailable=true`);
  await cluster.call(
    'POST',
    `/${figures}/_delete_by_query?ignore_unavailable=true&conflicts=proceed&refresh=true`,
    { query: partsOf(name) ? { prefix: { roll: partsOf(name) } } : { term: { roll: name } } },
  );
}

/** The rows of one table, those of one site and time together. */
async function* rowsOf(source: Source, { indices, query }: Lines, table: Table): AsyncGenerator<Row[]> {
  const { unit, keys } = figureTables[table];
  const by = [
    {
      time: {
        date_histogram: { field: 'time', fixed_interval: `${unit === 'hour' ? hourMs : minuteMs}ms` },
      },
    },
    ...keys.map((key) => ({ [key]: { terms: { field: key } } })),
  ];
  let group: Row[] = [];
  for await (const buckets of allBuckets(source, { indices, query }, by, sumsOf(figureNames))) {
    const done: Row[] = [];
    for (const bucket of buckets) {
      const row = rowOf(bucket);
      const first = group[0]?.keys;
      if (first && (first.time !== row.keys.time || first.site_id !== row.keys.site_id)) {
        done.push(...folded(group));
        group = [];
      }
      group.push(row);
    }
    yield done;
  }
  yield folded(group);
}

function rowOf(bucket: Bucket): Row {
  const keys = { ...(bucket.key as Keys) };
  // Where the host says nothing that can be told apart from noise: requests to no site of ours.
  if (keys.site_id === 0) keys.host = '';
  const sums = Object.fromEntries(figureNames.map((name) => [name, valueOf(bucket[name])])) as Row['sums'];
  return { keys, sums };
}

/** The busiest names stay; the others of the same site count under no name, so that the whole is what it was. */
function folded(group: readonly Row[]): Row[] {
  if (group[0]?.keys.host === undefined) return [...group];
  const requests = new Map<unknown, number>();
  for (const { keys, sums } of group)
    if (keys.host !== '') requests.set(keys.host, (requests.get(keys.host) ?? 0) + sums.requests);
  const busiest = [...requests].toSorted((a, b) => b[1] - a[1] || (String(a[0]) < String(b[0]) ? -1 : 1));
  const quiet = new Set(busiest.slice(hostsMax).map(([host]) => host));
  const rows = new Map<string, Row>();
  for (const row of group) {
    const keys = quiet.has(row.keys.host) ? { ...row.keys, host: '' } : row.keys;
    const id = JSON.stringify(Object.values(keys));
    const same = rows.get(id);
    if (!same) rows.set(id, { keys, sums: { ...row.sums } });
    else for (const name of figureNames) same.sums[name] += row.sums[name];
  }
  return [...rows.values()];
}
