import { get, useFormState, type Control, type FieldPath, type FieldValues } from 'react-hook-form';
import { useFieldMessage } from '../form/form.tsx';
import { useTells } from '../form/shown.ts';

/** What is wrong with a list as a whole, such as that it is empty; what is wrong in its rows stands at their fields. */
export function useListMessage<V extends FieldValues, T>(
  control: Control<V, unknown, T>,
  name: FieldPath<V>,
  label: string,
): string | undefined {
  useTells(control, name, label);
  const { errors } = useFormState({ control, name });
  const own = get(errors, name) as { message?: string; root?: { message?: string } } | undefined;
  return useFieldMessage()(own?.root?.message ?? own?.message);
}
