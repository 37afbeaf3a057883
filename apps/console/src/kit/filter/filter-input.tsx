import { Autocomplete, Box, MenuItem, TextField } from '@mui/material';
import { useState, type FormEvent } from 'react';
import { useText } from '../../i18n/text.ts';
import { useFound } from '../fields/choices.ts';
import { fieldsText } from '../fields/fields.text.ts';
import { Pictured } from '../fields/pictured.tsx';
import { RemotePicker } from '../fields/remote-picker.tsx';
import { fromLocalInput, toLocalInput } from '../format.ts';
import { kitText } from '../kit.text.ts';
import {
  rangeOf,
  textOf,
  type FilterField,
  type FilterValues,
  type NamedField,
  type ValueField,
} from './filter-field.ts';
import { RangeFilter } from './range-filter.tsx';

/** Why a field cannot have a value, in the reader's language, if so. */
export type ProblemOf = (name: string, value: string) => string | undefined;

interface FilterInputProps<Field> {
  field: Field;
  values: FilterValues;
  onChange: (patch: FilterValues) => void;
  problemOf?: ProblemOf | undefined;
}

export function FilterInput({ field, values, onChange, problemOf }: FilterInputProps<FilterField>) {
  if (field.kind === 'remote') {
    const { name, label, choices } = field;
    const value = textOf(values[name]) === '' ? undefined : Number(values[name]);
    return (
      <RemotePicker
        label={label}
        value={value}
        onChange={(next) => onChange({ [name]: next })}
        choices={choices}
      />
    );
  }
  if (field.kind === 'named') return <NamedFilter field={field} values={values} onChange={onChange} />;
  if (field.kind === 'select') return <SelectFilter field={field} values={values} onChange={onChange} />;
  if (field.kind !== 'range')
    return <TypedFilter field={field} values={values} onChange={onChange} problemOf={problemOf} />;
  const { start, end, any } = field.name;
  return (
    <RangeFilter
      label={field.label}
      range={rangeOf(field, values)}
      {...(any === undefined ? {} : { any: values[any] === 'yes' })}
      onChange={(range, isAny) =>
        onChange({
          [start]: range.start,
          [end]: range.end,
          ...(any === undefined ? {} : { [any]: isAny ? 'yes' : undefined }),
        })
      }
    />
  );
}

type Choice = NonNullable<ValueField['options']>[number];

function SelectFilter({ field, values, onChange }: FilterInputProps<ValueField>) {
  const t = useText(kitText);
  const value = textOf(values[field.name]);
  const options: Choice[] = [...(field.options ?? [])];
  // An address may ask for what is no choice of ours; then it is one.
  if (value !== '' && !options.some((option) => String(option.value) === value))
    options.push({ value, label: value });
  return (
    <TextField
      select
      label={field.label}
      value={value}
      onChange={(event) => onChange({ [field.name]: event.target.value || undefined })}
    >
      {field.byDefault === undefined && <MenuItem value="">{t.all}</MenuItem>}
      {options.map((option) => (
        <MenuItem key={option.value} value={String(option.value)}>
          <Pictured {...option} />
        </MenuItem>
      ))}
    </TextField>
  );
}

function NamedFilter({ field, values, onChange }: FilterInputProps<NamedField>) {
  const kit = useText(kitText);
  const t = useText(fieldsText);
  const [open, setOpen] = useState(false);
  const [typed, setTyped] = useState('');
  const found = useFound(field.find, typed.trim(), open);
  const value = textOf(values[field.name]);
  return (
    <Autocomplete
      options={found.options.map((option) => option.value)}
      value={value === '' ? null : value}
      onChange={(_, next) => onChange({ [field.name]: next ?? undefined })}
      // The server has filtered already.
      filterOptions={(options) => options}
      loading={found.loading}
      loadingText={kit.loading}
      noOptionsText={found.error === null ? kit.noOptions : t.searchFailed(found.error)}
      onOpen={() => setOpen(true)}
      onClose={() => setOpen(false)}
      onInputChange={(_, text, reason) => setTyped(reason === 'input' ? text : '')}
      slotProps={{
        popupIndicator: { 'aria-label': kit.search },
        clearIndicator: { 'aria-label': kit.remove },
      }}
      renderInput={(params) => <TextField {...params} label={field.label} placeholder={t.typeToSearch} />}
    />
  );
}

/** Taken over with Enter or when the field is left; what cannot be asked for stays, with the reason. */
function TypedFilter({ field, values, onChange, problemOf }: FilterInputProps<ValueField>) {
  const value = textOf(values[field.name]);
  const [draft, setDraft] = useState<string | null>(null);
  const [refused, setRefused] = useState<string | null>(null);
  const isTime = field.kind === 'time';
  const problem = refused !== null && refused === draft ? problemOf?.(field.name, refused.trim()) : undefined;
  const commit = () => {
    if (draft === null) return;
    const next = isTime ? fromLocalInput(draft) : draft.trim() || undefined;
    if (next !== undefined && problemOf?.(field.name, next) !== undefined) return setRefused(draft);
    setDraft(null);
    if (textOf(next) !== value) onChange({ [field.name]: next });
  };
  return (
    <Box
      component="form"
      noValidate
      onSubmit={(event: FormEvent) => {
        event.preventDefault();
        commit();
      }}
    >
      <TextField
        label={field.label}
        type={isTime ? 'datetime-local' : field.kind === 'number' ? 'number' : 'text'}
        value={draft ?? (isTime ? toLocalInput(value) : value)}
        onChange={(event) => setDraft(event.target.value)}
        onBlur={commit}
        error={problem !== undefined}
        helperText={problem}
        slotProps={isTime ? { inputLabel: { shrink: true } } : {}}
      />
    </Box>
  );
}
