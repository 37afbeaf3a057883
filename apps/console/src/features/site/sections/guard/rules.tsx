import {
  guardActions,
  guardCounts,
  guardKeyParts,
  guardRule,
  guardRulesMax,
  guardScopes,
  isNamedKeyPart,
  ruleBanScopes,
  verifyKinds,
  type GuardRule,
} from '@breakwater/contract';
import { Alert, AlertTitle, Box, Button, Stack } from '@mui/material';
import { useState } from 'react';
import { useFieldArray, useFormState, useWatch } from 'react-hook-form';
import { ConditionInput } from '../../../../domain/condition/condition-input.tsx';
import { ConditionWords } from '../../../../domain/condition/condition-words.tsx';
import { useLanguage } from '../../../../i18n/language.ts';
import { useText } from '../../../../i18n/text.ts';
import { sayGuardLimit } from '../../../../domain/say-rule.ts';
import { FoldedRow } from '../../../../kit/fields/folded-row.tsx';
import { EmptyState } from '../../../../kit/empty-state.tsx';
import {
  DurationInput,
  NumberInput,
  SelectInput,
  SwitchInput,
  TagsInput,
  TextInput,
} from '../../../../kit/fields/inputs.tsx';
import { OrderedListInput } from '../../../../kit/fields/ordered-list-input.tsx';
import { Icon } from '../../../../kit/icon.tsx';
import { Section } from '../../../../kit/page.tsx';
import { fieldGrid } from '../../section/field-grid.ts';
import { externalKindText } from '../../../../domain/verify-kind.text.ts';
import { siteVerifyText } from '../verify/verify.text.ts';
import type { GuardControl } from './guard.tsx';
import { siteGuardText } from './guard.text.ts';

/** Only looked at first, so that a rule that is saved half done stops nobody. */
const newRule: GuardRule = guardRule.parse({ action: 'observe' });
/** As the contract has it. */
const keyPartsMax = 3;

/** Rules of the site's own, which are asked in order before the limits of the mode. */
export function GuardRules({ control }: { control: GuardControl }) {
  const t = useText(siteGuardText);
  const { fields, append } = useFieldArray({ control, name: 'rules' });
  return (
    <Section title={t.rules} hint={t.rulesHint}>
      {fields.length === 0 ? (
        <EmptyState
          icon="privacy"
          title={t.noRules}
          action={
            <Button
              color="inherit"
              variant="outlined"
              startIcon={<Icon name="add" />}
              onClick={() => append(newRule)}
            >
              {t.addRule}
            </Button>
          }
        />
      ) : (
        <OrderedListInput
          control={control}
          name="rules"
          label={t.rules}
          labelHidden
          addLabel={t.addRule}
          blank={() => newRule}
          max={guardRulesMax}
        >
          {(index) => <RuleRow control={control} index={index} />}
        </OrderedListInput>
      )}
    </Section>
  );
}

interface RowProps {
  control: GuardControl;
  index: number;
}

/** One rule: a line that says what it does, and its fields below once it is opened. */
function RuleRow({ control, index }: RowProps) {
  const t = useText(siteGuardText);
  const rule = useWatch({ control, name: `rules.${index}` }) as GuardRule;
  const { errors } = useFormState({ control, name: `rules.${index}` });
  const language = useLanguage();
  // One that was just added; it stays open while it is filled in.
  const [wasOpened, setOpened] = useState(rule.condition === undefined && rule.note === '');
  const isOpen = wasOpened || errors.rules?.[index] !== undefined;
  return (
    <FoldedRow
      name={rule.note}
      summary={
        <>
          {rule.condition !== undefined && rule.condition.items.length > 0 && (
            <>
              {t.only}
              <ConditionWords condition={rule.condition} />
              {' · '}
            </>
          )}
          {sayGuardLimit(rule, language)}
        </>
      }
      isOn={rule.enabled}
      beside={<SwitchInput control={control} name={`rules.${index}.enabled`} label={t.enabled} />}
      isOpen={isOpen}
      onOpen={setOpened}
    >
      <Stack sx={{ gap: 2, pt: 2 }}>
        <CountFields control={control} index={index} rule={rule} />
        <KeyFields control={control} index={index} />
        {/* Without a key the threshold is that of all visitors together, and so is what follows. */}
        {rule.key.length === 0 && rule.action !== 'observe' && (
          <Alert severity="warning">
            <AlertTitle>{t.togetherTitle}</AlertTitle>
            {t.togetherWarning}
          </Alert>
        )}
        <AnswerFields control={control} index={index} rule={rule} />
      </Stack>
    </FoldedRow>
  );
}

