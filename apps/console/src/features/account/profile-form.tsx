import { profileInput, type Account } from '@breakwater/contract';
import { useWatch } from 'react-hook-form';
import { useAccount } from '../../api/account.ts';
import { useChange } from '../../api/change.ts';
import { useText } from '../../i18n/text.ts';
import { TextInput } from '../../kit/fields/inputs.tsx';
import { FormFrame } from '../../kit/form/form-page.tsx';
import { showOn, submitForm, useSchemaForm } from '../../kit/form/form.tsx';
import { merge } from '../../kit/form/merge.ts';
import { Section } from '../../kit/page.tsx';
import { notify } from '../../kit/toast.ts';
import { accountText } from './account.text.ts';
import { Fields } from './fields.tsx';

export function ProfileForms() {
  const account = useAccount();
  return <ProfileForm account={account} />;
}

/** A new e-mail wants the password: it is what customers sign in with. */
function ProfileForm({ account }: { account: Account }) {
  const t = useText(accountText).profile;
  const update = useChange('updateProfile');
  const { name, email } = account;
  const form = useSchemaForm(profileInput, { name, email });
  const { control } = form;
  const isNewEmail = useWatch({ control, name: 'email' }).trim().toLowerCase() !== email;
  const submit = submitForm(form, async ({ password, ...body }) => {
    const sent = structuredClone(form.getValues());
    await update.mutateAsync({ body: isNewEmail && password ? { ...body, password } : body });
    const saved = { ...body, password: undefined };
    showOn(form, profileInput, saved, merge(sent, saved, form.getValues()).value);
    notify.success(t.saved);
  });
  return (
    <FormFrame form={form} onSubmit={submit}>
      <Section title={t.title}>
        <Fields>
          <TextInput control={control} name="name" label={t.name} autoComplete="name" />
          <TextInput
            control={control}
            name="email"
            type="email"
            label={t.email}
            hint={account.role === 'user' ? t.emailHint : undefined}
            autoComplete="email"
          />
          {isNewEmail && (
            <TextInput
              control={control}
              name="password"
              type="password"
              label={t.password}
              hint={t.passwordHint}
              autoComplete="current-password"
              optional
            />
          )}
        </Fields>
      </Section>
    </FormFrame>
  );
}
