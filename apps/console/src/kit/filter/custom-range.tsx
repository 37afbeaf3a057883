import { Button, Stack, TextField } from '@mui/material';
import { useState, type FormEvent } from 'react';
import { useText } from '../../i18n/text.ts';
import { fromLocalInput, toLocalInput } from '../format.ts';
import { kitText } from '../kit.text.ts';
import { useNow } from '../use-now.ts';
import type { DateRange } from './date-range.ts';
import { filterText } from './filter.text.ts';

interface CustomRangeProps {
  range: DateRange;
  onApply: (range: DateRange) => void;
  /** Stands in the page, and not in a box that opens. */
  inPage?: boolean;
}

/** Two moments in the reader's zone, which hold once one says so: a year that is half typed is no range. */
export function CustomRange({ range, onApply, inPage = false }: CustomRangeProps) {
  const t = useText(filterText);
  const kit = useText(kitText);
  const [now] = useNow(60_000);
  const [start, setStart] = useState(toLocalInput(range.start));
  const [end, setEnd] = useState(toLocalInput(range.end));
  const reversed = start !== '' && end !== '' && start >= end;
  const future = start !== '' && new Date(start).getTime() > now;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    event.stopPropagation();
    if (!reversed && !future) onApply({ start: fromLocalInput(start), end: fromLocalInput(end) });
  };
  return (
    <Stack component="form" noValidate onSubmit={submit} sx={inPage ? pageLook : boxLook}>
      <TextField
        autoFocus={!inPage}
        type="datetime-local"
        label={kit.startTime}
        value={start}
        onChange={({ target }) => setStart(target.value)}
        error={future}
        helperText={future ? kit.rangeFuture : undefined}
        slotProps={{ inputLabel: { shrink: true } }}
      />
      <TextField
        type="datetime-local"
        label={kit.endTime}
        value={end}
        onChange={({ target }) => setEnd(target.value)}
        error={reversed}
        helperText={reversed ? kit.rangeReversed : undefined}
        slotProps={{ inputLabel: { shrink: true } }}
      />
      <Button type="submit" variant={inPage ? 'outlined' : 'contained'}>
        {t.apply}
      </Button>
    </Stack>
  );
}

const boxLook = { p: 2, gap: 2, width: 280 } as const;
const pageLook = {
  flexDirection: 'row',
  flexWrap: 'wrap',
  alignItems: 'flex-start',
  gap: 1.5,
  '& > .MuiTextField-root': { flex: '1 1 240px', maxWidth: { sm: 280 } },
} as const;
