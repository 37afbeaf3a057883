import {
  matcherRule,
  matcherRulesMax,
  ruleBanScopes,
  type MatcherRule,
  type RejectScope,
} from '@breakwater/contract';
import { Button } from '@mui/material';
import type { ReactNode } from 'react';
import { useFieldArray } from 'react-hook-form';
import { useText } from '../../i18n/text.ts';
import { EmptyState } from '../../kit/empty-state.tsx';
import { OrderedListInput } from '../../kit/fields/ordered-list-input.tsx';
import { Icon } from '../../kit/icon.tsx';
import { Section } from '../../kit/page.tsx';
import type { MatcherForm } from './form.ts';
import { siteMatcherText } from './matcher.text.ts';
import { MatcherRow } from './rule.tsx';

/** Only looked at first, so that a rule that is saved half done stops nobody. */
const newRule: MatcherRule = matcherRule.parse({ action: 'block', mode: 'observe' });

interface RulesProps {
  form: Pick<MatcherForm, 'control'>;
  hint?: string;
  emptyHint?: string;
  /** Where a rule can ban; those of levels say more. */
  banScopes?: readonly RejectScope[];
  /** Shown beside each rule. */
  beside?: (rule: MatcherRule, index: number) => ReactNode;
}

export function MatcherRules({ form, hint, emptyHint, banScopes = ruleBanScopes, beside }: RulesProps) {
  const { control } = form;
  const t = useText(siteMatcherText);
  const { fields, append } = useFieldArray({ control, name: 'rules' });
  const add = (
    <Button
      color="inherit"
      variant="outlined"
      startIcon={<Icon name="add" />}
      onClick={() => append(newRule)}
    >
      {t.add}
    </Button>
  );
  return (
    <Section title={t.rules} hint={hint ?? t.rulesHint}>
      {fields.length === 0 ? (
        <EmptyState icon="privacy" title={t.empty} hint={emptyHint ?? t.emptyHint} action={add} />
      ) : (
        <OrderedListInput
          control={control}
          name="rules"
          label={t.rules}
          labelHidden
          addLabel={t.add}
          blank={() => newRule}
          max={matcherRulesMax}
        >
          {(index) => <MatcherRow form={form} index={index} banScopes={banScopes} beside={beside} />}
        </OrderedListInput>
      )}
    </Section>
  );
}
