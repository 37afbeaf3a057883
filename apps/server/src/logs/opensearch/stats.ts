import type { LogStats } from '../log-store.ts';
import { ask, figuresIn, type Source, valueOf } from './question.ts';
import { listIndices } from './retention.ts';

export async function readStats(source: Source): Promise<LogStats> {
  const { cluster, names } = source;
  await cluster.call('POST', `/${names.state}/_refresh?ignore_unavailable=true`);
  const everything = { table: 'figure_minute' as const, start: 0, end: 8.64e15 };
  const figures = figuresIn(source, [everything], []);
  const [records, rows, positions, indices] = await Promise.all([
    ask(source, names.allRecords, {
      size: 0,
      track_total_hits: true,
      query: { term: { recorded: true } },
      aggs: { oldest: { min: { field: 'time' } }, newest: { max: { field: 'time' } } },
    }),
    ask(source, figures.indices, { size: 0, track_total_hits: true, query: figures.query }),
    ask(source, names.state, {
      size: 0,
      query: { term: { kind: 'position' } },
      aggs: { broken: { sum: { field: 'broken_lines' } } },
    }),
    listIndices(source, names.all),
  ]);
  const oldest = records.aggregations?.oldest?.value;
  const newest = records.aggregations?.newest?.value;
  return {
    records: records.hits.total?.value ?? 0,
    rollupRows: rows.hits.total?.value ?? 0,
    brokenLines: valueOf(positions.aggregations?.broken),
    bytesOnDisk: indices.reduce((sum, each) => sum + Number(each['store.size'] ?? 0), 0),
    ...(oldest && newest
      ? { oldest: new Date(oldest).toISOString(), newest: new Date(newest).toISOString() }
      : {}),
  };
}
