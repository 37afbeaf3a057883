import { startWorld, unique, type World } from '@breakwater/test-world';
import type { Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { closeBrowser, seen } from './browser.ts';
import { drawerOf, openTwo, type Two } from './two-people.ts';

/** One changes whose account it is, while the other changes what only the former provider asks for: both are shown, one is chosen. */

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

type Fill = (drawer: Locator, page: Page) => Promise<unknown>;

interface Case {
  kind: 'DnsAccount' | 'CaptchaAccount' | 'AcmeAccount';
  path: string;
  body: object;
  /** To another provider. */
  change: Fill;
  /** What only the former has. */
  edit: Fill;
  /** What each of them stores, and what is chosen by. */
  changed: object;
  edited: object;
  /** The secret of the former, which is gone with it. */
  secret: string;
  /** What it was called, and what else of theirs is shown. */
  former: string;
  shown: RegExp;
}

const choose = async (drawer: Locator, page: Page, label: string, option: string) => {
  await drawer.getByRole('combobox', { name: label, exact: true }).click();
  await page.getByRole('option', { name: option, exact: true }).click();
};
const fill = (label: string, value: string) => (drawer: Locator) =>
  drawer.getByLabel(label, { exact: true }).fill(value);
const give = async (drawer: Locator, label: string) => {
  await drawer.getByRole('button', { name: new RegExp(`: ${label}$`) }).click();
  await fill(label, 'secret')(drawer);
};

const cases: Case[] = [
  {
    kind: 'DnsAccount',
    path: 'site/dns_account',
    body: {
      provider: 'powerdns',
      params: { url: 'https://dns.example.com', api_key: 'k', server_id: 'localhost' },
    },
    change: async (drawer, page) => {
      await choose(drawer, page, 'Provider', 'Cloudflare');
      await give(drawer, 'API token');
    },
    edit: fill('Server ID', 'edited'),
    changed: { provider: 'cloudflare', params: { api_token_set: true } },
    edited: { provider: 'powerdns', params: { server_id: 'edited', api_key_set: true } },
    secret: 'API key',
    former: 'PowerDNS',
    shown: /^Server ID: edited/,
  },
  {
    kind: 'CaptchaAccount',
    path: 'site/captcha_account',
    body: { provider: 'recaptcha', params: { version: 'v2', site_key: 'before', secret_key: 'k' } },
    change: async (drawer, page) => {
      await choose(drawer, page, 'Provider', 'hCaptcha');
      await fill('Site key', 'changed')(drawer);
      await give(drawer, 'Secret key');
    },
    edit: (drawer, page) => choose(drawer, page, 'Version', 'v3'),
    changed: { provider: 'hcaptcha', params: { site_key: 'changed', secret_key_set: true } },
    edited: { provider: 'recaptcha', params: { version: 'v3', site_key: 'before', secret_key_set: true } },
    secret: 'Secret key',
    former: 'Google reCAPTCHA',
    shown: /^Version: v3/,
  },
];

const save = (drawer: Locator) => drawer.getByRole('button', { name: 'Save', exact: true }).click();

async function openBoth({ kind, path, body }: Case) {
  const name = unique('account');
  const { id } = await world.admin.get(`create${kind}` as 'createDnsAccount', {
    body: { name, ...body } as never,
  });
  const open = drawerOf(`/dashboard/${path}`, name, 'Edit');
  const [theirs, mine] = await Promise.all([open(two[0].page), open(two[1].page)]);
  const stored = () => world.admin.get(`get${kind}` as 'getDnsAccount', { params: { id } });
  return { theirs, mine, stored };
}

describe.each(cases)('$kind', (each) => {
  test.each([
    ['Yours', each.changed],
    ['Theirs', each.edited],
  ] as const)('who changes the provider is shown what was edited, and keeps: %s', async (side, both) => {
    const { theirs, mine, stored } = await openBoth(each);
    await each.change(mine, two[1].page);
    await each.edit(theirs, two[0].page);
    await save(theirs);
    await expect.poll(stored).toMatchObject({ version: 2, ...each.edited });
    await save(mine);
    await seen(mine.getByText('Changed by someone else'));
    const former = two[1].page.getByRole('radio', { name: new RegExp(`^Theirs: ?${each.former}`) });
    await seen(mine.locator('label').filter({ has: former }).getByText(each.shown));
    const chosen = { name: new RegExp(`^${side}:`) };
    await mine.getByRole('radiogroup', { name: 'Provider' }).getByRole('radio', chosen).click();
    await save(mine);
    await mine.waitFor({ state: 'detached' });
    expect(await stored()).toMatchObject(both);
  });

  test.each([
    ['Yours', each.edited],
    ['Theirs', each.changed],
  ] as const)('who edits is shown that the provider was changed, and keeps: %s', async (side, both) => {
    const { theirs, mine, stored } = await openBoth(each);
    await each.edit(mine, two[1].page);
    await each.change(theirs, two[0].page);
    await save(theirs);
    await expect.poll(stored).toMatchObject({ version: 2, ...each.changed });
    await save(mine);
    await seen(mine.getByText('Changed by someone else'));
    const chosen = { name: new RegExp(`^${side}:`) };
    await mine.getByRole('radiogroup', { name: 'Provider' }).getByRole('radio', chosen).click();
    if (side === 'Yours') await give(mine, each.secret);
    await save(mine);
    await mine.waitFor({ state: 'detached' });
    expect(await stored()).toMatchObject(both);
  });

  test('who only renames it takes the other provider over, and whoever changes it the new name', async () => {
    const { theirs, mine, stored } = await openBoth(each);
    await fill('Name', unique('renamed'))(mine);
    await each.change(theirs, two[0].page);
    await save(theirs);
    await expect.poll(stored).toMatchObject({ version: 2, ...each.changed });
    await save(mine);
    await seen(mine.getByText('Changed by someone else'));
    expect(await mine.getByRole('radio').count()).toBe(0);
    await save(mine);
    await mine.waitFor({ state: 'detached' });
    expect(await stored()).toMatchObject({
      ...each.changed,
      name: expect.stringMatching(/^renamed/) as unknown,
    });
  });
});

test('an authority that one changes, and whose address the other: what is left of it is shown', async () => {
  const name = unique('authority');
  const body = {
    name,
    directory: 'other',
    directory_url: 'https://acme.example.com/directory',
    terms_agreed: true,
  } as const;
  const { id } = await world.admin.get('createAcmeAccount', { body });
  const open = drawerOf('/dashboard/system/acme_account', name, 'Edit');
  const [theirs, mine] = await Promise.all([open(two[0].page), open(two[1].page)]);
  const stored = () => world.admin.get('getAcmeAccount', { params: { id } });
  await fill('ACME directory URL', 'https://other.example.com/directory')(mine);
  await choose(theirs, two[0].page, 'Certificate authority', 'Let’s Encrypt');
  await save(theirs);
  await expect.poll(stored).toMatchObject({ version: 2, directory: 'lets_encrypt' });
  await save(mine);
  await seen(mine.getByText('Changed by someone else'));
  await seen(mine.getByText(/Let’s Encrypt/));
  await seen(mine.getByRole('combobox', { name: 'Certificate authority' }).getByText('Let’s Encrypt'));
});
