import { Box, Stack } from '@mui/material';
import { use } from 'react';
import { useText } from '../../i18n/text.ts';
import { kitText } from '../kit.text.ts';
import { laterPart } from '../later-part.tsx';
import { TableColumns } from '../table/table-columns.ts';
import { isSet, type FilterField, type FilterValues } from './filter-field.ts';
import type { ProblemOf } from './filter-input.tsx';
import { FilterPlaces } from './filter-places.tsx';

export type { FilterField };

export interface FilterBarProps {
  fields: readonly FilterField[];
  values: FilterValues;
  onChange: (patch: FilterValues) => void;
  /** What saved filters belong to; without it, the path of the screen. */
  id?: string;
  /** Values that are chosen elsewhere on the screen and saved with the filters. */
  savedToo?: readonly string[];
  /** Why what was typed is no filter; without it all is taken. `useFilterProblems` says it of a query. */
  problemOf?: ProblemOf;
}

/**
 * The filters of a list: what is set shows as chips, and everything lives in `values`, which is the address. Fetched when they are first
 * shown, which is after the rows: fields, choices and what opens from them are more code than the rows need.
 */
export const FilterBar = laterPart<FilterBarProps>(
  () => import('./filter-bar-content.tsx').then((part) => part.FilterBarContent),
  Places,
);

/** What is as wide as the buttons and is none of them, for it is drawn with the rows. */
function Places({ fields, values }: FilterBarProps) {
  const t = useText(kitText);
  const inTable = use(TableColumns) !== undefined;
  const buttons = (
    <>
      {fields.some((field) => !field.inBar) && (
        <Box sx={{ typography: 'button', pl: '36px', height: 40, visibility: 'hidden' }}>{t.filters}</Box>
      )}
      {inTable && <Box sx={{ width: 36 }} />}
    </>
  );
  return (
    <Stack sx={{ gap: 1.5 }}>
      <FilterPlaces fields={fields} buttons={buttons} />
      {fields.some((field) => isSet(field, values)) && <Box sx={{ height: 30.75 }} />}
    </Stack>
  );
}
