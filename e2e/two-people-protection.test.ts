import { makeSite, startWorld, type World } from '@breakwater/test-world';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { closeBrowser, seen, type Visitor } from './browser.ts';
import { openSession } from './shell.ts';

/** The forms of protection, as `two-people.test.ts` has it: nobody leaves them by mistake, and what two set is both there. */

let world: World;
let visitor: Visitor;
let page: Page;
let site: { id: number; domain: string };

beforeAll(async () => {
  world = await startWorld({ templateUrl: inject('templateUrl') });
  site = await makeSite(world.admin);
  visitor = await openSession(world);
  page = visitor.page;
});
afterAll(async () => {
  await closeBrowser();
  await world?.close();
});

type Value = Record<string, unknown>;
interface Stored {
  read: () => Promise<{ version: number; value: Value }>;
  write: (body: { version: number; value: Value }) => Promise<unknown>;
}
type Section = 'CcGuardianRule' | 'BrowserVerifyRule' | 'UsedSystemRule' | 'MatcherRule';
type Setting = 'WafSetting' | 'HttpFilterSetting' | 'AttackNotice';

const ofSite = (name: Section): Stored => ({
  read: () => world.admin.get(`get${name}`, { params: { id: site.id } } as never) as never,
  write: (body) => world.admin.get(`update${name}`, { params: { id: site.id }, body } as never),
});
const ofPlatform = (name: Setting): Stored => ({
  read: () => world.admin.get(`get${name}`, {}) as never,
  write: (body) => world.admin.get(`update${name}`, { body } as never),
});
const tab = (name: string) => () => `/dashboard/site/sitedetail/${site.id}?tab=${name}`;
const choose = (label: string, option: string | RegExp) => async () => {
  await page.getByRole('combobox', { name: label, exact: true }).click();
  await page.getByRole('option', { name: option }).click();
};
const fill = (label: string, value: string) => () =>
  page.getByRole('spinbutton', { name: label, exact: true }).fill(value);

interface Form {
  name: string;
  path: () => string;
  stored: Stored;
  /** What is there before. */
  first?: Value;
  mine: () => Promise<void>;
  /** What the other saves meanwhile. */
  theirs: Value;
  both: Value;
}
const rule = (note: string, more: Value = {}) => ({ action: 'block', note, ...more });

const forms: Form[] = [
  {
    name: 'CC protection',
    path: tab('guard'),
    stored: ofSite('CcGuardianRule'),
    mine: choose('Mode', 'Strict'),
    theirs: { except_paths: ['/healthz'] },
    both: { mode: 'strict', except_paths: ['/healthz'] },
  },
  {
    name: 'browser verification',
    path: tab('verify'),
    stored: ofSite('BrowserVerifyRule'),
    first: { enabled: true },
    mine: choose('Challenge', /^Slider/),
    theirs: { pass_requests: 300 },
    both: { enabled: true, kind: 'slide', pass_requests: 300 },
  },
  {
    name: 'attack detection',
    path: tab('system-rules'),
    stored: ofSite('UsedSystemRule'),
    mine: choose('Mode', 'Log only'),
    theirs: { sql: 'strict' },
    both: { mode: 'observe', sql: 'strict' },
  },
  {
    name: 'custom rules',
    path: tab('matchers'),
    stored: ofSite('MatcherRule'),
    first: { rules: [rule('first'), rule('second')] },
    mine: () => page.getByRole('switch', { name: 'Enabled' }).first().click(),
    theirs: { rules: [rule('first'), rule('between'), rule('second')] },
    both: { rules: [{ note: 'first', enabled: false }, { note: 'between' }, { note: 'second' }] },
  },
  {
    name: 'settings of bans',
    path: () => '/dashboard/site/waf_setting',
    stored: ofPlatform('WafSetting'),
    mine: fill('Factor for repeat offenders', '3'),
    theirs: { client_bans_max: 50 },
    both: { repeat_factor: 3, client_bans_max: 50 },
  },
  {
    name: 'violation monitoring',
    path: () => '/dashboard/system/http_filter_setting',
    stored: ofPlatform('HttpFilterSetting'),
    mine: fill('Pages per site', '20'),
    theirs: { categories: [{ name: 'Gambling', words: ['casino'] }] },
    both: { pages_per_site: 20, categories: [{ name: 'Gambling', words: ['casino'] }] },
  },
  {
    name: 'notices of attacks',
    path: () => '/dashboard/system/setting',
    stored: ofPlatform('AttackNotice'),
    mine: fill('Attack requests', '77'),
    theirs: { window_minutes: 9 },
    both: { requests: 77, window_minutes: 9 },
  },
];

/** The button of the form that has something to save. */
const save = () => page.locator('button:enabled', { hasText: /^Save$/ }).first();

test.each(forms)('$name: leaving asks first, and both changes are saved', async (form) => {
  const { stored, first, theirs, both } = form;
  if (first) await stored.write({ version: (await stored.read()).version, value: first });
  await page.goto(form.path());
  await form.mine();
  await page.getByRole('link', { name: 'Sites', exact: true }).first().click();
  await page
    .getByRole('dialog', { name: 'Discard unsaved changes?' })
    .getByRole('button', { name: 'Cancel' })
    .click();
  const { version, value } = await stored.read();
  await stored.write({ version, value: { ...value, ...theirs } });
  await save().click();
  await seen(page.getByText('Changed by someone else').first());
  await save().click();
  await expect.poll(async () => (await stored.read()).value).toMatchObject(both);
  expect(visitor.scriptErrors).toEqual([]);
});
