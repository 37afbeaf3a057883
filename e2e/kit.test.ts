import { readFile } from 'node:fs/promises';
import type { Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { kitSections, openBuiltKit, type Kit } from './kit-page.ts';

let kit: Kit;
beforeAll(async () => {
  kit = await openBuiltKit('production');
});
afterAll(async () => {
  await kit?.close();
});
const openKit: Kit['open'] = (...wanted) => kit.open(...wanted);

/** What a control is described as, besides its name. */
const describedAs = (control: Locator): Promise<string> =>
  control.evaluate((element) =>
    (element.getAttribute('aria-describedby') ?? '')
      .split(' ')
      .map((id) => document.getElementById(id)?.textContent ?? '')
      .join(' '),
  );

describe('the table', () => {
  const full = (page: Page) => page.getByRole('table', { name: 'Table: sort, select, unfold, filter' });
  const firstCell = (page: Page) =>
    full(page).locator('tbody tr').first().locator('[data-column="name"]').innerText();

  test('sorts, selects, unfolds and says why an action is off', async () => {
    const { page, close, complaints } = await openKit('table');
    await full(page).getByRole('button', { name: 'Name', exact: true }).click();
    expect(await firstCell(page)).toBe('api-1005.example.com');
    expect(await full(page).getByRole('columnheader', { name: 'Name' }).getAttribute('aria-sort')).toBe(
      'ascending',
    );
    await full(page).getByRole('button', { name: 'Name', exact: true }).click();
    expect(await firstCell(page)).toBe('www-993.example.com');

    await page.getByRole('button', { name: 'Expand www-993.example.com' }).click();
    await page.getByText('The details of www-993.example.com unfold here.').waitFor();
    await full(page).getByRole('checkbox', { name: 'Select all on this page' }).check();
    const batch = page.getByRole('toolbar', { name: '10 selected' });
    const remove = batch.getByRole('button', { name: 'Delete', exact: true });
    await remove.focus();
    expect(await remove.evaluate((button) => button === document.activeElement)).toBe(true);
    expect(await describedAs(remove)).toBe('This is in use and cannot be deleted');
    await remove.press('Enter');
    await remove.hover();
    await page.getByRole('tooltip', { name: 'This is in use and cannot be deleted' }).waitFor();
    await batch.waitFor();
    await batch.getByRole('button', { name: 'Clear selection' }).click();
    await batch.waitFor({ state: 'detached' });
    expect(complaints).toEqual([]);
    await close();
  });

  test('comes by what is off in a menu, and says why', async () => {
    const { page, close } = await openKit('table');
    await full(page)
      .getByRole('button', { name: /^Actions for/ })
      .first()
      .press('Enter');
    const remove = page.getByRole('menuitem', { name: 'Delete', exact: true });
    await remove.waitFor();
    await page.keyboard.press('ArrowDown');
    expect(await remove.evaluate((item) => item === document.activeElement)).toBe(true);
    expect(await describedAs(remove)).toBe('This is in use and cannot be deleted');
    await page.keyboard.press('Enter');
    expect(await remove.isVisible()).toBe(true);
    await close();
  });

  test('keeps columns, their order and the row height for the next visit', async () => {
    const { page, close } = await openKit('table');
    await page.getByRole('button', { name: 'Table settings' }).first().click();
    const settings = page.getByRole('dialog', { name: 'Table settings' });
    await settings.getByRole('button', { name: 'Move up: Status' }).click();
    await settings.getByRole('checkbox', { name: 'Show column: Load' }).uncheck();
    await settings.getByRole('button', { name: 'Compact' }).click();
    await page.reload();
    await full(page).waitFor();
    const headers = await full(page).getByRole('columnheader').allInnerTexts();
    expect(
      headers
        .map((text) => text.trim())
        .filter(Boolean)
        .slice(0, 4),
    ).toEqual(['Name', 'Status', 'IP', 'Bandwidth']);
    expect(headers).not.toContain('Load');
    await page.getByRole('button', { name: 'Table settings' }).first().click();
    await settings.getByRole('button', { name: 'Reset to default' }).click();
    await page.keyboard.press('Escape');
    await full(page).getByRole('columnheader', { name: 'Load' }).waitFor();
    await close();
  });

  test('works on when the storage throws', async () => {
    const { page, close, complaints } = await openKit('table');
    await page.evaluate(() => {
      Storage.prototype.setItem = () => {
        throw new DOMException('full', 'QuotaExceededError');
      };
    });
    await page.getByRole('button', { name: 'Table settings' }).first().click();
    await page.getByRole('checkbox', { name: 'Show column: Load' }).uncheck();
    await page.keyboard.press('Escape');
    await full(page).getByRole('columnheader', { name: 'Name' }).waitFor();
    expect(await full(page).getByRole('columnheader', { name: 'Load' }).count()).toBe(0);
    expect(complaints.join()).toContain('cannot write table:kit-full');
    await close();
  });

  test('draws of a long page what is in sight, and exports all of it', async () => {
    const { page, close } = await openKit('table');
    await page.getByRole('combobox', { name: 'Per page' }).first().click();
    await page.getByRole('option', { name: '200' }).click();
    await expect.poll(() => full(page).getAttribute('aria-rowcount')).toBe('201');
    expect(await full(page).locator('tbody tr').count()).toBeLessThan(60);
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Export this page as CSV' }).first().click(),
    ]);
    const lines = (await readFile(await download.path(), 'utf8')).split('\r\n');
    expect(lines[0]).toBe('\uFEFFName,IP,Status,Bandwidth,Requests,Amount,Load,Updated');
    expect(lines).toHaveLength(202);
    expect(lines[200]).toMatch(/^news-200\.example\.com,2001:db8::c8,/);
    const box = page.getByRole('region', { name: 'Table: sort, select, unfold, filter' });
    await box.evaluate((element) => element.scrollTo(0, element.scrollHeight));
    await full(page).getByText('news-200.example.com').waitFor();
    await close();
  });

  test('a figure stays beside its icon and within its card, however long it is and at any width', async () => {
    const { page, close } = await openKit('states');
    for (const width of [1920, 1200, 900, 360]) {
      await page.setViewportSize({ width, height: 900 });
      const touching = () =>
        page.evaluate(() =>
          [...document.querySelectorAll<HTMLElement>('[role=group].MuiCard-root')].flatMap((card) => {
            const number = card.querySelector('p.MuiTypography-h4')!;
            const text = document.createRange();
            text.selectNodeContents(number);
            const [box, shown] = [card.getBoundingClientRect(), text.getBoundingClientRect()];
            const icon = card.querySelector('svg')!.getBoundingClientRect();
            const isTouched =
              icon.width > 0 &&
              shown.left < icon.right &&
              icon.left < shown.right &&
              shown.top < icon.bottom &&
              icon.top < shown.bottom;
            return isTouched || shown.right > box.right || shown.left < box.left ? [number.textContent] : [];
          }),
        );
      await expect.poll(touching, { message: `at ${width}` }).toEqual([]);
    }
    expect(await page.locator('[role=group].MuiCard-root svg').count()).toBe(5);
    await close();
  });

  test('is a card per row on a phone, and nothing is wider than the screen', async () => {
    for (const section of kitSections) {
      const { page, close } = await openKit(section, {}, 360);
      expect(await page.evaluate(() => document.documentElement.scrollWidth), section).toBe(360);
      if (section === 'table')
        expect(
          await page
            .getByRole('list', { name: 'Table: sort, select, unfold, filter' })
            .getByRole('listitem')
            .count(),
        ).toBe(10);
      await close();
    }
  });

  test('is moved through, opened, selected and searched by keys, but not while one types', async () => {
    const { page, close } = await openKit('table');
    const focused = () => page.evaluate(() => document.activeElement!.getAttribute('data-row'));
    const rows = await full(page)
      .locator('[data-row]')
      .evaluateAll((all) => all.map((row) => row.getAttribute('data-row')));
    await page.keyboard.press('j');
    await page.keyboard.press('j');
    await page.keyboard.press('j');
    await page.keyboard.press('k');
    expect(await focused()).toBe(rows[1]);
    await page.keyboard.press('x');
    await page.getByRole('toolbar', { name: '1 selected' }).waitFor();
    expect(await full(page).getByRole('row', { selected: true }).getAttribute('data-row')).toBe(rows[1]);
    expect(await focused()).toBe(rows[1]);
    // Nothing of this row leads to a page: Enter unfolds it.
    await page.keyboard.press('Enter');
    await full(page)
      .getByText(/^The details of /)
      .waitFor();
    await page.keyboard.press('/');
    const search = page.getByLabel('Name', { exact: true }).first();
    expect(await search.evaluate((field) => field === document.activeElement)).toBe(true);
    await page.keyboard.type('jkx/');
    expect(await search.inputValue()).toBe('jkx/');
    await page.getByRole('toolbar', { name: '1 selected' }).waitFor();
    await close();
  });

  test('moves by keys through rows that are drawn as they come into sight', async () => {
    const { page, close } = await openKit('virtual-rows');
    const frame = () => page.evaluate(() => new Promise((resolve) => requestAnimationFrame(resolve)));
    const current = () => page.evaluate(() => document.activeElement!.getAttribute('data-row'));
    // A press that is ahead of the drawing does nothing.
    for (let presses = 0; presses < 200 && (await current()) !== '80'; presses += 1) {
      await page.keyboard.press('j');
      await frame();
    }
    expect(await current()).toBe('80');
    await close();
  });

  test('has rows in sight wherever it was scrolled to, once it rests', async () => {
    const { page, close } = await openKit('virtual-rows');
    const scroller = page.locator('.scroller').first();
    await scroller.locator('[data-row]').first().waitFor();
    /** What lies over the room for rows, from top to bottom. */
    const inSight = () =>
      scroller.evaluate((box) => {
        const { left, right, top, bottom } = box.getBoundingClientRect();
        const middle = (left + right) / 2;
        return [top + 80, (top + bottom) / 2, bottom - 20].map(
          (y) => document.elementFromPoint(middle, y)?.closest('[data-row]') !== null,
        );
      });
    for (const part of [0.5, 0.1, 1, 0.99, 0]) {
      await scroller.evaluate((box, share) => (box.scrollTop = share * box.scrollHeight), part);
      await expect.poll(inSight).toEqual([true, true, true]);
    }
    await close();
  });

  test('copies the rows that are selected, else the page, in three forms', async () => {
    const { page, context, close } = await openKit('table');
    await context.grantPermissions(['clipboard-read', 'clipboard-write']);
    const copied = () => page.evaluate(() => navigator.clipboard.readText());
    await page.getByRole('button', { name: 'Copy this page' }).first().click();
    await page.getByRole('menuitem', { name: 'Copy as CSV' }).click();
    await page.getByText('10 rows copied as CSV').waitFor();
    expect((await copied()).split('\r\n')).toHaveLength(12);
    await full(page).getByRole('checkbox', { name: 'Select www-1.example.com' }).check();
    await full(page).getByRole('checkbox', { name: 'Select live-6.example.com' }).check();
    const batch = page.getByRole('toolbar', { name: '2 selected' });
    await batch.getByRole('button', { name: 'Copy selected' }).click();
    await page.getByRole('menuitem', { name: 'Copy as JSON' }).click();
    await page.getByText('2 rows copied as JSON').waitFor();
    expect(JSON.parse(await copied())).toMatchObject([
      { name: 'www-1.example.com' },
      { name: 'live-6.example.com' },
    ]);
    await batch.getByRole('button', { name: 'Copy selected' }).click();
    await page.getByRole('menuitem', { name: 'Copy as Markdown' }).click();
    await page.getByText('2 rows copied as Markdown').waitFor();
    const lines = (await copied()).trimEnd().split('\n');
    expect(lines).toHaveLength(4);
    expect(lines[0]).toMatch(/^\| Name \| IP \| Status /);
    expect(lines[2]).toMatch(/^\| www-1\.example\.com /);
    await close();
  });

  test('has columns as wide as they are drawn or made by keys, and keeps that', async () => {
    for (const direction of ['ltr', 'rtl'] as const) {
      const { page, close } = await openKit('table', { direction });
      const head = (name: string) => full(page).getByRole('columnheader', { name, exact: true });
      const widthOf = async (name: string) => Math.round((await head(name).boundingBox())!.width);
      const edge = page.getByRole('separator', { name: 'Column width: IP' }).first();
      // Fonts that come later change what columns need.
      await page.evaluate(() => document.fonts.ready.then(() => undefined));
      await page.evaluate(() =>
        new Promise(requestAnimationFrame).then(() => new Promise(requestAnimationFrame)),
      );
      const before = await widthOf('IP');
      const { x, y, width, height } = (await edge.boundingBox())!;
      const towards = direction === 'rtl' ? -1 : 1;
      await page.mouse.move(x + width / 2, y + height / 2);
      await page.mouse.down();
      await page.mouse.move(x + width / 2 + towards * 60, y + height / 2, { steps: 4 });
      await page.mouse.up();
      await expect.poll(async () => Math.abs((await widthOf('IP')) - before - 60)).toBeLessThanOrEqual(2);
      await edge.press(direction === 'rtl' ? 'ArrowLeft' : 'ArrowRight');
      await expect.poll(async () => Math.abs((await widthOf('IP')) - before - 76)).toBeLessThanOrEqual(2);
      expect(await edge.getAttribute('aria-valuenow')).toBe(String(await widthOf('IP')));
      // Narrower than what it holds, too.
      for (let presses = 0; presses < 20; presses += 1)
        await edge.press(direction === 'rtl' ? 'ArrowRight' : 'ArrowLeft');
      await expect.poll(() => widthOf('IP')).toBe(64);
      await page.reload();
      await full(page).waitFor();
      await expect.poll(() => widthOf('IP')).toBe(64);
      await edge.dblclick();
      await expect.poll(() => widthOf('IP')).toBe(before);
      await close();
    }
  });

  test('keeps filters under a name', async () => {
    const { page, close } = await openKit('table');
    await page.getByLabel('Name', { exact: true }).first().fill('shop');
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Remove filter: Name (shop)' }).waitFor();
    await page.getByRole('button', { name: 'Saved views' }).click();
    await page.getByLabel('View name').fill('Shops');
    await page.getByRole('button', { name: 'Save this view' }).click();
    await page.reload();
    await page.getByRole('button', { name: 'Saved views' }).click();
    await page.getByRole('button', { name: 'Shops', exact: true }).click();
    await page.getByRole('button', { name: 'Remove filter: Name (shop)' }).click();
    expect(await firstCell(page)).toBe('www-1.example.com');
    await close();
  });
});
