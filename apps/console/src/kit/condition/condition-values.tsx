import type { ConditionLeaf, fieldOf } from '@breakwater/contract';
import { Autocomplete, TextField } from '@mui/material';
import { useText } from '../../i18n/text.ts';
import { useFieldMessage } from '../form.tsx';
import { conditionText } from './condition.text.ts';
import { valuesMessage, type ConditionErrors } from './errors.ts';

interface ConditionValuesProps {
  leaf: ConditionLeaf;
  field: ReturnType<typeof fieldOf>;
  onChange: (leaf: ConditionLeaf) => void;
  errors: ConditionErrors | undefined;
  locked: boolean;
}

/** The values of a test; Enter or leaving the field adds what was typed. */
export function ConditionValues({ leaf, field, onChange, errors, locked }: ConditionValuesProps) {
  const t = useText(conditionText);
  const message = useFieldMessage()(valuesMessage(errors));
  const isList = field.kind === 'address';
  // Only where a value cannot hold them do spaces and commas part one from the next.
  const split = (text: string) => (isList ? text.split(/[\s,，]+/) : [text]);
  return (
    <Autocomplete
      multiple
      freeSolo={field.options === undefined}
      autoSelect={field.options === undefined}
      disableCloseOnSelect
      size="small"
      options={[...(field.options ?? [])]}
      value={leaf.values}
      readOnly={locked}
      onChange={(_, values) =>
        onChange({ ...leaf, values: [...new Set(values.flatMap(split).filter((value) => value !== ''))] })
      }
      renderInput={(params) => (
        <TextField
          {...params}
          label={t.values}
          error={message !== undefined}
          helperText={message}
          placeholder={leaf.values.length === 0 ? placeholderOf(leaf, field.kind) : ''}
        />
      )}
      sx={{ flex: '1 1 220px', minWidth: { xs: 1, sm: 220 } }}
    />
  );
}

function placeholderOf({ field, operator }: ConditionLeaf, kind: string): string {
  const isRange = operator === 'in_range';
  if (operator === 'regex') return '\\.php$';
  if (operator === 'wildcard') return '/img/*.png';
  if (operator === 'longer_than' || operator === 'shorter_than') return '100';
  if (kind === 'address') return '10.0.0.0/8';
  if (kind === 'time') return isRange ? '22:00..06:00' : '08:30';
  if (kind === 'date') return isRange ? '2026-01-01..2026-01-31' : '2026-01-31';
  if (kind === 'number') return isRange ? '1..5' : '1';
  return examples[field] ?? '';
}

const examples: Partial<Record<string, string>> = {
  method: 'POST',
  host: 'www.example.com',
  path: '/admin/',
  uri: '/search?q=',
  extension: 'jpg',
  referer_host: 'www.example.com',
};
