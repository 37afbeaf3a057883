import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { makeLine, toBytes } from './test-lines.ts';
import { isDuckdb, openTestStore, removeTestStore } from './test-store.ts';

describe.runIf(!isDuckdb)('in OpenSearch or Elasticsearch', () => {
  test('more names than are counted one by one are ranked with their exact sums, and said to be an estimate', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'breakwater-logs-'));
    onTestFinished(() => removeTestStore(folder));
    const store = await openTestStore({ folder });
    // Twelve thousand pages on each of two days, of which ten are asked for more often on both.
    const days = ['2026-03-01', '2026-03-02'].map((day) =>
      Array.from({ length: 12_000 }, (_, number) =>
        Array.from({ length: number < 10 ? 3 + number : 1 }, (__, time) =>
          makeLine({
            time: `${day}T10:00:00.000Z`,
            request_id: `${day}-${number}-${time}`,
            request_uri: `/page/${number}`,
          }),
        ),
      ).flat(),
    );
    for (const [day, lines] of days.entries())
      await store.ingest({ nodeId: 1, file: `access.${day}`, offset: 0, lines: toBytes(lines) });
    const range = { start_time: '2026-03-01T00:00:00Z', end_time: '2026-03-03T00:00:00Z' };
    const question = { ...range, top: 10, top_type: 'request' as const };
    const counted = await store.rank({ clients: 'all' }, 'cdn', 'top_url', question);
    const expected = Array.from({ length: 10 }, (_, place) => [`/page/${9 - place}`, 2 * (12 - place)]);
    const paged = ({ ranks }: typeof counted) =>
      ranks.map(({ name, requests }) => [name.replace(/^[^/]*/, ''), requests]);
    expect(paged(counted)).toEqual(expected);
    expect(counted.estimated).toBe(false);
    await store.close();
    const bounded = await openTestStore({ folder, rankedNamesMax: 6000 });
    const estimate = await bounded.rank({ clients: 'all' }, 'cdn', 'top_url', question);
    expect(paged(estimate)).toEqual(expected);
    expect(estimate.estimated).toBe(true);
    expect(estimate.total).toEqual(counted.total);
    await bounded.close();
  }, 120_000);
});
