import { errors, looksLikeEmail } from '@breakwater/contract';
import { useState } from 'react';
import { ApiError, call } from '../../api/client.ts';
import { config } from '../../api/config.ts';
import { session } from '../../api/session.ts';
import { useLanguage } from '../../i18n/language.ts';
import { useText } from '../../i18n/text.ts';
import { AuthField, AuthForm, AuthSwitch, type Checked } from './auth-form.tsx';
import { AuthLayout } from './auth-layout.tsx';
import { authText } from './auth.text.ts';
import { PasskeySignIn } from './passkey-sign-in.tsx';
import { afterSignIn, signUpPath } from '../return-target.ts';
import { showWindowPage } from '../window-page.ts';
import { useConsoleSetting } from './use-console-setting.ts';

interface Credentials {
  username: string;
  password: string;
}
interface Code {
  one_time_code: string;
}

/** Both must be there; whether they are right, the server says. */
function readCredentials({ username = '', password = '' }: Record<string, string>): Checked<Credentials> {
  const values = { username: username.trim(), password };
  const missing = Object.entries(values).filter(([, value]) => value === '');
  return missing.length === 0
    ? { values }
    : { wrong: Object.fromEntries(missing.map(([name]) => [name, 'required'])) };
}

function readCode({ one_time_code = '' }: Record<string, string>): Checked<Code> {
  return one_time_code.trim() === ''
    ? { wrong: { one_time_code: 'required' } }
    : { values: { one_time_code } };
}

export function SignIn() {
  const text = useText(authText);
  const t = text.signIn;
  const language = useLanguage();
  const setting = useConsoleSetting();
  /** What was right, while the code for it is asked for. */
  const [entered, setEntered] = useState<Credentials | null>(null);
  const arrive = () => showWindowPage(afterSignIn(location.search));
  const save = async (values: Credentials & Partial<Code>) => {
    try {
      await signIn(values, text.noToken);
    } catch (error) {
      if (!(error instanceof ApiError) || error.code !== errors.one_time_code_needed.code) throw error;
      setEntered(values);
      return;
    }
    await arrive();
  };
  return (
    <AuthLayout
      title={t.welcome(config().app_name)}
      subtitle={setting?.welcome_tip[language] || text.subtitle}
      page={t.heading}
    >
      {entered ? (
        <CodeForm save={(code) => save({ ...entered, ...code })} onBack={() => setEntered(null)} />
      ) : (
        <>
          <PasswordForm save={save} />
          <PasskeySignIn onSignedIn={arrive} />
        </>
      )}
      {!entered && setting?.sign_up && (
        <AuthSwitch question={t.noAccount} link={t.toSignUp} to={signUpPath} />
      )}
    </AuthLayout>
  );
}

function PasswordForm({ save }: { save: (values: Credentials) => Promise<void> }) {
  const t = useText(authText).signIn;
  return (
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
  );
}

interface CodeFormProps {
  save: (code: Code) => Promise<void>;
  onBack: () => void;
}

/** The second step, for accounts that ask for a one-time code. */
function CodeForm({ save, onBack }: CodeFormProps) {
  const t = useText(authText).signIn;
  return (
    <>
      <AuthForm
        read={readCode}
        heading={t.codeHeading}
        hint={t.codeHint}
        submitLabel={t.codeSubmit}
        save={save}
      >
        {(errorOf) => (
          <AuthField
            name="one_time_code"
            label={t.code}
            autoComplete="one-time-code"
            error={errorOf('one_time_code')}
            autoFocus
          />
        )}
      </AuthForm>
      <p className="switch secondary">
        <button type="button" className="text-link" onClick={onBack}>
          {t.codeBack}
        </button>
      </p>
    </>
  );
}

/** A name that looks like an e-mail is a customer's, else an administrator's; each has its own server. */
async function signIn({ username, ...secrets }: Credentials & Partial<Code>, noToken: string): Promise<void> {
  const customer = looksLikeEmail(username);
  const data = customer
    ? await call('signInClient', { body: { email: username, ...secrets } })
    : await call('signInAdmin', { body: { username, ...secrets } });
  if (!data.token) throw new Error(noToken);
  session.start(customer ? 'user' : 'admin', data);
}
