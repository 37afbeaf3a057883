import {
  accessActions,
  accessMethods,
  accessRule,
  type AccessRule,
  type Language,
} from '@breakwater/contract';
import { Box, Button, Collapse, Stack } from '@mui/material';
import { useState } from 'react';
import { useFormState, useWatch } from 'react-hook-form';
import { useLanguage } from '../../../../i18n/language.ts';
import { useText } from '../../../../i18n/text.ts';
import { FoldedRow } from '../../../../kit/fields/folded-row.tsx';
import { accessRuleText } from '../../../../domain/access-rule.text.ts';
import { ConditionInput } from '../../../../domain/condition/condition-input.tsx';
import { ConditionWords } from '../../../../domain/condition/condition-words.tsx';
import {
  MultiSelectInput,
  SelectInput,
  SwitchInput,
  TagsInput,
  TextInput,
} from '../../../../kit/fields/inputs.tsx';
import { useCountryName } from '../../../../kit/countries.ts';
import { formatList } from '../../../../kit/format.ts';
import { placesText } from '../../../../domain/places.text.ts';
import { useChosen } from '../../../../kit/fields/choices.ts';
import { RemoteMultiSelect } from '../../../../kit/fields/remote-multi-select.tsx';
import { IpListInput } from '../../../../kit/fields/list-inputs.tsx';
import { Icon } from '../../../../kit/icon.tsx';
import { useListChoices } from '../../condition-data.tsx';
import { fieldGrid } from '../../section/field-grid.ts';
import type { AccessFormControl } from './access.tsx';
import { PlaceFields } from './places.tsx';
import { siteAccessText } from './access.text.ts';

interface RuleProps {
  control: AccessFormControl;
  index: number;
}

