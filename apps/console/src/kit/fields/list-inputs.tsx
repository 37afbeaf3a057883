import { TextField, Typography } from '@mui/material';
import { useState, type ReactNode } from 'react';
import { useFormState, type FieldPath, type FieldValues } from 'react-hook-form';
import { useText } from '../../i18n/text.ts';
import { monospace } from '../../theme/theme.ts';
import { useField, type FieldProps } from './inputs.tsx';
import { entriesOf } from './amount-text.ts';
import { fieldsText } from './fields.text.ts';
import { readableDomains } from '../domain-name.ts';

interface ListProps<V extends FieldValues, N extends FieldPath<V>, T> extends FieldProps<V, N, T> {
  rows?: number;
}

interface EntriesProps<V extends FieldValues, N extends FieldPath<V>, T> extends ListProps<V, N, T> {
  placeholder: string;
  /** An entry as the value has it, if not as text. */
  read?: (entry: string) => unknown;
  /** What was typed as entries, where spaces and commas are part of them. */
  split?: (typed: string) => string[];
}

/** Many short entries, one per line, made for pasting. An error names the entry it is about. */
function EntriesInput<V extends FieldValues, N extends FieldPath<V>, T>(props: EntriesProps<V, N, T>) {
  const { label, disabled = false, readOnly = false, rows = 4, placeholder, read, split = entriesOf } = props;
  const t = useText(fieldsText);
  const { field, error, message, helperText } = useField({ ...props, hint: props.hint ?? t.onePerLine });
  const entries = ((field.value ?? []) as unknown[]).map(String);
  // Domains as people write them; one that is left as it was keeps the form that it came in.
  const shown = entries.map(readableDomains);
  const kept = new Map(shown.map((text, at) => [text, entries[at]!]));
  const [draft, setDraft] = useState<string | null>(null);
  const wrong = useWrongEntry(props, entries);
  const help: ReactNode =
    error && wrong !== undefined ? t.wrongEntry(readableDomains(wrong), message ?? '') : helperText;
  return (
    <TextField
      label={label}
      name={field.name}
      inputRef={field.ref}
      multiline
      minRows={rows}
      maxRows={rows * 3}
      value={draft ?? shown.join('\n')}
      onChange={({ target }) => {
        setDraft(target.value);
        const typed = split(target.value).map((entry) => kept.get(entry) ?? entry);
        field.onChange(read ? typed.map(read) : typed);
      }}
      onBlur={() => {
        setDraft(null);
        field.onBlur();
      }}
      error={error}
      helperText={
        <Typography
          component="span"
          variant="inherit"
          sx={{ display: 'flex', gap: 2, justifyContent: 'space-between' }}
        >
          <span>{help}</span>
          <span style={{ whiteSpace: 'nowrap' }}>{t.entries(entries.length)}</span>
        </Typography>
      }
      disabled={disabled}
      placeholder={placeholder}
      // Addresses and names read from left to right in every script.
      slotProps={{
        htmlInput: {
          readOnly,
          spellCheck: false,
          autoComplete: 'off',
          autoCapitalize: 'off',
          dir: split === entriesOf ? 'ltr' : 'auto',
        },
        inputLabel: { shrink: true },
      }}
      sx={{
        '& textarea': { fontFamily: monospace, fontSize: 13, lineHeight: 1.6 },
      }}
    />
  );
}

/** The first entry that an error of the list is about. */
function useWrongEntry<V extends FieldValues, N extends FieldPath<V>, T>(
  { control, name }: FieldProps<V, N, T>,
  entries: string[],
) {
  const state = useFormState({ name, ...(control ? { control } : {}) });
  const error: unknown = name
    .split('.')
    .reduce<unknown>((at, key) => (at as Record<string, unknown> | undefined)?.[key], state.errors);
  const index = Array.isArray(error) ? error.findIndex(Boolean) : -1;
  return index < 0 ? undefined : entries[index];
}

/** Addresses and networks: `ipOrCidrList` of the contract. */
export function IpListInput<V extends FieldValues, N extends FieldPath<V>, T>(props: ListProps<V, N, T>) {
  return <EntriesInput {...props} placeholder={useText(fieldsText).ipPlaceholder} />;
}

/** Domains: an array of `siteDomain`. */
export function DomainListInput<V extends FieldValues, N extends FieldPath<V>, T>(props: ListProps<V, N, T>) {
  return <EntriesInput {...props} placeholder={useText(fieldsText).domainPlaceholder} />;
}

const linesOf = (typed: string): string[] =>
  typed.split('\n').flatMap((line) => (line.trim() === '' ? [] : [line.trim()]));

/** Texts of any kind, one per line, in any script. */
export function LineListInput<V extends FieldValues, N extends FieldPath<V>, T>({
  placeholder = '',
  ...props
}: ListProps<V, N, T> & { placeholder?: string }) {
  return <EntriesInput {...props} placeholder={placeholder} split={linesOf} />;
}

/** Ports and ranges of them: `portRanges` of the contract. */
export function PortRangesInput<V extends FieldValues, N extends FieldPath<V>, T>(props: ListProps<V, N, T>) {
  return <EntriesInput {...props} placeholder={useText(fieldsText).portPlaceholder} />;
}

/** Ports as numbers: an array of `port`. What is no number is kept as it was typed, for its error to be shown. */
export function PortListInput<V extends FieldValues, N extends FieldPath<V>, T>({
  example,
  ...props
}: ListProps<V, N, T> & { example: string }) {
  const read = (entry: string) => (/^\d+$/.test(entry) ? Number(entry) : entry);
  return <EntriesInput {...props} placeholder={example} read={read} />;
}