/** What is counted. */
function CountFields({ control, index, rule }: RowProps & { rule: GuardRule }) {
  const t = useText(siteGuardText);
  const name = `rules.${index}` as const;
  return (
    <>
      <Box sx={fieldGrid}>
        <TextInput control={control} name={`${name}.note`} label={t.note} />
        <SelectInput
          control={control}
          name={`${name}.count`}
          label={t.count}
          options={guardCounts.map((value) => ({ value, label: t.counts[value] }))}
        />
        {rule.count === 'answers' && (
          <>
            <TagsInput
              control={control}
              name={`${name}.answers.statuses`}
              label={t.statuses}
              hint={t.statusesHint}
              placeholder="404"
            />
            <NumberInput
              control={control}
              name={`${name}.answers.slower_than_ms`}
              label={t.slowerThan}
              hint={t.slowerThanHint}
            />
          </>
        )}
      </Box>
      {rule.count === 'answers' && (
        <SwitchInput control={control} name={`${name}.answers.misses`} label={t.misses} />
      )}
      <ConditionInput control={control} name={`${name}.condition`} hint={t.conditionHint} />
    </>
  );
}

/** By whom it is counted. */
function KeyFields({ control, index }: RowProps) {
  const t = useText(siteGuardText);
  const name = `rules.${index}.key` as const;
  const parts = useWatch({ control, name });
  return (
    <Box>
      <OrderedListInput
        control={control}
        name={name}
        label={t.key}
        hint={t.keyHint}
        addLabel={t.addKey}
        blank={() => ({ part: 'address' as const, name: '' })}
        max={keyPartsMax}
      >
        {(at) => {
          const part = parts?.[at]?.part;
          return (
            <Box
              component="fieldset"
              aria-label={part && t.keyRow(t.parts[part])}
              sx={{ border: 0, p: 0, m: 0, minWidth: 0 }}
            >
              <Box sx={fieldGrid}>
                <SelectInput
                  control={control}
                  name={`${name}.${at}.part`}
                  label={t.key}
                  options={guardKeyParts.map((value) => ({ value, label: t.parts[value] }))}
                />
                {part !== undefined && isNamedKeyPart(part) && (
                  <TextInput control={control} name={`${name}.${at}.name`} label={t.keyName} />
                )}
              </Box>
            </Box>
          );
        }}
      </OrderedListInput>
    </Box>
  );
}

/** When it is too much, and what follows. */
function AnswerFields({ control, index, rule }: RowProps & { rule: GuardRule }) {
  const t = useText(siteGuardText);
  const { kinds } = useText(siteVerifyText);
  const external = useText(externalKindText);
  const name = `rules.${index}` as const;
  return (
    <Box sx={fieldGrid}>
      <NumberInput control={control} name={`${name}.requests`} label={t.requests} />
      <DurationInput control={control} name={`${name}.period_seconds`} label={t.period} hint={t.periodHint} />
      <SelectInput
        control={control}
        name={`${name}.scope`}
        label={t.scope}
        options={guardScopes.map((value) => ({ value, label: t.scopes[value] }))}
      />
      <SelectInput
        control={control}
        name={`${name}.action`}
        label={t.action}
        options={guardActions.map((value) => ({ value, label: t.actions[value] }))}
      />
      {rule.action === 'challenge' && (
        <SelectInput
          control={control}
          name={`${name}.challenge`}
          label={t.challenge}
          {...(rule.challenge === 'external' ? { hint: external.hint } : {})}
          options={verifyKinds.map((value) => ({ value, label: kinds[value] }))}
        />
      )}
      {rule.action === 'ban' && (
        <SelectInput
          control={control}
          name={`${name}.ban_scope`}
          label={t.banScope}
          options={ruleBanScopes.map((value) => ({ value, label: t.banScopes[value] }))}
        />
      )}
      <DurationInput control={control} name={`${name}.hold_seconds`} label={t.hold} />
    </Box>
  );
}
