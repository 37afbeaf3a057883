import { signUpInput } from '@breakwater/contract';
import * as z from 'zod';
import { call } from '../../api/client.ts';
import { session } from '../../api/session.ts';
import { useLanguage } from '../../i18n/language.ts';
import { useText } from '../../i18n/text.ts';
import { AuthField, AuthForm, AuthSwitch, type Checked, type GuestIssue } from './auth-form.tsx';
import { AuthLayout } from './auth-layout.tsx';
import { authText } from './auth.text.ts';
import { homePath, signInPath } from '../return-target.ts';
import { showWindowPage } from '../window-page.ts';
import { useConsoleSetting } from './use-console-setting.ts';

function readSignUp(entered: Record<string, string>): Checked<z.infer<typeof signUpInput>> {
  const parsed = z.safeParse(signUpInput, entered);
  if (parsed.success) return { values: parsed.data };
  return {
    wrong: Object.fromEntries(parsed.error.issues.map((issue) => [String(issue.path[0]), issueKey(issue)])),
  };
}

function issueKey(issue: z.core.$ZodIssue): GuestIssue {
  if (issue.code === 'too_small') return Number(issue.minimum) <= 1 ? 'required' : 'too_short';
  return issue.code === 'too_big' ? 'too_long' : 'invalid';
}

/** Chinese says the family name first. */
const nameOrder = { zh: ['lastName', 'firstName'], en: ['firstName', 'lastName'] } as const;

/** A customer makes themselves an account, and is signed in with it. */
export function SignUp() {
  const text = useText(authText);
  const t = text.signUp;
  const language = useLanguage();
  const open = useConsoleSetting()?.sign_up;
  const save = async (values: z.infer<typeof signUpInput>) => {
    await signUp(values, text.noToken);
    await showWindowPage(homePath);
  };
  return (
    <AuthLayout title={t.title} subtitle={text.subtitle} page={t.heading}>
      {open === false ? (
        <p role="alert" className="notice">
          {t.off}
        </p>
      ) : (
        <AuthForm read={readSignUp} heading={t.heading} submitLabel={t.submit} save={save}>
          {(errorOf) => (
            <>
              <div className="pair">
                {nameOrder[language].map((name, index) => (
                  <AuthField
                    key={name}
                    name={name}
                    label={t[name]}
                    autoComplete={name === 'firstName' ? 'given-name' : 'family-name'}
                    error={errorOf(name)}
                    autoFocus={index === 0}
                  />
                ))}
              </div>
              <AuthField
                name="email"
                type="email"
                label={t.email}
                autoComplete="email"
                error={errorOf('email')}
              />
              <AuthField
                name="password"
                type="password"
                label={t.password}
                hint={t.passwordHint}
                autoComplete="new-password"
                error={errorOf('password')}
              />
            </>
          )}
        </AuthForm>
      )}
      <AuthSwitch question={t.haveAccount} link={t.toSignIn} to={signInPath} />
    </AuthLayout>
  );
}

async function signUp(body: z.infer<typeof signUpInput>, noToken: string): Promise<void> {
  const { accessToken: token, ...rest } = await call('signUp', { body });
  if (!token) throw new Error(noToken);
  session.start('user', { token, ...rest });
}
