import {
  Autocomplete,
  FormControlLabel,
  FormHelperText,
  InputAdornment,
  MenuItem,
  Stack,
  Switch,
  TextField,
} from '@mui/material';
import { useState, type ReactNode } from 'react';
import { useController, type FieldPath, type FieldValues, type UseControllerProps } from 'react-hook-form';
import { useText } from '../../i18n/text.ts';
import { useSourcedHint } from './field-source.tsx';
import { useFound, type Find } from './choices.ts';
import { picturedChoices } from './pictured.tsx';
import { UnitSelect } from './unit-select.tsx';
import { useFieldMessage } from '../form/form.tsx';
import { allWrong } from '../form/error-paths.ts';
import { useTells } from '../form/shown.ts';
import { kitText } from '../kit.text.ts';
import { readableDomains } from '../domain-name.ts';

export interface FieldProps<V extends FieldValues, N extends FieldPath<V>, T> extends Pick<
  UseControllerProps<V, N, T>,
  'control' | 'name'
> {
  label: string;
  hint?: ReactNode;
  disabled?: boolean;
  /** Shown and copied, but not changed; unlike a disabled one it keeps its contrast and its place in the tab order. */
  readOnly?: boolean;
}

/** The controller of one field and what MUI's inputs share. */
export function useField<V extends FieldValues, N extends FieldPath<V>, T>({
  control,
  name,
  hint,
  label,
}: FieldProps<V, N, T>) {
  useTells(control, name, label, { isDeep: true });
  const { field, fieldState, formState } = useController({ name, ...(control ? { control } : {}) });
  // A row that was just added is checked at once, and would be told what it lacks before anything could be entered.
  const isTold = fieldState.isTouched || formState.isSubmitted;
  const problem = isTold ? fieldState.error : undefined;
  // A list's error may lie at one of its items, or at a part of one.
  const message = useFieldMessage()(problem && allWrong({ [name]: problem })[0]?.message);
  const helperText = useSourcedHint(name, message ?? hint);
  return { field, error: problem !== undefined, message, helperText };
}

interface TextInputProps<V extends FieldValues, N extends FieldPath<V>, T> extends FieldProps<V, N, T> {
  type?: 'text' | 'password' | 'email';
  rows?: number;
  placeholder?: string;
  autoFocus?: boolean;
  autoComplete?: string;
  /** Nothing entered is the value's absence. */
  optional?: boolean;
  monospaced?: boolean;
}

export function TextInput<V extends FieldValues, N extends FieldPath<V>, T>(props: TextInputProps<V, N, T>) {
  const {
    label,
    type = 'text',
    rows,
    placeholder,
    autoFocus,
    autoComplete = 'off',
    optional,
    disabled,
    readOnly,
    monospaced,
  } = props;
  const { field, error, helperText } = useField(props);
  return (
    <TextField
      label={label}
      name={field.name}
      type={type}
      inputRef={field.ref}
      value={field.value ?? ''}
      onBlur={field.onBlur}
      onChange={(event) =>
        field.onChange(optional && event.target.value === '' ? undefined : event.target.value)
      }
      error={error}
      helperText={helperText}
      autoComplete={autoComplete}
      {...(disabled ? { disabled } : {})}
      {...(placeholder ? { placeholder } : {})}
      {...(autoFocus ? { autoFocus } : {})}
      {...(rows ? { multiline: true, minRows: rows, maxRows: rows * 3 } : {})}
      sx={monospaced ? { '& textarea, & input': { fontFamily: 'monospace', fontSize: 13 } } : {}}
      {...(readOnly ? { slotProps: { htmlInput: { readOnly } } } : {})}
    />
  );
}

interface NumberInputProps<V extends FieldValues, N extends FieldPath<V>, T> extends FieldProps<V, N, T> {
  unit?: string;
  /** Nothing entered is null, which the schema allows. */
  nullable?: boolean;
  /** How many of the value's units one of the shown is: 100 shows 分 as 元. */
  scale?: number;
  placeholder?: string;
}

