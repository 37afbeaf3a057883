import { useEffect, useEffectEvent, useState } from 'react';
import type { FieldValues } from 'react-hook-form';
import type * as z from 'zod';
import { Loaded } from '../loaded.tsx';
import { isSame } from '@breakwater/contract/list-items';
import type { KindFields } from './merge.ts';
import { keepsSecrets } from './secrets.ts';
import { useVersionedForm } from './versioned-form.tsx';

interface Entity {
  id: number;
  version: number;
}

interface EntityFormOptions<Item extends Entity, Input, Output> {
  /** What is changed; without it a new one is made. */
  entity: Item | null;
  /** It was read after the form was opened; else the form waits until it is read anew. */
  isFresh?: boolean;
  /** What the form has of it, or starts with. */
  inputOf: (entity: Item | null) => { [Name in keyof Input]?: Input[Name] | undefined };
  create?: (body: Output) => Promise<unknown>;
  update: (params: { id: number }, body: Output & { version: number }) => Promise<unknown>;
  /** Reads it anew, as the form opens and after somebody else has changed it. */
  refetch: () => Promise<{ data: Item | undefined; error: Error | null }>;
  /** Texts that are lists of lines, and are merged as such. */
  lines?: readonly string[];
  /** The field that names its kind, and the one that has what the kind asks for. */
  kind?: KindFields;
  /** `undo` puts back what was there before; nothing where one was made, nothing was changed, or a secret was. */
  onSaved: (undo?: () => Promise<unknown>) => void;
}

/** The form of one entity, for a `FormDrawer`: it is built on a read made after it was opened, and saves that version. */
export function useEntityForm<Item extends Entity, Input extends FieldValues, Output>(
  schema: z.ZodType<Output, Input>,
  {
    entity,
    isFresh = false,
    inputOf,
    create,
    update,
    refetch,
    lines,
    kind,
    onSaved,
  }: EntityFormOptions<Item, Input, Output>,
) {
  const versioned = (item: Item | null) => ({ version: item?.version ?? 0, value: inputOf(item) as Output });
  const { form, submit, notice, take } = useVersionedForm(schema, {
    latest: versioned(entity),
    save: async (value, { version, value: shown }) => {
      if (!entity) await create?.(value);
      else await update({ id: entity.id }, { ...value, version });
      const before = schema.safeParse(shown);
      const undoable =
        entity !== null &&
        before.success &&
        !isSame(before.data, value) &&
        keepsSecrets(schema, shown, value, value);
      onSaved(
        undoable ? () => update({ id: entity.id }, { ...before.data, version: version + 1 }) : undefined,
      );
      return undefined;
    },
    refetch: async () => {
      const { data, error } = await refetch();
      return { data: data && versioned(data), error };
    },
    lines,
    kind,
  });
  const opening = useOpening(entity === null || isFresh ? undefined : refetch, (item) =>
    take(versioned(item)),
  );
  return { form: { ...form, opening, isNew: entity === null }, submit, notice };
}

/** What stands in the form's place until the first read is there: that it is on its way, or why it failed. */
function useOpening<Item>(
  read: (() => Promise<{ data: Item | undefined; error: Error | null }>) | undefined,
  onRead: (item: Item) => void,
) {
  const [state, setState] = useState<{ isFetching: boolean; error: Error | null } | null>(
    read ? { isFetching: true, error: null } : null,
  );
  const open = async () => {
    if (!read) return;
    setState({ isFetching: true, error: null });
    const { data, error } = await read();
    if (data) onRead(data);
    setState(data ? null : { isFetching: false, error });
  };
  const onOpened = useEffectEvent(open);
  useEffect(() => void onOpened(), []);
  if (state === null) return undefined;
  return <Loaded read={{ ...state, data: undefined, refetch: open }}>{() => null}</Loaded>;
}
