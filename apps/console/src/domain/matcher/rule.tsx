import {
  allowScopes,
  banPlaces,
  blockStatuses,
  limitKeys,
  matcherActions,
  matcherRedirectStatuses,
  verifyKinds,
  type MatcherRule,
  type RejectScope,
} from '@breakwater/contract';
import { Alert, Box, Stack } from '@mui/material';
import { useState, type ReactNode } from 'react';
import { useFormState, useWatch } from 'react-hook-form';
import { useConditionData } from '../condition/condition-data.ts';
import { ConditionInput } from '../condition/condition-input.tsx';
import { useText } from '../../i18n/text.ts';
import { FoldedRow } from '../../kit/fields/folded-row.tsx';
import { CodeInput } from '../../kit/fields/code-input.tsx';
import { DateTimeInput } from '../../kit/fields/date-time-input.tsx';
import { DurationInput, NumberInput, SelectInput, SwitchInput, TextInput } from '../../kit/fields/inputs.tsx';
import { RemoteSelect } from '../../kit/fields/remote-select.tsx';
import { externalKindText, verifyKindText } from '../verify-kind.text.ts';
import type { MatcherForm } from './form.ts';
import { siteMatcherText } from './matcher.text.ts';
import { MatcherSummary } from './summary.tsx';

/** Fields side by side, as many as there is room for. */
const fieldGrid = {
  display: 'grid',
  gap: 2,
  gridTemplateColumns: 'repeat(auto-fill, minmax(min(100%, 220px), 1fr))',
} as const;

interface RuleProps {
  control: MatcherForm['control'];
  index: number;
}

/** One rule: a line that says what it does, and its fields below once it is opened. */
export function MatcherRow({
  form: { control },
  index,
  banScopes,
  beside,
}: {
  form: Pick<MatcherForm, 'control'>;
  index: number;
  banScopes: readonly RejectScope[];
  beside?: ((rule: MatcherRule, index: number) => ReactNode) | undefined;
}) {
  const t = useText(siteMatcherText);
  const rule = useWatch({ control, name: `rules.${index}` }) as MatcherRule;
  const { errors } = useFormState({ control, name: `rules.${index}` });
  // One that was just added; it stays open while it is filled in.
  const [wasOpened, setOpened] = useState(rule.condition === undefined && rule.note === '');
  const isOpen = wasOpened || errors.rules?.[index] !== undefined;
  return (
    <FoldedRow
      name={rule.note}
      summary={<MatcherSummary rule={rule} />}
      isOn={rule.enabled}
      beside={
        <>
          {beside?.(rule, index)}
          <SwitchInput control={control} name={`rules.${index}.enabled`} label={t.enabled} />
        </>
      }
      isOpen={isOpen}
      onOpen={setOpened}
    >
      <RuleFields control={control} index={index} rule={rule} banScopes={banScopes} />
    </FoldedRow>
  );
}

interface FieldsProps extends RuleProps {
  rule: MatcherRule;
  banScopes: readonly RejectScope[];
}

function RuleFields({ control, index, rule, banScopes }: FieldsProps) {
  const t = useText(siteMatcherText);
  const name = `rules.${index}` as const;
  const blocksAll = rule.action === 'block' && rule.condition === undefined && rule.mode === 'enforce';
  return (
    <Stack sx={{ gap: 2, pt: 2 }}>
      <Box sx={fieldGrid}>
        <TextInput control={control} name={`${name}.note`} label={t.note} />
        <SelectInput
          control={control}
          name={`${name}.action`}
          label={t.action}
          options={matcherActions.map((value) => ({ value, label: t.actions[value] }))}
        />
        <SelectInput
          control={control}
          name={`${name}.mode`}
          label={t.mode}
          hint={t.modeHint}
          options={(['enforce', 'observe'] as const).map((value) => ({ value, label: t.modes[value] }))}
        />
      </Box>
      <ConditionInput control={control} name={`${name}.condition`} hint={t.conditionHint} content />
      {blocksAll && <Alert severity="warning">{t.blocksAll}</Alert>}
      <ActionFields control={control} index={index} rule={rule} banScopes={banScopes} />
      <Box sx={fieldGrid}>
        <NumberInput control={control} name={`${name}.share`} label={t.share} hint={t.shareHint} />
        <NumberInput control={control} name={`${name}.nodes`} label={t.nodes} hint={t.nodesHint} />
        <DateTimeInput control={control} name={`${name}.until`} label={t.until} hint={t.untilHint} />
      </Box>
    </Stack>
  );
}

