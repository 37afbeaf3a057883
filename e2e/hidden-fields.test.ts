import type { RouteName } from '@breakwater/contract';
import { makeSite, startWorld, type World } from '@breakwater/test-world';
import type { Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, expect, inject, test } from 'vitest';
import { closeBrowser, type Visitor } from './browser.ts';
import { openSession } from './shell.ts';

/** What is wrong in a field that another's value hides keeps nothing from being saved; what a fold holds opens it. */

let world: World;
let visitor: Visitor;
let page: Page;
let siteId: number;

beforeAll(async () => {
  world = await startWorld({ templateUrl: inject('templateUrl') });
  visitor = await openSession(world);
  page = visitor.page;
});
beforeEach(async () => {
  ({ id: siteId } = await makeSite(world.admin));
});
afterAll(async () => {
  await closeBrowser();
  await world?.close();
});

const openTab = (tab: string) => page.goto(`/dashboard/site/sitedetail/${siteId}?tab=${tab}`);
const button = (name: string) => page.getByRole('button', { name, exact: true });
const press = (name: string) => button(name).first().click();
const turn = (name: string) => page.getByRole('switch', { name, exact: true }).click();
const choose = async (name: string, option: string) => {
  await page.getByRole('combobox', { name, exact: true }).last().click();
  await page.getByRole('option', { name: option, exact: true }).click();
};
const field = (name: string): Locator => page.locator(`[name="${name}"]:not([aria-hidden=true])`);
const enter = async (name: string, value: string) => {
  await field(name).fill(value);
  await field(name).blur();
};
const addTag = async (name: string, value: string) => {
  await field(name).fill(value);
  await field(name).press('Enter');
  await field(name).blur();
};
const sectionOf = async (call: RouteName): Promise<unknown> => {
  const { value } = (await world.admin.get(call, {
    params: { id: siteId },
    query: { site_id: siteId },
  } as never)) as {
    value: unknown;
  };
  return value;
};

/** What is wrong is entered, and then its field is hidden. */
interface Section {
  tab: string;
  call: RouteName;
  spoil: () => Promise<void>;
  hide: () => Promise<void>;
  /** As it is stored then: what was chosen last, and nothing of what was wrong. */
  stored: object;
}

