import { makeSite, readSetting, saveSetting, startWorld, type World } from '@breakwater/test-world';
import type { Locator, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, inject, test } from 'vitest';
import { closeBrowser, seen, type Visitor } from './browser.ts';
import { openBuiltKit, type Kit } from './kit-page.ts';
import { openSession } from './shell.ts';

/** Code that does not come, as after an upgrade that took it away: only its part is missing, and a new start of the page has it. */

let world: World;
let kit: Kit;
let visitor: Visitor;
let page: Page;
let site: { id: number };

beforeAll(async () => {
  [world, kit] = await Promise.all([
    startWorld({ templateUrl: inject('templateUrl') }),
    openBuiltKit('production'),
  ]);
  site = await makeSite(world.admin);
  visitor = await openSession(world);
  page = visitor.page;
});
afterAll(async () => {
  await closeBrowser();
  await kit?.close();
  await world?.close();
});

afterEach(() => page.unrouteAll({ behavior: 'ignoreErrors' }));

const missing = 'This part could not be loaded';
const siteTab = (tab: string) => `/dashboard/site/sitedetail/${site.id}?tab=${tab}`;

/** The files of a name are gone until it is called. It tells that they were asked for: else nothing was tried. */
async function without(of: Page, name: string): Promise<() => Promise<void>> {
  const file = new RegExp(`/assets/${name}-[\\w-]{8}\\.js$`);
  let asked = 0;
  await of.route(file, (route) => {
    asked += 1;
    return route.fulfill({ status: 404 });
  });
  return async () => {
    expect(asked).toBeGreaterThan(0);
    await of.unroute(file);
  };
}

/** Reloads by what is offered for it, and lets go what was entered. */
async function reload(of: Page, within: Page | Locator): Promise<void> {
  const accept = (dialog: { accept: () => Promise<void> }) => void dialog.accept();
  of.on('dialog', accept);
  const loaded = of.waitForEvent('load');
  await within.getByRole('button', { name: 'Reload the page' }).first().click();
  await loaded;
  of.off('dialog', accept);
}

interface Part {
  name: string;
  /** The name of its file. */
  file: string;
  path: () => string;
  /** A field that is filled in before, by its label, once what it stands in is open. */
  field?: string;
  open?: () => Promise<unknown>;
  /** Shows what is missing. */
  show: () => Promise<unknown>;
  /** What is there once it came. */
  part: () => Locator;
}

const button = (name: string) => page.getByRole('button', { name, exact: true });
const drawer = () => page.getByRole('dialog');

const parts: Part[] = [
  {
    name: 'a field of a drawer',
    file: 'code-editor',
    path: () => '/dashboard/site/address_list',
    open: () => button('Add address list').first().click(),
    field: 'Name',
    show: async () => undefined,
    part: () => page.getByRole('textbox', { name: 'Addresses' }),
  },
  {
    name: 'a part of a section',
    file: 'condition-editor',
    path: () => siteTab('verify'),
    open: () => page.getByRole('switch', { name: 'Enable browser verification' }).check(),
    field: 'Title',
    show: () => button('Apply to some requests only').click(),
    part: () => page.getByRole('combobox', { name: 'Field' }).first(),
  },
  {
    name: 'a drawer over a section',
    file: 'replay-drawer',
    path: () => siteTab('matchers'),
    open: () => button('Add rule').first().click(),
    field: 'Name',
    show: () => button('Try on past traffic').click(),
    part: drawer,
  },
  {
    name: 'a drawer over a setting',
    file: 'settings-drawer',
    path: () => '/dashboard/system/setting',
    field: 'Operation log',
    show: () => button('Interface settings').click(),
    part: drawer,
  },
  {
    name: 'a tab of a site',
    file: 'referer',
    path: () => siteTab('origin'),
    show: () => page.getByRole('tab', { name: 'Hotlink protection' }).click(),
    part: () => page.getByRole('switch', { name: 'Enable hotlink protection' }),
  },
  {
    name: 'the drawer of what a page shows',
    file: 'domains-form',
    path: () => siteTab('overview'),
    show: () => button('Edit domains').click(),
    part: drawer,
  },
  {
    name: 'what surrounds a page',
    file: 'tab-finder',
    path: () => siteTab('origin'),
    field: 'HTTP port',
    show: async () => undefined,
    part: () => page.getByRole('combobox', { name: 'Find a setting' }),
  },
];

test.each(parts)('$name', async ({ file, path, field, open, show, part }) => {
  const come = await without(page, file);
  await page.goto(path());
  await open?.();
  const entered = field === undefined ? undefined : page.getByLabel(field, { exact: true }).first();
  await entered?.fill('61');
  await show();
  await seen(page.getByText(missing));
  if (entered) expect(await entered.inputValue()).toBe('61');
  await come();
  await reload(page, page);
  await open?.();
  await show();
  await seen(part());
  expect(visitor.scriptErrors).toEqual([]);
});

