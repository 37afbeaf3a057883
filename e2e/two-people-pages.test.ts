import { exportSite, makeSite, startWorld, type World } from '@breakwater/test-world';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { closeBrowser, seen } from './browser.ts';
import { openSession } from './shell.ts';
import { bothSave, openTwo, type Entered, type Two } from './two-people.ts';

/** Settings, sections of a site and defaults, by two people at once: nobody leaves them by mistake, and what both set is there. */

let world: World;
let two: Two;
let site: { id: number; domain: string };

beforeAll(async () => {
  world = await startWorld({ templateUrl: inject('templateUrl') });
  [two, site] = await Promise.all([openTwo(world), makeSite(world.admin)]);
});
afterAll(async () => {
  await closeBrowser();
  await world?.close();
});

type Value = Record<string, unknown>;
interface Stored {
  read: () => Promise<{ version: number; value: Value }>;
  write?: (body: { version: number; value: Value }) => Promise<unknown>;
}
type Section = 'CcGuardianRule' | 'BrowserVerifyRule' | 'UsedSystemRule' | 'MatcherRule';
type Setting = 'WafSetting' | 'HttpFilterSetting' | 'AttackNotice' | 'Retention' | 'LogPolicy';

const ofSite = (name: Section): Stored => ({
  read: () => world.admin.get(`get${name}`, { params: { id: site.id } } as never) as never,
  write: (body) => world.admin.get(`update${name}`, { params: { id: site.id }, body } as never),
});
const ofAccess: Stored = {
  read: () => world.admin.get('getAccessControl', { query: { site_id: site.id } }) as never,
};
const ofPlatform = (name: Setting): Stored => ({
  read: () => world.admin.get(`get${name}`, {}) as never,
});
const ofAll = (section: 'speed_optimize' | 'access_control'): Stored => ({
  read: () =>
    world.admin.get('getSiteLevelSection', {
      query: { level: 'global', target_id: 0, section },
    }) as never,
});
const tab = (name: string) => () => `/dashboard/site/sitedetail/${site.id}?tab=${name}`;
const at = (path: string) => () => path;

interface Case {
  name: string;
  path: () => string;
  stored: Stored;
  /** What is there before. */
  before?: Value;
  first: Entered;
  second: Entered;
  /** Of the value in the end. */
  both: Value;
  confirm?: (page: Page) => Promise<unknown>;
}
const rule = (note: string) => ({ action: 'block', note });
const switchOf = (index: number) => (page: Page) =>
  page.getByRole('switch', { name: 'Enabled' }).nth(index).click();
/** Another rule of who may come in, for a folder. */
const deny = (path: string) => async (page: Page) => {
  await page.getByRole('button', { name: 'Add rule' }).click();
  await page.getByLabel('Only these paths').last().fill(path);
  await page.keyboard.press('Enter');
};
const denials = { rules: [{ only_paths: ['/theirs/'] }, { only_paths: ['/mine/'] }] };
const confirmed = (page: Page) =>
  page
    .getByRole('dialog', { name: 'Change these defaults?' })
    .getByRole('button', { name: 'Save' })
    .click({ timeout: 5000 });

