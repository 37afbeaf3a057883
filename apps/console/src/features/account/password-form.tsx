import { ownPasswordInput } from '@breakwater/contract';
import { useChange } from '../../api/change.ts';
import { useText } from '../../i18n/text.ts';
import { TextInput } from '../../kit/fields/inputs.tsx';
import { FormFrame } from '../../kit/form/form-page.tsx';
import { submitForm, useSchemaForm } from '../../kit/form/form.tsx';
import { Section } from '../../kit/page.tsx';
import { notify } from '../../kit/toast.ts';
import { accountText } from './account.text.ts';
import { Fields } from './fields.tsx';

const empty = { current_password: '', password: '' };

/** Changes one's own password; all other sessions end with it. */
export function PasswordForm() {
  const t = useText(accountText).password;
  const change = useChange('changeOwnPassword');
  const form = useSchemaForm(ownPasswordInput, empty);
  const { control } = form;
  const submit = submitForm(form, async (body) => {
    await change.mutateAsync({ body });
    // Passwords do not stay in the page.
    form.reset(empty);
    notify.success(t.saved);
  });
  return (
    <FormFrame form={form} onSubmit={submit}>
      <Section title={t.title} hint={t.hint}>
        <Fields>
          <TextInput
            control={control}
            name="current_password"
            type="password"
            label={t.current}
            autoComplete="current-password"
          />
          <TextInput
            control={control}
            name="password"
            type="password"
            label={t.next}
            hint={t.nextHint}
            autoComplete="new-password"
          />
        </Fields>
      </Section>
    </FormFrame>
  );
}
