import type { RouteName } from '@breakwater/contract';
import { useState, type ReactNode } from 'react';
import type { RowAction } from '../kit/row-actions.tsx';
import { useDenial } from './denial.ts';

interface RowDialogOptions<Row> extends Pick<RowAction, 'label' | 'icon' | 'destructive'> {
  /** The call that the dialog leads to: who may not make it does not open it. */
  route?: RouteName;
  render: (row: Row, close: () => void) => ReactNode;
}

/** An action of a row that opens something about it: a form, a question, what happened to it. */
export function useRowDialog<Row>({ route, render, ...look }: RowDialogOptions<Row>) {
  const denial = useDenial();
  const [open, setOpen] = useState<{ row: Row } | null>(null);
  const close = () => setOpen(null);
  return {
    /** @param why it cannot be done with this row. */
    action: (row: Row, why?: string | false): RowAction => ({
      ...look,
      onClick: () => setOpen({ row }),
      disabledReason: (route && denial(route)) ?? (why || undefined),
    }),
    show: (row: Row) => setOpen({ row }),
    dialog: open && render(open.row, close),
  };
}
