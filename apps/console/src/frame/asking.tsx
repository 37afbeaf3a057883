import type { RouteName } from '@breakwater/contract';
import type { ReactNode } from 'react';
import { useChange } from '../api/change.ts';
import type { Arguments } from '../api/client.ts';
import { useText } from '../i18n/text.ts';
import { Confirm } from '../kit/confirm.tsx';
import { kitText } from '../kit/kit.text.ts';
import type { RowAction } from '../kit/row-actions.tsx';
import { notify } from '../kit/toast.ts';
import { useRowDialog } from './row-dialog.tsx';

interface Identified {
  id: number;
}
interface OfOne {
  params: Identified;
}
/** Calls that change one row and want nothing but its id. */
type RowChange = {
  [Name in RouteName]: keyof Arguments<Name> extends 'params'
    ? OfOne extends Arguments<Name>
      ? 'params' extends keyof Arguments<Name>
        ? Name
        : never
      : never
    : never;
}[RouteName];

interface AskingOptions<Row> extends Pick<RowAction, 'label' | 'icon'> {
  title: string;
  body: (row: Row) => ReactNode;
  /** What is said when it is done. */
  done: string;
  /** What must be typed first. */
  typed?: ((row: Row) => string) | undefined;
  destructive?: boolean;
  failure?: string;
  leave?: (() => Promise<unknown>) | undefined;
}

/** An action of a row that is asked about before it is done. */
export function useAsking<Row extends Identified>(
  route: RowChange,
  { label, icon, title, body, done, typed, failure, destructive = false, leave }: AskingOptions<Row>,
) {
  const { mutateAsync } = useChange(route, { leave });
  return useRowDialog<Row>({
    route,
    label,
    icon,
    destructive,
    render: (row, close) => (
      <Confirm
        title={title}
        body={body(row)}
        action={label}
        {...(typed ? { typed: typed(row) } : {})}
        {...(failure === undefined ? {} : { failure })}
        onConfirm={async () => {
          await mutateAsync({ params: { id: row.id } });
          notify.success(done);
        }}
        onClose={close}
      />
    ),
  });
}

interface RemovalOptions<Row> extends Pick<AskingOptions<Row>, 'body' | 'typed' | 'leave'> {
  text: { removeTitle: string; removed: string };
}

/** The action that removes a row, asked about first. */
export function useRemoval<Row extends Identified>(
  route: RowChange,
  { text, ...options }: RemovalOptions<Row>,
) {
  const kit = useText(kitText);
  return useAsking<Row>(route, {
    ...options,
    label: kit.remove,
    icon: 'delete',
    destructive: true,
    title: text.removeTitle,
    failure: kit.failed.deletion,
    done: text.removed,
  });
}
