import { describe, expect, it } from 'vitest';
import { asCsv, asJson, asMarkdown } from './copy-forms.ts';

const shown = {
  headers: ['Name', 'State'],
  cells: [
    ['shop, north', 'live'],
    ['a|b\\c', '<img src=x>'],
    ['=1+1', ''],
  ],
};

describe('rows that are copied', () => {
  it('are CSV that no spreadsheet runs', () =>
    expect(asCsv(shown)).toBe('Name,State\r\n"shop, north",live\r\na|b\\c,<img src=x>\r\n\'=1+1,\r\n'));
  it('are a Markdown table that no cell breaks', () =>
    expect(asMarkdown(shown)).toBe(
      [
        '| Name | State |',
        '| --- | --- |',
        '| shop, north | live |',
        '| a\\|b\\\\c | &lt;img src=x> |',
        '| =1+1 |  |',
        '',
      ].join('\n'),
    ));
  it('are JSON as the API has them', () =>
    expect(JSON.parse(asJson([{ id: 1, domains: ['a.example.com'] }]))).toEqual([
      { id: 1, domains: ['a.example.com'] },
    ]));
});
