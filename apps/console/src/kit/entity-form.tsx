import type { FieldValues } from 'react-hook-form';
import type * as z from 'zod';
import { StaleAlert } from './form-parts.tsx';
import { useVersionedForm } from './versioned-form.ts';

interface Entity {
  id: number;
  version: number;
}

interface EntityFormOptions<Item extends Entity, Input, Output> {
  /** What is changed; without it a new one is made. */
  entity: Item | null;
  /** What the form has of it, or starts with. */
  inputOf: (entity: Item | null) => { [Name in keyof Input]?: Input[Name] | undefined };
  create?: (body: Output) => Promise<unknown>;
  update: (params: { id: number }, body: Output & { version: number }) => Promise<unknown>;
  /** Reads it anew, after somebody else has changed it. */
  refetch: () => Promise<{ data: Item | undefined; error: Error | null }>;
  onSaved: () => void;
}

/** The form of one entity, for a `FormDrawer`: it saves the version that it was built on, and says when there is a newer one. */
export function useEntityForm<Item extends Entity, Input extends FieldValues, Output>(
  schema: z.ZodType<Output, Input>,
  { entity, inputOf, create, update, refetch, onSaved }: EntityFormOptions<Item, Input, Output>,
) {
  const versioned = (item: Item | null) => ({ version: item?.version ?? 0, value: inputOf(item) as Output });
  const { form, submit, reload, reloading, isStale } = useVersionedForm(schema, {
    latest: versioned(entity),
    save: async ({ version, value }) => {
      await (entity ? update({ id: entity.id }, { ...value, version }) : create?.(value));
      onSaved();
      return undefined;
    },
    refetch: async () => {
      const { data, error } = await refetch();
      return { data: data && versioned(data), error };
    },
  });
  const notice = isStale && <StaleAlert onReload={() => void reload()} busy={reloading} />;
  return { form, submit, notice };
}
