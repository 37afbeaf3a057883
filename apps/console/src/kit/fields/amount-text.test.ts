import { describe, expect, it } from 'vitest';
import { byteUnitFor, entriesOf, moneyText, parseMoney } from './amount-text.ts';

describe('parseMoney', () => {
  it.each([
    ['12.34', 1234],
    ['12,3', 1230],
    ['0.1', 10],
    ['¥ 5', 500],
    ['1.', 100],
    ['-2.05', -205],
    ['-0', 0],
    ['1.005', null],
    ['1e3', null],
    ['', null],
  ])('%j is %j', (text, minor) => expect(parseMoney(text)).toBe(minor));
  it('comes back as it was typed, without rounding', () => {
    for (const minor of [0, 1, 10, 99, 100, 1234567, 999_999_999_999, -205])
      expect(parseMoney(moneyText(minor))).toBe(minor);
  });
});

describe('byteUnitFor', () => {
  it.each([
    [undefined, 1024 ** 2],
    [0, 1024 ** 2],
    [1000, 1],
    [1024, 1024],
    [3 * 1024 ** 3, 1024 ** 3],
    [1.5 * 1024 ** 3, 1024 ** 2],
  ])('%j bytes are shown by %j', (bytes, size) => expect(byteUnitFor(bytes)).toBe(size));
});

it('entriesOf parts lines, commas and spaces of both scripts', () => {
  expect(entriesOf(' 1.1.1.1\n2.2.2.2,3.3.3.3；4.4.4.4，5.5.5.5\r\n\n')).toEqual([
    '1.1.1.1',
    '2.2.2.2',
    '3.3.3.3',
    '4.4.4.4',
    '5.5.5.5',
  ]);
});
