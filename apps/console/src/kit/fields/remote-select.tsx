import type { FieldPath, FieldValues } from 'react-hook-form';
import { useField, type FieldProps } from './inputs.tsx';
import { RemotePicker, type RemotePickerProps } from './remote-picker.tsx';

interface RemoteSelectProps<V extends FieldValues, N extends FieldPath<V>, T>
  extends FieldProps<V, N, T>, Pick<RemotePickerProps, 'choices' | 'placeholder'> {}

/** The same as a field of a form. */
export function RemoteSelect<V extends FieldValues, N extends FieldPath<V>, T>(
  props: RemoteSelectProps<V, N, T>,
) {
  const { label, choices, placeholder, disabled = false, readOnly = false } = props;
  const { field, error, helperText } = useField(props);
  return (
    <RemotePicker
      label={label}
      value={(field.value as number | null | undefined) ?? undefined}
      onChange={field.onChange}
      onBlur={field.onBlur}
      choices={choices}
      {...(placeholder === undefined ? {} : { placeholder })}
      disabled={disabled}
      readOnly={readOnly}
      field={{ name: field.name, inputRef: field.ref, error, helperText }}
    />
  );
}
