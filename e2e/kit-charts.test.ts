import type { Locator } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openBuiltKit, type Kit } from './kit-page.ts';

let kit: Kit;
beforeAll(async () => {
  kit = await openBuiltKit('production');
});
afterAll(async () => {
  await kit?.close();
});
const openKit: Kit['open'] = (...wanted) => kit.open(...wanted);

describe('charts', () => {
  test('zoom by dragging and by keyboard, and are tables for those who cannot see them', async () => {
    const { page, close } = await openKit('charts');
    const card = page.getByRole('region', { name: 'Bandwidth (against the previous period)', exact: true });
    const chart = card.getByRole('img', { name: 'Bandwidth' });
    await chart.locator('svg').waitFor();
    const box = (await chart.boundingBox())!;
    await page.mouse.move(box.x + box.width * 0.4, box.y + 100);
    await page.mouse.down();
    await page.mouse.move(box.x + box.width * 0.6, box.y + 100, { steps: 5 });
    await page.mouse.up();
    await card.getByRole('button', { name: 'Show the full range' }).click();
    await card.getByRole('button', { name: 'Zoom into the middle half' }).press('Enter');
    await card.getByRole('button', { name: 'Show the full range' }).waitFor();
    const line = card.getByRole('button', { name: 'Out (previous period)' });
    await line.click();
    expect(await line.getAttribute('aria-pressed')).toBe('false');
    await card.getByRole('button', { name: 'Show as table' }).click();
    await card.getByRole('columnheader', { name: 'Out (previous period)' }).waitFor();
    await close();
  });

  test('have their values at the right and time from the right, from right to left', async () => {
    const axes = async (direction: 'ltr' | 'rtl') => {
      const { page, close } = await openKit('charts', { direction });
      const card = page.getByRole('region', { name: 'Bandwidth (against the previous period)', exact: true });
      const chart = card.getByRole('img', { name: 'Bandwidth' });
      await chart.locator('svg text').first().waitFor();
      const texts = await chart
        .locator('svg text')
        .evaluateAll((all) => all.map((text) => [text.textContent, text.getBoundingClientRect().x] as const));
      const { x, width } = (await chart.boundingBox())!;
      await close();
      const inOrder = texts.toSorted(([, a], [, b]) => a - b);
      return {
        values: inOrder.filter(([text]) => text.includes('bps')).map(([, at]) => (at - x) / width),
        times: inOrder.map(([text]) => text).filter((text) => /^\d+[:/]\d+/.test(text)),
      };
    };
    const ltr = await axes('ltr');
    const rtl = await axes('rtl');
    expect(ltr.values.length).toBeGreaterThan(2);
    expect(Math.max(...ltr.values)).toBeLessThan(0.3);
    expect(Math.min(...rtl.values)).toBeGreaterThan(0.7);
    expect(ltr.times.length).toBeGreaterThan(2);
    expect(rtl.times).toEqual(ltr.times.toReversed());
  });

  test('have their legends on the other side, and in the other order, from right to left', async () => {
    const places = async (direction: 'ltr' | 'rtl') => {
      const { page, close } = await openKit('charts', { direction });
      const middle = async (locator: Locator) => {
        const box = (await locator.boundingBox())!;
        return box.x + box.width / 2;
      };
      const lines = page.getByRole('region', {
        name: 'Bandwidth (against the previous period)',
        exact: true,
      });
      const legend = lines.getByRole('group');
      // What draws comes after the figures.
      await legend.getByRole('button').first().waitFor();
      const names = await legend.getByRole('button').all();
      const donut = page.getByRole('region', { name: 'Cache states', exact: true });
      const found = {
        card: await middle(lines),
        names: await Promise.all(names.map(middle)),
        // The mark of a line beside its name.
        mark: await middle(names[0]!.locator('span').first()),
        word: await middle(names[0]!.locator('span').last()),
        ring: await middle(donut.getByRole('img')),
        parts: await middle(donut.getByRole('list')),
      };
      await close();
      return found;
    };
    const ltr = await places('ltr');
    expect(ltr.names.length).toBeGreaterThan(1);
    expect(ltr.names).toEqual(ltr.names.toSorted((a, b) => a - b));
    expect(Math.min(...ltr.names)).toBeGreaterThan(ltr.card);
    expect(ltr.mark).toBeLessThan(ltr.word);
    expect(ltr.ring).toBeLessThan(ltr.parts);

    const rtl = await places('rtl');
    expect(rtl.names).toHaveLength(ltr.names.length);
    expect(rtl.names).toEqual(rtl.names.toSorted((a, b) => b - a));
    expect(Math.max(...rtl.names)).toBeLessThan(rtl.card);
    expect(rtl.mark).toBeGreaterThan(rtl.word);
    expect(rtl.ring).toBeGreaterThan(rtl.parts);
  });

  test('know their countries in both languages', async () => {
    for (const [language, title, toTable, name] of [
      ['en', 'Where visitors come from', 'Show as table', 'China'],
      ['zh', '访问来源', '以表格显示', '中国'],
    ] as const) {
      const { page, close } = await openKit('charts', { language });
      const card = page.getByRole('region', { name: title, exact: true });
      await card.getByRole('button', { name: toTable }).click();
      await card.getByRole('cell', { name, exact: true }).waitFor();
      await close();
    }
  });
});

test('? shows the shortcuts, unless it is typed', async () => {
  const { page, close } = await openKit('values');
  await page.keyboard.press('Shift+?');
  await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor();
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  await close();
});
