import { MenuItem, Stack, TextField, Typography } from '@mui/material';
import type { ReactNode } from 'react';
import type { TimeRange } from '../../api/time-step.ts';
import { useText } from '../../i18n/text.ts';
import { ActionIcon } from '../../kit/action-button.tsx';
import { ChoiceButtons } from '../../kit/choice-buttons.tsx';
import { CustomRange } from '../../kit/filter/custom-range.tsx';
import { kitText } from '../../kit/kit.text.ts';
import { rangeNames, type RangeName } from '../../kit/time-range.ts';
import { RangeText } from '../../kit/time.tsx';
import { monitorText } from './monitor.text.ts';

/** Seconds between two reads; 0: only when asked. */
export const refreshSeconds = [0, 5, 10, 30, 60];

/** As the address has it. */
export interface RangeSearch {
  mode?: 'range' | 'live';
  range: RangeName;
  start_time?: string | undefined;
  end_time?: string | undefined;
  refresh: number;
}

interface RangeBarProps {
  search: RangeSearch;
  onChange: (patch: Partial<Record<keyof RangeSearch, unknown>>) => void;
  onRefresh: () => void;
  /** What the search comes to. */
  range: TimeRange;
  /** Offers the seconds as they pass. */
  withLive?: boolean;
  /** More to choose, before how often it is asked for anew. */
  children?: ReactNode;
}

/** The range, how often it is asked for anew, and at once. */
export function RangeBar({ search, range, onChange, onRefresh, withLive = false, children }: RangeBarProps) {
  const t = useText(monitorText);
  const kit = useText(kitText);
  const names: Record<RangeName, string> = {
    last_hour: kit.lastHour,
    today: kit.today,
    yesterday: kit.yesterday,
    last_7_days: kit.last7Days,
    custom: kit.custom,
  };
  const live = withLive && search.mode === 'live';
  const choose = (name: RangeName | 'live') => {
    if (name === 'live') return onChange({ mode: name });
    const anHourAgo = new Date(Date.now() - 3_600_000).toISOString();
    // An own range begins as the last hour, so that there is something to change; the named ones leave no times in the address,
    // or a link would lead to the day it was made on.
    const custom =
      name === 'custom'
        ? { start_time: anHourAgo, end_time: new Date().toISOString() }
        : { start_time: undefined, end_time: undefined };
    onChange({ range: name, ...custom, ...(withLive ? { mode: 'range' } : {}) });
  };
  return (
    <Stack sx={{ gap: 2 }}>
      <Stack direction="row" sx={{ gap: 1.5, flexWrap: 'wrap', alignItems: 'center' }}>
        <ChoiceButtons
          label={t.range}
          value={live ? 'live' : search.range}
          values={withLive ? ['live', ...rangeNames] : rangeNames}
          names={{ ...names, live: t.live }}
          onChange={choose}
        />
        <Typography variant="caption" sx={{ flex: '1 1 200px', color: 'text.secondary' }}>
          {!live && <RangeText range={range} />}
        </Typography>
        {!live && (
          <Stack direction="row" sx={{ gap: 1.5, alignItems: 'center', minWidth: 0 }}>
            {children}
            <Refresh search={search} onChange={onChange} onRefresh={onRefresh} />
          </Stack>
        )}
      </Stack>
      {!live && search.range === 'custom' && (
        <CustomRange
          // Another range from elsewhere, such as the way back, is what the fields begin with.
          key={`${search.start_time} ${search.end_time}`}
          inPage
          range={{ start: search.start_time, end: search.end_time }}
          onApply={({ start, end }) => onChange({ start_time: start, end_time: end })}
        />
      )}
    </Stack>
  );
}

function Refresh({ search, onChange, onRefresh }: Omit<RangeBarProps, 'range'>) {
  const t = useText(monitorText);
  const kit = useText(kitText);
  return (
    <>
      <TextField
        select
        fullWidth={false}
        label={t.refreshEvery}
        value={search.refresh}
        onChange={(event) => onChange({ refresh: event.target.value })}
        sx={{ minWidth: 110 }}
      >
        {refreshSeconds.map((seconds) => (
          <MenuItem key={seconds} value={seconds}>
            {seconds === 0 ? t.refreshOff : t.seconds(seconds)}
          </MenuItem>
        ))}
      </TextField>
      <ActionIcon icon="refresh" label={kit.refresh} onClick={onRefresh} size="medium" />
    </>
  );
}
