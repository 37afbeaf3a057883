import { InputAdornment, TextField } from '@mui/material';
import { useState } from 'react';
import type { FieldPath, FieldValues } from 'react-hook-form';
import { useText } from '../../i18n/text.ts';
import { useField, type FieldProps } from './inputs.tsx';
import { kitText } from '../kit.text.ts';
import { byteUnitFor, byteUnits, moneyText, parseMoney, type ByteUnit } from './amount-text.ts';
import { UnitSelect } from './unit-select.tsx';

interface AmountProps<V extends FieldValues, N extends FieldPath<V>, T> extends FieldProps<V, N, T> {
  /** Nothing entered is null, which the schema allows. */
  nullable?: boolean;
}

interface BytesProps<V extends FieldValues, N extends FieldPath<V>, T> extends AmountProps<V, N, T> {
  /** The unit that is offered while nothing is entered. */
  unit?: ByteUnit;
}

/** Bytes (a whole number), entered as a number of the unit that suits it. */
export function BytesInput<V extends FieldValues, N extends FieldPath<V>, T>(props: BytesProps<V, N, T>) {
  const { label, disabled = false, readOnly = false, nullable = false, unit: unitOfNone } = props;
  const t = useText(kitText);
  const { field, error, helperText } = useField(props);
  const bytes = field.value as number | null | undefined;
  const [unit, setUnit] = useState<number>(() => byteUnitFor(bytes, unitOfNone));
  const set = (text: string, size: number) =>
    field.onChange(text === '' ? (nullable ? null : undefined) : Math.round(Number(text) * size));
  const known = bytes !== null && bytes !== undefined && !Number.isNaN(bytes);
  return (
    <TextField
      label={label}
      name={field.name}
      type="number"
      inputRef={field.ref}
      value={known ? Number((bytes / unit).toFixed(6)) : ''}
      onBlur={field.onBlur}
      onChange={({ target }) => set(target.value, unit)}
      error={error}
      helperText={helperText}
      disabled={disabled}
      slotProps={{
        // A wheel over a number must not change it.
        htmlInput: {
          step: 'any',
          min: 0,
          readOnly,
          onWheel: (event: React.WheelEvent<HTMLInputElement>) => event.currentTarget.blur(),
        },
        input: {
          endAdornment: (
            <InputAdornment position="end">
              <UnitSelect
                label={`${label}: ${t.unit}`}
                units={byteUnits}
                value={unit}
                disabled={disabled || readOnly}
                onChange={(size) => {
                  setUnit(size);
                  if (known) set(String(bytes / unit), size);
                }}
              />
            </InputAdornment>
          ),
        },
      }}
    />
  );
}

/** Money in minor units (分), entered with up to two decimals; no floating point touches it. */
export function MoneyInput<V extends FieldValues, N extends FieldPath<V>, T>(props: AmountProps<V, N, T>) {
  const { label, disabled = false, readOnly = false, nullable = false } = props;
  const { field, error, helperText } = useField(props);
  const minor = field.value as number | null | undefined;
  // What is being typed; NaN in the form says that it is no amount.
  const [draft, setDraft] = useState<string | null>(null);
  const known = minor !== null && minor !== undefined && !Number.isNaN(minor);
  return (
    <TextField
      label={label}
      name={field.name}
      inputRef={field.ref}
      value={draft ?? (known ? moneyText(minor) : '')}
      onChange={({ target }) => {
        setDraft(target.value);
        field.onChange(
          target.value.trim() === ''
            ? nullable
              ? null
              : undefined
            : (parseMoney(target.value) ?? Number.NaN),
        );
      }}
      onBlur={() => {
        if (!Number.isNaN(minor)) setDraft(null);
        field.onBlur();
      }}
      error={error}
      helperText={helperText}
      disabled={disabled}
      slotProps={{
        htmlInput: { inputMode: 'decimal', autoComplete: 'off', readOnly },
        input: { startAdornment: <InputAdornment position="start">¥</InputAdornment> },
      }}
    />
  );
}
