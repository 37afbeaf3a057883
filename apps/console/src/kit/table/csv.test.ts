import { describe, expect, it } from 'vitest';
import { csvOf } from './csv.ts';

const lines = (rows: string[][]) => csvOf(rows).slice(1).split('\r\n');

describe('csvOf', () => {
  it('starts with a byte order mark and ends each record with CRLF', () =>
    expect(
      csvOf([
        ['a', 'b'],
        ['1', '2'],
      ]),
    ).toBe('\uFEFFa,b\r\n1,2\r\n'));
  it('quotes commas, quotes and line breaks', () =>
    expect(lines([['a,b', 'say "no"', 'two\nlines']])[0]).toBe('"a,b","say ""no""","two\nlines"'));
  it.each(['=HYPERLINK("x")', '+1+cmd', '-2+3', '@SUM(A1)', '\tx'])(
    'does not let %j run as a formula',
    (text) => {
      expect(lines([[text]])[0]).toMatch(/^"?'/);
    },
  );
  it.each(['-5', '+5', '-1.5', '-12 %', '1,000'.replace(',', '.')])('leaves the number %j', (text) =>
    expect(lines([[text]])[0]).toBe(text),
  );
  it('keeps Chinese', () => expect(lines([['站点', '在线']])[0]).toBe('站点,在线'));
});
