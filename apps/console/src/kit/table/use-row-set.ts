import { useMemo, useState } from 'react';
import type { RowSet } from './table-model.ts';

/** A set of rows by their ids, that draws its table again when it changes. */
export function useRowSet(): RowSet {
  const [ids, setIds] = useState<ReadonlySet<string>>(new Set());
  return useMemo(
    () => ({
      has: (id) => ids.has(id),
      set: (changed, on) =>
        setIds((before) => {
          const next = new Set(before);
          for (const id of changed) {
            if (on) next.add(id);
            else next.delete(id);
          }
          return next;
        }),
    }),
    [ids],
  );
}
