import { Button, IconButton, InputAdornment, TextField } from '@mui/material';
import { useState } from 'react';
import type { FieldPath, FieldValues, RefCallBack } from 'react-hook-form';
import { useText } from '../../i18n/text.ts';
import { useField, type FieldProps } from '../fields.tsx';
import { Icon } from '../icon.tsx';
import { kitText } from '../kit.text.ts';
import { fieldsText } from './fields.text.ts';

interface SecretInputProps<V extends FieldValues, N extends FieldPath<V>, T> extends FieldProps<V, N, T> {
  /** The server holds one, which it never sends. */
  isSet: boolean;
}

/** Write-only: absent as long as nobody sets or replaces it. */
export function SecretInput<V extends FieldValues, N extends FieldPath<V>, T>(
  props: SecretInputProps<V, N, T>,
) {
  const { label, isSet, disabled = false, readOnly = false } = props;
  const t = useText(fieldsText);
  const { field, error, helperText } = useField(props);
  const [asked, setAsked] = useState(false);
  const typing = asked || field.value !== undefined;
  if (!typing)
    return (
      <TextField
        label={label}
        value={isSet ? t.secretSet : t.secretUnset}
        error={error}
        helperText={helperText}
        disabled={disabled}
        slotProps={{
          htmlInput: { readOnly: true },
          inputLabel: { shrink: true },
          input: {
            endAdornment: !readOnly && (
              <InputAdornment position="end">
                <Button
                  size="small"
                  disabled={disabled}
                  onClick={() => setAsked(true)}
                  aria-label={`${isSet ? t.replaceSecret : t.setSecret}: ${label}`}
                >
                  {isSet ? t.replaceSecret : t.setSecret}
                </Button>
              </InputAdornment>
            ),
          },
        }}
      />
    );
  const keep = () => {
    setAsked(false);
    field.onChange(undefined);
  };
  return (
    <SecretTyping
      {...{ field, label, error, helperText, disabled, keep, keepLabel: isSet ? t.keepSecret : null }}
    />
  );
}

interface TypingProps {
  field: {
    name: string;
    ref: RefCallBack;
    value: unknown;
    onChange: (...event: unknown[]) => void;
    onBlur: () => void;
  };
  label: string;
  error: boolean;
  helperText: React.ReactNode;
  disabled: boolean;
  keep: () => void;
  keepLabel: string | null;
}

function SecretTyping({ field, label, error, helperText, disabled, keep, keepLabel }: TypingProps) {
  const t = useText(fieldsText);
  const kit = useText(kitText);
  const [visible, setVisible] = useState(false);
  const seen = visible ? t.hideTyped : t.showTyped;
  return (
    <TextField
      autoFocus
      label={label}
      name={field.name}
      type={visible ? 'text' : 'password'}
      inputRef={field.ref}
      value={field.value ?? ''}
      onChange={field.onChange}
      onBlur={field.onBlur}
      error={error}
      helperText={helperText}
      disabled={disabled}
      slotProps={{
        htmlInput: { autoComplete: 'new-password', spellCheck: false },
        input: {
          endAdornment: (
            <InputAdornment position="end">
              <IconButton size="small" aria-label={seen} onClick={() => setVisible(!visible)}>
                <Icon name={visible ? 'hide' : 'view'} size={18} />
              </IconButton>
              <Button size="small" color="inherit" onClick={keep}>
                {keepLabel ?? kit.cancel}
              </Button>
            </InputAdornment>
          ),
        },
      }}
    />
  );
}
