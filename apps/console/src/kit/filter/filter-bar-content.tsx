import { Badge, Box, Button, Chip, Collapse, Stack } from '@mui/material';
import { use, useMemo, useState } from 'react';
import { useText } from '../../i18n/text.ts';
import { useChosen, type Choices } from '../fields/choices.ts';
import { restoredRange, savedRange } from './date-range.ts';
import {
  isSet,
  namesOf,
  rangeOf,
  textOf,
  without,
  type FilterField,
  type FilterValues,
  type NamedField,
  type ValueField,
} from './filter-field.ts';
import { filterText } from './filter.text.ts';
import type { FilterBarProps } from './filter-bar.tsx';
import { FilterInput } from './filter-input.tsx';
import { FilterPlaces } from './filter-places.tsx';
import { useRangeText } from './range-filter.tsx';
import { SavedFilters } from './saved-filters.tsx';
import { toLocalInput } from '../format.ts';
import { Icon } from '../icon.tsx';
import { kitText } from '../kit.text.ts';
import { TableColumns } from '../table/table-columns.ts';

/** What a view of a table is besides its filters. */
const tableState = ['sort_by', 'sort_order', 'columns'];

/** What `FilterBar` shows. */
export function FilterBarContent({ fields, values, onChange, id, savedToo = [], problemOf }: FilterBarProps) {
  const t = useText(kitText);
  const [open, setOpen] = useState(false);
  const folded = fields.filter((field) => !field.inBar);
  const set = fields.filter((field) => isSet(field, values));
  const columns = use(TableColumns);
  const others = columns === undefined ? savedToo : [...savedToo, ...tableState];
  const current = Object.fromEntries(
    [
      ...set.flatMap((field) => savedOf(field, values)),
      ...others.map((name) => [name, textOf(name === 'columns' ? columns : values[name])]),
    ].filter(([, text]) => text !== ''),
  );
  const addressOf = (saved: Record<string, string>) => ({
    ...without(fields),
    ...Object.fromEntries(others.map((name) => [name, undefined])),
    ...restored(fields, saved),
  });
  return (
    <Stack sx={{ gap: 1.5 }}>
      <FilterPlaces
        fields={fields}
        input={(field) => (
          <FilterInput field={field} values={values} onChange={onChange} problemOf={problemOf} />
        )}
        buttons={
          <>
            {folded.length > 0 && (
              <Badge badgeContent={set.filter((field) => !field.inBar).length} color="primary">
                <Button
                  color="inherit"
                  aria-expanded={open}
                  onClick={() => setOpen(!open)}
                  startIcon={<Icon name="filter" />}
                  sx={{ minHeight: 40 }}
                >
                  {t.filters}
                </Button>
              </Badge>
            )}
            <SavedFilters
              id={id ?? location.pathname}
              values={current}
              addressOf={addressOf}
              onApply={(saved) => onChange(addressOf(saved))}
            />
          </>
        }
      />
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
            <FilterInput
              key={namesOf(field)[0]}
              field={field}
              values={values}
              onChange={onChange}
              problemOf={problemOf}
            />
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

/** Today is saved as today, and not as the day that it was. */
function savedOf(field: FilterField, values: FilterValues): [string, string][] {
  if (field.kind !== 'range') return [[field.name, textOf(values[field.name])]];
  const { start = '', end = '' } = savedRange(rangeOf(field, values), Date.now());
  const { any } = field.name;
  return [
    [field.name.start, start],
    [field.name.end, end],
    ...(any === undefined ? [] : [[any, textOf(values[any])] as [string, string]]),
  ];
}

function restored(fields: readonly FilterField[], saved: Record<string, string>): FilterValues {
  const ranges = fields.flatMap((field) => {
    if (field.kind !== 'range') return [];
    const { start, end } = restoredRange(rangeOf(field, saved), Date.now());
    return [
      [field.name.start, start],
      [field.name.end, end],
    ];
  });
  return { ...saved, ...(Object.fromEntries(ranges) as FilterValues) };
}

/** The whole chip removes its filter: a button within a button would be none for a keyboard. */
function FilterChip({
  field,
  values,
  onRemove,
}: {
  field: FilterField;
  values: FilterValues;
  onRemove: () => void;
}) {
  const t = useText(kitText);
  const rangeText = useRangeText();
  const { anyTime } = useText(filterText);
  const isAny = field.kind === 'range' && field.name.any !== undefined && values[field.name.any] === 'yes';
  const chosen = useChosenText(field, values);
  const shownOf = () => {
    if (isAny) return anyTime;
    if (field.kind === 'range') return rangeText(rangeOf(field, values));
    return field.kind === 'remote' ? chosen : valueText(field, values[field.name]);
  };
  const shown = shownOf() ?? '';
  return (
    <Chip
      size="small"
      label={`${field.label}${t.colon}${shown}`}
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

/** What the object is called that a filter names; nothing of another filter. */
function useChosenText(field: FilterField, values: FilterValues): string | undefined {
  const isRemote = field.kind === 'remote';
  const id = isRemote ? Number(values[field.name]) : undefined;
  const ids = useMemo(() => (id === undefined ? [] : [id]), [id]);
  return useChosen(isRemote ? field.choices : nothing, ids)[0]?.label;
}
const nothing: Choices = { find: async () => [], named: async () => [] };

function valueText(field: ValueField | NamedField, value: unknown): string {
  if (field.kind === 'time') return toLocalInput(textOf(value)).replace('T', ' ');
  if (field.kind === 'named') return textOf(value);
  return field.options?.find((option) => String(option.value) === textOf(value))?.label ?? textOf(value);
}
