import type { InheritedSection, RouteName } from '@breakwater/contract';
import { useState, type ReactNode } from 'react';
import type { FieldValues } from 'react-hook-form';
import type * as z from 'zod';
import { useChange } from '../../../api/change.ts';
import type { ApiError, Arguments, Data } from '../../../api/client.ts';
import { FieldSources } from '../../../kit/fields/field-source.tsx';
import { FormFrame } from '../../../kit/form/form-page.tsx';
import { savedValue } from '../../../kit/form/form.tsx';
import { useVersionedForm, type Versioned } from '../../../kit/form/versioned-form.tsx';
import { useSectionHost } from './host.tsx';
import { useSources, type Inheritance } from './sources.ts';

/** What a section that sites inherit says besides. */
type Latest<Value> = Versioned<Value> & Partial<Inheritance>;

/** The form of one section of a site or a level: a versioned form that knows besides which fields are set here. */
export function useSectionForm<Input extends FieldValues, Value>(
  schema: z.ZodType<Value, Input>,
  latest: Latest<Value>,
  save: (built: Versioned<Value>) => Promise<{ version: number } | undefined>,
  refetch: () => Promise<{ data: Latest<Value> | undefined; error: ApiError | null }>,
  inherited?: InheritedSection,
) {
  const { onSent, undoOf } = useSectionHost();
  const given = useState<readonly string[]>([]);
  const { form, submit, notice, base } = useVersionedForm<Input, Value, Latest<Value>>(schema, {
    latest,
    refetch,
    isChanged: given[0].length > 0,
    onTaken: () => given[1]([]),
    save: async (value, from) => {
      const own = sources.own();
      const saved = await save({ version: from.version, value, ...(own ? { own } : {}) });
      if (saved === undefined) return undefined;
      onSent(saved.version > from.version ? undoOf?.(saved.version) : undefined);
      return { ...from, version: saved.version, value: savedValue(schema, value), ...(own ? { own } : {}) };
    },
  });
  const sources = useSources(form as never, base, inherited, given);
  return { form, submit, notice, sources, isDirty: form.formState.isDirty || sources.isChanged };
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
  const { form, submit, notice, sources, isDirty } = section;
  const { isSubmitting, errors: problems } = form.formState;
  const reset = () => {
    sources.forget();
    form.reset();
  };
  return (
    <FormFrame
      form={{ formState: { isDirty, isSubmitting, errors: problems }, reset }}
      onSubmit={submit}
      disabledReason={denied}
      notice={notice}
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
