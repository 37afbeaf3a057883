import { makeSite, startWorld, unique, type World } from '@breakwater/test-world';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { passkey } from '../apps/server/src/db/schema.ts';
import { closeBrowser, seen } from './browser.ts';
import { openSession } from './shell.ts';
import { bothSave, drawerOf, openTwo, type Entered, type SharedForm, type Two } from './two-people.ts';

/** The settings and sections that `two-people-pages.test.ts` leaves out, and lists whose order counts, by two people at once. */

let world: World;
let two: Two;

beforeAll(async () => {
  world = await startWorld({ templateUrl: inject('templateUrl') });
  two = await openTwo(world);
});
afterAll(async () => {
  await closeBrowser();
  await world?.close();
});

const opened = (path: string) => async (page: Page) => {
  await page.goto(path);
  return page;
};

interface SettingCase {
  name:
    | 'ConsoleSetting'
    | 'SiteSetting'
    | 'SitePortSetting'
    | 'AccountLimits'
    | 'FilingSetting'
    | 'LogPrivacy'
    | 'LogShipping'
    | 'VulnerabilitySetting'
    | 'FloodSetting';
  path?: string;
  before?: object;
  first: Entered;
  second: Entered;
  both: object;
}

const ownKey = `${'A'.repeat(43)}=`;

const settings: SettingCase[] = [
  {
    name: 'ConsoleSetting',
    first: { 'Welcome message (English)': 'theirs', 'Welcome message (Chinese)': 'theirs' },
    second: { 'Welcome message (English)': 'mine' },
    both: { welcome_tip: { zh: 'theirs', en: 'mine' } },
  },
  {
    name: 'SiteSetting',
    first: { 'CNAME domain': 'cdn.example.com', 'Automatic check period': '30' },
    second: { 'Automatic check period': '40' },
    both: { cname_domain: 'cdn.example.com', check_hours: 40 },
  },
  {
    name: 'SitePortSetting',
    first: { 'First port': '2000', 'Last port': '50000' },
    second: { 'Last port': '40000' },
    both: { first: 2000, last: 40_000 },
  },
  {
    name: 'AccountLimits',
    first: { 'Requests per minute': '9000', 'Refreshes per hour': '500' },
    second: { 'Requests per minute': '8000' },
    both: { requests_per_minute: 8000, refreshes_per_hour: 500 },
  },
  {
    name: 'FilingSetting',
    before: { provider: 'custom_http', url: 'https://filings.example.com/', secret: 'sixteen characters' },
    // Another address would want the secret anew.
    first: { 'Check again every': '6' },
    second: { 'Check again every': '7' },
    both: { url: 'https://filings.example.com/', recheck_days: 7 },
  },
  {
    name: 'LogPrivacy',
    first: { 'Masked parameters': { add: 'theirs' } },
    second: { 'Masked parameters': { add: 'mine' } },
    both: { mask_arguments: expect.arrayContaining(['theirs', 'mine']) as unknown },
  },
  {
    name: 'LogShipping',
    first: { Destination: { choose: 'Syslog (RFC 5424)' }, Receiver: '192.0.2.1' },
    second: { Destination: { choose: 'File on the node' }, 'Files to keep': '5' },
    both: { kind: 'file', file_keep: 5, syslog_host: '192.0.2.1' },
  },
  {
    name: 'VulnerabilitySetting',
    path: '/dashboard/site/known_vulnerability',
    first: { 'Release URL': 'https://theirs.example.com/rules.json' },
    second: { 'Trusted public keys': ownKey },
    both: { url: 'https://theirs.example.com/rules.json', public_keys: [ownKey] },
  },
  {
    name: 'FloodSetting',
    path: '/dashboard/site/waf_setting',
    first: { 'UDP packets': '7000', Bandwidth: '800' },
    second: { 'UDP packets': '6000' },
    both: { udp: 6000, megabits: 800 },
  },
];

