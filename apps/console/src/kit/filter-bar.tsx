import { Badge, Box, Button, Chip, Collapse, MenuItem, Stack, TextField } from '@mui/material';
import { useState, type FormEvent } from 'react';
import { useText } from '../i18n/text.ts';
import { RangeFilter, useRangeText } from './filter/range-filter.tsx';
import { SavedFilters } from './filter/saved-filters.tsx';
import { fromLocalInput, toLocalInput } from './format.ts';
import { RemotePicker, type LoadOptions } from './fields/remote-select.tsx';
import { Icon } from './icon.tsx';
import { kitText } from './kit.text.ts';

interface FieldBase {
  label: string;
  /** Stands in the bar; the others unfold. */
  inBar?: boolean;
}
interface ValueField extends FieldBase {
  name: string;
  /** `select` takes options; `time` a moment in the reader's zone. */
  kind: 'text' | 'number' | 'select' | 'time';
  options?: readonly { value: string | number; label: string }[];
  /** The value that is no filter: a sort order always has one. */
  byDefault?: string;
}
/** Two moments, held under two names. */
interface RangeField extends FieldBase {
  kind: 'range';
  name: { start: string; end: string };
}
/** One of many objects, by its id; `chosen` says what the one that is set is called. */
interface RemoteField extends FieldBase {
  kind: 'remote';
  name: string;
  load: LoadOptions;
  chosen?: { value: number; label: string } | undefined;
}
export type FilterField = ValueField | RangeField | RemoteField;

interface FilterBarProps {
  fields: readonly FilterField[];
  values: Record<string, unknown>;
  onChange: (patch: Record<string, unknown>) => void;
  /** What saved filters belong to; without it, the path of the screen. */
  id?: string;
  /** Values that are chosen elsewhere on the screen and saved with the filters. */
  savedToo?: readonly string[];
}

const textOf = (value: unknown): string =>
  value === undefined || value === null ? '' : String(value as string | number);
const namesOf = (field: FilterField): string[] =>
  field.kind === 'range' ? [field.name.start, field.name.end] : [field.name];
const without = (fields: readonly FilterField[]) =>
  Object.fromEntries(fields.flatMap(namesOf).map((name) => [name, undefined]));
const isSet = (field: FilterField, values: Record<string, unknown>): boolean =>
  namesOf(field).some(
    (name) => !['', 'byDefault' in field ? field.byDefault : undefined].includes(textOf(values[name])),
  );

/** The filters of a list: what is set shows as chips, and everything lives in `values`, which is the address. */
export function FilterBar({ fields, values, onChange, id, savedToo = [] }: FilterBarProps) {
  const t = useText(kitText);
  const [open, setOpen] = useState(false);
  const inBar = fields.filter((field) => field.inBar);
  const folded = fields.filter((field) => !field.inBar);
  const set = fields.filter((field) => isSet(field, values));
  const current = Object.fromEntries(
    [...set.flatMap(namesOf), ...savedToo]
      .map((name) => [name, textOf(values[name])])
      .filter(([, text]) => text !== ''),
  );
  return (
    <Stack sx={{ gap: 1.5 }}>
      <Stack direction="row" sx={{ gap: 1, flexWrap: 'wrap' }}>
        {inBar.map((field) => (
          <Box key={namesOf(field)[0]} sx={{ flex: '1 1 160px', maxWidth: { sm: 280 } }}>
            <FilterInput field={field} values={values} onChange={onChange} />
          </Box>
        ))}
        {folded.length > 0 && (
          <Badge badgeContent={set.filter((field) => !field.inBar).length} color="primary">
            <Button
              color="inherit"
              aria-expanded={open}
              onClick={() => setOpen(!open)}
              startIcon={<Icon name="filter" />}
            >
              {t.filters}
            </Button>
          </Badge>
        )}
        <SavedFilters
          id={id ?? location.pathname}
          values={current}
          onApply={(saved) =>
            onChange({
              ...without(fields),
              ...Object.fromEntries(savedToo.map((name) => [name, undefined])),
              ...saved,
            })
          }
        />
      </Stack>
      <Collapse in={open} unmountOnExit>
        <Box
          sx={{
            display: 'grid',
            gap: 1.5,
            pt: 0.5,
            gridTemplateColumns: 'repeat(auto-fill, minmax(min(100%, 190px), 1fr))',
          }}
        >
          {folded.map((field) => (
            <FilterInput key={namesOf(field)[0]} field={field} values={values} onChange={onChange} />
          ))}
        </Box>
      </Collapse>
      {set.length > 0 && (
        <Stack direction="row" sx={{ gap: 1, flexWrap: 'wrap', alignItems: 'center' }}>
          {set.map((field) => (
            <FilterChip
              key={namesOf(field)[0]}
              field={field}
              values={values}
              onRemove={() => onChange(without([field]))}
            />
          ))}
          <Button size="small" onClick={() => onChange(without(set))}>
            {t.clearFilters}
          </Button>
        </Stack>
      )}
    </Stack>
  );
}

