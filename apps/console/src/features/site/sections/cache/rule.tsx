import { cacheRule, cacheRuleType, type CacheRule } from '@breakwater/contract';
import { Box, Button, Collapse, Stack } from '@mui/material';
import { useState } from 'react';
import { useFormState, useWatch } from 'react-hook-form';
import { useLanguage } from '../../../../i18n/language.ts';
import { useText } from '../../../../i18n/text.ts';
import { FoldedRow } from '../../../../kit/fields/folded-row.tsx';
import { ConditionInput } from '../../../../domain/condition/condition-input.tsx';
import { DurationInput, SelectInput, SwitchInput, TagsInput } from '../../../../kit/fields/inputs.tsx';
import { formatList } from '../../../../kit/format.ts';
import { Icon } from '../../../../kit/icon.tsx';
import { fieldGrid } from '../../section/field-grid.ts';
import { MoreOfRule } from './rule-more.tsx';
import type { CacheControl } from './cache.tsx';
import { siteCacheText } from './cache.text.ts';

interface RuleProps {
  control: CacheControl;
  index: number;
}

/** One rule: a line that says what it does, and its fields below once it is opened. */
export function CacheRuleRow({ control, index }: RuleProps) {
  const t = useText(siteCacheText);
  const rule = useWatch({ control, name: `rules.${index}` }) as CacheRule;
  const { errors } = useFormState({ control, name: `rules.${index}` });
  // A new rule, whose content is still to be entered, is open; so is one that has an error.
  const [wasOpened, setOpened] = useState(rule.type !== 'all' && rule.content.length === 0);
  // A row with an error is opened, or the error would be out of sight and take no focus.
  const wrong = Object.keys(errors.rules?.[index] ?? {});
  const isOpen = wasOpened || wrong.length > 0;
  return (
    <FoldedRow
      summary={useRuleWords()(rule)}
      isOn={rule.enabled}
      beside={<SwitchInput control={control} name={`rules.${index}.enabled`} label={t.enabled} />}
      isOpen={isOpen}
      onOpen={setOpened}
    >
      <RuleFields
        control={control}
        index={index}
        rule={rule}
        hasFoldedError={wrong.some((field) => !shownFirst.has(field))}
      />
    </FoldedRow>
  );
}

/** A summary is one line, whatever a rule lists. */
const shownMax = 6;

/** A rule as a sentence: what it is for, what is done, and for how long. The rows and the preview have it. */
export function useRuleWords(): (rule: CacheRule) => string {
  const t = useText(siteCacheText);
  const language = useLanguage();
  return (rule) => {
    const some = rule.content.slice(0, shownMax);
    const shown = formatList(some, language) + (rule.content.length > some.length ? ' …' : '');
    const what = rule.type === 'all' ? t.types.all : `${t.types[rule.type]} ${shown || t.none}`;
    const part = rule.condition === undefined ? '' : t.ofSome;
    const time = rule.action === 'cache' ? ` ${lifetime(rule.ttl_seconds, t.units)}` : '';
    return `${what}${part} → ${t.actions[rule.action]}${time}`;
  };
}

const unitSizes = [
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
] as const;

function lifetime(seconds: number | undefined, units: Record<string, string>): string {
  if (seconds === undefined || Number.isNaN(seconds)) return '';
  for (const [unit, size] of unitSizes)
    // As it was entered, most likely: 90 minutes are not 1.5 hours.
    if (seconds > 0 && seconds % size === 0) return `${seconds / size} ${units[unit]}`;
  return `${seconds} ${units.second}`;
}

interface RuleFieldsProps extends RuleProps {
  rule: CacheRule;
  hasFoldedError: boolean;
}

/** What every rule says; the rest is folded away, with the number of fields in which it differs from a new rule. */
function RuleFields({ control, index, rule, hasFoldedError }: RuleFieldsProps) {
  const t = useText(siteCacheText);
  const [wasUnfolded, setUnfolded] = useState(false);
  const isMore = wasUnfolded || hasFoldedError;
  const types = cacheRuleType.options.map((value) => ({ value, label: t.types[value] }));
  const actions = (['cache', 'bypass', 'follow_origin'] as const).map((value) => ({
    value,
    label: t.actions[value],
  }));
  const changed = countChanged(rule);
  return (
    <Stack sx={{ gap: 2, pt: 2 }}>
      <Box sx={fieldGrid}>
        <SelectInput control={control} name={`rules.${index}.type`} label={t.type} options={types} />
        {rule.type !== 'all' && (
          <TagsInput
            control={control}
            name={`rules.${index}.content`}
            label={t.content}
            placeholder={t.placeholders[rule.type]}
          />
        )}
        <SelectInput control={control} name={`rules.${index}.action`} label={t.action} options={actions} />
        {rule.action === 'cache' && (
          <DurationInput
            control={control}
            name={`rules.${index}.ttl_seconds`}
            label={t.ttl}
            hint={t.ttlHint}
          />
        )}
      </Box>
      <ConditionInput control={control} name={`rules.${index}.condition`} hint={t.conditionHint} />
      <Box>
        <Button
          size="small"
          color="inherit"
          aria-expanded={isMore}
          startIcon={<Icon name={isMore ? 'minus' : 'add'} size={18} />}
          onClick={() => setUnfolded(!isMore)}
        >
          {isMore ? t.less : changed > 0 ? t.moreSet(changed) : t.more}
        </Button>
      </Box>
      <Collapse in={isMore} unmountOnExit>
        <MoreOfRule control={control} index={index} rule={rule} />
      </Collapse>
    </Stack>
  );
}

/** What a rule is as long as nothing of what is folded away was touched. */
const plain = cacheRule.parse({ type: 'all' });
const shownFirst = new Set(['condition', 'type', 'content', 'action', 'ttl_seconds', 'enabled']);

/** How many of the folded fields say something. */
function countChanged(rule: CacheRule): number {
  return Object.entries(rule).filter(
    ([name, value]) =>
      !shownFirst.has(name) && JSON.stringify(value) !== JSON.stringify(plain[name as keyof CacheRule]),
  ).length;
}
