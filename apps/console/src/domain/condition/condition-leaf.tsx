import {
  bareOperators,
  conditionDecoders,
  conditionDecodersMax,
  conditionFieldNames,
  fieldOf,
  isOfAnswer,
  isOfContent,
  kindOfLeaf,
  operatorsOf,
  type ConditionDecoder,
  type ConditionFieldName,
  type ConditionLeaf,
  type ConditionOperator,
} from '@breakwater/contract';
import {
  FormControlLabel,
  FormHelperText,
  MenuItem,
  Stack,
  Switch,
  TextField,
  ToggleButton,
} from '@mui/material';
import { useText } from '../../i18n/text.ts';
import { ActionIcon } from '../../kit/action-button.tsx';
import { useFieldMessage } from '../../kit/form/form.tsx';
import { ConditionValues } from './condition-values.tsx';
import { conditionText } from './condition.text.ts';
import type { ConditionErrors } from './errors.ts';

interface LeafEditorProps {
  leaf: ConditionLeaf;
  onChange: (leaf: ConditionLeaf) => void;
  onRemove: (() => void) | undefined;
  errors: ConditionErrors | undefined;
  place: string;
  locked: boolean;
  /** Fields of the request's content and of the answer can be chosen. */
  content: boolean;
}

/** One test: not, field, name, operator, values, case. */
export function LeafEditor({ leaf, onChange, onRemove, errors, place, locked, content }: LeafEditorProps) {
  const t = useText(conditionText);
  const say = useFieldMessage();
  const field = fieldOf(leaf.field);
  const isText = kindOfLeaf(leaf) === 'text' || field.kind === 'names';
  const fields = conditionFieldNames
    .filter((value) => content || value === leaf.field || !(isOfContent(value) || isOfAnswer(value)))
    .map((value) => ({ value, label: t.fields[value] }));
  const operators = operatorsOf[kindOfLeaf(leaf)].map((value) => ({ value, label: t.operators[value] }));
  const hints = {
    robot: t.robotHint,
    number: leaf.field === 'asn' ? t.asnHint : undefined,
    text: leaf.field === 'ja4' ? t.ja4Hint : undefined,
  };
  const hint = isOfContent(leaf.field)
    ? t.contentHint
    : isOfAnswer(leaf.field)
      ? t.answerHint
      : (hints as Partial<Record<string, string>>)[field.kind];
  return (
    <Stack
      role="group"
      aria-label={t.test(place)}
      direction="row"
      // Room between lines for the labels, which stand on the upper border of their fields.
      sx={{ rowGap: 1.5, columnGap: 1, alignItems: 'flex-start', flexWrap: 'wrap' }}
    >
      <ToggleButton
        value="not"
        size="small"
        aria-label={t.negate(place)}
        selected={leaf.negated}
        disabled={locked}
        onChange={() => onChange({ ...leaf, negated: !leaf.negated })}
      >
        {t.not}
      </ToggleButton>
      <Choice
        label={t.field}
        value={leaf.field}
        options={fields}
        onChange={(value) => onChange(withField(leaf, value as ConditionFieldName))}
        locked={locked}
        message={say(errors?.field?.message)}
      />
      {field.name !== undefined && (
        <NameInput
          leaf={leaf}
          kind={field.name}
          message={say(errors?.name?.message)}
          {...{ onChange, locked }}
        />
      )}
      {field.kind === 'text' && (
        <Decoders {...{ leaf, onChange, locked }} message={say(errors?.decode?.message)} />
      )}
      <Choice
        label={t.operator}
        value={leaf.operator}
        options={operators}
        onChange={(value) => onChange(withOperator(leaf, value as ConditionOperator))}
        locked={locked}
      />
      {!bareOperators.has(leaf.operator) && (
        <ConditionValues
          leaf={leaf}
          field={kindOfLeaf(leaf) === 'number' ? { ...field, kind: 'number' } : field}
          {...{ onChange, errors, locked }}
        />
      )}
      {isText && !bareOperators.has(leaf.operator) && (
        <FormControlLabel
          label={t.ignoreCase}
          control={
            <Switch
              size="small"
              checked={leaf.ignore_case}
              disabled={locked}
              onChange={(_, checked) => onChange({ ...leaf, ignore_case: checked })}
            />
          }
          sx={{ ml: 0, mt: 0.5 }}
        />
      )}
      {hint !== undefined && <FormHelperText sx={{ order: 1, width: 1, mt: 0 }}>{hint}</FormHelperText>}
      {onRemove !== undefined && !locked && (
        <ActionIcon icon="delete" label={t.removeTest(place)} onClick={onRemove} size="medium" />
      )}
    </Stack>
  );
}

