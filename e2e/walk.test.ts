import { menuText, type Language } from '@breakwater/contract';
import { makeSite, startWorld, unique, type World } from '@breakwater/test-world';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { closeBrowser, openConsole, seen, signIn } from './browser.ts';
import { storedSettings } from './shell.ts';

/** The frame of the console as a new user meets it, on a phone and at a desk, in both languages. */

let world: World;
beforeAll(async () => {
  world = await startWorld({ templateUrl: inject('templateUrl') });
});
afterAll(async () => {
  await closeBrowser();
  await world?.close();
});

const words = {
  zh: {
    search: '搜索',
    tabs: '已打开的页面',
    tab: '当前页',
    settings: /^界面设置/,
    dark: '深色模式',
    horizontal: '水平',
    rtl: '从右到左',
    menu: '打开菜单',
    navigation: '主导航',
  },
  en: {
    search: 'Search',
    tabs: 'Open pages',
    tab: 'Page',
    settings: /^Interface settings/,
    dark: 'Dark mode',
    horizontal: 'Horizontal',
    rtl: 'Right to left',
    menu: 'Open menu',
    navigation: 'Main navigation',
  },
};

const walks: { width: number; language: Language }[] = [
  { width: 360, language: 'zh' },
  { width: 360, language: 'en' },
  { width: 1440, language: 'zh' },
  { width: 1440, language: 'en' },
];

describe.each(walks)('at $width px in $language', ({ width, language }) => {
  const t = words[language];
  const narrow = width < 900;

  test('from sign-in to a site, its looks, a lost session, and back to where one was', async () => {
    const { id, domain } = await makeSite(world.admin, { domain: `${unique('shop')}.example.com` });
    const { page, close, scriptErrors } = await openConsole(world.adminUrl, language);
    await page.setViewportSize({ width, height: 900 });
    await signIn(page, 'admin', world.adminPassword, language);
    await page.waitForURL(/\/dashboard$/);
    await seen(page.getByRole('button', { name: t.search }));

    await page.keyboard.press('Control+k');
    await page.getByRole('combobox', { name: t.search }).fill(domain.slice(0, 10).toUpperCase());
    await seen(page.getByRole('option', { name: new RegExp(domain) }));
    await page.keyboard.press('Enter');
    await page.waitForURL(new RegExp(`/site/sitedetail/${id}$`));
    await seen(page.getByRole('heading', { name: domain, level: 1 }));
    const tab = page.getByRole('navigation', { name: t.tabs }).getByRole('link', { name: domain });
    await seen(tab);
    expect(await tab.getAttribute('aria-current')).toBe('page');

    await page.getByRole('button', { name: t.settings }).click();
    const drawer = page.getByRole('dialog');
    await drawer.getByRole('switch', { name: t.dark }).click();
    await page.locator('html[data-color-scheme=dark]').waitFor();
    await drawer.getByRole('radio', { name: t.horizontal }).click();
    await drawer.getByRole('switch', { name: t.rtl }).click();
    await page.locator('html[dir=rtl]').waitFor();
    expect((await drawer.boundingBox())!.x).toBe(0);
    await drawer.getByRole('switch', { name: t.rtl }).click();
    await page.locator('html[dir=ltr]').waitFor();
    await page.keyboard.press('Escape');
    await drawer.waitFor({ state: 'detached' });
    expect(await storedSettings(page)).toMatchObject({
      colorScheme: 'dark',
      navLayout: 'horizontal',
      direction: 'ltr',
    });
    // On a phone the menu stays a drawer, whatever the layout.
    if (narrow) await page.getByRole('button', { name: t.menu }).click();
    const navigation = page.getByRole('navigation', { name: t.navigation });
    await seen(navigation.getByRole('link', { name: menuText[language].screen.sites, exact: true }));
    if (narrow) await page.keyboard.press('Escape');
    else expect(Math.round((await navigation.boundingBox())!.height)).toBe(64);

    const codes: number[] = [];
    page.on('response', (response) => {
      if (response.status() === 401)
        void response.json().then(
          ({ code }: { code: number }) => codes.push(code),
          () => undefined,
        );
    });
    if (narrow) await page.getByRole('combobox', { name: t.tab }).click();
    // At once: what polls would find the token out before the click.
    await page.evaluate(() => {
      localStorage.setItem('jwt_access_token', 'not.a.token');
      document.querySelectorAll<HTMLElement>('[role=tab], [role=option]')[1]!.click();
    });
    await page.waitForURL(/\/auth\/jwt\/sign-in/);
    await expect.poll(() => [...new Set(codes)]).toEqual([10_300]);
    await signIn(page, 'admin', world.adminPassword, language);
    await page.waitForURL(new RegExp(`/site/sitedetail/${id}\\?tab=`));
    await seen(page.getByRole('heading', { name: domain, level: 1 }));
    await page.locator('html[data-color-scheme=dark]').waitFor();
    expect(scriptErrors).toEqual([]);
    await close();
  });
});
