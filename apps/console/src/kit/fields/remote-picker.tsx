import { Autocomplete, CircularProgress, TextField, type TextFieldProps } from '@mui/material';
import { useMemo, useState } from 'react';
import { useText } from '../../i18n/text.ts';
import { useChosen, useFound, type Choices } from './choices.ts';
import type { Option } from './inputs.tsx';
import { kitText } from '../kit.text.ts';
import { fieldsText } from './fields.text.ts';

export interface RemotePickerProps {
  label: string;
  value: number | undefined;
  onChange: (value: number | undefined) => void;
  choices: Choices;
  /** Stands in the field while nothing is chosen. */
  placeholder?: string;
  disabled?: boolean;
  readOnly?: boolean;
  onBlur?: () => void;
  field?: Pick<TextFieldProps, 'name' | 'inputRef' | 'error' | 'helperText'>;
}

/** One of many objects, by its id, found by the server as one types. */
export function RemotePicker({
  label,
  value,
  onChange,
  choices,
  placeholder,
  field,
  ...rest
}: RemotePickerProps) {
  const t = useText(fieldsText);
  const kit = useText(kitText);
  const [picked, setPicked] = useState<readonly Option<number>[]>([]);
  const [open, setOpen] = useState(false);
  const [query, setQuery] = useState('');
  const found = useFound(choices.find, query, open);
  const ids = useMemo(() => (value === undefined ? [] : [value]), [value]);
  const [shown = null] = useChosen(choices, ids, picked);
  return (
    <Autocomplete
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
      getOptionKey={(option) => option.value}
      getOptionDisabled={(option) => option.disabled ?? false}
      loadingText={kit.loading}
      noOptionsText={found.error === null ? kit.noOptions : t.searchFailed(found.error)}
      onChange={(_, next) => {
        setPicked(next ? [next] : []);
        onChange(next?.value);
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
          placeholder={placeholder ?? t.typeToSearch}
          slotProps={{
            ...params.slotProps,
            ...(placeholder === undefined
              ? {}
              : { inputLabel: { ...params.slotProps.inputLabel, shrink: true } }),
            input: {
              ...params.slotProps.input,
              endAdornment: (
                <>
                  {found.loading && <CircularProgress color="inherit" size={16} aria-label={kit.loading} />}
                  {params.slotProps.input.endAdornment}
                </>
              ),
            },
          }}
        />
      )}
    />
  );
}
