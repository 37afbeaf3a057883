import { readSetting, saveSetting, startWorld, type World } from '@breakwater/test-world';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { blurAsWritten, closeBrowser, seen } from './browser.ts';
import { openShell, storedSettings, styleOf } from './shell.ts';

const defaults = {
  colorScheme: 'light',
  contrast: 'default',
  direction: 'ltr',
  compactLayout: true,
  primaryColor: 'default',
  navColor: 'integrate',
  navLayout: 'vertical',
  fontFamily: 'Public Sans Variable',
};
let world: World;

beforeAll(async () => {
  world = await startWorld({ templateUrl: inject('templateUrl') });
});
afterAll(async () => {
  await closeBrowser();
  await world?.close();
});

test('every setting is applied live, stored by its name, kept over a reload, and reset', async () => {
  const { page, close, complaints } = await openShell(world, { width: 1920 });
  const variable = (name: string) => styleOf(page, 'html', name);
  const ground = await styleOf(page, 'nav[aria-label="Main navigation"]', 'background-color');
  await page.getByRole('button', { name: 'Interface settings', exact: true }).click();
  const drawer = page.getByRole('dialog', { name: 'Settings' });
  expect((await drawer.boundingBox())!.width).toBe(360);

  await drawer.getByRole('switch', { name: 'Dark mode' }).click();
  await page.locator('html[data-color-scheme=dark]').waitFor();
  await drawer.getByRole('switch', { name: 'High contrast' }).click();
  await drawer.getByRole('switch', { name: 'Compact' }).click();
  const mains: Record<string, string> = {
    Cyan: '#078DEE',
    Purple: '#7635DC',
    Blue: '#0C68E9',
    Orange: '#FDA92D',
    Red: '#FF3030',
  };
  for (const [name, main] of Object.entries(mains)) {
    await drawer.getByRole('radio', { name }).click();
    expect((await variable('--mui-palette-primary-main')).toUpperCase()).toBe(main);
  }
  await drawer.getByRole('radio', { name: 'Apparent' }).click();
  await drawer.getByRole('radio', { name: 'Mini' }).click();
  for (const name of ['Inter', 'DM Sans', 'Nunito Sans']) {
    await drawer.getByRole('radio', { name }).click();
    expect(await styleOf(page, 'body', 'font-family')).toContain(`${name} Variable`);
    await page.waitForFunction((family) => document.fonts.check(`16px "${family}"`, 'a'), `${name} Variable`);
  }
  await drawer.getByRole('switch', { name: 'Right to left' }).click();
  await page.locator('html[dir=rtl]').waitFor();
  expect((await drawer.boundingBox())!.x).toBe(0);
  const changed = {
    colorScheme: 'dark',
    contrast: 'hight',
    direction: 'rtl',
    compactLayout: false,
    primaryColor: 'red',
    navColor: 'apparent',
    navLayout: 'mini',
    fontFamily: 'Nunito Sans',
  };
  expect(await storedSettings(page)).toEqual(changed);
  expect(await page.evaluate(() => localStorage.getItem('theme-mode'))).toBe('dark');

  await page.reload();
  await page.locator('main h1').waitFor();
  await page.locator('html[dir=rtl][data-color-scheme=dark]').waitFor();
  expect(await styleOf(page, 'nav[aria-label="Main navigation"]', 'background-color')).not.toBe(ground);
  expect((await page.locator('main').boundingBox())!.width).toBeGreaterThan(1700);

  await page.getByRole('button', { name: 'Interface settings (changed)' }).click();
  await drawer.getByRole('button', { name: 'Reset' }).click();
  await page.locator('html[dir=ltr][data-color-scheme=light]').waitFor();
  expect(await storedSettings(page)).toEqual(defaults);
  await page.keyboard.press('Escape');
  await seen(page.getByRole('button', { name: 'Interface settings', exact: true }));
  expect((await page.locator('main').boundingBox())!.width).toBe(1440);
  expect(complaints).toEqual([]);
  await close();
});

test('the frame has the measures of the specification', async () => {
  const { page, close } = await openShell(world);
  const sidebar = 'nav[aria-label="Main navigation"]';
  expect((await page.locator('header').boundingBox())!.height).toBe(72);
  await blurAsWritten(page);
  await expect
    .poll(() =>
      page
        .locator('header')
        .evaluate((header) => getComputedStyle(header.parentElement!, '::before').backdropFilter),
    )
    .toBe('blur(8px)');
  expect(await styleOf(page, sidebar, 'width')).toBe('240px');
  await page.emulateMedia({ reducedMotion: 'no-preference' });
  expect(await styleOf(page, sidebar, 'transition-duration')).toBe('0.12s');
  expect(await styleOf(page, 'body', 'font-family')).toContain('"PingFang SC"');
  // The breakpoint is md, 900 px: one less has the phone's menu and header.
  await page.setViewportSize({ width: 899, height: 900 });
  await seen(page.getByRole('button', { name: 'Open menu' }));
  await expect.poll(async () => (await page.locator('header').boundingBox())!.height).toBe(64);
  await page.setViewportSize({ width: 900, height: 900 });
  await seen(page.getByRole('navigation', { name: 'Main navigation' }));
  await close();
});

