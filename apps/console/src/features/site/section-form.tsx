import { errors, type RouteName } from '@breakwater/contract';
import { useEffect, useState, type ReactNode } from 'react';
import type { FieldValues, Path, PathValue, UseFormReturn } from 'react-hook-form';
import type * as z from 'zod';
import type { ApiError, Arguments, Data } from '../../api/client.ts';
import { useChange } from '../../api/query.ts';
import { useText } from '../../i18n/text.ts';
import { FormFrame } from '../../kit/form-page.tsx';
import { StaleAlert, rootError } from '../../kit/form-parts.tsx';
import { submitForm, useSchemaForm } from '../../kit/form.tsx';
import { kitText } from '../../kit/kit.text.ts';
import { notify } from '../../kit/toast.ts';
import { useSite } from './site-context.tsx';
import { siteReads } from './site-reads.ts';

interface Versioned<Value> {
  version: number;
  value: Value;
}

/** The form of one section of a site: built on a version, and told when somebody else saved a newer one. */
export function useSectionForm<Input extends FieldValues, Value>(
  schema: z.ZodType<Value, Input>,
  latest: Versioned<Value>,
  save: (built: Versioned<Value>) => Promise<{ version: number }>,
  refetch: () => Promise<{ data: Versioned<Value> | undefined; error: ApiError | null }>,
) {
  const kit = useText(kitText);
  const { onSent } = useSite();
  const [base, setBase] = useState(latest);
  const [reloading, setReloading] = useState(false);
  const form = useSchemaForm<Input, Value>(schema, base.value as never);
  const { isDirty } = form.formState;
  const take = (next: Versioned<Value>) => {
    setBase(next);
    form.reset(next.value as never);
  };
  // Newer content replaces what is shown as long as nothing was entered; a dirty form stays on its own version. What was read
  // before a save is older than what was saved.
  useEffect(() => {
    if (!isDirty && latest.version > base.version) take(latest);
  });
  const submit = submitForm(
    form,
    async (value) => {
      const { version } = await save({ version: base.version, value });
      take({ version, value });
      onSent();
    },
    { prefix: 'value.' },
  );
  const reload = async () => {
    setReloading(true);
    const { data, error } = await refetch();
    setReloading(false);
    if (!data) return notify.error(error?.message ?? '');
    const entered = enteredValues(form);
    take(data);
    for (const [key, value] of entered) form.setValue(key, value, { shouldDirty: true });
    notify.success(kit.staleReloaded);
  };
  return { form, submit, reload, reloading };
}

/** The parts of the form that were changed, with their current values. */
function enteredValues<Input extends FieldValues, Value>(form: UseFormReturn<Input, unknown, Value>) {
  const values = form.getValues();
  return Object.keys(form.formState.dirtyFields).map(
    (key) => [key as Path<Input>, values[key] as PathValue<Input, Path<Input>>] as const,
  );
}

interface SectionFormProps<Input extends FieldValues, Value> {
  section: ReturnType<typeof useSectionForm<Input, Value>>;
  children: ReactNode;
}

/** The frame of a section's form: content, then errors and the buttons. */
export function SectionForm<Input extends FieldValues, Value>({
  section,
  children,
}: SectionFormProps<Input, Value>) {
  const { denied } = useSite();
  const { form, submit, reload, reloading } = section;
  const stale = rootError(form)?.code === errors.stale_version.code;
  return (
    <FormFrame
      form={form}
      onSubmit={submit}
      disabledReason={denied}
      notice={stale && <StaleAlert onReload={() => void reload()} busy={reloading} />}
    >
      {children}
    </FormFrame>
  );
}

/** Saving a section makes everything that shows the site old. */
export function useSectionSave<Name extends RouteName>(
  name: Name,
): (args: Arguments<Name>) => Promise<Data<Name>> {
  return useChange(name, siteReads).mutateAsync;
}
