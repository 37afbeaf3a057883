import { headerAction, responseHeaderRule, type HeaderRule } from '@breakwater/contract';
import { Box } from '@mui/material';
import { useFormState, useWatch } from 'react-hook-form';
import { useText } from '../../../../i18n/text.ts';
import { SelectInput, TextInput } from '../../../../kit/fields/inputs.tsx';
import { fieldGrid } from '../../section/field-grid.ts';
import type { RewriteControl } from './rewrite.tsx';
import { RuleRow, RuleSection } from './row.tsx';
import { siteRewriteText } from './rewrite.text.ts';

interface HeadersProps {
  control: RewriteControl;
  name: 'request_headers' | 'response_headers';
}

/** The contract's defaults, of a rule that it takes; what is to be entered is emptied again. */
const newRule: HeaderRule = { ...responseHeaderRule.parse({ name: 'X-A', value: 'a' }), name: '', value: '' };

/**
 * Header fields that are set, added, removed or replaced: of requests on their way to the origin, or of answers to the visitor.
 */
export function HeaderRules({ control, name }: HeadersProps) {
  const t = useText(siteRewriteText);
  const isRequest = name === 'request_headers';
  return (
    <RuleSection
      control={control}
      name={name}
      title={isRequest ? t.requestHeaders : t.responseHeaders}
      hint={isRequest ? t.requestHeadersHint : t.responseHeadersHint}
      emptyHint={isRequest ? t.noRequestHeadersHint : t.noResponseHeadersHint}
      addLabel={isRequest ? t.addRequestHeader : t.addResponseHeader}
      blank={newRule}
      max={100}
    >
      {(index) => <HeaderRow control={control} list={name} index={index} />}
    </RuleSection>
  );
}

interface HeaderRowProps {
  control: RewriteControl;
  list: HeadersProps['name'];
  index: number;
}

function HeaderRow({ control, list, index }: HeaderRowProps) {
  const t = useText(siteRewriteText);
  const rule = useWatch({ control, name: `${list}.${index}` }) as HeaderRule;
  const { errors } = useFormState({ control, name: `${list}.${index}` });
  const name = `${list}.${index}` as const;
  const isReplace = rule.action === 'replace';
  return (
    <RuleRow
      control={control}
      list={list}
      index={index}
      summary={summaryOf(rule, t.actions[rule.action], t.unset)}
      isEnabled={rule.enabled}
      startsOpen={rule.name === ''}
      hasError={errors[list]?.[index] !== undefined}
    >
      <Box sx={fieldGrid}>
        <SelectInput
          control={control}
          name={`${name}.action`}
          label={t.action}
          hint={t.actionHints[rule.action]}
          options={headerAction.options.map((value) => ({ value, label: t.actions[value] }))}
        />
        <TextInput
          control={control}
          name={`${name}.name`}
          label={t.name}
          placeholder={list === 'request_headers' ? 'True-Client-IP' : 'X-Frame-Options'}
        />
      </Box>
      {isReplace && (
        <TextInput control={control} name={`${name}.pattern`} label={t.pattern} placeholder="^http://(.*)$" />
      )}
      {rule.action !== 'remove' && (
        <TextInput
          control={control}
          name={`${name}.value`}
          label={t.value}
          hint={isReplace ? t.valueRegexHint : t.valueHint}
        />
      )}
    </RuleRow>
  );
}

/** A rule in a line, with what is still to be entered said as such. */
function summaryOf({ action, name, pattern, value }: HeaderRule, label: string, unset: string): string {
  const field = `${label} ${name || unset}`;
  if (action === 'remove') return field;
  return action === 'replace' ? `${field}: ${pattern || unset} → ${value}` : `${field}: ${value || unset}`;
}