/** Another field keeps what it can take: an operator, and the values of a field of its kind. */
function withField(leaf: ConditionLeaf, name: ConditionFieldName): ConditionLeaf {
  const { name: _, decode: __, ...rest } = leaf;
  const before = fieldOf(leaf.field);
  const field = fieldOf(name);
  const keepsDecode = leaf.decode !== undefined && field.kind === 'text';
  const operators = operatorsOf[keepsDecode ? kindOfLeaf(leaf) : field.kind];
  const isAlike = kindOfLeaf(leaf) === field.kind && field.kind !== 'choice';
  const next: ConditionLeaf = {
    ...rest,
    field: name,
    ...(keepsDecode ? { decode: leaf.decode } : {}),
    operator: operators.includes(leaf.operator) ? leaf.operator : operators[0]!,
    values: isAlike ? leaf.values : [],
  };
  if (field.name === 'zone')
    return { ...next, name: before.name === 'zone' ? (leaf.name ?? localZone()) : localZone() };
  return field.name === 'name' && before.name === 'name' && leaf.name !== undefined
    ? { ...next, name: leaf.name }
    : next;
}

/** The length of a text is a number: another kind of test. */
function withDecode(leaf: ConditionLeaf, decode: ConditionDecoder[]): ConditionLeaf {
  const { decode: _, ...rest } = leaf;
  const next: ConditionLeaf = decode.length === 0 ? rest : { ...rest, decode };
  if (kindOfLeaf(next) === kindOfLeaf(leaf)) return next;
  const operators = operatorsOf[kindOfLeaf(next)];
  return { ...next, operator: operators[0]!, values: [] };
}

interface DecodersProps {
  leaf: ConditionLeaf;
  onChange: (leaf: ConditionLeaf) => void;
  locked: boolean;
  message: string | undefined;
}

/** What a text is decoded by: one choice for each step, and one more for the next. */
function Decoders({ leaf, onChange, locked, message }: DecodersProps) {
  const t = useText(conditionText);
  const steps = leaf.decode ?? [];
  const isWhole = steps.length >= conditionDecodersMax || steps.at(-1) === 'length' || locked;
  const shown: readonly string[] = isWhole && steps.length > 0 ? steps : [...steps, ''];
  const options = [
    { value: '', label: t.noDecoder },
    ...conditionDecoders.map((value) => ({ value, label: t.decoders[value] })),
  ];
  return (
    <>
      {shown.map((step, index) => (
        <Choice
          // By its place: a step has no other name.
          key={index}
          label={shown.length > 1 ? t.decodeStep(index + 1) : t.decode}
          value={step}
          options={options}
          message={message}
          onChange={(value) =>
            onChange(
              withDecode(
                leaf,
                value === ''
                  ? steps.toSpliced(index, 1)
                  : steps.toSpliced(index, 1, value as ConditionDecoder),
              ),
            )
          }
          locked={locked}
        />
      ))}
    </>
  );
}

function withOperator(leaf: ConditionLeaf, operator: ConditionOperator): ConditionLeaf {
  const isRange = operator === 'in_range' || leaf.operator === 'in_range';
  return { ...leaf, operator, values: bareOperators.has(operator) || isRange ? [] : leaf.values };
}

/** The reader's distance from UTC now. */
function localZone(): string {
  const minutes = -new Date().getTimezoneOffset();
  const two = (count: number) => `${Math.floor(Math.abs(count))}`.padStart(2, '0');
  return `${minutes < 0 ? '-' : '+'}${two(minutes / 60)}:${two(minutes % 60)}`;
}

interface NameInputProps {
  leaf: ConditionLeaf;
  kind: 'name' | 'zone';
  message: string | undefined;
  onChange: (leaf: ConditionLeaf) => void;
  locked: boolean;
}

function NameInput({ leaf, kind, message, onChange, locked }: NameInputProps) {
  const t = useText(conditionText);
  const { name, ...rest } = leaf;
  return (
    <TextField
      size="small"
      label={kind === 'zone' ? t.zone : t.name}
      value={name ?? ''}
      placeholder={kind === 'zone' ? '+08:00' : ''}
      onChange={({ target }) => onChange(target.value === '' ? rest : { ...rest, name: target.value })}
      error={message !== undefined}
      helperText={message}
      slotProps={{ htmlInput: { readOnly: locked, spellCheck: false, autoComplete: 'off' } }}
      sx={{ width: { xs: 1, sm: 130 } }}
    />
  );
}

interface ChoiceProps {
  label: string;
  value: string;
  options: readonly { value: string; label: string }[];
  onChange: (value: string) => void;
  locked: boolean;
  message?: string | undefined;
}

function Choice({ label, value, options, onChange, locked, message }: ChoiceProps) {
  return (
    <TextField
      select
      size="small"
      label={label}
      value={value}
      onChange={({ target }) => onChange(target.value)}
      error={message !== undefined}
      helperText={message}
      slotProps={{ select: { readOnly: locked } }}
      sx={{ width: { xs: 1, sm: 190 } }}
    >
      {options.map((option) => (
        <MenuItem key={option.value} value={option.value}>
          {option.label}
        </MenuItem>
      ))}
    </TextField>
  );
}
