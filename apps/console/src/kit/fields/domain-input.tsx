import { TextField } from '@mui/material';
import { useState } from 'react';
import type { FieldPath, FieldValues } from 'react-hook-form';
import { readableDomains } from '../domain-name.ts';
import { useField, type FieldProps } from './inputs.tsx';

/** One domain, as people write it; one that is left as it was keeps the form that it came in. The call takes both. */
export function DomainInput<V extends FieldValues, N extends FieldPath<V>, T>(
  props: FieldProps<V, N, T> & {
    autoFocus?: boolean;
    /** Nothing entered is the value's absence. */ optional?: boolean;
  },
) {
  const { label, autoFocus = false, optional = false, disabled = false, readOnly = false } = props;
  const { field, error, helperText } = useField(props);
  const value = (field.value ?? '') as string;
  // What the field held before it was typed in, and what was typed since: nothing is rewritten under the writer's hands.
  const [draft, setDraft] = useState<{ before: string; typed: string } | null>(null);
  return (
    <TextField
      label={label}
      name={field.name}
      inputRef={field.ref}
      value={draft?.typed ?? readableDomains(value)}
      onChange={({ target: { value: typed } }) => {
        const before = draft?.before ?? value;
        setDraft({ before, typed });
        if (optional && typed === '') field.onChange(undefined);
        else field.onChange(typed === readableDomains(before) ? before : typed);
      }}
      onBlur={() => {
        setDraft(null);
        field.onBlur();
      }}
      error={error}
      helperText={helperText}
      disabled={disabled}
      autoFocus={autoFocus}
      // Names read from left to right in every script.
      slotProps={{
        htmlInput: { readOnly, spellCheck: false, autoComplete: 'off', autoCapitalize: 'off', dir: 'ltr' },
      }}
    />
  );
}
