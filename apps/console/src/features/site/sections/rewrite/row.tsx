import { Button, Stack, Typography } from '@mui/material';
import { useState, type ReactNode } from 'react';
import { useFieldArray, useWatch } from 'react-hook-form';
import { useText } from '../../../../i18n/text.ts';
import { FoldedRow } from '../../../../kit/fields/folded-row.tsx';
import { EmptyState } from '../../../../kit/empty-state.tsx';
import { ConditionInput } from '../../../../domain/condition/condition-input.tsx';
import { FieldSourceNote } from '../../../../kit/fields/field-source.tsx';
import { SwitchInput } from '../../../../kit/fields/inputs.tsx';
import { OrderedListInput } from '../../../../kit/fields/ordered-list-input.tsx';
import { Icon } from '../../../../kit/icon.tsx';
import { Section } from '../../../../kit/page.tsx';
import type { RewriteControl } from './rewrite.tsx';
import { siteRewriteText } from './rewrite.text.ts';

export type RewriteList = 'redirects' | 'url_rewrites' | 'request_headers' | 'response_headers';

interface RuleSectionProps {
  control: RewriteControl;
  name: RewriteList;
  title: string;
  hint: string;
  /** Absent: the list is one of those that most sites leave empty, and takes little room. */
  emptyTitle?: string;
  emptyHint: string;
  addLabel: string;
  /** What a new rule is; a plain object, since the four lists have rules of different shapes. */
  blank: object;
  max: number;
  children: (index: number) => ReactNode;
}

/** A list of rules in their order, or what to do where there is none. */
export function RuleSection({
  control,
  name,
  title,
  hint,
  emptyTitle,
  emptyHint,
  addLabel,
  blank,
  max,
  children,
}: RuleSectionProps) {
  const { fields, append } = useFieldArray({ control, name });
  const add = (
    <Button
      color="inherit"
      variant="outlined"
      startIcon={<Icon name="add" />}
      onClick={() => append(blank as never)}
    >
      {addLabel}
    </Button>
  );
  return (
    <Section title={title} hint={hint}>
      <FieldSourceNote name={name} />
      {fields.length === 0 ? (
        <EmptyList title={emptyTitle} hint={emptyHint} action={add} />
      ) : (
        <OrderedListInput
          control={control}
          name={name}
          label={title}
          labelHidden
          addLabel={addLabel}
          blank={() => blank}
          max={max}
        >
          {children}
        </OrderedListInput>
      )}
    </Section>
  );
}

interface EmptyListProps {
  title: string | undefined;
  hint: string;
  action: ReactNode;
}

function EmptyList({ title, hint, action }: EmptyListProps) {
  if (title !== undefined) return <EmptyState icon="flux" title={title} hint={hint} action={action} />;
  return (
    <Stack direction="row" sx={{ gap: 2, alignItems: 'center', flexWrap: 'wrap' }}>
      <Typography variant="body2" sx={{ flex: '1 1 240px', color: 'text.secondary' }}>
        {hint}
      </Typography>
      {action}
    </Stack>
  );
}

interface RuleRowProps {
  control: RewriteControl;
  list: RewriteList;
  index: number;
  summary: string;
  isEnabled: boolean;
  /** A rule that is still to be filled in, or one with an error. */
  startsOpen: boolean;
  hasError: boolean;
  children: ReactNode;
}

/** One rule: a line that says what it does, and its fields below once it is opened. */
export function RuleRow({
  control,
  list,
  index,
  summary,
  isEnabled,
  startsOpen,
  hasError,
  children,
}: RuleRowProps) {
  const t = useText(siteRewriteText);
  const [wasOpened, setOpened] = useState(startsOpen);
  // A row with an error is opened, or the error would be out of sight and take no focus.
  const isOpen = wasOpened || hasError;
  const isOfSome = useWatch({ control, name: `${list}.${index}.condition` }) !== undefined;
  return (
    <FoldedRow
      summary={isOfSome ? `${summary}${t.ofSome}` : summary}
      isOn={isEnabled}
      beside={<SwitchInput control={control} name={`${list}.${index}.enabled`} label={t.enabled} />}
      isOpen={isOpen}
      onOpen={setOpened}
    >
      <Stack sx={{ gap: 2, pt: 2 }}>
        {children}
        <ConditionInput control={control} name={`${list}.${index}.condition`} hint={t.conditionHints[list]} />
      </Stack>
    </FoldedRow>
  );
}