test.each(settings)(
  '$name: what each of two people saves is there',
  async ({ name, path, before, ...form }) => {
    const stored = () => world.admin.get(`get${name}` as 'getRetention', {});
    if (before)
      await world.admin.get(`update${name}` as 'updateRetention', {
        body: { version: (await stored()).version, value: before as never },
      });
    await bothSave(two, {
      ...form,
      open: opened(path ?? '/dashboard/system/setting'),
      stored,
      both: { value: form.both },
    });
  },
);

interface SectionCase {
  tab: string;
  section: string;
  before?: [call: string, value: object];
  first: Entered;
  second: Entered;
  both: object;
}

const sections: SectionCase[] = [
  {
    tab: 'origin',
    section: 'OriginServerConfig',
    first: { 'HTTP port': '8082', 'Max origins to try': '4' },
    second: { 'HTTP port': '8083' },
    both: { origins: [{ http_port: 8083 }], tries: 4 },
  },
  {
    tab: 'health',
    section: 'BackendHealthCheck',
    before: ['BackendHealthCheck', { enabled: true }],
    first: { 'Check path': '/theirs', Failures: '5' },
    second: { 'Check path': '/mine' },
    both: { path: '/mine', fall: 5 },
  },
  {
    tab: 'cache',
    section: 'CacheRule',
    first: { 'Always online': true },
    second: { 'Site languages': { add: 'en' } },
    both: { always_online: true, languages: ['en'] },
  },
  {
    tab: 'certificate',
    section: 'CertificateSettings',
    first: { 'Redirect HTTP to HTTPS': true },
    second: { 'Enable HSTS': true },
    both: { force_https: { enabled: true }, hsts: { enabled: true } },
  },
  {
    tab: 'ports',
    section: 'ListenPort',
    first: { 'HTTP ports': '18090' },
    second: { 'HTTPS ports': '18490' },
    both: { http_ports: [18_090], https_ports: [18_490] },
  },
  {
    tab: 'referer',
    section: 'BlockReferer',
    before: ['BlockReferer', { enabled: true }],
    first: { 'Allowed domains': 'theirs.example.com' },
    second: {
      'Also check Origin': true,
      another: (page) => page.getByLabel('Allowed domains', { exact: true }).fill('mine.example.com'),
    },
    both: {
      allow: expect.arrayContaining(['mine.example.com', 'theirs.example.com']) as unknown,
      check_origin: true,
    },
  },
  {
    tab: 'limits',
    section: 'SiteSecurity',
    first: { 'Number of headers': '50', 'Minimum upload rate (bytes/s)': '100' },
    second: { 'Number of headers': '40' },
    both: { header_lines_max: 40, body_rate_min: 100 },
  },
  {
    tab: 'real-ip',
    section: 'RealIp',
    first: { Source: { choose: 'Position in X-Forwarded-For' } },
    second: { 'Headers to pass through': { add: 'X-HTTP-Method-Override' } },
    both: { mode: 'xff', pass_headers: ['x-http-method-override'] },
  },
  {
    tab: 'advanced',
    section: 'AdvancedConfig',
    first: { 'Query string (after ?)': false },
    second: { 'Buffer origin responses': false },
    both: { access_log: { query: false }, response_buffering: false },
  },
];

const sectionOf = (section: string, id: number) => async () =>
  world.admin.get(`get${section}` as 'getCacheRule', { query: { site_id: id } });
const writeSection = async (section: string, id: number, value: object) =>
  world.admin.get(`update${section}` as 'updateCacheRule', {
    query: { site_id: id },
    body: { version: (await sectionOf(section, id)()).version, value: value as never },
  });

test.each(sections)(
  '$section: what each of two people saves is there',
  async ({ tab, section, before, ...form }) => {
    const { id } = await makeSite(world.admin);
    const stored = sectionOf(section, id);
    if (before) await writeSection(before[0], id, before[1]);
    const open = opened(`/dashboard/site/sitedetail/${id}?tab=${tab}`);
    await bothSave(two, { ...form, open, stored, both: { value: form.both } });
  },
);

