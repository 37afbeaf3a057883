import { describe, expect, it } from 'vitest';
import { filingInput } from './filing.ts';

describe('a filing number', () => {
  it.each([
    ['京ICP备12345678号-1', '京ICP备12345678号-1'],
    [' 粤icp备 2021012345号 ', '粤ICP备2021012345号'],
    ['沪ＩＣＰ备０５００１２３４号－１２', '沪ICP备05001234号-12'],
    ['京ICP证030173号', undefined],
    ['美ICP备12345678号', undefined],
    ['京ICP备12345678', undefined],
    ['京ICP备12号', undefined],
    ['京ICP备12345678号-', undefined],
    ['', undefined],
  ])('%s is taken as %s', (text, expected) => {
    expect(filingInput.safeParse({ name: 'example.com', number: text }).data?.number).toBe(expected);
  });
});
