import { Box, Stack } from '@mui/material';
import type { ReactNode } from 'react';
import { namesOf, type FilterField } from './filter-field.ts';

interface FilterPlacesProps {
  fields: readonly FilterField[];
  input?: (field: FilterField) => ReactNode;
  /** Beside the last field. */
  buttons: ReactNode;
}

/** Where the fields of a bar and its buttons lie, which is the same while their code is fetched: nothing moves when it comes. */
export function FilterPlaces({ fields, input, buttons }: FilterPlacesProps) {
  const inBar = fields.filter((field) => field.inBar);
  const place = (field: FilterField) => (
    <Box
      key={namesOf(field)[0]}
      sx={{ flex: '1 1 210px', minWidth: 0, minHeight: 38.5625, maxWidth: { sm: 280 } }}
    >
      {input?.(field)}
    </Box>
  );
  return (
    <Stack direction="row" sx={{ gap: 1, flexWrap: 'wrap', alignItems: 'flex-start' }}>
      {inBar.slice(0, -1).map(place)}
      {/* Beside the last field: in a line of their own the buttons would be lost. */}
      <Stack
        direction="row"
        sx={[besideLast, inBar.length < fields.length && { flexWrap: { xs: 'wrap', sm: 'nowrap' } }]}
      >
        {inBar.slice(-1).map(place)}
        <Stack direction="row" sx={{ gap: 1, flex: 'none' }}>
          {buttons}
        </Stack>
      </Stack>
    </Stack>
  );
}

/** As wide as a field and the buttons need. */
const besideLast = { flex: '1 1 350px', gap: 1, alignItems: 'flex-start', minWidth: 0 } as const;
