import type { Carrier, ConditionLeaf, Province, SearchRobot, fieldOf } from '@breakwater/contract';
import { Autocomplete, TextField } from '@mui/material';
import { useText } from '../../i18n/text.ts';
import { useMemo, type ReactNode } from 'react';
import { useCountries } from '../../kit/country.tsx';
import { useFieldMessage } from '../../kit/form/form.tsx';
import type { Choices as ListChoices } from '../../kit/fields/choices.ts';
import { picturedChoices } from '../../kit/fields/pictured.tsx';
import { RemoteMultiPicker } from '../../kit/fields/remote-multi-select.tsx';
import { kitText } from '../../kit/kit.text.ts';
import { placesText } from '../places.text.ts';
import { useConditionData } from './condition-data.ts';
import { conditionText } from './condition.text.ts';
import { robotsText } from './robots.text.ts';
import { valuesMessage, type ConditionErrors } from './errors.ts';

interface ConditionValuesProps {
  leaf: ConditionLeaf;
  field: ReturnType<typeof fieldOf>;
  onChange: (leaf: ConditionLeaf) => void;
  errors: ConditionErrors | undefined;
  locked: boolean;
}

/** The values of a test. */
export function ConditionValues(props: ConditionValuesProps) {
  const { Lists } = useConditionData();
  const choices = useChoices(props.leaf, props.field);
  if (props.field.kind !== 'list') return <Values {...props} choices={choices} />;
  return <Lists>{(lists) => <ListValues {...props} lists={lists} />}</Lists>;
}

/** Address lists, by their ids as text. */
function ListValues({
  leaf,
  onChange,
  errors,
  locked,
  lists,
}: ConditionValuesProps & { lists: ListChoices }) {
  const t = useText(conditionText);
  const message = useFieldMessage()(valuesMessage(errors));
  const { values } = leaf;
  return (
    <RemoteMultiPicker
      label={t.chosen}
      value={useMemo(() => values.map(Number), [values])}
      onChange={(ids) => onChange({ ...leaf, values: ids.map(String) })}
      choices={lists}
      noneText={t.noLists}
      readOnly={locked}
      field={{ error: message !== undefined, helperText: message }}
      sx={look}
    />
  );
}

const look = { flex: '1 1 220px', minWidth: { xs: 1, sm: 220 } };

type Choices = readonly { value: string; label: string; picture?: ReactNode }[] | undefined;

/** Enter or leaving the field adds what was typed, where nothing is chosen from. */
function Values({
  leaf,
  field,
  choices,
  onChange,
  errors,
  locked,
}: ConditionValuesProps & { choices: Choices }) {
  const t = useText(conditionText);
  const kit = useText(kitText);
  const message = useFieldMessage()(valuesMessage(errors));
  const known = new Map(choices?.map((choice) => [choice.value, choice]));
  const choiceOf = (value: string) => known.get(value) ?? { label: value };
  const isList = field.kind === 'address';
  // Only where a value cannot hold them do spaces and commas part one from the next.
  const split = (text: string) => (isList ? text.split(/[\s,，]+/) : [text]);
  return (
    <Autocomplete
      multiple
      freeSolo={choices === undefined}
      autoSelect={choices === undefined}
      disableCloseOnSelect
      size="small"
      options={[...known.keys()]}
      getOptionLabel={(value) => choiceOf(value).label}
      {...(field.kind === 'country' ? picturedChoices(choiceOf) : {})}
      noOptionsText={kit.noOptions}
      value={leaf.values}
      readOnly={locked}
      onChange={(_, values) =>
        onChange({ ...leaf, values: [...new Set(values.flatMap(split).filter((value) => value !== ''))] })
      }
      renderInput={(params) => (
        <TextField
          {...params}
          label={choices === undefined ? t.values : t.chosen}
          error={message !== undefined}
          helperText={message}
          placeholder={leaf.values.length === 0 ? placeholderOf(leaf, field.kind) : ''}
        />
      )}
      sx={look}
    />
  );
}

/** What the values are chosen from, under names; nothing where they are typed. */
function useChoices({ field }: ConditionLeaf, { kind, options }: ConditionValuesProps['field']): Choices {
  const places = useText(placesText);
  const countries = useCountries();
  const robots = useText(robotsText);
  if (kind === 'country') return countries;
  const named = (value: string) => {
    if (kind === 'robot') return robots.names[value as SearchRobot];
    if (field === 'province') return places.provinceNames[value as Province];
    return field === 'carrier' ? places.carrierNames[value as Carrier] : value;
  };
  return options?.map((value) => ({ value, label: named(value) }));
}

function placeholderOf({ field, operator }: ConditionLeaf, kind: string): string {
  const isRange = operator === 'in_range';
  if (operator === 'regex') return '\\.php$';
  if (operator === 'wildcard') return '/img/*.png';
  if (operator === 'longer_than' || operator === 'shorter_than') return '100';
  if (kind === 'address') return '10.0.0.0/8';
  if (kind === 'time') return isRange ? '22:00..06:00' : '08:30';
  if (kind === 'date') return isRange ? '2026-01-01..2026-01-31' : '2026-01-31';
  if (kind === 'number' && isRange) return '1..5';
  if (kind === 'number') return examples[field] ?? '1';
  return examples[field] ?? '';
}

const examples: Partial<Record<string, string>> = {
  method: 'POST',
  asn: '4134',
  host: 'www.example.com',
  path: '/admin/',
  uri: '/search?q=',
  extension: 'jpg',
  referer_host: 'www.example.com',
};