/** Moves an entry of a list down, by the keyboard. */
const moveDown =
  (place: number, by = 1) =>
  async (page: Page) => {
    await page.getByRole('button', { name: `Move entry ${place}`, exact: true }).focus();
    await page.keyboard.press('Space');
    for (let step = 0; step < by; step += 1) await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Space');
    await page.getByRole('button', { name: `Move entry ${place}`, exact: true }).waitFor();
  };

describe('a list whose order counts', () => {
  const rule = (note: string) => ({
    action: 'deny' as const,
    empty_agent: true,
    note,
    only_paths: [`/${note}/`],
  });
  const notes = (...order: string[]) => ({ value: { rules: order.map((note) => ({ note })) } });

  async function listOfThree(): Promise<Pick<SharedForm, 'open' | 'stored'>> {
    const { id } = await makeSite(world.admin);
    await writeSection('AccessControl', id, { rules: ['one', 'two', 'three'].map(rule) });
    const open = opened(`/dashboard/site/sitedetail/${id}?tab=access`);
    return { open, stored: sectionOf('AccessControl', id) };
  }
  const switchOf = (place: number) => (page: Page) =>
    page.getByRole('switch', { name: 'Enabled' }).nth(place).click();
  const save = (page: Page) => page.getByRole('button', { name: 'Save', exact: true });

  test('one moves an entry, the other changes it: it is changed, and in its new place', async () => {
    await bothSave(two, {
      ...(await listOfThree()),
      first: { move: moveDown(1, 2) },
      second: { off: switchOf(0) },
      told: /moved from position 1 to 3/,
      both: {
        value: { rules: [{ note: 'two' }, { note: 'three' }, { note: 'one', enabled: false }] },
      },
    });
  });

  test('one moves an entry, the other adds one', async () => {
    await bothSave(two, {
      ...(await listOfThree()),
      first: {
        added: async (page) => {
          await page.getByRole('button', { name: 'Add rule' }).click();
          await page.getByLabel('Only these paths').last().fill('/four/');
          await page.keyboard.press('Enter');
        },
      },
      second: { move: moveDown(1) },
      both: {
        value: {
          rules: [{ note: 'two' }, { note: 'one' }, { note: 'three' }, { only_paths: ['/four/'] }],
        },
      },
    });
  });

  test('both move: both orders are shown, and one is chosen', async () => {
    const form = await listOfThree();
    const [theirs, mine] = [two[0].page, two[1].page];
    await Promise.all([form.open(theirs), form.open(mine)]);
    await moveDown(2)(mine);
    await moveDown(1, 2)(theirs);
    await save(theirs).click();
    await expect.poll(form.stored).toMatchObject(notes('two', 'three', 'one'));
    await save(mine).click();
    await seen(mine.getByText('Changed by someone else'));
    const shown = mine.getByRole('radiogroup').getByRole('listitem');
    await expect
      .poll(async () => (await shown.allInnerTexts()).map((text) => /“(\w+)”/.exec(text)?.[1]))
      .toEqual(['one', 'three', 'two', 'two', 'three', 'one']);
    await mine.getByRole('radio', { name: /^Theirs:/ }).click();
    // That is what is there.
    await expect.poll(() => save(mine).isDisabled()).toBe(true);
    await mine.getByRole('radio', { name: /^Yours:/ }).click();
    await save(mine).click();
    await expect.poll(form.stored).toMatchObject(notes('one', 'three', 'two'));
  });
});

test('the name of a passkey, in two windows of one person', async () => {
  const { db } = world.server.services;
  const { id: adminUserId } = (await world.admin.get('listAdminUsers', { query: { username: 'admin' } }))
    .list[0]!;
  const name = unique('key');
  await db.insert(passkey).values({
    adminUserId,
    name,
    credentialId: name,
    publicKey: new Uint8Array(1),
    counter: 0,
    relyingParty: 'localhost',
  } as never);
  const other = await openSession(world);
  const stored = async () => (await world.admin.get('listPasskeys', { query: {} })).list[0]!;
  await bothSave([two[0], other], {
    open: drawerOf('/dashboard/system/user_index?tab=security', name, 'Rename'),
    stored,
    first: { Name: 'theirs' },
    second: { Name: 'mine' },
    both: { name: 'mine' },
  });
});