const cases: Case[] = [
  {
    name: 'CC protection',
    path: tab('guard'),
    stored: ofSite('CcGuardianRule'),
    before: { mode: 'normal' },
    first: { 'Unprotected paths': { add: '/healthz' } },
    second: { Mode: { choose: 'Strict' } },
    both: { mode: 'strict', except_paths: ['/healthz'] },
  },
  {
    name: 'browser verification',
    path: tab('verify'),
    stored: ofSite('BrowserVerifyRule'),
    before: { enabled: true },
    first: { 'Maximum requests': '300', 'Bind to the TLS client': true },
    second: { 'Maximum requests': '400', Challenge: { choose: /^Slider/ } },
    both: { kind: 'slide', pass_requests: 400, bind_tls: true },
  },
  {
    name: 'attack detection',
    path: tab('system-rules'),
    stored: ofSite('UsedSystemRule'),
    first: { 'SQL injection': { choose: 'Strict' } },
    second: { Mode: { choose: 'Log only' } },
    both: { mode: 'observe', sql: 'strict' },
  },
  {
    name: 'custom rules',
    path: tab('matchers'),
    stored: ofSite('MatcherRule'),
    before: { rules: [rule('one'), rule('two')] },
    first: { second: switchOf(1) },
    second: { first: switchOf(0) },
    both: {
      rules: [
        { note: 'one', enabled: false },
        { note: 'two', enabled: false },
      ],
    },
  },
  {
    name: 'rules of who may come in',
    path: tab('access'),
    stored: ofAccess,
    first: { rule: deny('/theirs/') },
    second: { rule: deny('/mine/') },
    both: denials,
  },
  {
    name: 'defaults of all sites',
    path: at('/dashboard/site/defaults?tab=speed'),
    stored: ofAll('speed_optimize'),
    first: { gzip: true },
    second: { Brotli: true },
    both: { gzip: true, brotli: true },
    confirm: confirmed,
  },
  {
    name: 'rules of all sites',
    path: at('/dashboard/site/defaults?tab=access'),
    stored: ofAll('access_control'),
    first: { rule: deny('/theirs/') },
    second: { rule: deny('/mine/') },
    both: denials,
    confirm: confirmed,
  },
  {
    name: 'settings of bans',
    path: at('/dashboard/site/waf_setting'),
    stored: ofPlatform('WafSetting'),
    first: { 'Maximum blocked IPs per customer': '50', 'Factor for repeat offenders': '4' },
    second: { 'Factor for repeat offenders': '3' },
    both: { repeat_factor: 3, client_bans_max: 50 },
  },
  {
    name: 'violation monitoring',
    path: at('/dashboard/system/http_filter_setting'),
    stored: ofPlatform('HttpFilterSetting'),
    first: { Interval: '7', 'Pages per site': '30' },
    second: { 'Pages per site': '20' },
    both: { pages_per_site: 20, interval_hours: 7 },
  },
  {
    name: 'notices of attacks',
    path: at('/dashboard/system/setting'),
    stored: ofPlatform('AttackNotice'),
    first: { Window: '9', 'Attack requests': '88' },
    second: { 'Attack requests': '77' },
    both: { requests: 77, window_minutes: 9 },
  },
  {
    name: 'how long things are kept',
    path: at('/dashboard/system/setting'),
    stored: ofPlatform('Retention'),
    first: { 'Tasks and sub-tasks': '53', 'Operation log': '72' },
    second: { 'Operation log': '71' },
    both: { operation_log_days: 71, task_days: 53 },
  },
  {
    name: 'policy of logs',
    path: at('/dashboard/node/elastic'),
    stored: ofPlatform('LogPolicy'),
    first: { Statistics: '800', 'Access logs': '61' },
    // Less than theirs would be asked about.
    second: { 'Access logs': '62' },
    both: { record_days: 62, rollup_days: 800 },
  },
];

/** Who leaves is asked, and stays. */
async function stay(page: Page): Promise<void> {
  await page.getByRole('link', { name: 'Sites', exact: true }).first().click();
  await page
    .getByRole('dialog', { name: 'Discard unsaved changes?' })
    .getByRole('button', { name: 'Cancel' })
    .click();
}

test.each(cases)(
  '$name: leaving asks first, and both changes are saved',
  async ({ path, stored, before, both, ...form }) => {
    if (before) await stored.write!({ version: (await stored.read()).version, value: before });
    const open = async (page: Page) => {
      await page.goto(path());
      return page;
    };
    await bothSave(two, { open, stored: stored.read, between: stay, both: { value: both }, ...form });
  },
);

test('a profile: both windows of one person', async () => {
  const other = await openSession(world);
  await bothSave([two[0], other], {
    open: async (page) => {
      await page.goto('/dashboard/system/user_index');
      return page.locator('form', { has: page.getByLabel('Email', { exact: true }) });
    },
    stored: () => world.admin.get('currentAccount', {}),
    between: stay,
    first: { Name: 'theirs', Email: 'first@example.com', 'Your password': world.adminPassword },
    second: { Name: 'mine' },
    both: { name: 'mine', email: 'first@example.com' },
  });
});

test('a rollback is of what its preview shows, and of nothing that came after it', async () => {
  const { id } = await makeSite(world.admin, { port: 8081 });
  const [mine, theirs] = [two[0].page, two[1].page];
  const changePort = async (port: string) => {
    await theirs.goto(`/dashboard/site/sitedetail/${id}?tab=origin`);
    await theirs.getByLabel('HTTP port').fill(port);
    await theirs.getByRole('button', { name: 'Save', exact: true }).click();
    await expect
      .poll(async () => (await exportSite(world.admin, id)).sections)
      .toMatchObject({
        origin_server_config: { origins: [{ http_port: Number(port) }] },
      });
  };
  await changePort('8082');
  await mine.goto(`/dashboard/site/sitedetail/${id}?tab=revisions`);
  await mine.getByRole('button', { name: /Version 1/ }).click();
  await mine.getByRole('button', { name: 'Roll back to this version' }).click();
  const drawer = mine.getByRole('dialog');
  await seen(drawer.getByText(/8082 → 8081/));
  await changePort('8083');
  await drawer.getByRole('button', { name: 'Roll back to this version' }).click();
  await seen(drawer.getByRole('alert').getByText(/Someone else saved a newer version/));
  await seen(drawer.getByText(/8083 → 8081/));
  await drawer.getByRole('button', { name: 'Roll back to this version' }).click();
  await seen(mine.getByRole('button', { name: /Version 4/ }));
});
