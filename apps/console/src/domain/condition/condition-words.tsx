import {
  fieldOf,
  type Carrier,
  type ConditionGroup,
  type ConditionLeaf,
  type Province,
  type SearchRobot,
} from '@breakwater/contract';
import { useMemo } from 'react';
import { useText } from '../../i18n/text.ts';
import { useCountryName } from '../../kit/countries.ts';
import { useChosen, type Choices } from '../../kit/fields/choices.ts';
import { placesText } from '../places.text.ts';
import { useConditionData } from './condition-data.ts';
import { conditionWordsText } from './condition-words.text.ts';
import { conditionText } from './condition.text.ts';
import { robotsText } from './robots.text.ts';

/** A line is read at a glance: of many values the first are told. */
const shownMax = 4;
/** Of these operators all values have to fit, of the others any. */
const ofAll = new Set(['contains_all', 'contains_all_words', 'has_all']);
const noNames: ReadonlyMap<string, string> = new Map();

/** When a rule applies, in the reader's words. Lists are called by their names, once those are known. */
export function ConditionWords({ condition }: { condition: ConditionGroup }) {
  const { Lists } = useConditionData();
  const ids = useMemo(() => listsOf(condition), [condition]);
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
  const t = useText(conditionWordsText);
  const sayLeaf = useLeafWords(lists);
  const sayItems = ({ match, items }: ConditionGroup): string =>
    items
      .map((item) => {
        if (!('items' in item)) return sayLeaf(item);
        return item.negated ? t.not(sayItems(item)) : `(${sayItems(item)})`;
      })
      .join(match === 'all' ? t.all : t.any);
  return t.tidy(condition.negated ? t.not(sayItems(condition)) : sayItems(condition));
}

function useLeafWords(lists: ReadonlyMap<string, string>) {
  const t = useText(conditionWordsText);
  const { fields, decoders } = useText(conditionText);
  const places = useText(placesText);
  const robots = useText(robotsText);
  const countryName = useCountryName();
  const named = ({ field }: ConditionLeaf, value: string): string => {
    const { kind } = fieldOf(field);
    if (kind === 'country') return countryName(value);
    if (kind === 'list') return lists.get(value) ?? `#${value}`;
    if (kind === 'robot') return robots.names[value as SearchRobot];
    if (field === 'province') return places.provinceNames[value as Province];
    return field === 'carrier' ? places.carrierNames[value as Carrier] : value;
  };
  return (leaf: ConditionLeaf): string => {
    const values = leaf.values.slice(0, shownMax).map((value) => named(leaf, value));
    const more = leaf.values.length > shownMax ? ' …' : '';
    const field = leaf.name === undefined ? fields[leaf.field] : `${fields[leaf.field]} ${leaf.name}`;
    const steps = leaf.decode?.map((step) => decoders[step]).join(' → ');
    const what = steps === undefined ? field : t.decoded(field, steps);
    const said = `${what} ${t.said[leaf.operator](values.join(ofAll.has(leaf.operator) ? t.and : t.or) + more)}`;
    return leaf.negated ? t.not(said) : said;
  };
}

function listsOf({ items }: ConditionGroup): number[] {
  return items.flatMap((item) => {
    if ('items' in item) return listsOf(item);
    return fieldOf(item.field).kind === 'list' ? item.values.map(Number) : [];
  });
}
