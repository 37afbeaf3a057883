import { TextField } from '@mui/material';
import type { FieldPath, FieldValues } from 'react-hook-form';
import { useField, type FieldProps } from './inputs.tsx';
import { fromLocalInput, toLocalInput } from '../format.ts';

/** A moment in the reader's zone; the value is UTC, and none where nothing is entered. */
export function DateTimeInput<V extends FieldValues, N extends FieldPath<V>, T>(props: FieldProps<V, N, T>) {
  const { label, disabled, readOnly } = props;
  const { field, error, helperText } = useField(props);
  return (
    <TextField
      type="datetime-local"
      label={label}
      name={field.name}
      inputRef={field.ref}
      value={toLocalInput(field.value as string | undefined)}
      onBlur={field.onBlur}
      onChange={({ target }) => field.onChange(fromLocalInput(target.value))}
      error={error}
      helperText={helperText}
      {...(disabled ? { disabled } : {})}
      slotProps={{ inputLabel: { shrink: true }, ...(readOnly ? { htmlInput: { readOnly } } : {}) }}
    />
  );
}
