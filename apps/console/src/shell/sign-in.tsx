import { looksLikeEmail } from '@breakwater/contract';
import { Alert, Box, Button, IconButton, InputAdornment, Stack, Typography } from '@mui/material';
import { useRouter, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import * as z from 'zod';
import { call } from '../api/client.ts';
import { config } from '../api/config.ts';
import { queryClient } from '../api/query.ts';
import { session } from '../api/session.ts';
import { useText } from '../i18n/text.ts';
import { TextInput } from '../kit/fields.tsx';
import { rootError } from '../kit/form-parts.tsx';
import { submitForm, useSchemaForm } from '../kit/form.tsx';
import { Icon } from '../kit/icon.tsx';
import { AuthLayout } from './auth-layout.tsx';
import { afterSignIn } from './return-target.ts';
import { shellText } from './shell.text.ts';

const credentials = z.object({ username: z.string().trim().min(1).max(200), password: z.string().min(1).max(128) });

export function SignIn() {
  const t = useText(shellText).signIn;
  const router = useRouter();
  const search = useSearch({ strict: false }) as { returnTo?: string };
  const [visible, setVisible] = useState(false);
  const form = useSchemaForm(credentials, { username: '', password: '' });
  const error = rootError(form);
  const submit = submitForm(form, async (values) => {
    await signIn(values, t.noToken);
    queryClient.clear();
    router.history.replace(afterSignIn(search));
  });
  const toggleLabel = visible ? t.hidePassword : t.showPassword;
  return (
    <AuthLayout title={t.welcome(config().app_name)} subtitle={t.tip} points={Object.values(t.points)}>
      <Stack
        component="form"
        noValidate
        sx={{ gap: 2.5 }}
        onSubmit={(event) => {
          event.preventDefault();
          void submit();
        }}
      >
        <Box>
          <Typography component="h1" variant="h5">
            {t.heading}
          </Typography>
          <Typography variant="body2" sx={{ color: 'text.secondary', mt: 0.5 }}>
            {t.hint}
          </Typography>
        </Box>
        {error && <Alert severity="error">{error.message}</Alert>}
        <TextInput control={form.control} name="username" label={t.username} autoComplete="username" autoFocus />
        <TextInput
          control={form.control}
          name="password"
          label={t.password}
          type={visible ? 'text' : 'password'}
          autoComplete="current-password"
          slotProps={{
            input: {
              endAdornment: (
                <InputAdornment position="end">
                  <IconButton edge="end" aria-label={toggleLabel} onClick={() => setVisible(!visible)}>
                    <Icon name={visible ? 'hide' : 'view'} />
                  </IconButton>
                </InputAdornment>
              ),
            },
          }}
        />
        <Button type="submit" variant="contained" size="large" loading={form.formState.isSubmitting}>
          {t.submit}
        </Button>
      </Stack>
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
