import type { RouteName } from '@breakwater/contract';
import type { FieldValues } from 'react-hook-form';
import type * as z from 'zod';
import { useChange } from '../api/change.ts';
import type { Arguments, Data } from '../api/client.ts';
import { useApi } from '../api/query.ts';
import { useEntityForm } from '../kit/form/entity-form.tsx';
import { notify } from '../kit/toast.ts';
import { useUndo } from './undo.ts';

interface Entity {
  id: number;
  version: number;
}
/** Calls that read one entity by its id. */
type GetName = {
  [Name in RouteName]: Name extends `get${string}` ? (Data<Name> extends Entity ? Name : never) : never;
}[RouteName];
type Verbal<Verb extends string> = Extract<RouteName, `${Verb}${string}`>;

interface DrawerOptions<Item, Input> {
  /** Without it, none is made by this form. */
  create?: Verbal<'create'>;
  update: Verbal<'update'>;
  /** What is changed; without it a new one is made. */
  entity: Item | null;
  inputOf: (entity: Item | null) => { [Field in keyof Input]?: Input[Field] | undefined };
  text: { add: string; edit: string; saved: string };
  onClose: () => void;
}

/** The form of one entity and what its `FormDrawer` takes; it is read, made and saved by the calls that are named. */
export function useEntityDrawer<Get extends GetName, Input extends FieldValues, Output>(
  schema: z.ZodType<Output, Input>,
  options: DrawerOptions<Data<Get>, Input> & { get: Get },
) {
  const { get, create: createName, update: updateName, entity, inputOf, text, onClose } = options;
  const offer = useUndo();
  const create = useChange(createName ?? updateName);
  const update = useChange(updateName);
  const args = { params: { id: (entity as Entity | null)?.id ?? 0 } } as unknown as Arguments<Get>;
  const current = useApi(get, args, { enabled: false });
  const { form, submit, notice } = useEntityForm(schema, {
    entity: entity as (Data<Get> & Entity) | null,
    inputOf,
    create: (body) => create.mutateAsync({ body } as never),
    update: (params, body) => update.mutateAsync({ params, body } as never),
    refetch: current.refetch as () => Promise<{
      data: (Data<Get> & Entity) | undefined;
      error: Error | null;
    }>,
    onSaved: (undo) => {
      notify.success(text.saved, undo && offer(undo));
      onClose();
    },
  });
  const title = entity ? text.edit : text.add;
  return { form, control: form.control, drawer: { title, form, onSubmit: submit, onClose, notice } };
}
