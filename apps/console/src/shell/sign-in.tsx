import { looksLikeEmail } from '@breakwater/contract';
import { useRouter, useSearch } from '@tanstack/react-router';
import * as z from 'zod';
import { call } from '../api/client.ts';
import { config } from '../api/config.ts';
import { queryClient, useApi } from '../api/query.ts';
import { session } from '../api/session.ts';
import { useLanguage } from '../i18n/language.ts';
import { useText } from '../i18n/text.ts';
import { TextInput } from '../kit/fields.tsx';
import { submitForm, useSchemaForm } from '../kit/form.tsx';
import { AuthForm, AuthSwitch, usePasswordField } from './auth-form.tsx';
import { AuthLayout } from './auth-layout.tsx';
import { authText } from './auth.text.ts';
import { afterSignIn, signUpPath } from './return-target.ts';

const credentials = z.object({ username: z.string().trim().min(1).max(200), password: z.string().min(1).max(128) });

export function SignIn() {
  const text = useText(authText);
  const t = text.signIn;
  const language = useLanguage();
  const router = useRouter();
  const search = useSearch({ strict: false }) as { returnTo?: string };
  const setting = useApi('getConsoleSetting', {}).data;
  const form = useSchemaForm(credentials, { username: '', password: '' });
  const submit = submitForm(form, async (values) => {
    await signIn(values, text.noToken);
    queryClient.clear();
    router.history.replace(afterSignIn(search));
  });
  return (
    <AuthLayout title={t.welcome(config().app_name)} subtitle={setting?.welcome_tip[language] || text.subtitle} page={t.heading}>
      <AuthForm form={form} heading={t.heading} hint={t.hint} submitLabel={t.submit} onSubmit={submit}>
        <TextInput control={form.control} name="username" label={t.username} autoComplete="username" autoFocus />
        <TextInput control={form.control} name="password" label={t.password} autoComplete="current-password" {...usePasswordField()} />
      </AuthForm>
      {setting?.sign_up && <AuthSwitch question={t.noAccount} link={t.toSignUp} to={signUpPath} />}
    </AuthLayout>
  );
}

/** A name that looks like an e-mail is a customer's, else an administrator's; each has its own server. */
async function signIn({ username, password }: z.infer<typeof credentials>, noToken: string): Promise<void> {
  const customer = looksLikeEmail(username);
  const data = customer
    ? await call('signInClient', { body: { email: username, password } })
    : await call('signInAdmin', { body: { username, password } });
  if (!data.token) throw new Error(noToken);
  session.start(customer ? 'user' : 'admin', data);
}
