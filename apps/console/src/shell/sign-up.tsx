import { signUpInput } from '@breakwater/contract';
import { Alert, Box } from '@mui/material';
import { useRouter } from '@tanstack/react-router';
import type * as z from 'zod';
import { call } from '../api/client.ts';
import { queryClient, useApi } from '../api/query.ts';
import { session } from '../api/session.ts';
import { useText } from '../i18n/text.ts';
import { TextInput } from '../kit/fields.tsx';
import { submitForm, useSchemaForm } from '../kit/form.tsx';
import { AuthForm, AuthSwitch, usePasswordField } from './auth-form.tsx';
import { AuthLayout } from './auth-layout.tsx';
import { authText } from './auth.text.ts';
import { afterSignIn, signInPath } from './return-target.ts';

/** A customer makes themselves an account, and is signed in with it. */
export function SignUp() {
  const text = useText(authText);
  const t = text.signUp;
  const router = useRouter();
  const open = useApi('getConsoleSetting', {}).data?.sign_up;
  const form = useSchemaForm(signUpInput, { firstName: '', lastName: '', email: '', password: '' });
  const password = usePasswordField();
  const submit = submitForm(form, async (values) => {
    await signUp(values, text.noToken);
    queryClient.clear();
    router.history.replace(afterSignIn({}));
  });
  return (
    <AuthLayout title={t.title} subtitle={text.subtitle} page={t.heading}>
      {open === false ? (
        <Alert severity="info">{t.off}</Alert>
      ) : (
        <AuthForm form={form} heading={t.heading} submitLabel={t.submit} onSubmit={submit}>
          <Box sx={{ display: 'grid', gridTemplateColumns: { sm: '1fr 1fr' }, gap: 2.5 }}>
            <TextInput control={form.control} name="firstName" label={t.firstName} autoComplete="given-name" autoFocus />
            <TextInput control={form.control} name="lastName" label={t.lastName} autoComplete="family-name" />
          </Box>
          <TextInput control={form.control} name="email" type="email" label={t.email} autoComplete="email" />
          <TextInput control={form.control} name="password" label={t.password} hint={t.passwordHint} autoComplete="new-password" {...password} />
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