/** One rule: a line that says what it does, and its fields below once it is opened. */
export function AccessRuleRow({ control, index }: RuleProps) {
  const t = useText(siteAccessText);
  const rule = useWatch({ control, name: `rules.${index}` }) as AccessRule;
  const { errors } = useFormState({ control, name: `rules.${index}` });
  // One that was just added; it stays open while it is filled in.
  const [wasOpened, setOpened] = useState(isBare(rule));
  const wrong = Object.keys(errors.rules?.[index] ?? {});
  const isOpen = wasOpened || wrong.length > 0;
  return (
    <FoldedRow
      name={rule.note}
      summary={<AccessRuleSummary rule={rule} />}
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

/** A summary is read at a glance. */
const shownMax = 4;

/** It says nothing of whom it is for yet. */
const isBare = ({ action: _action, note: _note, enabled: _enabled, ...criteria }: AccessRule): boolean =>
  Object.values(criteria).every(
    (value) => value === undefined || value === false || (Array.isArray(value) && value.length === 0),
  );

/** Values in a line, of many the first. */
const firstOf = (values: readonly string[], language: Language): string =>
  formatList(values.slice(0, shownMax), language) + (values.length > shownMax ? ' …' : '');

/** A rule as a sentence: the fields that say something, joined as nodes judge them, and the action. */
export function AccessRuleSummary({ rule }: { rule: AccessRule }) {
  const t = useText(siteAccessText);
  const { actions } = useText(accessRuleText);
  const named = useText(placesText);
  const countryName = useCountryName();
  const language = useLanguage();
  // A rule has ids of lists; their names are read.
  const lists = useChosen(useListChoices(), rule.address_lists).map(({ label }) => label);
  // Within one field any entry does; addresses and lists are one, and so are words and no user agent at all.
  const { said: says } = t;
  const fields: (readonly [(values: string) => string, readonly string[]])[][] = [
    [
      [says.addresses, rule.addresses],
      [says.addressLists, lists],
    ],
    [[says.countries, rule.countries.map(countryName)]],
    [[says.provinces, rule.provinces.map((each) => named.provinceNames[each])]],
    [[says.carriers, rule.carriers.map((each) => named.carrierNames[each])]],
    [
      [says.agents, rule.agents],
      [says.noAgent, rule.empty_agent ? [''] : []],
    ],
    [[says.methods, rule.methods]],
    [[says.onlyPaths, rule.only_paths]],
    [[says.exceptPaths, rule.except_paths]],
  ];
  const said = fields.flatMap((field) => {
    const ways = field.filter(([, values]) => values.length > 0);
    return ways.length === 0 ? [] : ways.map(([say, values]) => say(firstOf(values, language))).join(t.or);
  });
  const { condition } = rule;
  const hasCondition = condition !== undefined && condition.items.length > 0;
  return (
    <>
      {said.length === 0 && !hasCondition ? t.nothing : said.join(t.and)}
      {said.length > 0 && hasCondition && t.and}
      {hasCondition && <ConditionWords condition={condition} />}
      {` → ${actions[rule.action]}`}
    </>
  );
}

interface RuleFieldsProps extends RuleProps {
  rule: AccessRule;
  hasFoldedError: boolean;
}

/** Whom a rule is for most often; the rest is folded away until it is asked for, or has an error. */
function RuleFields({ control, index, rule, hasFoldedError }: RuleFieldsProps) {
  const t = useText(siteAccessText);
  const { actions } = useText(accessRuleText);
  const [wasUnfolded, setUnfolded] = useState(false);
  const isMore = wasUnfolded || hasFoldedError;
  const changed = countChanged(rule);
  const name = `rules.${index}` as const;
  return (
    <Stack sx={{ gap: 2, pt: 2 }}>
      <Box sx={fieldGrid}>
        <SelectInput
          control={control}
          name={`${name}.action`}
          label={t.action}
          options={accessActions.map((value) => ({ value, label: actions[value] }))}
        />
        <TagsInput
          control={control}
          name={`${name}.only_paths`}
          label={t.onlyPaths}
          hint={t.onlyPathsHint}
          placeholder="/admin/"
        />
      </Box>
      <Box sx={fieldGrid}>
        <IpListInput
          control={control}
          name={`${name}.addresses`}
          label={t.addresses}
          hint={t.addressesHint}
          rows={2}
        />
        <Lists control={control} index={index} />
      </Box>
      <PlaceFields control={control} index={index} />
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
        <MoreFields control={control} index={index} />
      </Collapse>
    </Stack>
  );
}

function MoreFields({ control, index }: RuleProps) {
  const t = useText(siteAccessText);
  const name = `rules.${index}` as const;
  return (
    <Stack sx={{ gap: 2 }}>
      <Box sx={fieldGrid}>
        <TagsInput
          control={control}
          name={`${name}.except_paths`}
          label={t.exceptPaths}
          hint={t.exceptPathsHint}
          placeholder="/admin/public/"
        />
        <MultiSelectInput
          control={control}
          name={`${name}.methods`}
          label={t.methods}
          options={accessMethods.map((value) => ({ value, label: value }))}
        />
        <TagsInput
          control={control}
          name={`${name}.agents`}
          label={t.agents}
          hint={t.agentsHint}
          placeholder="curl"
        />
        <TextInput control={control} name={`${name}.note`} label={t.note} />
      </Box>
      <SwitchInput control={control} name={`${name}.empty_agent`} label={t.emptyAgent} />
      <ConditionInput control={control} name={`${name}.condition`} hint={t.conditionHint} />
    </Stack>
  );
}

function Lists({ control, index }: RuleProps) {
  const t = useText(siteAccessText);
  return (
    <RemoteMultiSelect
      control={control}
      name={`rules.${index}.address_lists`}
      label={t.addressLists}
      hint={t.addressListsHint}
      choices={useListChoices()}
    />
  );
}

/** The contract takes no rule that says nothing of whom it is for, so that the plain one says the least. */
const plain = accessRule.parse({ action: 'deny', empty_agent: true });
const shownFirst = new Set([
  'action',
  'only_paths',
  'addresses',
  'address_lists',
  'countries',
  'provinces',
  'carriers',
  'enabled',
]);

/** How many of the folded fields say something. */
function countChanged(rule: AccessRule): number {
  return Object.entries({ ...plain, empty_agent: false, condition: undefined }).filter(
    ([field, value]) =>
      !shownFirst.has(field) && JSON.stringify(rule[field as keyof AccessRule]) !== JSON.stringify(value),
  ).length;
}
