import { errors, type InheritedSection, type RouteName } from '@breakwater/contract';
import { useEffect, useState, type ReactNode } from 'react';
import type { FieldValues } from 'react-hook-form';
import type * as z from 'zod';
import { useChange } from '../../api/change.ts';
import type { ApiError, Arguments, Data } from '../../api/client.ts';
import { useText } from '../../i18n/text.ts';
import { FieldSources } from '../../kit/field-source.tsx';
import { FormFrame } from '../../kit/form-page.tsx';
import { StaleAlert, rootError } from '../../kit/form-parts.tsx';
import { savedValue, submitForm, useSchemaForm } from '../../kit/form.tsx';
import { kitText } from '../../kit/kit.text.ts';
import { notify } from '../../kit/toast.ts';
import { enteredValues, type Versioned } from '../../kit/versioned-form.ts';
import { useSectionHost } from './section-host.tsx';
import { useSources, type Inheritance } from './section-sources.ts';

/** What a section that sites inherit says besides. */
type Latest<Value> = Versioned<Value> & Partial<Inheritance>;
type Built<Value> = Versioned<Value> & { own?: string[] };

/** The form of one section of a site: built on a version, and told when somebody else saved a newer one. */
export function useSectionForm<Input extends FieldValues, Value>(
  schema: z.ZodType<Value, Input>,
  latest: Latest<Value>,
  save: (built: Built<Value>) => Promise<{ version: number } | undefined>,
  refetch: () => Promise<{ data: Latest<Value> | undefined; error: ApiError | null }>,
  inherited?: InheritedSection,
) {
  const kit = useText(kitText);
  const { onSent } = useSectionHost();
  const [base, setBase] = useState(latest);
  const [reloading, setReloading] = useState(false);
  const form = useSchemaForm<Input, Value>(schema, base.value as never);
  const sources = useSources(form as never, base, inherited);
  const isDirty = form.formState.isDirty || sources.isChanged;
  const take = (next: Latest<Value>) => {
    setBase(next);
    sources.forget();
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
      const own = sources.own();
      const saved = await save({ version: base.version, value, ...(own ? { own } : {}) });
      if (saved === undefined) return;
      take({ ...base, version: saved.version, value: savedValue(schema, value), ...(own ? { own } : {}) });
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
  return { form, submit, reload, reloading, sources, isDirty };
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
  const { denied } = useSectionHost();
  const { form, submit, reload, reloading, sources, isDirty } = section;
  const { isSubmitting, errors: problems } = form.formState;
  const reset = () => {
    sources.forget();
    form.reset();
  };
  const stale = rootError(form)?.code === errors.stale_version.code;
  return (
    <FormFrame
      form={{ formState: { isDirty, isSubmitting, errors: problems }, reset }}
      onSubmit={submit}
      disabledReason={denied}
      notice={stale && <StaleAlert onReload={() => void reload()} busy={reloading} />}
    >
      <FieldSources value={sources.of}>{children}</FieldSources>
    </FormFrame>
  );
}

/** Saving a section makes everything that shows the site old. */
export function useSectionSave<Name extends RouteName>(
  name: Name,
): (args: Arguments<Name>) => Promise<Data<Name>> {
  return useChange(name).mutateAsync;
}
