import type { RouteName } from '@breakwater/contract';
import { useChange } from '../api/change.ts';
import type { Arguments, Data } from '../api/client.ts';
import type { RowAction } from '../kit/row-actions.tsx';
import { notify } from '../kit/toast.ts';
import { useDenial } from './denial.ts';

interface RowActionOptions<Name extends RouteName, Row> extends Pick<RowAction, 'label' | 'icon'> {
  argumentsOf: (row: Row) => Arguments<Name>;
  /** Says what came of it. */
  onDone: (answer: Data<Name>) => void;
}

/** An action of a row that is done at once; what went wrong is said beside the list. */
export function useRowAction<Name extends RouteName, Row>(
  route: Name,
  { argumentsOf, onDone, ...look }: RowActionOptions<Name, Row>,
) {
  const denial = useDenial();
  const { mutate } = useChange(route);
  return {
    action: (row: Row, why?: string | false): RowAction => ({
      ...look,
      onClick: () =>
        mutate(argumentsOf(row), { onSuccess: onDone, onError: (error) => notify.refused(error.message) }),
      disabledReason: denial(route) ?? (why || undefined),
    }),
  };
}
