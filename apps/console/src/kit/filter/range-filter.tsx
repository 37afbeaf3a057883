import { MenuItem, Popover, TextField } from '@mui/material';
import { useRef, useState } from 'react';
import { useText } from '../../i18n/text.ts';
import { toLocalInput } from '../format.ts';
import { kitText } from '../kit.text.ts';
import { useNow } from '../use-now.ts';
import { CustomRange } from './custom-range.tsx';
import { presetOf, presetRange, presets, type DateRange, type Preset } from './date-range.ts';
import { filterText } from './filter.text.ts';

interface RangeFilterProps {
  label: string;
  range: DateRange;
  /** That no time is asked for has to be said: without a range it is the last 24 hours. */
  any?: boolean;
  onChange: (range: DateRange, isAny: boolean) => void;
}

/** A range of time: one of those that are asked for most, or two moments in the reader's zone. */
export function RangeFilter({ label, range, any, onChange }: RangeFilterProps) {
  const t = useText(filterText);
  const names = usePresetNames();
  const anchor = useRef<HTMLDivElement>(null);
  const [custom, setCustom] = useState(false);
  const isSet = range.start !== undefined || range.end !== undefined;
  const [now] = useNow(60_000);
  const unset = any === false ? 'last_24_hours' : '';
  const value = isSet ? (presetOf(range, now) ?? 'custom') : unset;
  const choose = (choice: string) => {
    if (choice === 'custom') return setCustom(true);
    if (choice === '' || (choice === 'last_24_hours' && any !== undefined))
      return onChange({}, choice === '');
    return onChange(presetRange(choice as Preset, Date.now()), false);
  };
  return (
    <>
      <TextField
        select
        ref={anchor}
        label={label}
        value={value}
        onChange={({ target }) => choose(target.value)}
        slotProps={{ inputLabel: { shrink: true }, select: { displayEmpty: true } }}
      >
        <MenuItem value="">{t.anyTime}</MenuItem>
        {presets.map((preset) => (
          <MenuItem key={preset} value={preset}>
            {names[preset]}
          </MenuItem>
        ))}
        {/* Chosen again, a custom range can be changed: a select tells nothing of a click on what is chosen. */}
        <MenuItem value="custom" onClick={() => setCustom(true)}>
          {names.custom}
        </MenuItem>
      </TextField>
      <Popover
        open={custom}
        anchorEl={() => anchor.current!}
        onClose={() => setCustom(false)}
        anchorOrigin={{ vertical: 'bottom', horizontal: 'left' }}
        slotProps={{ paper: { role: 'dialog', 'aria-label': label, sx: { mt: 0.5 } } as object }}
      >
        <CustomRange
          range={range}
          onApply={(next) => {
            setCustom(false);
            onChange(next, false);
          }}
        />
      </Popover>
    </>
  );
}

function usePresetNames(): Record<Preset | 'custom', string> {
  const kit = useText(kitText);
  return {
    last_24_hours: kit.last24Hours,
    today: kit.today,
    yesterday: kit.yesterday,
    last_7_days: kit.last7Days,
    custom: kit.custom,
  };
}

/** A range in words, for its chip. */
export function useRangeText(): (range: DateRange) => string {
  const t = useText(filterText);
  const names = usePresetNames();
  return (range) => {
    const preset = presetOf(range, Date.now());
    if (preset) return names[preset];
    const [start, end] = [range.start, range.end].map((time) => toLocalInput(time).replace('T', ' '));
    if (start && end) return t.between(start, end);
    return start ? t.from(start) : t.until(end ?? '');
  };
}
