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
    keep: async (nodeId, stretches) => {
      const body: CoveredBody = { kind: 'covered', node_id: nodeId, stretches: [...stretches] };
      await state.change(`covered-${nodeId}`, body, () => body);
    },
  };
}