export function NumberInput<V extends FieldValues, N extends FieldPath<V>, T>(
  props: NumberInputProps<V, N, T>,
) {
  const { label, unit, nullable, scale = 1, disabled, readOnly, placeholder } = props;
  const { field, error, helperText } = useField(props);
  const value = field.value as number | null | undefined;
  const parse = (text: string) =>
    text === '' ? (nullable ? null : undefined) : Math.round(Number(text) * scale * 1e6) / 1e6;
  return (
    <TextField
      label={label}
      name={field.name}
      type="number"
      inputRef={field.ref}
      value={value === null || value === undefined || Number.isNaN(value) ? '' : value / scale}
      onBlur={field.onBlur}
      onChange={(event) => field.onChange(parse(event.target.value))}
      error={error}
      helperText={helperText}
      {...(disabled ? { disabled } : {})}
      {...(placeholder ? { placeholder } : {})}
      slotProps={{
        input: unit ? { endAdornment: <InputAdornment position="end">{unit}</InputAdornment> } : {},
        // A wheel over a number must not change it.
        htmlInput: {
          step: 'any',
          readOnly,
          onWheel: (event: React.WheelEvent<HTMLInputElement>) => event.currentTarget.blur(),
        },
        ...(placeholder ? { inputLabel: { shrink: true } } : {}),
      }}
    />
  );
}

export interface Option<Value extends string | number> {
  value: Value;
  label: string;
  /** Before its name, which says the same. */
  picture?: ReactNode;
  /** Shown, and not to be chosen. */
  disabled?: boolean;
}

interface SelectInputProps<V extends FieldValues, N extends FieldPath<V>, T> extends FieldProps<V, N, T> {
  options: readonly Option<string | number>[];
  /** Adds a first choice that is the value's absence. */
  noneLabel?: string;
  /** What else follows from a choice. */
  onChosen?: (value: string) => void;
}

export function SelectInput<V extends FieldValues, N extends FieldPath<V>, T>(
  props: SelectInputProps<V, N, T>,
) {
  const { label, options, noneLabel, onChosen, disabled, readOnly } = props;
  const nameOf = useMissingName(options.length);
  const { field, error, helperText } = useField(props);
  const value = (field.value ?? '') as string | number;
  const isKnown = value === '' || options.some((option) => option.value === value);
  return (
    <TextField
      select
      label={label}
      name={field.name}
      inputRef={field.ref}
      value={value}
      onBlur={field.onBlur}
      onChange={(event) => {
        field.onChange(event.target.value === '' ? undefined : event.target.value);
        onChosen?.(event.target.value);
      }}
      error={error}
      helperText={helperText}
      {...(disabled ? { disabled } : {})}
      slotProps={{
        // What stands for nothing is read without opening it.
        select: {
          displayEmpty: noneLabel !== undefined,
          ...(readOnly ? { readOnly, IconComponent: NoIcon } : {}),
        },
        ...(noneLabel === undefined ? {} : { inputLabel: { shrink: true } }),
      }}
    >
      {noneLabel !== undefined && <MenuItem value="">{noneLabel}</MenuItem>}
      {!isKnown && <MenuItem value={value}>{nameOf(value)}</MenuItem>}
      {options.map((option) => (
        <MenuItem key={option.value} value={option.value} disabled={option.disabled ?? false}>
          {option.label}
        </MenuItem>
      ))}
    </TextField>
  );
}

/** What a value is called that is none of the options: by its id or code, and that it is no longer offered once there are options. */
function useMissingName(optionCount: number): (value: string | number) => string {
  const t = useText(kitText);
  const isKnown = optionCount > 0;
  return (value) => {
    const name = typeof value === 'number' ? `#${value}` : value;
    return isKnown ? t.notOffered(name) : name;
  };
}

/** What cannot be opened has no arrow. */
const NoIcon = () => null;

export function SwitchInput<V extends FieldValues, N extends FieldPath<V>, T>(props: FieldProps<V, N, T>) {
  const { label, disabled, readOnly } = props;
  const { field, helperText } = useField(props);
  return (
    <Stack>
      <FormControlLabel
        label={label}
        {...(disabled ? { disabled } : {})}
        control={
          <Switch
            name={field.name}
            checked={Boolean(field.value)}
            onBlur={field.onBlur}
            onChange={(event) => !readOnly && field.onChange(event.target.checked)}
            slotProps={{ input: { ref: field.ref, ...(readOnly ? { 'aria-readonly': true } : {}) } }}
          />
        }
      />
      {helperText && <FormHelperText>{helperText}</FormHelperText>}
    </Stack>
  );
}

interface TagsInputProps<V extends FieldValues, N extends FieldPath<V>, T> extends FieldProps<V, N, T> {
  placeholder?: string;
  /** Offered while something is typed; anything else can be entered too. */
  suggestions?: readonly string[];
  /** Where there may be many of these: finds them. */
  find?: Find<string>;
}

const findNone: Find<string> = async () => [];

