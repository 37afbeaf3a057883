import { carriers, monitorHostsMax, provinces } from '@breakwater/contract';
import { MenuItem, TextField } from '@mui/material';
import { useState, type ReactNode } from 'react';
import { useText } from '../../i18n/text.ts';
import { useCountries } from '../../kit/country.tsx';
import { Pictured } from '../../kit/fields/pictured.tsx';
import { placesText } from '../../domain/places.text.ts';
import type { MonitorFiltersProps } from './monitor-filters.tsx';
import { monitorText } from './monitor.text.ts';

type Change = MonitorFiltersProps['onChange'];

/** Taken over when it is left or by Enter: each letter would be a question of its own. */
export function HostsFilter({ value = '', onChange }: { value: string | undefined; onChange: Change }) {
  const t = useText(monitorText);
  const [text, setText] = useState(value);
  // As the contract has it; said while it is typed, since such an address would be refused.
  const tooMany = text.split(',').length > monitorHostsMax;
  const commit = () => !tooMany && text.trim() !== value && onChange({ hosts: text.trim() || undefined });
  return (
    <TextField
      label={t.hosts}
      placeholder={t.hostsHint}
      value={text}
      onChange={(event) => setText(event.target.value)}
      onBlur={commit}
      onKeyDown={(event) => event.key === 'Enter' && commit()}
      error={tooMany}
      helperText={tooMany ? t.hostsMax(monitorHostsMax) : undefined}
      slotProps={{ inputLabel: { shrink: true } }}
    />
  );
}

/** Where visitors are. Figures by place are kept by the hour. */
export function PlaceFilters({ search, onChange }: Pick<MonitorFiltersProps, 'search' | 'onChange'>) {
  const t = useText(monitorText);
  const names = useText(placesText);
  const countries = useCountries();
  const placed = [search.country, search.province, search.carrier].some(Boolean);
  return (
    <>
      <PlaceFilter
        label={t.country}
        all={t.allPlaces}
        value={search.country}
        options={countries}
        onChange={(country) => onChange({ country })}
        hint={placed ? t.placesByHour : undefined}
      />
      <PlaceFilter
        label={t.province}
        all={t.allPlaces}
        value={search.province}
        options={provinces.map((value) => ({ value, label: names.provinceNames[value] }))}
        onChange={(province) => onChange({ province })}
      />
      <PlaceFilter
        label={t.carrier}
        all={t.allPlaces}
        value={search.carrier}
        options={carriers.map((value) => ({ value, label: names.carrierNames[value] }))}
        onChange={(carrier) => onChange({ carrier })}
      />
    </>
  );
}

interface PlaceFilterProps {
  label: string;
  all: string;
  value: string | undefined;
  options: readonly { value: string; label: string; picture?: ReactNode }[];
  onChange: (value: string | undefined) => void;
  hint?: string | undefined;
}

function PlaceFilter({ label, all, value, options, onChange, hint }: PlaceFilterProps) {
  return (
    <TextField
      select
      label={label}
      // A code from an address that no option has would be an error of the select.
      value={options.some((option) => option.value === value) ? value : ''}
      helperText={hint}
      onChange={(event) => onChange(event.target.value || undefined)}
      slotProps={{ inputLabel: { shrink: true }, select: { displayEmpty: true } }}
    >
      <MenuItem value="">{all}</MenuItem>
      {options.map((option) => (
        <MenuItem key={option.value} value={option.value}>
          <Pictured {...option} />
        </MenuItem>
      ))}
    </TextField>
  );
}
