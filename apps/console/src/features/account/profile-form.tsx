import { profileInput, type Account } from '@breakwater/contract';
import { useWatch } from 'react-hook-form';
import { useAccount } from '../../api/account.ts';
import { useChange } from '../../api/change.ts';
import { useApi } from '../../api/query.ts';
import { useUndo } from '../../frame/undo.ts';
import { useText } from '../../i18n/text.ts';
import { TextInput } from '../../kit/fields/inputs.tsx';
import { FormFrame } from '../../kit/form/form-page.tsx';
import { useVersionedForm } from '../../kit/form/versioned-form.tsx';
import { Section } from '../../kit/page.tsx';
import { notify } from '../../kit/toast.ts';
import { accountText } from './account.text.ts';
import { Fields } from './fields.tsx';

export function ProfileForms() {
  const account = useAccount();
  return <ProfileForm account={account} />;
}

const profileOf = ({ name, email, version }: Account) => ({ version, value: { name, email } });

/** A new e-mail wants the password: it is what customers sign in with. */
function ProfileForm({ account }: { account: Account }) {
  const t = useText(accountText).profile;
  const update = useChange('updateProfile');
  const offer = useUndo();
  const own = useApi('currentAccount', {}, { enabled: false });
  const { form, submit, notice, base } = useVersionedForm(profileInput, {
    latest: profileOf(account),
    save: async ({ password, ...body }, { version, value }) => {
      // A password that was entered for an address that is the old one again is of no use to the server.
      const isNew = body.email !== value.email;
      await update.mutateAsync({ body: { ...body, ...(isNew && password ? { password } : {}), version } });
      // The old address would want the password, which nobody keeps.
      const undoable = !isNew && body.name !== value.name;
      const undo = () => update.mutateAsync({ body: { ...value, version: version + 1 } });
      notify.success(t.saved, undoable ? offer(undo) : undefined);
      return { version: version + 1, value: body };
    },
    refetch: async () => {
      const { data, error } = await own.refetch();
      return { data: data && profileOf(data), error };
    },
  });
  const { control } = form;
  // E-mail addresses are kept in lower case.
  const isNewEmail = useWatch({ control, name: 'email' }).trim().toLowerCase() !== base.value.email;
  return (
    <FormFrame form={form} onSubmit={submit} notice={notice}>
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
