import * as z from 'zod';
import { useRemembered } from '../remembered.ts';

/** How a reader wants to see a table. Columns that are not named keep the place and state they have by default. */
const viewSchema = z.object({
  shown: z.record(z.string(), z.boolean()).catch({}),
  order: z.array(z.string()).catch([]),
  density: z.enum(['comfortable', 'compact']).catch('compact'),
});
export type Density = z.infer<typeof viewSchema>['density'];

interface ViewColumn {
  id: string;
  hidden?: boolean;
}

export interface TableView {
  /** All columns, in the reader's order. */
  order: readonly string[];
  visibility: Readonly<Record<string, boolean>>;
  density: Density;
  show: (column: string, shown: boolean) => void;
  /** Moves a column by so many places; the first column stays the first. */
  move: (column: string, by: number) => void;
  setDensity: (density: Density) => void;
  reset: () => void;
}

/** The first column names the row, so it stays first and shown; a column that is new comes where it stands by default. */
export function orderOf(columns: readonly ViewColumn[], wanted: readonly string[]): string[] {
  const ids = columns.map(({ id }) => id);
  const order = wanted.filter((id, index) => ids.includes(id) && wanted.indexOf(id) === index);
  ids.forEach((id, index) => {
    if (!order.includes(id)) order.splice(Math.min(index, order.length), 0, id);
  });
  const first = ids[0];
  return first === undefined ? [] : [first, ...order.filter((id) => id !== first)];
}

export function useTableView(id: string, columns: readonly ViewColumn[]): TableView {
  const [view, setView, reset] = useRemembered(`table:${id}`, viewSchema, {
    shown: {},
    order: [],
    density: 'compact',
  });
  const order = orderOf(columns, view.order);
  const visibility = Object.fromEntries(
    columns.map((column, index) => [column.id, index === 0 || (view.shown[column.id] ?? !column.hidden)]),
  );
  return {
    order,
    visibility,
    density: view.density,
    show: (column, shown) => setView({ ...view, shown: { ...view.shown, [column]: shown } }),
    move: (column, by) => {
      const from = order.indexOf(column);
      const to = Math.max(1, Math.min(order.length - 1, from + by));
      const others = order.filter((each) => each !== column);
      setView({ ...view, order: [...others.slice(0, to), column, ...others.slice(to)] });
    },
    setDensity: (density) => setView({ ...view, density }),
    reset,
  };
}
