import { looksLikeEmail } from '@breakwater/contract';
import { useRouter, useSearch } from '@tanstack/react-router';
import { call } from '../api/client.ts';
import { config } from '../api/config.ts';
import { queryClient, useApi } from '../api/query.ts';
import { session } from '../api/session.ts';
import { useLanguage } from '../i18n/language.ts';
import { useText } from '../i18n/text.ts';
import { AuthField, AuthForm, AuthSwitch, type Checked } from './auth-form.tsx';
import { AuthLayout } from './auth-layout.tsx';
import { authText } from './auth.text.ts';
import { afterSignIn, signUpPath } from './return-target.ts';

interface Credentials {
  username: string;
  password: string;
}

/** Both must be there; whether they are right, the server says. */
function readCredentials({ username = '', password = '' }: Record<string, string>): Checked<Credentials> {
  const values = { username: username.trim(), password };
  const missing = Object.entries(values).filter(([, value]) => value === '');
  return missing.length === 0
    ? { values }
    : { wrong: Object.fromEntries(missing.map(([name]) => [name, 'required'])) };
}

export function SignIn() {
  const text = useText(authText);
  const t = text.signIn;
  const language = useLanguage();
  const router = useRouter();
  const search = useSearch({ strict: false }) as { returnTo?: string };
  const setting = useApi('getConsoleSetting', {}).data;
  const save = async (values: Credentials) => {
    await signIn(values, text.noToken);
    queryClient.clear();
    router.history.replace(afterSignIn(search));
  };
  return (
    <AuthLayout
      title={t.welcome(config().app_name)}
      subtitle={setting?.welcome_tip[language] || text.subtitle}
      page={t.heading}
    >
      <AuthForm read={readCredentials} heading={t.heading} hint={t.hint} submitLabel={t.submit} save={save}>
        {(errorOf) => (
          <>
            <AuthField
              name="username"
              label={t.username}
              autoComplete="username"
              error={errorOf('username')}
              autoFocus
            />
            <AuthField
              name="password"
              type="password"
              label={t.password}
              autoComplete="current-password"
              error={errorOf('password')}
            />
          </>
        )}
      </AuthForm>
      {setting?.sign_up && <AuthSwitch question={t.noAccount} link={t.toSignUp} to={signUpPath} />}
    </AuthLayout>
  );
}

/** A name that looks like an e-mail is a customer's, else an administrator's; each has its own server. */
async function signIn({ username, password }: Credentials, noToken: string): Promise<void> {
  const customer = looksLikeEmail(username);
  const data = customer
    ? await call('signInClient', { body: { email: username, password } })
    : await call('signInAdmin', { body: { username, password } });
  if (!data.token) throw new Error(noToken);
  session.start(customer ? 'user' : 'admin', data);
}
