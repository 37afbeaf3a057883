import { expect, test } from 'vitest';
import { isolate } from './isolate.ts';
import { defineText } from './text.ts';

const [rlo, rli, fsi, pdi] = ['\u202e', '\u2067', '\u2068', '\u2069'];
const text = defineText({
  zh: { removed: (name: string) => `已删除“${name}”` },
  en: { removed: (name: string) => `“${name}” deleted` },
});
const nested = defineText({
  zh: { ...text.zh, several: (names: readonly string[]) => names.join('、') },
  en: { ...text.en, several: (names: readonly string[]) => names.join(', ') },
});

test('a plain name stands in a sentence as it is', () => {
  expect(text.en.removed('Shop 商店 Ünïcode')).toBe('“Shop 商店 Ünïcode” deleted');
});

test('a name that turns the direction is isolated, once', () => {
  expect(text.en.removed('חנות')).toBe(`“${fsi}חנות${pdi}” deleted`);
  expect(text.zh.removed(`a${rlo}b`)).toBe(`已删除“${fsi}a${rlo}b${pdi}”`);
  expect(nested.en.removed('חנות')).toBe(text.en.removed('חנות'));
  expect(nested.en.several(['a', 'חנות'])).toBe(`a, ${fsi}חנות${pdi}`);
});

test('what a name opens is closed, and what it did not open it does not close', () => {
  expect(isolate(`a${rli}b`)).toBe(`${fsi}a${rli}b${pdi}${pdi}`);
  expect(isolate(`a${pdi}${rlo}b`)).toBe(`${fsi}a${rlo}b${pdi}`);
  expect(isolate(`${fsi}a${pdi}${pdi}b`)).toBe(`${fsi}${fsi}a${pdi}b${pdi}`);
});
