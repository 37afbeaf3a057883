import type { RouteName } from '@breakwater/contract';
import { isSame } from '@breakwater/contract/list-items';
import type { ReactNode } from 'react';
import type { FieldValues, UseFormReturn } from 'react-hook-form';
import type * as z from 'zod';
import { useDenial } from '../../frame/denial.ts';
import { useUndo } from '../../frame/undo.ts';
import { useText } from '../../i18n/text.ts';
import { FormFrame } from '../../kit/form/form-page.tsx';
import { keepsSecrets } from '../../kit/form/secrets.ts';
import { Loaded, type Read } from '../../kit/loaded.tsx';
import { Section } from '../../kit/page.tsx';
import { notify } from '../../kit/toast.ts';
import { useVersionedForm, type Versioned } from '../../kit/form/versioned-form.tsx';
import { settingText } from './setting.text.ts';

/** A setting is one value with a version, as `defineSetting` of the contract has it. */
type SettingRead<Value> = Read<Versioned<Value>> & {
  refetch: () => Promise<{ data: Versioned<Value> | undefined; error: Error | null }>;
};

interface SettingOfProps<Input extends FieldValues, Value> {
  schema: z.ZodType<Value, Input>;
  read: SettingRead<Value>;
  /** The route that changes the setting: who may call it may save. */
  route: RouteName;
  save: (body: Versioned<Value>) => Promise<Versioned<Value>>;
  title: string;
  hint?: string;
  /** Its fields. */
  children: (form: UseFormReturn<Input, unknown, Value>) => ReactNode;
}

/** The card of one setting, loaded and saved by itself. */
export function SettingOf<Input extends FieldValues, Value>(props: SettingOfProps<Input, Value>) {
  const { read } = props;
  return <Loaded read={read}>{(latest) => <SettingForm {...props} latest={latest} />}</Loaded>;
}

function SettingForm<Input extends FieldValues, Value>({
  schema,
  read,
  route,
  save,
  title,
  hint,
  children,
  latest,
}: SettingOfProps<Input, Value> & { latest: Versioned<Value> }) {
  const t = useText(settingText);
  const denial = useDenial();
  const offer = useUndo();
  const { form, submit, notice } = useVersionedForm(schema, {
    latest,
    save: async (value, { version, value: shown }) => {
      const saved = await save({ version, value });
      // What was there is sent back as it was: not where a rule is newer than the setting, which the server would refuse.
      const before = schema.safeParse(shown);
      const undoable =
        before.success && !isSame(before.data, value) && keepsSecrets(schema, shown, value, saved.value);
      const undo = () => save({ version: saved.version, value: before.data! });
      notify.success(t.saved, undoable ? offer(undo) : undefined);
      return saved;
    },
    refetch: read.refetch,
  });
  return (
    <FormFrame form={form} onSubmit={submit} disabledReason={denial(route)} notice={notice}>
      <Section title={title} hint={hint}>
        {children(form)}
      </Section>
    </FormFrame>
  );
}
