import { isInheritedSection, isReplaySection, type RouteName, type SiteSection } from '@breakwater/contract';
import { useState, type ReactNode } from 'react';
import type { FieldValues } from 'react-hook-form';
import type * as z from 'zod';
import { useChange } from '../../../api/change.ts';
import type { ApiError, Arguments, Data } from '../../../api/client.ts';
import { ChangeWordsContext } from '../../../kit/change-words.ts';
import { FieldSources } from '../../../kit/fields/field-source.tsx';
import { FormFrame } from '../../../kit/form/form-page.tsx';
import { handleForm, savedValue } from '../../../kit/form/form.tsx';
import { useVersionedForm, type Versioned } from '../../../kit/form/versioned-form.tsx';
import { ReplayButton } from '../replay/replay-button.tsx';
import { useStopGuard } from '../replay/stop-guard.tsx';
import { wordsOfSection } from '../change/section-words.tsx';
import { useFocusField } from './focus-field.ts';
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
  name: SiteSection,
) {
  const { onSent, undoOf } = useSectionHost();
  const guard = useStopGuard(name);
  // Kept here: the versioned form has to know of it, and `useSources` has to know what that form is built on.
  const given = useState<readonly string[]>([]);
  const { form, submit, notice, base } = useVersionedForm<Input, Value, Latest<Value>>(schema, {
    latest,
    refetch,
    isChanged: given[0].length > 0,
    onTaken: () => given[1]([]),
    save: async (value, from) => {
      const own = sources.own();
      // Not to be saved after all; the form stays as it is.
      if (!(await guard.mayBeSaved(value as object, own))) return undefined;
      const saved = await save({ version: from.version, value, ...(own ? { own } : {}) });
      if (saved === undefined) return undefined;
      // A save that changes nothing makes no version, and there is nothing to be undone.
      onSent(saved.version > from.version ? undoOf(saved.version) : undefined, saved.version);
      return { ...from, version: saved.version, value: savedValue(schema, value), ...(own ? { own } : {}) };
    },
  });
  const sources = useSources(form as never, base, isInheritedSection(name) ? name : undefined, given);
  /** As it would be saved; the form shows what keeps it from that. */
  const draftOf = () =>
    new Promise<{ value: object; own?: string[] | undefined } | undefined>((resolve, reject) => {
      handleForm(form, async (value) => {
        resolve({ value: value as object, own: sources.own() });
        return true;
      }).then(() => resolve(undefined), reject);
    });
  const isDirty = form.formState.isDirty || sources.isChanged;
  return { name, form, submit, notice, sources, isDirty, draftOf, guard };
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
  const { name, form, submit, notice, sources, isDirty, draftOf, guard } = section;
  useFocusField();
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
      actions={isReplaySection(name) && <ReplayButton section={name} draftOf={draftOf} />}
      notice={notice && <ChangeWordsContext value={wordsOfSection(name)}>{notice}</ChangeWordsContext>}
    >
      <FieldSources value={sources.of}>{children}</FieldSources>
      {guard.dialog}
    </FormFrame>
  );
}

/** Saving a section makes everything that shows the site old. */
export function useSectionSave<Name extends RouteName>(
  name: Name,
): (args: Arguments<Name>) => Promise<Data<Name>> {
  return useChange(name).mutateAsync;
}