const sections: Record<string, Section> = {
  'hotlink protection': {
    tab: 'referer',
    call: 'getBlockReferer',
    spoil: async () => {
      await turn('Enable hotlink protection');
      await choose('Action', 'Redirect');
      await enter('redirect_url', 'nowhere at all');
    },
    hide: () => choose('Action', 'Return a status code'),
    stored: { enabled: true, action: 'status', redirect_url: '' },
  },
  'custom rules': {
    tab: 'matchers',
    call: 'getMatcherRule',
    spoil: async () => {
      await press('Add rule');
      await choose('Action', 'Redirect');
      await enter('rules.0.redirect.url', 'nowhere at all');
    },
    hide: () => choose('Action', 'Block'),
    stored: { rules: [{ action: 'block', redirect: { url: '' } }] },
  },
  'numbers of a custom rule': {
    tab: 'matchers',
    call: 'getMatcherRule',
    spoil: async () => {
      await press('Add rule');
      await choose('Action', 'Delay');
      await enter('rules.0.delay.milliseconds', '1');
    },
    hide: () => choose('Action', 'Block'),
    stored: { rules: [{ action: 'block', delay: { milliseconds: 1000 } }] },
  },
  'cache rules, in a fold and in rows of a row': {
    tab: 'cache',
    call: 'getCacheRule',
    spoil: async () => {
      await press('Add rule');
      await choose('Match by', 'All requests');
      await enter('rules.0.ttl_seconds', '-1');
      await press('More settings');
      await press('Add status codes');
      await enter('rules.0.ttl_by_status.0.ttl_seconds', '-5');
      await enter('rules.0.min_uses', '-3');
    },
    hide: () => choose('Action', 'Do not cache'),
    stored: { rules: [{ action: 'bypass', ttl_seconds: 0, ttl_by_status: [], min_uses: 1 }] },
  },
  'rewriting of headers': {
    tab: 'rewrite',
    call: 'getContentRewrite',
    spoil: async () => {
      await press('Add response header rule');
      await choose('Action', 'Replace by regex');
      await enter('response_headers.0.name', 'X-One');
      await enter('response_headers.0.pattern', 'x'.repeat(501));
    },
    hide: () => choose('Action', 'Remove'),
    stored: { response_headers: [{ action: 'remove', name: 'X-One', pattern: '' }] },
  },
  'the client’s address': {
    tab: 'real-ip',
    call: 'getRealIp',
    spoil: async () => {
      await choose('Source', 'Request headers');
      await addTag('headers', 'not a header!');
      await page.getByLabel('Trusted proxies').fill('nowhere');
    },
    hide: () => choose('Source', 'Connection IP'),
    stored: { mode: 'socket', headers: [], trusted: [] },
  },
  'a switched-off list of users': {
    tab: 'access',
    call: 'getAccessControl',
    spoil: async () => {
      await turn('Enable basic auth');
      await press('Add user');
      await field('basic_auth.users.0.name').blur();
    },
    hide: async () => {
      await turn('Enable basic auth');
      await choose('Block status code', '404');
    },
    stored: { basic_auth: { enabled: false, users: [] }, deny: { status: 404 } },
  },
  HTTPS: {
    tab: 'certificate',
    call: 'getCertificateSettings',
    spoil: async () => {
      await turn('Redirect HTTP to HTTPS');
      await enter('force_https.port', '99999');
      await turn('Enable HSTS');
      await enter('hsts.max_age_seconds', '-1');
    },
    hide: async () => {
      await turn('Redirect HTTP to HTTPS');
      await turn('Enable HSTS');
      await turn('OCSP stapling');
    },
    stored: { force_https: { enabled: false }, hsts: { enabled: false }, ocsp_stapling: true },
  },
  'error pages': {
    tab: 'advanced',
    call: 'getAdvancedConfig',
    spoil: async () => {
      await press('Add error page');
      await choose('Show', 'Redirect');
      await enter('error_pages.0.redirect_url', 'nowhere at all');
    },
    hide: () => choose('Show', 'Custom content'),
    stored: { error_pages: [{ source: 'body', redirect_url: '' }] },
  },
  compression: {
    tab: 'speed',
    call: 'getSpeedOptimize',
    spoil: async () => {
      await turn('gzip');
      await enter('min_length_bytes', '-1');
    },
    hide: async () => {
      await turn('gzip');
      await press('Add resource');
      await enter('preload.0.url', '/a.css');
    },
    stored: { gzip: false, preload: [{ url: '/a.css' }] },
  },
  'the origin': {
    tab: 'origin',
    call: 'getOriginServerConfig',
    spoil: async () => {
      await choose('Origin protocol', 'HTTPS');
      await enter('sni', 'not a name');
    },
    hide: async () => {
      await choose('Origin protocol', 'HTTP');
      await enter('tries', '2');
    },
    stored: { protocol: 'http', tries: 2 },
  },
  'health checks': {
    tab: 'health',
    call: 'getBackendHealthCheck',
    spoil: async () => {
      await turn('Enable health checks');
      await enter('path', 'no-slash');
    },
    hide: () => choose('Check type', 'TCP connection'),
    stored: { enabled: true, protocol: 'tcp', path: '/' },
  },
  'CC protection': {
    tab: 'guard',
    call: 'getCcGuardianRule',
    spoil: async () => {
      await choose('Mode', 'Standard');
      await press('Add rule');
      await choose('Count', 'By response');
      await addTag('rules.0.answers.statuses', 'all');
    },
    hide: () => choose('Count', 'All requests'),
    stored: { rules: [{ count: 'requests', answers: { statuses: [] } }] },
  },
  'browser verification': {
    tab: 'verify',
    call: 'getBrowserVerifyRule',
    spoil: async () => {
      await turn('Enable browser verification');
      await choose('Challenge', 'Waiting page');
      await enter('delay_seconds', '9999');
    },
    hide: () => choose('Challenge', 'Cookie'),
    stored: { enabled: true, kind: 'cookie' },
  },
  CORS: {
    tab: 'access',
    call: 'getAccessControl',
    spoil: async () => {
      await turn('Manage CORS at the edge');
      await addTag('cors.origins', 'no origin');
      await turn('Require signed URLs');
      await enter('signing.valid_seconds', '-1');
    },
    hide: async () => {
      await turn('Manage CORS at the edge');
      await turn('Require signed URLs');
      await choose('Block status code', '404');
    },
    stored: { cors: { enabled: false, origins: [] }, signing: { enabled: false }, deny: { status: 404 } },
  },
};

