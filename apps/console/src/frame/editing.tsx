import type { RouteName } from '@breakwater/contract';
import { useState, type ReactNode } from 'react';
import { useText } from '../i18n/text.ts';
import { ActionButton } from '../kit/action-button.tsx';
import { kitText } from '../kit/kit.text.ts';
import { useDenial } from './denial.ts';
import { useRowDialog } from './row-dialog.tsx';

interface AddingOptions {
  create: RouteName;
  text: { add: string };
  /** Why none can be made here. */
  why?: string | undefined;
  form: (close: () => void) => ReactNode;
}

/** The button that makes a new one, and its form. */
export function useAdding({ create, text, why, form }: AddingOptions) {
  const denial = useDenial();
  const [open, setOpen] = useState(false);
  const add = (
    <ActionButton
      icon="add"
      variant="contained"
      onClick={() => setOpen(true)}
      disabledReason={denial(create) ?? why}
    >
      {text.add}
    </ActionButton>
  );
  return { add, dialog: open && form(() => setOpen(false)) };
}

interface EditingOptions<Row> extends Omit<AddingOptions, 'form'> {
  update: RouteName;
  /** Of a row, or of a new one. */
  form: (row: Row | null, close: () => void) => ReactNode;
}

/** The button that makes a new one, the action that changes one, and the form of both. */
export function useEditing<Row>({ create, update, text, form }: EditingOptions<Row>) {
  const kit = useText(kitText);
  const adding = useAdding({ create, text, form: (close) => form(null, close) });
  const editing = useRowDialog<Row>({ route: update, label: kit.edit, icon: 'edit', render: form });
  return {
    add: adding.add,
    action: editing.action,
    dialog: (
      <>
        {adding.dialog}
        {editing.dialog}
      </>
    ),
  };
}
