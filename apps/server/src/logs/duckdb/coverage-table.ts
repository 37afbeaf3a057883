import type { CoverageKeeper, Stretch } from '../coverage.ts';
import { type Database, timestamp } from './database.ts';

/** Stretches in a table of their own; a node has a handful of them: one for each time it was away. */
export function coverageTable(database: Database): CoverageKeeper {
  return {
    load: async () => {
      const rows = await database.read((run) =>
        run('SELECT node_id, first, last FROM log_covered ORDER BY first'),
      );
      const groups = Map.groupBy(rows, ({ node_id }) => Number(node_id));
      return [...groups].map(([nodeId, group]) => ({ nodeId, stretches: group.map(stretchOf) }));
    },
    change: (nodeId, work) =>
      database.write(async (run) => {
        const kept = await run('SELECT first, last FROM log_covered WHERE node_id = $nodeId ORDER BY first', {
          nodeId,
        });
        const stretches = work(kept.map(stretchOf));
        await run('DELETE FROM log_covered WHERE node_id = $nodeId', { nodeId });
        for (const { first, last } of stretches)
          await run('INSERT INTO log_covered VALUES ($nodeId, $first, $last)', {
            nodeId,
            first: timestamp(first),
            last: timestamp(last),
          });
        return stretches;
      }),
  };
}

const stretchOf = ({ first, last }: Record<string, unknown>): Stretch => ({
  first: Date.parse(String(first)),
  last: Date.parse(String(last)),
});
