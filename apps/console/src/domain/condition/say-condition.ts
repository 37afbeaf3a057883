import {
  fieldOf,
  type Carrier,
  type ConditionGroup,
  type ConditionLeaf,
  type Language,
  type Province,
  type SearchRobot,
} from '@breakwater/contract';
import { countryNames } from '../../kit/countries.ts';
import { placesText } from '../places.text.ts';
import { conditionWordsText } from './condition-words.text.ts';
import { conditionText } from './condition.text.ts';
import { robotsText } from './robots.text.ts';

/** Of these operators all values have to fit, of the others any. */
const ofAll = new Set(['contains_all', 'contains_all_words', 'has_all']);

/**
 * A condition as a sentence. With `valuesMax`, of many values the first are told, and nothing of letter case; without it
 * all is said, so that two conditions that differ are said otherwise.
 */
export function sayCondition(
  condition: ConditionGroup,
  language: Language,
  listName: (id: string) => string,
  valuesMax?: number,
): string {
  const t = conditionWordsText[language];
  const sayItems = ({ match, items }: ConditionGroup): string =>
    items
      .map((item) => {
        if (!('items' in item)) return sayLeaf(item, language, listName, valuesMax);
        return item.negated ? t.not(sayItems(item)) : t.group(sayItems(item));
      })
      .join(match === 'all' ? t.all : t.any);
  return t.tidy(condition.negated ? t.not(sayItems(condition)) : sayItems(condition));
}

function sayLeaf(
  leaf: ConditionLeaf,
  language: Language,
  listName: (id: string) => string,
  valuesMax = Infinity,
): string {
  const t = conditionWordsText[language];
  const { fields, decoders } = conditionText[language];
  const field = leaf.name === undefined ? fields[leaf.field] : `${fields[leaf.field]} ${leaf.name}`;
  if (fieldOf(leaf.field).kind === 'robot' && leaf.operator === 'exists')
    return leaf.negated ? t.noRobot(field) : t.robot(field);
  const steps = leaf.decode?.map((step) => decoders[step]).join(' → ');
  const what = steps === undefined ? field : t.decoded(field, steps);
  const values = leaf.values.slice(0, valuesMax).map((value) => nameOf(leaf, value, language, listName));
  const more = leaf.values.length > valuesMax ? ' …' : '';
  const say = (leaf.negated ? t.unsaid : t.said)[leaf.operator];
  const said = `${what} ${say(values.join(ofAll.has(leaf.operator) ? t.and : t.or) + more)}`;
  return leaf.ignore_case && valuesMax === Infinity ? t.anyCase(said) : said;
}

function nameOf(
  { field }: ConditionLeaf,
  value: string,
  language: Language,
  listName: (id: string) => string,
): string {
  const { kind } = fieldOf(field);
  if (kind === 'country') return countryNames(language)(value);
  if (kind === 'list') return listName(value);
  if (kind === 'robot') return robotsText[language].names[value as SearchRobot];
  if (field === 'province') return placesText[language].provinceNames[value as Province];
  return field === 'carrier' ? placesText[language].carrierNames[value as Carrier] : value;
}
