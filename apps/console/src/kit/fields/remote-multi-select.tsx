import { Autocomplete, TextField } from '@mui/material';
import { useMemo, useState } from 'react';
import type { FieldPath, FieldValues } from 'react-hook-form';
import { useText } from '../../i18n/text.ts';
import { useField, type FieldProps, type Option } from './inputs.tsx';
import { kitText } from '../kit.text.ts';
import { fieldsText } from './fields.text.ts';
import { useOptions, type LoadOptions } from './remote-picker.tsx';

interface RemoteMultiSelectProps<V extends FieldValues, N extends FieldPath<V>, T> extends FieldProps<
  V,
  N,
  T
> {
  load: LoadOptions;
  /** What the values are called before anything was loaded. It should be stable. */
  selected?: readonly Option<number>[] | undefined;
  /** `selected` has all of the values that exist: others are gone. */
  isComplete?: boolean;
}

const none: readonly number[] = [];
const noOptions: readonly Option<number>[] = [];

/** Several of many objects, by their ids, found by the server as one types. */
export function RemoteMultiSelect<V extends FieldValues, N extends FieldPath<V>, T>(
  props: RemoteMultiSelectProps<V, N, T>,
) {
  const { label, load, selected = noOptions, isComplete = false, disabled = false, readOnly = false } = props;
  const t = useText(fieldsText);
  const kit = useText(kitText);
  const { field, error, helperText } = useField(props);
  const [chosen, setChosen] = useState<readonly Option<number>[]>([]);
  const [open, setOpen] = useState(false);
  const [query, setQuery] = useState('');
  const found = useOptions(load, query, open);
  const ids = (field.value ?? none) as readonly number[];
  // The same array as long as the choice is the same: for another one, the typed text would be dropped.
  const value = useMemo(() => {
    const known = [...chosen, ...selected];
    const nameOf = (id: number) => (isComplete ? kit.notOffered(`#${id}`) : `#${id}`);
    return ids.map((id) => known.find((option) => option.value === id) ?? { value: id, label: nameOf(id) });
  }, [ids, chosen, selected, isComplete, kit]);
  return (
    <Autocomplete
      multiple
      disableCloseOnSelect
      open={open}
      onOpen={() => setOpen(true)}
      onClose={() => setOpen(false)}
      options={found.options as Option<number>[]}
      value={value}
      loading={found.loading}
      disabled={disabled}
      readOnly={readOnly}
      // The server has filtered already.
      filterOptions={(options) => options}
      isOptionEqualToValue={(a, b) => a.value === b.value}
      getOptionKey={(option) => option.value}
      loadingText={kit.loading}
      noOptionsText={found.error === null ? kit.noOptions : t.searchFailed(found.error)}
      onBlur={field.onBlur}
      onChange={(_, next) => {
        setChosen(next);
        field.onChange(next.map((option) => option.value));
      }}
      onInputChange={(_, text, reason) => setQuery(reason === 'input' ? text : '')}
      slotProps={{
        popupIndicator: { 'aria-label': kit.search },
        clearIndicator: { 'aria-label': kit.remove },
      }}
      renderInput={(params) => (
        <TextField
          {...params}
          label={label}
          name={field.name}
          inputRef={field.ref}
          error={error}
          helperText={helperText}
          {...(ids.length === 0 ? { placeholder: t.typeToSearch } : {})}
        />
      )}
    />
  );
}