/** What belongs to the action that is chosen. */
function ActionFields({ control, index, rule, banScopes }: FieldsProps) {
  const t = useText(siteMatcherText);
  const name = `rules.${index}` as const;
  if (rule.action === 'tag')
    return (
      <Box sx={fieldGrid}>
        <TextInput control={control} name={`${name}.tag.name`} label={t.tag} hint={t.tagHint} />
      </Box>
    );
  if (rule.action === 'redirect') return <RedirectFields control={control} index={index} />;
  if (rule.action === 'delay')
    return (
      <Box sx={fieldGrid}>
        <NumberInput
          control={control}
          name={`${name}.delay.milliseconds`}
          label={t.delay}
          hint={t.delayHint}
        />
      </Box>
    );
  if (rule.action === 'list') return <ListFields control={control} index={index} />;
  if (rule.action === 'notify')
    return (
      <Box sx={fieldGrid}>
        <NumberInput
          control={control}
          name={`${name}.notify.minutes`}
          label={t.notifyMinutes}
          hint={t.notifyHint}
        />
      </Box>
    );
  if (rule.action === 'challenge') return <ChallengeFields control={control} index={index} />;
  if (rule.action === 'ban')
    return <BanFields control={control} index={index} rule={rule} banScopes={banScopes} />;
  if (rule.action === 'limit') return <LimitFields control={control} index={index} />;
  if (rule.action === 'allow')
    return (
      <Box sx={fieldGrid}>
        <SelectInput
          control={control}
          name={`${name}.allow.scope`}
          label={t.allowScope}
          options={allowScopes.toReversed().map((value) => ({ value, label: t.allowScopes[value] }))}
        />
      </Box>
    );
  return <BlockFields control={control} index={index} rule={rule} />;
}

function ListFields({ control, index }: RuleProps) {
  const t = useText(siteMatcherText);
  const { FilledLists } = useConditionData();
  const name = `rules.${index}.list` as const;
  return (
    <Box sx={fieldGrid}>
      <FilledLists>
        {(lists) => (
          <RemoteSelect
            control={control}
            name={`${name}.list_id`}
            label={t.list}
            hint={t.listHint}
            choices={lists}
          />
        )}
      </FilledLists>
      <DurationInput
        control={control}
        name={`${name}.seconds`}
        label={t.listSeconds}
        hint={t.listSecondsHint}
      />
    </Box>
  );
}

function ChallengeFields({ control, index }: RuleProps) {
  const t = useText(siteMatcherText);
  const kinds = useText(verifyKindText);
  const external = useText(externalKindText);
  const kind = useWatch({ control, name: `rules.${index}.challenge.kind` });
  return (
    <Box sx={fieldGrid}>
      <SelectInput
        control={control}
        name={`rules.${index}.challenge.kind`}
        label={t.challengeKind}
        hint={kind === 'external' ? external.hint : t.challengeHint}
        options={verifyKinds.map((value) => ({ value, label: kinds[value] }))}
      />
    </Box>
  );
}

function BanFields({ control, index, rule: { ban }, banScopes }: FieldsProps) {
  const t = useText(siteMatcherText);
  const name = `rules.${index}.ban` as const;
  return (
    <Box sx={fieldGrid}>
      <DurationInput
        control={control}
        name={`${name}.seconds`}
        label={t.banSeconds}
        hint={t.banSecondsHint}
      />
      <SelectInput
        control={control}
        name={`${name}.scope`}
        label={t.banScope}
        options={banScopes.map((value) => ({ value, label: t.banScopes[value] }))}
      />
      {/* Also where it may not be: its error stands there. */}
      {(ban.scope === 'platform' || ban.place === 'kernel') && (
        <SelectInput
          control={control}
          name={`${name}.place`}
          label={t.banPlace}
          hint={t.banPlaceHint}
          options={banPlaces.map((value) => ({ value, label: t.banPlaces[value] }))}
        />
      )}
    </Box>
  );
}

function RedirectFields({ control, index }: RuleProps) {
  const t = useText(siteMatcherText);
  const name = `rules.${index}.redirect` as const;
  return (
    <Box sx={fieldGrid}>
      <TextInput control={control} name={`${name}.url`} label={t.url} hint={t.urlHint} />
      <SelectInput
        control={control}
        name={`${name}.status`}
        label={t.status}
        options={matcherRedirectStatuses.map((value) => ({ value, label: String(value) }))}
      />
    </Box>
  );
}

function LimitFields({ control, index }: RuleProps) {
  const t = useText(siteMatcherText);
  const name = `rules.${index}.limit` as const;
  return (
    <Box sx={fieldGrid}>
      <NumberInput control={control} name={`${name}.requests`} label={t.requests} />
      <DurationInput control={control} name={`${name}.period_seconds`} label={t.period} />
      <NumberInput control={control} name={`${name}.burst`} label={t.burst} hint={t.burstHint} />
      <SelectInput
        control={control}
        name={`${name}.key`}
        label={t.limitKey}
        options={limitKeys.map((value) => ({ value, label: t.limitKeys[value] }))}
      />
    </Box>
  );
}

function BlockFields({ control, index, rule }: RuleProps & { rule: MatcherRule }) {
  const t = useText(siteMatcherText);
  const name = `rules.${index}.block` as const;
  return (
    <>
      <Box sx={fieldGrid}>
        <SelectInput
          control={control}
          name={`${name}.kind`}
          label={t.blockKind}
          options={(['page', 'close'] as const).map((value) => ({ value, label: t.blockKinds[value] }))}
        />
        {rule.block.kind === 'page' && (
          <SelectInput
            control={control}
            name={`${name}.status`}
            label={t.status}
            options={blockStatuses.map((value) => ({ value, label: String(value) }))}
          />
        )}
      </Box>
      {rule.block.kind === 'page' && (
        <CodeInput control={control} name={`${name}.body`} label={t.body} hint={t.bodyHint} rows={3} />
      )}
    </>
  );
}
