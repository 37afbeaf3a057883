import { errors } from '@breakwater/contract';
import { useEffect, useState } from 'react';
import type { FieldValues, Path, PathValue, UseFormReturn } from 'react-hook-form';
import type * as z from 'zod';
import { useText } from '../i18n/text.ts';
import { rootError } from './form-parts.tsx';
import { savedValue, submitForm, useSchemaForm } from './form.tsx';
import { kitText } from './kit.text.ts';
import { notify } from './toast.ts';

export interface Versioned<Value> {
  version: number;
  value: Value;
}

interface VersionedOptions<Value> {
  latest: Versioned<Value>;
  /** Gives what is there from then on; nothing where it was not saved after all. */
  save: (built: Versioned<Value>) => Promise<Versioned<Value> | undefined>;
  refetch: () => Promise<{ data: Versioned<Value> | undefined; error: Error | null }>;
}

/**
 * A form that is built on a version. Newer content replaces what is shown as long as nothing was entered; a save that somebody
 * else was ahead of is stale: what was entered stays, also when the newer content is loaded.
 */
export function useVersionedForm<Input extends FieldValues, Value>(
  schema: z.ZodType<Value, Input>,
  { latest, save, refetch }: VersionedOptions<Value>,
) {
  const kit = useText(kitText);
  const [version, setVersion] = useState(latest.version);
  const [reloading, setReloading] = useState(false);
  const form = useSchemaForm<Input, Value>(schema, savedValue(schema, latest.value) as never);
  const { isDirty } = form.formState;
  const take = (next: Versioned<Value>) => {
    setVersion(next.version);
    form.reset(savedValue(schema, next.value) as never);
  };
  // What was read before a save is older than what was saved.
  useEffect(() => {
    if (!isDirty && latest.version > version) take(latest);
  });
  const submit = submitForm(
    form,
    async (value) => {
      const saved = await save({ version, value });
      if (saved) take(saved);
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
  const isStale = rootError(form)?.code === errors.stale_version.code;
  return { form, submit, reload, reloading, isStale };
}

/** The parts of the form that were changed, with their current values. */
export function enteredValues<Input extends FieldValues, Value>(form: UseFormReturn<Input, unknown, Value>) {
  const values = form.getValues();
  return Object.keys(form.formState.dirtyFields).map(
    (key) => [key as Path<Input>, values[key] as PathValue<Input, Path<Input>>] as const,
  );
}
