import { accessRule, type AccessRule } from '@breakwater/contract';
import { Button } from '@mui/material';
import { useFieldArray } from 'react-hook-form';
import { useText } from '../../../../i18n/text.ts';
import { EmptyState } from '../../../../kit/empty-state.tsx';
import { OrderedListInput } from '../../../../kit/fields/ordered-list-input.tsx';
import { Icon } from '../../../../kit/icon.tsx';
import { Section } from '../../../../kit/page.tsx';
import type { AccessFormControl } from './access.tsx';
import { AccessRuleRow } from './rule.tsx';
import { siteAccessText } from './access.text.ts';

/** As the contract has it. */
const rulesMax = 200;
/**
 * The contract's defaults, of a rule that it takes; that one part is taken out again, so that the new rule says
 * nothing of whom it is for.
 */
const newRule: AccessRule = {
  ...accessRule.parse({ action: 'deny', empty_agent: true }),
  empty_agent: false,
};

interface RulesProps {
  control: AccessFormControl;
  hint?: string;
  /** Where a level has none of its own. */
  empty?: { title: string; hint: string };
}

/**
 * The rules of a site, of which the first that fits decides; or of a level, where those that let in go before those that refuse.
 */
export function AccessRules({ control, hint, empty }: RulesProps) {
  const t = useText(siteAccessText);
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
        <EmptyState
          icon="privacy"
          title={empty?.title ?? t.empty}
          hint={empty?.hint ?? t.emptyHint}
          action={add}
        />
      ) : (
        <OrderedListInput
          control={control}
          name="rules"
          label={t.rules}
          labelHidden
          addLabel={t.add}
          blank={() => newRule}
          max={rulesMax}
        >
          {(index) => <AccessRuleRow control={control} index={index} />}
        </OrderedListInput>
      )}
    </Section>
  );
}