test('right to left mirrors the frame', async () => {
  const { page, close, complaints } = await openShell(world, {
    settings: { direction: 'rtl' },
    path: '/dashboard/site/list',
  });
  const box = async (name: string) => (await page.getByRole('navigation', { name }).boundingBox())!;
  expect((await box('Main navigation')).x).toBeGreaterThan(1100);
  // An entry's words stand beside its icon, not at the far end of their room.
  const entry = page
    .getByRole('navigation', { name: 'Main navigation' })
    .getByRole('link', { name: 'Sites' });
  const gap = await entry.evaluate((link) => {
    const words = document.createRange();
    words.selectNodeContents(link.querySelector('[title]')!);
    return link.querySelector('svg')!.getBoundingClientRect().left - words.getBoundingClientRect().right;
  });
  expect(gap).toBeGreaterThan(0);
  expect(gap).toBeLessThan(20);
  await page.getByRole('button', { name: /^Account/ }).click();
  expect((await page.getByRole('dialog', { name: 'Account' }).boundingBox())!.x).toBe(0);
  expect(complaints).toEqual([]);
  await close();
});

test('settings that nobody can read are the defaults', async () => {
  const { page, close } = await openShell(world, {
    settings: { navLayout: 'diagonal', primaryColor: 7, colorScheme: 'dark' },
  });
  await page.locator('html[data-color-scheme=dark]').waitFor();
  expect(
    Math.round((await page.getByRole('navigation', { name: 'Main navigation' }).boundingBox())!.width),
  ).toBeGreaterThan(230);
  await close();
});

test('the console fills the screen and leaves it', async () => {
  const { page, close } = await openShell(world);
  await page.getByRole('button', { name: /Interface settings/ }).click();
  await page.getByRole('button', { name: 'Full screen' }).click();
  await page.waitForFunction(() => document.fullscreenElement !== null);
  await page.getByRole('button', { name: 'Exit full screen' }).click();
  await page.waitForFunction(() => document.fullscreenElement === null);
  await close();
});

test('the banner shows what the operator advertises, and nothing when it is off', async () => {
  const setting = await readSetting(world, 'ConsoleSetting');
  const banner = {
    shown: true,
    text: { zh: '更多', en: 'More nodes for you' },
    link_text: { zh: '购买', en: 'Buy' },
    link: 'https://example.com/buy',
  };
  await saveSetting(world, 'ConsoleSetting', { ...setting, upgrade_banner: banner });
  const on = await openShell(world);
  await seen(on.page.getByText('More nodes for you'));
  expect(await on.page.getByRole('link', { name: 'Buy' }).first().getAttribute('href')).toBe(
    'https://example.com/buy',
  );
  await on.close();
  await saveSetting(world, 'ConsoleSetting', { ...setting, upgrade_banner: { ...banner, shown: false } });
  const off = await openShell(world);
  await off.page.waitForLoadState('networkidle');
  expect(await off.page.getByText('More nodes for you').count()).toBe(0);
  await off.close();
});

test('the bar along the top starts at 8 % while a page is awaited, creeps, and goes', async () => {
  const { page, close } = await openShell(world);
  let deliver = () => {};
  const held = new Promise<void>((resolve) => (deliver = resolve));
  await page.route(/\/assets\/line-group-list-/, async (route) => {
    await held;
    await route.continue();
  });
  const bar = page.locator('[data-progress]');
  // Each state lasts less than a busy machine may take to look.
  await page.evaluate(() => {
    const shown: string[] = [];
    Object.assign(window, { progressSeen: shown });
    new MutationObserver(() => {
      const at = document.querySelector('[data-progress]')?.getAttribute('data-progress');
      if (at && at !== shown.at(-1)) shown.push(at);
    }).observe(document.body, { subtree: true, childList: true, attributes: true });
  });
  const progress = () => page.evaluate(() => (window as unknown as { progressSeen: string[] }).progressSeen);
  await page.getByRole('link', { name: 'Line groups' }).click();
  await expect.poll(async () => (await progress()).slice(0, 2)).toEqual(['0.08', '0.10']);
  deliver();
  await seen(page.getByRole('heading', { name: 'Line groups' }));
  await bar.waitFor({ state: 'detached' });
  await close();
});
