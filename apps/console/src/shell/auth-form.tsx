import { ApiError } from '../api/client.ts';
import { issues, type IssueKey } from '@breakwater/contract';
import {
  Box,
  Button,
  FormControl,
  FormHelperText,
  IconButton,
  InputAdornment,
  InputLabel,
  Link as MuiLink,
  OutlinedInput,
  Stack,
  Typography,
} from '@mui/material';
import { Link } from '@tanstack/react-router';
import { useId, useState, type ReactNode } from 'react';
import { useLanguage } from '../i18n/language.ts';
import { useText } from '../i18n/text.ts';
import { authText } from './auth.text.ts';
import { SmallIcon } from './small-icons.tsx';

/** What was entered, or what is wrong with each field. */
export type Checked<Values> = { values: Values } | { wrong: Record<string, IssueKey> };

/**
 * The forms before sign-in. They are plain ones of the browser: the kit's, with all their fields, would be most of what
 * a visitor waits for.
 */
interface AuthFormProps<Values> {
  read: (entered: Record<string, string>) => Checked<Values>;
  heading: string;
  hint?: ReactNode;
  submitLabel: string;
  save: (values: Values) => Promise<void>;
  /** The fields, given what is wrong with each. */
  children: (errorOf: (name: string) => string | undefined) => ReactNode;
}

export function AuthForm<Values>({
  read,
  heading,
  hint,
  submitLabel,
  save,
  children,
}: AuthFormProps<Values>) {
  const language = useLanguage();
  const [fields, setFields] = useState<Record<string, string>>({});
  const [error, setError] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);
  const errorOf = (name: string) => {
    const message = fields[name];
    return message !== undefined && message in issues ? issues[message as IssueKey][language] : message;
  };
  const submit = async (form: HTMLFormElement) => {
    const checked = read(Object.fromEntries(new FormData(form)) as Record<string, string>);
    setError(null);
    setFields('wrong' in checked ? checked.wrong : {});
    if ('wrong' in checked)
      return form.querySelector<HTMLElement>(`[name="${Object.keys(checked.wrong)[0]}"]`)?.focus();
    setBusy(true);
    try {
      await save(checked.values);
    } catch (reason) {
      const refused = reason instanceof ApiError ? reason.fields : [];
      setFields(Object.fromEntries(refused.map(({ path, message }) => [path, message])));
      setError(refused.length > 0 ? null : reason instanceof Error ? reason.message : String(reason));
    } finally {
      setBusy(false);
    }
    return undefined;
  };
  return (
    <Stack
      component="form"
      noValidate
      sx={{ gap: 2.5 }}
      onSubmit={(event) => {
        event.preventDefault();
        void submit(event.currentTarget as HTMLFormElement);
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
      {error && (
        <Box
          role="alert"
          sx={(theme) => ({
            p: 1.5,
            borderRadius: 1,
            typography: 'body2',
            bgcolor: theme.alpha(theme.vars!.palette.error.main, 0.12),
            color: 'error.dark',
            ...theme.applyStyles('dark', { color: theme.vars!.palette.error.light }),
          })}
        >
          {error}
        </Box>
      )}
      {children(errorOf)}
      <Button type="submit" variant="contained" size="large" loading={busy}>
        {submitLabel}
      </Button>
    </Stack>
  );
}

interface AuthFieldProps {
  name: string;
  label: string;
  autoComplete: string;
  error: string | undefined;
  hint?: string;
  type?: 'text' | 'email' | 'password';
  autoFocus?: boolean;
}

export function AuthField({
  name,
  label,
  autoComplete,
  error,
  hint,
  type = 'text',
  autoFocus = false,
}: AuthFieldProps) {
  const t = useText(authText);
  const id = useId();
  const [visible, setVisible] = useState(false);
  const toggleLabel = visible ? t.hidePassword : t.showPassword;
  const toggle = type === 'password' && (
    <InputAdornment position="end">
      <IconButton edge="end" aria-label={toggleLabel} onClick={() => setVisible(!visible)}>
        <SmallIcon name={visible ? 'eye-closed' : 'eye'} />
      </IconButton>
    </InputAdornment>
  );
  return (
    <FormControl fullWidth size="small" error={error !== undefined}>
      <InputLabel htmlFor={id}>{label}</InputLabel>
      <OutlinedInput
        id={id}
        name={name}
        label={label}
        type={visible ? 'text' : type}
        autoComplete={autoComplete}
        autoFocus={autoFocus}
        aria-describedby={`${id}-hint`}
        endAdornment={toggle}
      />
      <FormHelperText id={`${id}-hint`}>{error ?? hint}</FormHelperText>
    </FormControl>
  );
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
