import type { LogIndex } from '@breakwater/contract/log-store';
import { endOfDay } from './names.ts';
import type { Source } from './question.ts';
import { listIndices } from './retention.ts';

const dayMs = 24 * 3_600_000;

type Health = 'green' | 'yellow' | 'red';

/** Engine, health and room of the cluster. */
export async function describeCluster({ cluster }: Source) {
  const [root, health, disks] = await Promise.all([
    cluster.call<{ version: { number: string; distribution?: string } }>('GET', '/'),
    cluster.call<{ status: Health; number_of_nodes: number; unassigned_shards: number }>(
      'GET',
      '/_cluster/health',
    ),
    cluster.call<{ 'disk.avail': string | null; 'disk.total': string | null }[]>(
      'GET',
      '/_cat/allocation?format=json&bytes=b&h=disk.avail,disk.total',
    ),
  ]);
  const sum = (name: 'disk.avail' | 'disk.total') =>
    disks.reduce((total, disk) => total + Number(disk[name] ?? 0), 0);
  return {
    engine: root.version.distribution === 'opensearch' ? ('opensearch' as const) : ('elasticsearch' as const),
    version: root.version.number,
    health: health.status,
    nodes: health.number_of_nodes,
    unassigned_shards: health.unassigned_shards,
    disk_free: sum('disk.avail'),
    disk_total: sum('disk.total'),
  };
}

/** Ours alone: the newest first. */
export async function listOurs(source: Source): Promise<LogIndex[]> {
  const listed = await listIndices(source, source.names.all);
  const found = listed.map((each): LogIndex => {
    const records = source.names.readRecords(each.index);
    const month = /-figures-(\d{4})\.(\d\d)$/.exec(each.index);
    const begins = records
      ? endOfDay(records.day) - dayMs
      : month
        ? Date.UTC(Number(month[1]), Number(month[2]) - 1)
        : undefined;
    return {
      name: each.index,
      kind: records ? 'records' : month ? 'figures' : 'state',
      rows: Number(each['docs.count'] ?? 0),
      bytes: Number(each['store.size'] ?? 0),
      begins: begins === undefined ? null : new Date(begins).toISOString(),
      health: each.health,
    };
  });
  const order = { records: 0, figures: 1, state: 2 };
  return found.sort(
    (a, b) => order[a.kind] - order[b.kind] || ((b.begins ?? '') < (a.begins ?? '') ? -1 : 1),
  );
}
