import { makeSite, startWorld, unique, type World } from '@breakwater/test-world';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { closeBrowser, seen } from './browser.ts';
import { openShell } from './shell.ts';

let world: World;
beforeAll(async () => {
  world = await startWorld({ templateUrl: inject('templateUrl') });
});
afterAll(async () => {
  await closeBrowser();
  await world?.close();
});

const asciiOf = (domain: string): string => new URL(`http://${domain}/`).hostname;

test('a Chinese domain is read as it is written, and copied as it is kept', async () => {
  const word = unique('shop');
  const domain = `商店.${word}.example.com`;
  const second = `支付.${word}.example.com`;
  await makeSite(world.admin, { domain: asciiOf(domain) });
  const { page, context, close } = await openShell(world, { path: '/dashboard/site/list' });
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await page.getByLabel('Domain', { exact: true }).fill(domain);
  await page.keyboard.press('Enter');
  const link = page.getByRole('table').getByRole('link', { name: domain, exact: true });
  await seen(link);
  expect(await link.locator('[title]').getAttribute('title')).toBe(asciiOf(domain));
  await page.getByRole('checkbox', { name: `Select ${domain}` }).check();
  await page.getByRole('button', { name: 'Copy selected' }).click();
  await page.getByRole('menuitem', { name: /CSV/ }).click();
  await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toContain(asciiOf(domain));
  expect(await page.evaluate(() => navigator.clipboard.readText())).not.toContain('商店');

  await link.click();
  await seen(page.getByRole('heading', { name: domain, level: 1 }));
  expect(await page.title()).toContain(domain);
  // Entered as people write it, beside one that is kept as it was.
  await page.getByRole('button', { name: 'Edit domains' }).click();
  const form = page.getByRole('dialog');
  await seen(form.getByRole('button', { name: domain }));
  await form.getByLabel('Domains').fill(second);
  await page.keyboard.press('Enter');
  await form.getByRole('button', { name: 'Save' }).click();
  await form.waitFor({ state: 'detached' });
  await seen(page.locator('main dd').getByText(second));
  const kept = (await world.admin.get('listSites', { query: { domain_name: word } })).list[0]!;
  expect(kept.domains).toEqual([asciiOf(domain), asciiOf(second)]);

  await page.keyboard.press('Control+k');
  await page.getByRole('combobox', { name: 'Search' }).fill(domain);
  await seen(page.getByRole('option', { name: domain }));
  await close();
});

test('a field with one domain shows it as it is written, and leaves what is kept as it was', async () => {
  const domain = `商店.${unique('shop')}.example.com`;
  const body = { name: asciiOf(domain), kind: 'exact' as const };
  const { id } = await world.admin.get('createDomainNameBlacklistEntry', { body });
  const kept = async () => (await world.admin.get('getDomainNameBlacklistEntry', { params: { id } })).name;
  const { page, close } = await openShell(world, { path: '/dashboard/system/domain_name_blacklist' });
  const edit = async (typed: string, reason: string) => {
    await page
      .getByRole('row')
      .filter({ hasText: 'shop' })
      .getByRole('button', { name: /^Actions for/ })
      .click();
    await page.getByRole('menuitem', { name: 'Edit' }).click();
    const form = page.getByRole('dialog');
    const field = form.getByLabel('Domain');
    await seen(form.getByRole('button', { name: 'Save' }));
    const shown = await field.inputValue();
    await field.fill('x');
    await field.fill(typed);
    await form.getByLabel('Reason').fill(reason);
    await form.getByRole('button', { name: 'Save' }).click();
    await form.waitFor({ state: 'detached' });
    return shown;
  };
  expect(await edit(domain, 'as it was')).toBe(domain);
  expect(await kept()).toBe(asciiOf(domain));
  const other = domain.replace('商店', '支付');
  expect(await edit(other, 'another')).toBe(domain);
  expect(await kept()).toBe(asciiOf(other));
  await close();
});

test('a domain that passes for another stays in ASCII', async () => {
  // Cyrillic letters, each of which looks like one of Latin.
  const domain = asciiOf(`аррӏе.${unique('fake')}.example.com`);
  const { id } = await makeSite(world.admin, { domain });
  const { page, close } = await openShell(world, { path: `/dashboard/site/sitedetail/${id}` });
  await seen(page.getByRole('heading', { name: domain, level: 1 }));
  await close();
});

test('on a phone a long domain is broken at its dots, not within a label', async () => {
  const labels = [unique('shop'), 'b'.repeat(12), 'department', 'example', 'com'];
  const domain = labels.join('.');
  const { id } = await makeSite(world.admin, { domain });
  const { page, close } = await openShell(world, { width: 360, path: `/dashboard/site/sitedetail/${id}` });
  const heading = page.getByRole('heading', { name: domain, level: 1 });
  await seen(heading);
  /** Of each label the lines that it is on. */
  const lines = await heading.evaluate((element) => {
    const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
    const found: number[] = [];
    while (walker.nextNode()) {
      const range = document.createRange();
      range.selectNodeContents(walker.currentNode);
      found.push(new Set([...range.getClientRects()].map(({ top }) => Math.round(top))).size);
    }
    return found;
  });
  expect(lines).toEqual(labels.map(() => 1));
  expect((await heading.boundingBox())!.height).toBeGreaterThan(40);
  await close();
});
