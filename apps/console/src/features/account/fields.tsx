import { Stack } from '@mui/material';
import type { ReactNode } from 'react';
import type { Control, FieldPath, FieldValues } from 'react-hook-form';
import { useText } from '../../i18n/text.ts';
import { TextInput } from '../../kit/fields/inputs.tsx';
import { accountText } from './account.text.ts';

/** Fields of a card, one below the other. */
export function Fields({ children }: { children: ReactNode }) {
  return <Stack sx={{ gap: 2.5 }}>{children}</Stack>;
}

interface InputProps<V extends FieldValues, T> {
  control: Control<V, unknown, T>;
  name: FieldPath<V>;
  autoFocus?: boolean;
}

/** The password that one has, asked for once more before something that outlasts the session. */
export function OwnPasswordInput<V extends FieldValues, T>(props: InputProps<V, T>) {
  const t = useText(accountText);
  return (
    <TextInput
      {...props}
      type="password"
      label={t.ownPassword}
      hint={t.ownPasswordHint}
      autoComplete="current-password"
    />
  );
}

/** A code of an authenticator app, or a recovery code. `one-time-code` lets browsers fill it in. */
export function OneTimeCodeInput<V extends FieldValues, T>(props: InputProps<V, T> & { hint?: string }) {
  const t = useText(accountText);
  return <TextInput {...props} label={t.code} autoComplete="one-time-code" monospaced />;
}