test('a drawer that did not come is told of again when it is asked for again', async () => {
  const come = await without(page, 'domains-form');
  await page.goto(siteTab('overview'));
  const messages = page.getByRole('region', { name: /^Notifications/ });
  for (const count of [1, 2]) {
    await button('Edit domains').click();
    await expect.poll(() => messages.getByText(missing).count()).toBe(count);
  }
  await come();
});

test('what others changed is told without the words for it, and saved', async () => {
  const field = page.getByLabel('Operation log', { exact: true });
  const form = page.locator('form', { has: field });
  const come = await without(page, 'field-changes');
  await page.goto('/dashboard/system/setting');
  await field.fill('71');
  await saveSetting(world, 'Retention', { ...(await readSetting(world, 'Retention')), task_days: 53 });
  await form.getByRole('button', { name: 'Save' }).click();
  await seen(form.getByText('Changed by someone else'));
  await seen(form.getByText(missing));
  expect(await field.inputValue()).toBe('71');
  await form.getByRole('button', { name: 'Save' }).click();
  await expect
    .poll(() => readSetting(world, 'Retention'))
    .toMatchObject({ operation_log_days: 71, task_days: 53 });
  await come();
});

test('a screen', async () => {
  const come = await without(page, 'tag-list');
  await page.goto('/dashboard');
  const group = page.getByRole('navigation').first();
  await group.getByRole('link', { name: 'Site tags', exact: true }).click();
  await seen(page.getByRole('alert').getByRole('button', { name: 'Try again' }));
  await come();
  await page.getByRole('button', { name: 'Try again' }).click();
  await seen(page.getByRole('heading', { name: 'Site tags', exact: true }));
});

describe('of everything that is not there yet', () => {
  const places = [
    { place: 'a setting', path: () => '/dashboard/system/setting', field: 'Operation log', narrow: false },
    {
      place: 'a section of a site',
      path: () => siteTab('advanced'),
      field: 'Log 1 in N requests',
      narrow: false,
    },
    {
      place: 'a section with the menu as a rail',
      path: () => siteTab('limits'),
      field: 'Number of headers',
      narrow: true,
    },
  ];

  test.each(places)('nothing around takes away what was entered: $place', async ({ path, field, narrow }) => {
    const settings = narrow ? { navLayout: 'mini' } : {};
    const { page: own, close, scriptErrors } = await openSession(world, { settings });
    await own.goto(path());
    const entered = own.getByLabel(field, { exact: true });
    await entered.fill('61');
    await own.waitForLoadState('networkidle');
    let asked = 0;
    await own.route(/\/assets\/.+\.js$/, (route) => {
      asked += 1;
      return route.fulfill({ status: 404 });
    });
    // What would lead away asks first; what is done at once, as another language or a theme, is done.
    const around = own.locator('header, nav');
    const names = await around
      .getByRole('button')
      .evaluateAll((buttons) =>
        buttons.map((each) => each.getAttribute('aria-label') ?? (each as HTMLElement).innerText),
      );
    for (const name of new Set(names)) {
      const control = around.getByRole('button', { name, exact: true }).first();
      if (!(await control.isVisible())) continue;
      // Whatever the one before has opened over it.
      await control.dispatchEvent('click');
      await own.keyboard.press('Escape');
      expect(await entered.inputValue()).toBe('61');
    }
    for (const key of ['?', 'Control+k']) await own.keyboard.press(key);
    await own.keyboard.press('Escape');
    expect(await entered.inputValue()).toBe('61');
    expect(asked).toBeGreaterThan(0);
    expect(await own.getByRole('button', { name: 'Try again' }).count()).toBe(0);
    expect(scriptErrors).toEqual([]);
    await close();
  });
});

describe('of the kit', () => {
  const charts = ['Bandwidth (against the previous period)', 'Where visitors come from'] as const;
  const card = (of: Page, name: string) => of.getByRole('region', { name, exact: true });

  test.each([
    { file: 'echarts', chart: charts[0] },
    { file: 'time-series-chart', chart: charts[0] },
    { file: 'world-shapes', chart: charts[1] },
  ])('$file: its charts say so, and their tables are there', async ({ file, chart }) => {
    const opened = await kit.open('values');
    const come = await without(opened.page, file);
    await opened.page.goto(`${kit.address}#/charts`);
    const own = card(opened.page, chart);
    await seen(own.getByText(missing));
    await own.getByRole('button', { name: 'Show as table' }).click();
    await seen(own.getByRole('table'));
    await own.getByRole('button', { name: 'Show as chart' }).click();
    await seen(own.getByText(missing));
    await come();
    await reload(opened.page, own);
    await seen(own.locator('svg').first());
    await opened.close();
  });

  test('the editor of formatted text: what is entered elsewhere stays', async () => {
    const opened = await kit.open('values');
    const come = await without(opened.page, 'rich-text-editor');
    await opened.page.goto(`${kit.address}#/fields`);
    const text = opened.page.getByRole('textbox').first();
    await text.fill('half filled');
    await seen(opened.page.getByText(missing));
    expect(await text.inputValue()).toBe('half filled');
    await come();
    await reload(opened.page, opened.page);
    await seen(opened.page.locator('[contenteditable]').first());
    await opened.close();
  });
});