test.each(Object.entries(sections))('of %s', async (_, { tab, call, spoil, hide, stored }) => {
  await openTab(tab);
  await spoil();
  await expect.poll(() => page.locator('main [aria-invalid=true]').count()).toBeGreaterThan(0);
  await hide();
  await press('Save');
  await expect.poll(() => sectionOf(call)).toMatchObject(stored);
  await expect.poll(() => page.getByText('Unsaved changes', { exact: true }).count()).toBe(0);
});

const drawer = () => page.getByRole('dialog');
const listed = async (call: RouteName): Promise<unknown> => {
  const { list } = (await world.admin.get(call, { query: {} } as never)) as { list: unknown };
  return list;
};

test('of an account at a certificate authority', async () => {
  await page.goto('/dashboard/system/acme_account');
  await press('Add certificate account');
  await enter('name', 'Ours');
  await choose('Certificate authority', 'Other');
  await enter('directory_url', 'nowhere');
  await expect.poll(() => field('directory_url').getAttribute('aria-invalid')).toBe('true');
  await choose('Certificate authority', 'Let’s Encrypt');
  await turn('I agree to the terms of service of this certificate authority');
  await drawer().getByRole('button', { name: 'Save' }).click();
  await expect
    .poll(() => listed('listAcmeAccounts'))
    .toMatchObject([{ name: 'Ours', directory: 'lets_encrypt' }]);
});

test('of a list of addresses', async () => {
  await page.goto('/dashboard/site/address_list');
  await press('Add address list');
  await enter('name', 'Office');
  await choose('Source', 'URL');
  await enter('url', 'nowhere');
  await expect.poll(() => field('url').getAttribute('aria-invalid')).toBe('true');
  await choose('Source', 'Added by rules');
  await drawer().getByRole('button', { name: 'Save' }).click();
  await expect.poll(() => listed('listAddressLists')).toMatchObject([{ name: 'Office', source: 'rules' }]);
});

test('of settings', async () => {
  await page.goto('/dashboard/system/setting');
  const form = page
    .locator('form')
    .filter({ has: page.getByRole('combobox', { name: 'Destination', exact: true }) });
  const kind = async (option: string) => {
    await form.getByRole('combobox', { name: 'Destination', exact: true }).click();
    await page.getByRole('option', { name: option, exact: true }).click();
  };
  await kind('HTTP POST (one JSON object per line)');
  await enter('http_url', 'nowhere');
  await kind('File on the node');
  await form.getByRole('button', { name: 'Save' }).click();
  await expect
    .poll(async () => (await world.admin.get('getLogShipping', {})).value)
    .toMatchObject({ kind: 'file', http_url: '' });
});

test('a fold of a new site opens for what is wrong in it', async () => {
  await page.goto('/dashboard/site/create');
  await addTag('domains', 'hidden.example');
  await enter('origin', '203.0.113.10');
  await press('More options');
  await enter('origin_port', '99999');
  await press('More options');
  await press('Add site');
  await expect.poll(() => field('origin_port').getAttribute('aria-invalid')).toBe('true');
  await expect
    .poll(() => field('origin_port').evaluate((input) => input === document.activeElement))
    .toBe(true);
  expect(visitor.scriptErrors).toEqual([]);
});