/** The whole chip removes its filter: a button within a button would be none for a keyboard. */
function FilterChip({
  field,
  values,
  onRemove,
}: {
  field: FilterField;
  values: Record<string, unknown>;
  onRemove: () => void;
}) {
  const t = useText(kitText);
  const rangeText = useRangeText();
  const shown =
    field.kind === 'range' ? rangeText(rangeOf(field, values)) : valueText(field, values[field.name]);
  return (
    <Chip
      size="small"
      label={`${field.label}: ${shown}`}
      aria-label={`${t.removeFilter(field.label)} (${shown})`}
      onClick={onRemove}
      onDelete={onRemove}
      deleteIcon={
        <span aria-hidden="true">
          <Icon name="close" size={14} />
        </span>
      }
    />
  );
}

function rangeOf({ name }: RangeField, values: Record<string, unknown>) {
  return { start: textOf(values[name.start]) || undefined, end: textOf(values[name.end]) || undefined };
}

function valueText(field: ValueField | RemoteField, value: unknown): string {
  if (field.kind === 'remote')
    return String(field.chosen?.value) === textOf(value) ? field.chosen!.label : `#${textOf(value)}`;
  if (field.kind === 'time') return toLocalInput(textOf(value)).replace('T', ' ');
  return field.options?.find((option) => String(option.value) === textOf(value))?.label ?? textOf(value);
}

interface FilterInputProps<Field> {
  field: Field;
  values: Record<string, unknown>;
  onChange: (patch: Record<string, unknown>) => void;
}

function FilterInput({ field, values, onChange }: FilterInputProps<FilterField>) {
  if (field.kind === 'remote') {
    const { name, label, load, chosen } = field;
    const value = textOf(values[name]) === '' ? undefined : Number(values[name]);
    return (
      <RemotePicker
        label={label}
        value={value}
        onChange={(next) => onChange({ [name]: next })}
        load={load}
        selected={chosen}
      />
    );
  }
  if (field.kind !== 'range') return <ValueInput field={field} values={values} onChange={onChange} />;
  const { start, end } = field.name;
  return (
    <RangeFilter
      label={field.label}
      range={rangeOf(field, values)}
      onChange={(range) => onChange({ [start]: range.start, [end]: range.end })}
    />
  );
}

/** Text is taken over with Enter or when the field is left, a choice at once. */
function ValueInput({ field, values, onChange }: FilterInputProps<ValueField>) {
  const t = useText(kitText);
  const value = textOf(values[field.name]);
  const [draft, setDraft] = useState<string | null>(null);
  if (field.kind === 'select')
    return (
      <TextField
        select
        label={field.label}
        value={value}
        onChange={(event) => onChange({ [field.name]: event.target.value || undefined })}
      >
        {field.byDefault === undefined && <MenuItem value="">{t.all}</MenuItem>}
        {field.options?.map((option) => (
          <MenuItem key={option.value} value={String(option.value)}>
            {option.label}
          </MenuItem>
        ))}
      </TextField>
    );
  const isTime = field.kind === 'time';
  const commit = () => {
    if (draft === null) return;
    setDraft(null);
    const next = isTime ? fromLocalInput(draft) : draft.trim() || undefined;
    if (textOf(next) !== value) onChange({ [field.name]: next });
  };
  return (
    <Box
      component="form"
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
        slotProps={isTime ? { inputLabel: { shrink: true } } : {}}
      />
    </Box>
  );
}
