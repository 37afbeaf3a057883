import { expect, it } from 'vitest';
import { randomFrom } from '../lib/test-random.ts';
import { contentFact } from './content-facts.ts';

const form = (body: string) => ({ type: 'application/x-www-form-urlencoded', body });

it('looks at no more than 64 KiB of a field, and says of more that it is not known', () => {
  const held = 'a'.repeat(65_536);
  expect(contentFact('form', 'q', form(`q=${held}&x=1`))).toEqual([held]);
  expect(contentFact('form', 'q', form(`q=${held}a&x=1`))).toBe(false);
  expect(contentFact('form', 'q', form(`q=${held}&q=a`))).toBe(false);
  expect(contentFact('form', 'x', form(`q=${held}a&x=1`))).toEqual(['1']);
  expect(contentFact('form_names', '', form(`${held}=1&x=1`))).toBe(false);
  expect(contentFact('json', 'a', { type: 'application/json', body: `{"a":"${held}a"}` })).toBe(false);
});

it('answers any content with values, with nothing, or with not knowing', () => {
  const random = randomFrom(11);
  const pieces = [
    '{',
    '}',
    '[',
    ']',
    '"',
    ':',
    ',',
    '\\',
    '\\u00',
    '&',
    '=',
    '%',
    '%4',
    '+',
    '--b',
    '\r\n\r\n',
    '\n\n',
  ].concat(['\0', '\xff', 'filename="', 'name=a', ';', '1', 'true', 'null', 'a', ' ', '']);
  const types = [
    'application/json',
    'multipart/form-data; boundary=b',
    'multipart/form-data; boundary=',
    'text/plain',
  ].concat(['application/x-www-form-urlencoded', 'application/json; charset=', 'x/json; charset="utf-8']);
  const one = <Item>(items: readonly Item[]): Item => items[Math.floor(random() * items.length)]!;
  for (let round = 0; round < 5000; round++) {
    const body = Array.from({ length: Math.floor(random() * 30) }, () => one(pieces)).join('');
    const content = { type: one(types), body };
    for (const field of ['form', 'form_names', 'json', 'file_name', 'file_extension'] as const) {
      const found = contentFact(field, 'a', content);
      const isValues = Array.isArray(found) && found.every((each) => typeof each === 'string');
      expect(isValues || found === false || found === undefined, JSON.stringify(content)).toBe(true);
    }
  }
});
