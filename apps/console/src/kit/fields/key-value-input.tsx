import { Button, Stack, TextField, Typography } from '@mui/material';
import {
  useFieldArray,
  type ArrayPath,
  type Control,
  type FieldPath,
  type FieldValues,
} from 'react-hook-form';
import { useText } from '../../i18n/text.ts';
import { ActionIcon } from '../action-button.tsx';
import { useField } from './inputs.tsx';
import { Icon } from '../icon.tsx';
import { FieldGroup } from './field-group.tsx';
import { fieldsText } from './fields.text.ts';
import { useListMessage } from './list-message.ts';

interface KeyValueProps<V extends FieldValues, T> {
  control: Control<V, unknown, T>;
  /** An array of `{ name, value }`: headers and the like, whose names may repeat. */
  name: ArrayPath<V> & FieldPath<V>;
  label: string;
  keyLabel?: string;
  valueLabel?: string;
  hint?: string;
  disabled?: boolean;
  readOnly?: boolean;
}

/** Rows of a name and a value. */
export function KeyValueInput<V extends FieldValues, T>(props: KeyValueProps<V, T>) {
  const { control, name, label, hint, disabled = false, readOnly = false } = props;
  const t = useText(fieldsText);
  const { fields, append, remove } = useFieldArray({ control, name });
  const message = useListMessage(control, name, label);
  const locked = disabled || readOnly;
  return (
    <FieldGroup label={label} helperText={message ?? hint} error={message !== undefined} disabled={disabled}>
      {fields.length === 0 && (
        <Typography variant="body2" sx={{ color: 'text.secondary' }}>
          {t.noRows}
        </Typography>
      )}
      {fields.map((row, index) => (
        <Stack key={row.id} direction="row" sx={{ gap: 1, alignItems: 'flex-start' }}>
          <Cell
            control={control}
            name={`${name}.${index}.name` as FieldPath<V>}
            label={t.rowOf(props.keyLabel ?? t.key, index + 1)}
            {...{ disabled, readOnly }}
          />
          <Cell
            control={control}
            name={`${name}.${index}.value` as FieldPath<V>}
            label={t.rowOf(props.valueLabel ?? t.value, index + 1)}
            {...{ disabled, readOnly }}
          />
          {!locked && (
            <ActionIcon
              icon="delete"
              label={t.removeRow(index + 1)}
              onClick={() => remove(index)}
              size="medium"
            />
          )}
        </Stack>
      ))}
      {!locked && (
        <Button
          size="small"
          startIcon={<Icon name="add" size={18} />}
          onClick={() => append({ name: '', value: '' } as never)}
          sx={{ alignSelf: 'flex-start' }}
        >
          {t.addRow}
        </Button>
      )}
    </FieldGroup>
  );
}

interface CellProps<V extends FieldValues, T> {
  control: Control<V, unknown, T>;
  name: FieldPath<V>;
  label: string;
  disabled: boolean;
  readOnly: boolean;
}

function Cell<V extends FieldValues, T>({ control, name, label, disabled, readOnly }: CellProps<V, T>) {
  const { field, error, helperText } = useField({ control, name, label });
  return (
    <TextField
      placeholder={label}
      name={field.name}
      inputRef={field.ref}
      value={field.value ?? ''}
      onChange={field.onChange}
      onBlur={field.onBlur}
      error={error}
      helperText={helperText}
      disabled={disabled}
      slotProps={{ htmlInput: { 'aria-label': label, readOnly, autoComplete: 'off', spellCheck: false } }}
    />
  );
}
