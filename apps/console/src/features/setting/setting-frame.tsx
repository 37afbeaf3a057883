import type { RouteName } from '@breakwater/contract';
import type { ReactNode } from 'react';
import type { FieldValues, UseFormReturn } from 'react-hook-form';
import { useMay } from '../../api/account.ts';
import { useText } from '../../i18n/text.ts';
import { FormFrame } from '../../kit/form-page.tsx';
import { submitForm } from '../../kit/form.tsx';
import { kitText } from '../../kit/kit.text.ts';
import { Section } from '../../kit/page.tsx';
import { notify } from '../../kit/toast.ts';
import { settingText } from './setting.text.ts';

interface SettingFrameProps<Input extends FieldValues, Setting extends Input> {
  form: UseFormReturn<Input, unknown, Setting>;
  /** The route that changes the setting: who may call it may save. */
  route: RouteName;
  /** Gives the setting as the server has it then. */
  save: (setting: Setting) => Promise<Setting>;
  title: string;
  hint?: string;
  children: ReactNode;
}

/** The form of one setting, saved by itself. */
export function SettingFrame<Input extends FieldValues, Setting extends Input>(
  props: SettingFrameProps<Input, Setting>,
) {
  const { form, route, save, title, hint, children } = props;
  const t = useText(settingText);
  const kit = useText(kitText);
  const may = useMay();
  const submit = submitForm(form, async (setting) => {
    form.reset(await save(setting));
    notify.success(t.saved);
  });
  return (
    <FormFrame form={form} onSubmit={submit} disabledReason={may(route) ? undefined : kit.noPermission}>
      <Section title={title} hint={hint}>
        {children}
      </Section>
    </FormFrame>
  );
}
