import { Autocomplete, CircularProgress, TextField, type TextFieldProps } from '@mui/material';
import { useEffect, useState } from 'react';
import { useText } from '../../i18n/text.ts';
import type { Option } from './inputs.tsx';
import { kitText } from '../kit.text.ts';
import { fieldsText } from './fields.text.ts';

/** Options that fit what was typed; the caller fetches. It should be stable, since a new one searches anew. */
export type LoadOptions = (query: string, signal: AbortSignal) => Promise<readonly Option<number>[]>;

export interface RemotePickerProps {
  label: string;
  value: number | undefined;
  onChange: (value: number | undefined) => void;
  load: LoadOptions;
  /** What the value is called before anything was loaded. */
  selected?: Option<number> | undefined;
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
  load,
  selected,
  placeholder,
  field,
  ...rest
}: RemotePickerProps) {
  const t = useText(fieldsText);
  const kit = useText(kitText);
  const [chosen, setChosen] = useState<Option<number> | undefined>(selected);
  const [open, setOpen] = useState(false);
  const [query, setQuery] = useState('');
  const found = useOptions(load, query, open);
  const shown =
    value === undefined
      ? null
      : ([chosen, selected, ...found.options].find((option) => option?.value === value) ?? {
          value,
          label: `#${value}`,
        });
  const nameOf = ({ label: name, isGone }: Option<number>) => (isGone ? kit.notOffered(name) : name);
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
      getOptionLabel={nameOf}
      loadingText={kit.loading}
      noOptionsText={found.error === null ? kit.noOptions : t.searchFailed(found.error)}
      onChange={(_, next) => {
        setChosen(next ?? undefined);
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

/** What was found for the text, 250 ms after the last key; an older answer never replaces a newer one. */
export function useOptions(load: LoadOptions, query: string, open: boolean) {
  const [found, setFound] = useState({
    options: [] as readonly Option<number>[],
    loading: false,
    error: null as string | null,
  });
  useEffect(() => {
    if (!open) return undefined;
    const stop = new AbortController();
    setFound((before) => ({ ...before, loading: true, error: null }));
    const timer = setTimeout(
      () =>
        void load(query, stop.signal).then(
          (options) => !stop.signal.aborted && setFound({ options, loading: false, error: null }),
          (reason: unknown) => {
            const error = reason instanceof Error ? reason.message : String(reason);
            if (!stop.signal.aborted) setFound({ options: [], loading: false, error });
          },
        ),
      query === '' ? 0 : 250,
    );
    return () => {
      clearTimeout(timer);
      stop.abort();
    };
  }, [load, query, open]);
  return found;
}
