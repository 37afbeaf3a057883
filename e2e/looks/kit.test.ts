import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { kitSections, openBuiltKit, settled, type Kit, type Look } from '../kit-page.ts';
import { findings } from './looking.ts';

/** Five of the sixteen: every pair of any two settings stands in one of them. */
const looks: Look[] = [
  { language: 'zh', colorScheme: 'light', contrast: 'default', direction: 'ltr' },
  { language: 'zh', colorScheme: 'dark', contrast: 'hight', direction: 'rtl' },
  { language: 'en', colorScheme: 'light', contrast: 'hight', direction: 'rtl' },
  { language: 'en', colorScheme: 'dark', contrast: 'default', direction: 'rtl' },
  { language: 'en', colorScheme: 'dark', contrast: 'hight', direction: 'ltr' },
];
let kit: Kit;
beforeAll(async () => {
  kit = await openBuiltKit('development');
});
afterAll(async () => {
  await kit?.close();
});

describe.each(looks)('the kit in $language, $colorScheme, contrast $contrast, $direction', (look) => {
  test('complains of nothing and can be read by all', async () => {
    const { page, close, complaints } = await kit.open(kitSections[0], look);
    expect(await page.locator('html').getAttribute('dir')).toBe(look.direction);
    expect(await page.locator('html').getAttribute('data-color-scheme')).toBe(look.colorScheme);
    for (const section of kitSections) {
      await page.goto(`${kit.address}#/${section}`);
      await page.locator(`[role=tab][aria-selected=true][data-section=${section}]`).waitFor();
      await settled(page);
      expect(await findings(page), section).toEqual([]);
      expect(complaints, section).toEqual([]);
    }
    await close();
  });
});
