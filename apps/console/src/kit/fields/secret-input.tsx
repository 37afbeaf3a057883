import { setName } from '@breakwater/contract';
import { Button, IconButton, InputAdornment, TextField } from '@mui/material';
import { useState } from 'react';
import { get, useController, type FieldPath, type FieldValues, type RefCallBack } from 'react-hook-form';
import { useText } from '../../i18n/text.ts';
import { useField, type FieldProps } from './inputs.tsx';
import { Icon } from '../icon.tsx';
import { kitText } from '../kit.text.ts';
import { fieldsText } from './fields.text.ts';

interface SecretInputProps<V extends FieldValues, N extends FieldPath<V>, T> extends FieldProps<V, N, T> {
  /** For an item of a list, which may be another one by now than the server holds a secret of. */
  isSet?: boolean;
  /** It can be taken away. */
  removable?: boolean;
}

/**
 * Write-only: absent as long as nobody sets or replaces it. Whether the server holds one, which it never sends, stands beside it
 * in the form, in the field `NAME_set`; false there takes it away.
 */
export function SecretInput<V extends FieldValues, N extends FieldPath<V>, T>(
  props: SecretInputProps<V, N, T>,
) {
  const { control, name, label, removable = false, disabled = false, readOnly = false } = props;
  const t = useText(fieldsText);
  const { field, error, helperText } = useField(props);
  const markName = setName(name) as FieldPath<V>;
  const mark = useController({ name: markName, ...(control ? { control } : {}) });
  const isSet = props.isSet ?? get(mark.formState.defaultValues, markName) === true;
  const [asked, setAsked] = useState(false);
  const [last, setLast] = useState<unknown>(field.value);
  if (last !== field.value) {
    setLast(field.value);
    // The form was saved or discarded: nothing is being typed any more.
    if (field.value === undefined) setAsked(false);
  }
  const isRemoved = removable && isSet && !asked && mark.field.value === false;
  const typing = asked || field.value !== undefined;
  const keep = () => {
    setAsked(false);
    field.onChange(undefined);
    if (removable) mark.field.onChange(isSet);
  };
  if (!typing)
    return (
      <TextField
        label={label}
        value={isRemoved ? t.secretRemoved : isSet ? t.secretSet : t.secretUnset}
        error={error}
        helperText={helperText}
        disabled={disabled}
        slotProps={{
          htmlInput: { readOnly: true },
          inputLabel: { shrink: true },
          input: {
            endAdornment: !readOnly && (
              <InputAdornment position="end">
                {isRemoved ? (
                  <Act label={label} text={t.keepSecret} disabled={disabled} onClick={keep} />
                ) : (
                  <>
                    {removable && isSet && (
                      <Act
                        label={label}
                        text={t.removeSecret}
                        disabled={disabled}
                        onClick={() => mark.field.onChange(false)}
                      />
                    )}
                    <Act
                      label={label}
                      text={isSet ? t.replaceSecret : t.setSecret}
                      disabled={disabled}
                      onClick={() => setAsked(true)}
                    />
                  </>
                )}
              </InputAdornment>
            ),
          },
        }}
      />
    );
  return (
    <SecretTyping
      {...{ field, label, error, helperText, disabled, keep, keepLabel: isSet ? t.keepSecret : null }}
    />
  );
}

interface ActProps {
  label: string;
  text: string;
  disabled: boolean;
  onClick: () => void;
}

function Act({ label, text, disabled, onClick }: ActProps) {
  return (
    <Button size="small" disabled={disabled} onClick={onClick} aria-label={`${text}: ${label}`}>
      {text}
    </Button>
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