/** A list of words: Enter, comma, space or leaving the field adds what was typed; pasted lines become one each. */
export function TagsInput<V extends FieldValues, N extends FieldPath<V>, T>(props: TagsInputProps<V, N, T>) {
  const { label, placeholder, suggestions = [], find, disabled, readOnly } = props;
  const t = useText(kitText);
  const [typed, setTyped] = useState('');
  const [open, setOpen] = useState(false);
  const found = useFound(find ?? findNone, typed.trim(), open && find !== undefined);
  const { field, error, helperText } = useField({
    ...props,
    hint: props.hint ?? (readOnly ? undefined : t.tagsHint),
  });
  const value = (field.value ?? []) as string[];
  return (
    <Autocomplete
      multiple
      freeSolo
      autoSelect
      openOnFocus={false}
      filterSelectedOptions
      // Domains as people write them; the value keeps the form that it came in.
      getOptionLabel={readableDomains}
      options={[...suggestions, ...found.options.map((option) => option.value)]}
      value={value}
      onOpen={() => setOpen(true)}
      onClose={() => setOpen(false)}
      onInputChange={(_, text, reason) => setTyped(reason === 'input' ? text : '')}
      {...(disabled ? { disabled } : {})}
      {...(readOnly ? { readOnly } : {})}
      onBlur={field.onBlur}
      onChange={(_, next) =>
        field.onChange([...new Set(next.flatMap((text) => text.split(/[\s,，]+/)).filter(Boolean))])
      }
      renderInput={(params) => (
        <TextField
          {...params}
          label={label}
          name={field.name}
          inputRef={field.ref}
          error={error}
          helperText={helperText}
          {...(placeholder && value.length === 0 ? { placeholder } : {})}
        />
      )}
    />
  );
}

interface MultiSelectInputProps<
  V extends FieldValues,
  N extends FieldPath<V>,
  T,
  Value extends number | string,
> extends FieldProps<V, N, T> {
  options: readonly Option<Value>[];
}

/** Several of the options, by their values. */
export function MultiSelectInput<
  V extends FieldValues,
  N extends FieldPath<V>,
  T,
  Value extends number | string,
>(props: MultiSelectInputProps<V, N, T, Value>) {
  const { label, options, disabled, readOnly } = props;
  const t = useText(kitText);
  const { field, error, helperText } = useField(props);
  const nameOf = useMissingName(options.length);
  const ids = (field.value ?? []) as Value[];
  const chosen: Option<Value>[] = ids.map(
    (id) => options.find((option) => option.value === id) ?? { value: id, label: nameOf(id) },
  );
  const isPictured = options[0]?.picture !== undefined;
  return (
    <Autocomplete
      multiple
      disableCloseOnSelect
      {...(isPictured ? picturedChoices((option: Option<Value>) => option) : {})}
      options={options}
      value={chosen}
      noOptionsText={t.noOptions}
      isOptionEqualToValue={(a, b) => a.value === b.value}
      {...(disabled ? { disabled } : {})}
      {...(readOnly ? { readOnly } : {})}
      onBlur={field.onBlur}
      onChange={(_, next) => field.onChange(next.map((option) => option.value))}
      renderInput={(params) => (
        <TextField {...params} label={label} inputRef={field.ref} error={error} helperText={helperText} />
      )}
    />
  );
}

const durationUnits = [1, 60, 3600, 86_400] as const;

/** Seconds, entered as a number of the unit that suits it. */
export function DurationInput<V extends FieldValues, N extends FieldPath<V>, T>(props: FieldProps<V, N, T>) {
  const { label, disabled = false, readOnly = false } = props;
  const t = useText(kitText);
  const { field, error, helperText } = useField(props);
  const seconds = field.value as number | undefined;
  const [unit, setUnit] = useState<number>(
    () => durationUnits.findLast((size) => seconds && seconds % size === 0) ?? 1,
  );
  const names: Record<number, string> = { 1: t.second, 60: t.minute, 3600: t.hour, 86_400: t.day };
  return (
    <TextField
      label={label}
      name={field.name}
      type="number"
      inputRef={field.ref}
      value={seconds === undefined || Number.isNaN(seconds) ? '' : seconds / unit}
      onBlur={field.onBlur}
      onChange={(event) =>
        field.onChange(event.target.value === '' ? undefined : Math.round(Number(event.target.value) * unit))
      }
      error={error}
      helperText={helperText}
      {...(disabled ? { disabled } : {})}
      slotProps={{
        htmlInput: { step: 'any', readOnly },
        input: {
          endAdornment: (
            <UnitSelect
              label={`${label}: ${t.unit}`}
              units={durationUnits.map((size) => ({ size, name: names[size]! }))}
              value={unit}
              disabled={disabled || readOnly}
              onChange={(size) => {
                setUnit(size);
                if (seconds !== undefined) field.onChange(Math.round((seconds / unit) * size));
              }}
            />
          ),
        },
      }}
    />
  );
}
