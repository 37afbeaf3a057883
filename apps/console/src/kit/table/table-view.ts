import { useNavigate, useSearch } from '@tanstack/react-router';
import { useRemembered } from '../remembered.ts';

/** How a reader wants to see a table. Columns that are not named keep the place and state they have by default. */
interface View {
  shown: Record<string, boolean>;
  order: string[];
  density: Density;
  /** Those of columns that the reader made wider or narrower, in px. */
  widths: Record<string, number>;
}
export type Density = 'comfortable' | 'compact';
const byDefault: View = { shown: {}, order: [], density: 'compact', widths: {} };

/** What is stored, each part if it is one: a schema's library is more code than the table. */
export function viewOf(stored: unknown): View | undefined {
  if (typeof stored !== 'object' || stored === null) return undefined;
  const { shown, order, density, widths } = stored as Partial<Record<keyof View, unknown>>;
  return {
    shown: recordOf(shown, (each) => typeof each === 'boolean'),
    order: Array.isArray(order) ? order.filter((each) => typeof each === 'string') : [],
    density: density === 'comfortable' ? density : 'compact',
    widths: recordOf(widths, (each): each is number => Number.isInteger(each)),
  };
}

const recordOf = <Value>(stored: unknown, isValue: (each: unknown) => each is Value): Record<string, Value> =>
  Object.fromEntries(
    Object.entries(stored ?? {}).filter((entry): entry is [string, Value] => isValue(entry[1])),
  );

interface ViewColumn {
  id: string;
  hidden?: boolean;
}

export interface TableView {
  /** All columns, in the reader's order. */
  order: readonly string[];
  visibility: Readonly<Record<string, boolean>>;
  density: Density;
  /** Which columns are shown in which order, as an address says it. */
  address: string;
  widths: Readonly<Record<string, number>>;
  /** Undefined: as wide as its content. */
  setWidth: (column: string, width: number | undefined) => void;
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

/** The columns of a table in an address: its id, then those that are shown, in their order. */
export const columnsText = (id: string, shown: readonly string[]): string => [id, ...shown].join('.');

/** What an address asks a table to show; nothing where it is about another one. */
export function columnsAsked(id: string, text: unknown): string[] | undefined {
  const [table, ...shown] = typeof text === 'string' ? text.split('.') : [];
  return table === id && shown.length > 0 ? shown : undefined;
}

/** How a table is shown: as its address asks, else as the reader left it. A change of columns is the reader's from then on. */
export function useTableView(id: string, columns: readonly ViewColumn[]): TableView {
  const [own, setOwn, forget] = useRemembered(`table:${id}`, viewOf, byDefault);
  const navigate = useNavigate();
  const asked = columnsAsked(id, (useSearch({ strict: false }) as { columns?: unknown }).columns);
  const view = asked ? { ...own, order: asked, shown: shownOf(columns, asked) } : own;
  const order = orderOf(columns, view.order);
  const visibility = Object.fromEntries(
    columns.map((column, index) => [column.id, index === 0 || (view.shown[column.id] ?? !column.hidden)]),
  );
  const leaveAddress = () => {
    if (asked) void navigate({ to: '.', search: withoutColumns, replace: true, resetScroll: false });
  };
  const arrange = (patch: Partial<View>) => {
    setOwn({ ...view, ...patch });
    leaveAddress();
  };
  return {
    order,
    visibility,
    density: view.density,
    widths: view.widths,
    address: columnsText(
      id,
      order.filter((column) => visibility[column]),
    ),
    setWidth: (column, width) => {
      const { [column]: _, ...others } = own.widths;
      setOwn({ ...own, widths: width === undefined ? others : { ...others, [column]: width } });
    },
    show: (column, shown) => arrange({ shown: { ...view.shown, [column]: shown } }),
    move: (column, by) => {
      const from = order.indexOf(column);
      const to = Math.max(1, Math.min(order.length - 1, from + by));
      const others = order.filter((each) => each !== column);
      arrange({ order: [...others.slice(0, to), column, ...others.slice(to)] });
    },
    setDensity: (density) => setOwn({ ...own, density }),
    reset: () => {
      forget();
      leaveAddress();
    },
  };
}

const shownOf = (columns: readonly ViewColumn[], asked: readonly string[]) =>
  Object.fromEntries(columns.map(({ id }) => [id, asked.includes(id)]));
const withoutColumns = (search: object) => ({ ...search, columns: undefined });
