import { screens } from '@breakwater/contract';
import { makeSite, startWorld, type World } from '@breakwater/test-world';
import type { Locator } from 'playwright-core';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { closeBrowser, seen } from './browser.ts';
import { openShell } from './shell.ts';

let world: World;
let siteId: number;
beforeAll(async () => {
  world = await startWorld({ templateUrl: inject('templateUrl') });
  siteId = (await makeSite(world.admin)).id;
});
afterAll(async () => {
  await closeBrowser();
  await world?.close();
});

/** Nothing cuts it or lies over it. */
const isInSight = (element: Locator): Promise<boolean> =>
  element.evaluate((found) => {
    const { left, top, bottom } = found.getBoundingClientRect();
    const isInWindow = top >= 0 && bottom <= innerHeight;
    return isInWindow && found.contains(document.elementFromPoint(left + 20, (top + bottom) / 2));
  });

test('the entry of the page that one came to is in sight, and so is a tab of a long list', async () => {
  const { page, close } = await openShell(world, { path: screens.settings.path });
  const navigation = page.getByRole('navigation', { name: 'Main navigation' });
  await expect.poll(() => isInSight(navigation.locator('[aria-current=page]'))).toBe(true);
  // Who scrolls the menu finds it where it was left.
  await page.mouse.move(100, 300);
  await page.mouse.wheel(0, -5000);
  const home = navigation.getByRole('link', { name: 'Home', exact: true });
  await expect.poll(() => isInSight(home)).toBe(true);
  await page.goto(`${screens.siteDetail.path.replace('{id}', String(siteId))}?tab=explain`);
  await expect.poll(() => isInSight(page.locator('[role=tab][aria-selected=true]'))).toBe(true);
  await close();
});

test('what opens over the page takes the focus and gives it back, in sight', async () => {
  const { page, close } = await openShell(world, { path: '/dashboard/site/list' });
  await seen(page.getByRole('row').nth(1));
  const openers = [
    page.getByRole('button', { name: /^Search/ }),
    page.getByRole('button', { name: 'Language' }),
    page.getByRole('button', { name: 'Interface settings' }),
    page.getByRole('button', { name: /^Account/ }),
    page.getByRole('button', { name: 'Tab actions' }),
    page.getByRole('button', { name: 'Table settings' }),
    page.getByRole('button', { name: /^Actions for/ }).first(),
  ];
  for (const opener of openers) {
    await opener.focus();
    await page.keyboard.press('Enter');
    await page.getByRole('dialog').or(page.getByRole('menu')).first().waitFor();
    await expect.poll(() => page.evaluate(() => document.activeElement!.closest('main, header'))).toBeNull();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').or(page.getByRole('menu')).first().waitFor({ state: 'detached' });
    expect(await opener.evaluate((element) => element === document.activeElement), String(opener)).toBe(true);
    expect(await opener.evaluate((element) => element.matches(':focus-visible')), String(opener)).toBe(true);
  }
  await close();
});

test('who wants less motion has none', async () => {
  const { page, close } = await openShell(world);
  await page.emulateMedia({ reducedMotion: 'reduce' });
  await page.getByRole('button', { name: 'Interface settings' }).click();
  await page.getByRole('dialog').waitFor();
  const longest = () =>
    page.evaluate(() => {
      const seconds = [...document.querySelectorAll('*')].flatMap((element) => {
        const { transitionDuration, animationDuration } = getComputedStyle(element);
        return `${transitionDuration}, ${animationDuration}`.split(', ').map(Number.parseFloat);
      });
      return Math.max(...seconds);
    });
  expect(await longest()).toBeLessThanOrEqual(0.001);
  // What breathes for ever would flicker, if it only were quicker.
  const endless = await page.evaluate(() => {
    const element = document.body.appendChild(document.createElement('div'));
    element.style.animation = 'breathe 1s infinite';
    return getComputedStyle(element).animationIterationCount;
  });
  expect(endless).toBe('1');
  await page.emulateMedia({ reducedMotion: 'no-preference' });
  expect(await longest()).toBeGreaterThan(0.1);
  await close();
});

test('a font that arrives late moves nothing', async () => {
  const { page, context, close } = await openShell(world);
  let deliver = () => {};
  const held = new Promise<void>((resolve) => (deliver = resolve));
  await page.route(/\.woff2/, async (route) => {
    await held;
    await route.continue();
  });
  // The font of before is not in the way: each visit asks for it.
  const cdp = await context.newCDPSession(page);
  await cdp.send('Network.setCacheDisabled', { cacheDisabled: true });
  await page.goto('/dashboard/site/list');
  // The frame and a list's tools come after the rows, each by itself.
  for (const part of [
    page.getByRole('row').nth(1),
    page.getByRole('navigation', { name: 'Main navigation' }).getByRole('link').first(),
    page.getByRole('button', { name: 'Interface settings' }),
    page.getByRole('button', { name: 'Tab actions' }),
    page.getByRole('button', { name: 'Table settings' }),
    page.getByRole('button', { name: 'Filters' }),
    page.locator('main a[href$="/site/create"]'),
  ])
    await seen(part);
  // The same ones both times: a part that comes meanwhile says nothing of the font.
  const shown = await page.evaluateHandle(() => [
    ...document.querySelectorAll('h1, nav a, nav button, th, td, header button'),
  ]);
  const lines = () =>
    shown.evaluate((all) =>
      all.map((element) => {
        const { top, height } = element.getBoundingClientRect();
        return [top, height];
      }),
    );
  /** Whether a face of the font is on its way, or there. */
  const face = (status: string) =>
    page.waitForFunction(
      (wanted) =>
        [...document.fonts].some(
          (each) => each.family.includes('Public Sans Variable') && each.status === wanted,
        ),
      status,
    );
  await face('loading');
  const before = await lines();
  deliver();
  await face('loaded');
  await page.evaluate(() => document.fonts.ready.then(() => undefined));
  const after = await lines();
  expect(after.length).toBeGreaterThan(20);
  await cdp.detach();
  // A part of a pixel is nothing that anybody sees move.
  const moved = after.flatMap((line, at) =>
    line.map((value, which) => Math.abs(value - before[at]![which]!)),
  );
  expect(Math.max(...moved)).toBeLessThanOrEqual(1);
  await close();
});

test.each(['ltr', 'rtl'])('open tabs that are cut fade where there are more, %s', async (direction) => {
  const { page, close } = await openShell(world, { width: 768, settings: { direction } });
  const { sites, certificates, tags, nodes, lineGroups, products, clients, orders, tasks } = screens;
  for (const { path } of [sites, certificates, tags, nodes, lineGroups, products, clients, orders, tasks]) {
    await page.goto(path);
    await seen(page.locator('main h1'));
  }
  const list = page.getByRole('navigation', { name: 'Open pages' }).getByRole('list');
  /** Its mask, without colours. */
  const mask = () =>
    list.evaluate((tabs) => getComputedStyle(tabs).maskImage.replaceAll(/rgba?\([^)]*\) ?/g, '#'));
  const towards = direction === 'ltr' ? 'right' : 'left';
  await expect.poll(mask).toBe(`linear-gradient(to ${towards}, #, #24px, #100%, #)`);
  await list.evaluate((tabs) => (tabs.scrollLeft = 0));
  await expect.poll(mask).toBe(`linear-gradient(to ${towards}, #, #0px, #calc(100% - 24px), #)`);
  await close();
});
