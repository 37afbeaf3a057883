import type { CoverageKeeper, Stretch } from '../coverage.ts';
import type { StateDocuments } from './state.ts';

interface CoveredBody {
  kind: 'covered';
  node_id: number;
  stretches: Stretch[];
}

/** Stretches in a document for each node. */
export function coverageDocuments(state: StateDocuments): CoverageKeeper {
  return {
    load: async () => {
      const kept = await state.list<CoveredBody>('covered');
      return kept.map(({ body: { node_id, stretches } }) => ({ nodeId: node_id, stretches }));
    },
    change: async (nodeId, work) => {
      const none: CoveredBody = { kind: 'covered', node_id: nodeId, stretches: [] };
      const { stretches } = await state.change(`covered-${nodeId}`, none, (body) => ({
        ...body,
        stretches: work(body.stretches),
      }));
      return stretches;
    },
  };
}
