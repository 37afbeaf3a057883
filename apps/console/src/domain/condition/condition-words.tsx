import { listsOfCondition, type ConditionGroup } from '@breakwater/contract';
import { useMemo } from 'react';
import { useLanguage } from '../../i18n/language.ts';
import { useChosen, type Choices } from '../../kit/fields/choices.ts';
import { useConditionData } from './condition-data.ts';
import { sayCondition } from './say-condition.ts';

/** A line is read at a glance: of many values the first are told. */
const shownMax = 4;
const noNames: ReadonlyMap<string, string> = new Map();

/** When a rule applies, in the reader's words. Lists are called by their names, once those are known. */
export function ConditionWords({ condition }: { condition: ConditionGroup }) {
  const { Lists } = useConditionData();
  const ids = useMemo(() => listsOfCondition(condition), [condition]);
  if (ids.length === 0) return <Words condition={condition} lists={noNames} />;
  return <Lists>{(lists) => <WithLists condition={condition} ids={ids} lists={lists} />}</Lists>;
}

interface WithListsProps {
  condition: ConditionGroup;
  ids: readonly number[];
  lists: Choices;
}

function WithLists({ condition, ids, lists }: WithListsProps) {
  const chosen = useChosen(lists, ids);
  return (
    <Words condition={condition} lists={new Map(chosen.map(({ value, label }) => [`${value}`, label]))} />
  );
}

function Words({ condition, lists }: { condition: ConditionGroup; lists: ReadonlyMap<string, string> }) {
  const nameOf = (id: string) => lists.get(id) ?? `#${id}`;
  return sayCondition(condition, useLanguage(), nameOf, shownMax);
}
