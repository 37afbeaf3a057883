import { Alert, Box, Button, IconButton, InputAdornment, Link as MuiLink, Stack, Typography } from '@mui/material';
import { Link } from '@tanstack/react-router';
import { useState, type ReactNode } from 'react';
import type { TextFieldProps } from '@mui/material';
import { useText } from '../i18n/text.ts';
import { rootError, type AnyForm } from '../kit/form-parts.tsx';
import { Icon } from '../kit/icon.tsx';
import { authText } from './auth.text.ts';

interface AuthFormProps {
  form: AnyForm;
  heading: string;
  hint?: ReactNode;
  submitLabel: string;
  onSubmit: () => Promise<void>;
  children: ReactNode;
}

/** Heading, error, fields and the one button. */
export function AuthForm({ form, heading, hint, submitLabel, onSubmit, children }: AuthFormProps) {
  const error = rootError(form);
  return (
    <Stack
      component="form"
      noValidate
      sx={{ gap: 2.5 }}
      onSubmit={(event) => {
        event.preventDefault();
        void onSubmit();
      }}
    >
      <Box>
        <Typography component="h1" variant="h5">
          {heading}
        </Typography>
        {hint && (
          <Typography variant="body2" component="div" sx={{ color: 'text.secondary', mt: 0.5 }}>
            {hint}
          </Typography>
        )}
      </Box>
      {error && <Alert severity="error">{error.message}</Alert>}
      {children}
      <Button type="submit" variant="contained" size="large" loading={form.formState.isSubmitting}>
        {submitLabel}
      </Button>
    </Stack>
  );
}

/** A password that can be looked at: what a text field needs for it. */
export function usePasswordField(): { type: 'text' | 'password'; slotProps: NonNullable<TextFieldProps['slotProps']> } {
  const t = useText(authText);
  const [visible, setVisible] = useState(false);
  const label = visible ? t.hidePassword : t.showPassword;
  const toggle = (
    <InputAdornment position="end">
      <IconButton edge="end" aria-label={label} onClick={() => setVisible(!visible)}>
        <Icon name={visible ? 'hide' : 'view'} />
      </IconButton>
    </InputAdornment>
  );
  return { type: visible ? 'text' : 'password', slotProps: { input: { endAdornment: toggle } } };
}

export function AuthSwitch({ question, link, to }: { question: string; link: string; to: string }) {
  return (
    <Typography variant="body2" component="p" sx={{ mt: 3, textAlign: 'center', color: 'text.secondary' }}>
      {question}{' '}
      <MuiLink component={Link} to={to} sx={{ fontWeight: 600 }}>
        {link}
      </MuiLink>
    </Typography>
  );
}
