import { Badge, Box, Button, Chip, Collapse, MenuItem, Stack, TextField } from '@mui/material';
import { useState, type FormEvent } from 'react';
import { useText } from '../i18n/text.ts';
import { fromLocalInput, toLocalInput } from './format.ts';
import { Icon } from './icon.tsx';
import { kitText } from './kit.text.ts';

export interface FilterField {
  name: string;
  label: string;
  /** `select` takes options; `time` a moment in the reader's zone. */
  kind: 'text' | 'number' | 'select' | 'time';
  options?: readonly { value: string | number; label: string }[];
  /** The value that is no filter: a sort order always has one. */
  byDefault?: string;
  /** Stands in the bar; the others unfold. */
  inBar?: boolean;
}

interface FilterBarProps {
  fields: readonly FilterField[];
  values: Record<string, unknown>;
  onChange: (patch: Record<string, unknown>) => void;
}

const textOf = (value: unknown): string => (value === undefined || value === null ? '' : String(value as string | number));

/** The filters of a list: what is set shows as chips, and everything lives in `values`, which is the address. */
export function FilterBar({ fields, values, onChange }: FilterBarProps) {
  const t = useText(kitText);
  const [open, setOpen] = useState(false);
  const inBar = fields.filter((field) => field.inBar);
  const folded = fields.filter((field) => !field.inBar);
  const set = fields.filter((field) => !['', field.byDefault].includes(textOf(values[field.name])));
  const foldedSet = set.filter((field) => !field.inBar).length;
  return (
    <Stack sx={{ gap: 1.5 }}>
      <Stack direction="row" sx={{ gap: 1, flexWrap: 'wrap' }}>
        {inBar.map((field) => (
          <Box key={field.name} sx={{ flex: '1 1 160px', maxWidth: { sm: 280 } }}>
            <FilterInput field={field} value={textOf(values[field.name])} onChange={onChange} />
          </Box>
        ))}
        {folded.length > 0 && (
          <Badge badgeContent={foldedSet} color="primary">
            <Button color="inherit" aria-expanded={open} onClick={() => setOpen(!open)} startIcon={<Icon name="filter" />}>
              {t.filters}
            </Button>
          </Badge>
        )}
      </Stack>
      <Collapse in={open} unmountOnExit>
        <Box sx={{ display: 'grid', gap: 1.5, pt: 0.5, gridTemplateColumns: 'repeat(auto-fill, minmax(min(100%, 190px), 1fr))' }}>
          {folded.map((field) => (
            <FilterInput key={field.name} field={field} value={textOf(values[field.name])} onChange={onChange} />
          ))}
        </Box>
      </Collapse>
      {set.length > 0 && (
        <Stack direction="row" sx={{ gap: 1, flexWrap: 'wrap', alignItems: 'center' }}>
          {set.map((field) => (
            <Chip
              key={field.name}
              size="small"
              label={`${field.label}: ${shown(field, values[field.name])}`}
              onDelete={() => onChange({ [field.name]: undefined })}
              deleteIcon={
                <Box component="span" role="button" aria-label={t.removeFilter(field.label)} sx={{ display: 'inline-flex' }}>
                  <Icon name="close" size={14} />
                </Box>
              }
            />
          ))}
          <Button size="small" onClick={() => onChange(Object.fromEntries(set.map((field) => [field.name, undefined])))}>
            {t.clearFilters}
          </Button>
        </Stack>
      )}
    </Stack>
  );
}

function shown(field: FilterField, value: unknown): string {
  if (field.kind === 'time') return toLocalInput(textOf(value)).replace('T', ' ');
  return field.options?.find((option) => String(option.value) === textOf(value))?.label ?? textOf(value);
}

interface FilterInputProps {
  field: FilterField;
  value: string;
  onChange: (patch: Record<string, unknown>) => void;
}

/** Text is taken over with Enter or when the field is left, a choice at once. */
function FilterInput({ field, value, onChange }: FilterInputProps) {
  const t = useText(kitText);
  const [draft, setDraft] = useState<string | null>(null);
  if (field.kind === 'select')
    return (
      <TextField select label={field.label} value={value} onChange={(event) => onChange({ [field.name]: event.target.value || undefined })}>
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
