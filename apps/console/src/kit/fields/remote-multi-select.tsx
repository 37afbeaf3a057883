import { Autocomplete, TextField, type TextFieldProps } from '@mui/material';
import type { SxProps } from '@mui/material/styles';
import { useState } from 'react';
import type { FieldPath, FieldValues } from 'react-hook-form';
import { useText } from '../../i18n/text.ts';
import { useChosen, useFound, type Choices } from './choices.ts';
import { useField, type FieldProps, type Option } from './inputs.tsx';
import { kitText } from '../kit.text.ts';
import { fieldsText } from './fields.text.ts';

interface RemoteMultiPickerProps {
  label: string;
  /** The same array as long as the choice is the same: for another one, the typed text would be dropped. */
  value: readonly number[];
  onChange: (value: number[]) => void;
  choices: Choices;
  /** Said where there is nothing to choose from. */
  noneText?: string;
  disabled?: boolean;
  readOnly?: boolean;
  onBlur?: () => void;
  field?: Pick<TextFieldProps, 'name' | 'inputRef' | 'error' | 'helperText'>;
  sx?: SxProps;
}

/** Several of many objects, by their ids, found by the server as one types. */
export function RemoteMultiPicker(props: RemoteMultiPickerProps) {
  const { label, value, onChange, choices, noneText, field, sx, ...rest } = props;
  const t = useText(fieldsText);
  const kit = useText(kitText);
  const [picked, setPicked] = useState<readonly Option<number>[]>([]);
  const [open, setOpen] = useState(false);
  const [query, setQuery] = useState('');
  const found = useFound(choices.find, query, open);
  const nothing = query === '' && noneText !== undefined ? noneText : kit.noOptions;
  const shown = useChosen(choices, value, picked);
  return (
    <Autocomplete
      multiple
      disableCloseOnSelect
      open={open}
      onOpen={() => setOpen(true)}
      onClose={() => setOpen(false)}
      options={found.options as Option<number>[]}
      value={shown}
      loading={found.loading}
      {...rest}
      // The server has filtered already.
      filterOptions={(options) => options}
      isOptionEqualToValue={(a, b) => a.value === b.value}
      getOptionDisabled={(option) => option.disabled ?? false}
      getOptionKey={(option) => option.value}
      loadingText={kit.loading}
      noOptionsText={found.error === null ? nothing : t.searchFailed(found.error)}
      onChange={(_, next) => {
        setPicked(next);
        onChange(next.map((option) => option.value));
      }}
      onInputChange={(_, text, reason) => setQuery(reason === 'input' ? text : '')}
      slotProps={{
        popupIndicator: { 'aria-label': kit.search },
        clearIndicator: { 'aria-label': kit.remove },
      }}
      renderInput={(params) => (
        <TextField
          {...params}
          {...field}
          label={label}
          {...(value.length === 0 ? { placeholder: t.typeToSearch } : {})}
        />
      )}
      {...(sx ? { sx } : {})}
    />
  );
}

interface RemoteMultiSelectProps<V extends FieldValues, N extends FieldPath<V>, T> extends FieldProps<
  V,
  N,
  T
> {
  choices: Choices;
}

const none: readonly number[] = [];

/** The same as a field of a form. */
export function RemoteMultiSelect<V extends FieldValues, N extends FieldPath<V>, T>(
  props: RemoteMultiSelectProps<V, N, T>,
) {
  const { label, choices, disabled = false, readOnly = false } = props;
  const { field, error, helperText } = useField(props);
  return (
    <RemoteMultiPicker
      label={label}
      value={(field.value as readonly number[] | undefined) ?? none}
      onChange={field.onChange}
      onBlur={field.onBlur}
      choices={choices}
      disabled={disabled}
      readOnly={readOnly}
      field={{ name: field.name, inputRef: field.ref, error, helperText }}
    />
  );
}
