import type { ConditionOperator } from '@breakwater/contract';
import { defineText } from '../../i18n/text.ts';

type Said = Record<ConditionOperator, (values: string) => string>;

const zhSaid: Said = {
  equals: (values) => `为 ${values}`,
  contains: (values) => `包含 ${values}`,
  contains_all: (values) => `包含 ${values}`,
  contains_word: (values) => `包含单词 ${values}`,
  contains_all_words: (values) => `包含单词 ${values}`,
  starts_with: (values) => `以 ${values} 开头`,
  ends_with: (values) => `以 ${values} 结尾`,
  wildcard: (values) => `匹配 ${values}`,
  regex: (values) => `匹配正则 ${values}`,
  exists: () => '存在',
  is_empty: () => '为空或不存在',
  longer_than: (values) => `长于 ${values} 字节`,
  shorter_than: (values) => `短于 ${values} 字节`,
  greater_than: (values) => `大于 ${values}`,
  at_least: (values) => `大于等于 ${values}`,
  less_than: (values) => `小于 ${values}`,
  at_most: (values) => `小于等于 ${values}`,
  in_range: (values) => `在 ${values} 内`,
  in: (values) => `属于 ${values}`,
  has: (values) => `含有 ${values}`,
  has_all: (values) => `含有 ${values}`,
};
const enSaid: Said = {
  equals: (values) => `is ${values}`,
  contains: (values) => `contains ${values}`,
  contains_all: (values) => `contains ${values}`,
  contains_word: (values) => `contains the word ${values}`,
  contains_all_words: (values) => `contains the words ${values}`,
  starts_with: (values) => `starts with ${values}`,
  ends_with: (values) => `ends with ${values}`,
  wildcard: (values) => `matches ${values}`,
  regex: (values) => `matches the regular expression ${values}`,
  exists: () => 'exists',
  is_empty: () => 'is empty or missing',
  longer_than: (values) => `is longer than ${values} bytes`,
  shorter_than: (values) => `is shorter than ${values} bytes`,
  greater_than: (values) => `is greater than ${values}`,
  at_least: (values) => `is at least ${values}`,
  less_than: (values) => `is less than ${values}`,
  at_most: (values) => `is at most ${values}`,
  in_range: (values) => `is in ${values}`,
  in: (values) => `is in ${values}`,
  has: (values) => `has ${values}`,
  has_all: (values) => `has ${values}`,
};

/** A condition as a sentence, for a line that tells what a rule does. */
export const conditionWordsText = defineText({
  zh: {
    said: zhSaid,
    decoded: (field: string, steps: string) => `${field}（${steps}解码）`,
    not: (what: string) => `非（${what}）`,
    or: ' 或 ',
    and: ' 和 ',
    all: '，且',
    any: '，或',
    // Between Chinese characters there is no space.
    tidy: (text: string) => text.replace(/(?<=[\p{Script=Han}）]) (?=[\p{Script=Han}（])/gu, ''),
  },
  en: {
    said: enSaid,
    decoded: (field: string, steps: string) => `${field} (decoded: ${steps})`,
    not: (what: string) => `not (${what})`,
    or: ' or ',
    and: ' and ',
    all: ' and ',
    any: ' or ',
    tidy: (text: string) => text,
  },
});
