import { exportSite, makeSite, startWorld, unique, type World } from '@breakwater/test-world';
import { Authority } from '@breakwater/test-world/authority';
import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, inject, test } from 'vitest';
import { closeBrowser, seen } from './browser.ts';
import { drawerOf } from './two-people.ts';
import { openSession, type ShellVisitor } from './shell.ts';

/** Taking back, for ten seconds, what was done: of what is not tried in `lists.test.ts` and `site-levels.test.ts`. */

let world: World;
let visitor: ShellVisitor;
let page: Page;

beforeAll(async () => {
  world = await startWorld({ templateUrl: inject('templateUrl') });
});
beforeEach(async () => {
  visitor = await openSession(world);
  page = visitor.page;
});
afterEach(() => visitor.close());
afterAll(async () => {
  await closeBrowser();
  await world?.close();
});

interface Done {
  /** Does it, and waits until it is stored. */
  act: () => Promise<unknown>;
  stored: () => Promise<object>;
  before: object;
  /** What somebody else does after it, and what is there then. */
  meanwhile: () => Promise<unknown>;
  after: object;
}

const undo = () => page.getByRole('button', { name: 'Undo', exact: true });

async function account(
  kind: 'AcmeAccount' | 'CaptchaAccount',
  path: string,
  body: { name: string },
  edit: [label: string, value: string],
  fields: (value: string) => object,
): Promise<Done> {
  // All calls of accounts are alike; what they take is of their kind.
  const call = (verb: string, args: object) =>
    world.admin.get(`${verb}${kind}` as 'getTag', args as never) as Promise<{ id: number; version: number }>;
  const { id } = await call('create', { body });
  const stored = () => call('get', { params: { id } });
  const renamed = { ...body, name: unique('meanwhile') };
  return {
    act: async () => {
      const drawer = await drawerOf(path, body.name, 'Edit')(page);
      await drawer.getByLabel(edit[0], { exact: true }).fill(edit[1]);
      await drawer.getByRole('button', { name: 'Save', exact: true }).click();
      await expect.poll(stored).toMatchObject(fields(edit[1]));
    },
    stored,
    before: body,
    meanwhile: async () => {
      const { version } = await stored();
      const value = kind === 'CaptchaAccount' ? { version, value: renamed } : { version, ...renamed };
      await call('update', { params: { id }, body: value });
    },
    after: renamed,
  };
}

async function site(change: (id: number) => Promise<Pick<Done, 'act'>>): Promise<Done> {
  const { id } = await makeSite(world.admin, { port: 8081 });
  const query = { site_id: id };
  const origin = () => world.admin.get('getOriginServerConfig', { query });
  const guard = () => world.admin.get('getCcGuardianRule', { params: { id } });
  const setOrigin = async (value: object) => {
    const { version, value: there } = await origin();
    await world.admin.get('updateOriginServerConfig', {
      query,
      body: { version, value: { ...there, ...value } },
    });
  };
  // Two versions, so that there is one to go back to.
  const { origins } = (await origin()).value;
  await setOrigin({ origins: [{ ...origins[0]!, http_port: 8082 }] });
  const stored = async () => ({
    port: (await origin()).value.origins[0]!.http_port,
    tries: (await origin()).value.tries,
    isAttacked: (await guard()).value.attack_until !== undefined,
  });
  const before = await stored();
  return {
    ...(await change(id)),
    stored,
    before,
    meanwhile: () => setOrigin({ tries: before.tries + 1 }),
    after: { tries: before.tries + 1 },
  };
}

const portOf = async (id: number) =>
  (await world.admin.get('getOriginServerConfig', { query: { site_id: id } })).value.origins[0]!.http_port;

const cases: { name: string; make: () => Promise<Done> }[] = [
  {
    name: 'an account at an authority',
    make: () =>
      account(
        'AcmeAccount',
        '/dashboard/system/acme_account',
        {
          name: unique('authority'),
          directory: 'other',
          directory_url: 'https://acme.example.com/directory',
          terms_agreed: true,
        } as { name: string },
        ['Contact email', 'changed@example.com'],
        (email) => ({ email }),
      ),
  },
  {
    name: 'an account at a vendor of challenges',
    make: () =>
      account(
        'CaptchaAccount',
        '/dashboard/site/captcha_account',
        {
          name: unique('captcha'),
          provider: 'turnstile',
          params: { site_key: 'before', secret_key: 'k' },
        } as { name: string },
        ['Site key', 'changed'],
        (site_key) => ({ params: { site_key } }),
      ),
  },
  {
    name: 'emergency protection',
    make: () =>
      site(async (id) => ({
        act: async () => {
          await page.goto(`/dashboard/site/sitedetail/${id}?tab=guard`);
          await page.getByRole('button', { name: 'Turn on emergency protection' }).click();
          await seen(page.getByRole('button', { name: 'End emergency protection' }));
        },
      })),
  },
  {
    name: 'a rollback',
    make: () =>
      site(async (id) => ({
        act: async () => {
          await page.goto(`/dashboard/site/sitedetail/${id}?tab=revisions`);
          await page.getByRole('button', { name: /Version 1/ }).click();
          const rollback = { name: 'Roll back to this version' };
          await page.getByRole('button', rollback).click();
          await page.getByRole('dialog').getByRole('button', rollback).click();
          await expect.poll(() => portOf(id)).toBe(8081);
        },
      })),
  },
  {
    name: 'an import',
    make: () =>
      site(async (id) => {
        const file = JSON.stringify(await exportSite(world.admin, id)).replace('8082', '8083');
        return {
          act: async () => {
            await page.goto(`/dashboard/site/sitedetail/${id}?tab=revisions`);
            await page.getByRole('button', { name: 'Import JSON' }).click();
            const drawer = page.getByRole('dialog');
            await drawer.getByRole('textbox', { name: 'Site file (JSON)' }).fill(file);
            await drawer.getByRole('button', { name: 'Show differences' }).click();
            await drawer.getByRole('button', { name: 'Apply changes' }).click();
            await expect.poll(() => portOf(id)).toBe(8083);
          },
        };
      }),
  },
];

describe.each(cases)('$name', ({ make }) => {
  test('is taken back', async () => {
    const { act, stored, before } = await make();
    const there = await stored();
    await act();
    await undo().click();
    await expect.poll(stored).toMatchObject(withoutSecrets(before, there));
    expect(visitor.scriptErrors).toEqual([]);
  });

  test('is not taken back over what somebody else did since', async () => {
    const { act, stored, meanwhile, after } = await make();
    await act();
    // The message stays while the pointer is on it.
    await undo().hover();
    await meanwhile();
    const there = await stored();
    await undo().click();
    await seen(page.getByText('Undo failed'));
    await seen(page.getByText('Someone else saved a newer version'));
    expect(await stored()).toMatchObject(withoutSecrets(after, there));
    expect(await stored()).toEqual(there);
    expect(visitor.scriptErrors).toEqual([]);
  });
});

/** Of what was sent, what is answered as well. */
function withoutSecrets(sent: object, answered: object): object {
  const known = answered as Record<string, unknown>;
  return Object.fromEntries(
    Object.entries(sent).flatMap(([name, value]) => {
      if (!(name in known)) return [];
      const isPart = typeof value === 'object' && value !== null;
      return [[name, isPart ? withoutSecrets(value as object, known[name] as object) : (value as unknown)]];
    }),
  );
}

test('tags of many sites: those that they were put on lose them, and those that they were taken from have them again', async () => {
  const { id: put } = await world.admin.get('createTag', { body: { name: unique('put') } });
  const { id: off } = await world.admin.get('createTag', { body: { name: unique('off') } });
  const word = unique('tagged');
  const ids: number[] = [];
  for (const part of ['a', 'b', 'c'])
    ids.push((await makeSite(world.admin, { domain: `${part}.${word}.example.com` })).id);
  await world.admin.get('tagSites', { body: { sites: { site_ids: [ids[0]!] }, add: [put] } });
  await world.admin.get('tagSites', { body: { sites: { site_ids: ids.slice(1) }, add: [off] } });
  const withTag = async (tag: number) =>
    (await world.admin.get('listSites', { query: { tags_id: tag, sort_order: 'asc' } })).list.map(
      (each) => each.id,
    );
  const stored = async () => [await withTag(put), await withTag(off)];
  const before = await stored();
  await page.goto(`/dashboard/site/list?domain_name=${word}`);
  await page.getByRole('row').first().getByRole('checkbox').check();
  await page.getByRole('toolbar').getByRole('button', { name: 'Tags' }).click();
  const form = page.getByRole('dialog', { name: 'Tag sites' });
  for (const [label, name] of [
    ['Add tags', /^put/],
    ['Remove tags', /^off/],
  ] as const) {
    await form.getByLabel(label).click();
    await page.getByRole('option', { name }).click();
    await page.keyboard.press('Escape');
  }
  await form.getByRole('button', { name: 'Apply' }).click();
  await expect.poll(stored).toEqual([ids, []]);
  await undo().click();
  await seen(page.getByText('Undone'));
  expect(await stored()).toEqual(before);
  expect(visitor.scriptErrors).toEqual([]);
});

describe('a move of certificates to a group', () => {
  const groupOf = async (name: string) =>
    (await world.admin.get('listCertificates', { query: { name } })).list.map((each) => each.group_name);

  let authority: Authority;
  beforeAll(async () => {
    authority = await Authority.make('Authority of groups');
  });
  afterAll(() => authority?.close());

  async function moved(): Promise<[name: string, ids: number[]]> {
    const name = unique('grouped');
    const ids: number[] = [];
    for (const group_name of ['one', 'two']) {
      const { certificate, key } = await authority.issue([`${unique('grouped')}.example.com`]);
      const body = { name: `${name} ${group_name}`, certificate, private_key: key, group_name };
      ids.push((await world.admin.get('createCertificate', { body })).id);
    }
    await page.goto(`/dashboard/site/certificate?name=${name}`);
    await page.getByRole('row').first().getByRole('checkbox').check();
    await page.getByRole('toolbar').getByRole('button', { name: 'Move to group' }).click();
    const drawer = page.getByRole('dialog', { name: 'Move 2 certificates to a group' });
    await drawer.getByRole('combobox', { name: 'Group' }).fill('Archive');
    await drawer.getByRole('button', { name: 'Save' }).click();
    await expect.poll(() => groupOf(name)).toEqual(['Archive', 'Archive']);
    return [name, ids];
  }

  test('is taken back to where each of them was', async () => {
    const [name] = await moved();
    await undo().click();
    await seen(page.getByText('Undone'));
    expect((await groupOf(name)).toSorted()).toEqual(['one', 'two']);
    expect(visitor.scriptErrors).toEqual([]);
  });

  test('is not taken back over a later move', async () => {
    const [name, ids] = await moved();
    await undo().hover();
    await world.admin.get('groupCertificates', {
      body: { certificates: { certificate_ids: ids }, group_name: 'elsewhere' },
    });
    await undo().click();
    await seen(page.getByText('Undo failed'));
    expect(await groupOf(name)).toEqual(['elsewhere', 'elsewhere']);
    expect(visitor.scriptErrors).toEqual([]);
  });
});

test.each([
  ['AcmeAccount', '/dashboard/system/acme_account', { directory: 'lets_encrypt', terms_agreed: true }],
  [
    'CaptchaAccount',
    '/dashboard/site/captcha_account',
    { provider: 'turnstile', params: { site_key: 's', secret_key: 'k' } },
  ],
])(
  '%s: a deletion cannot be taken back, for its secrets are gone: it is asked about',
  async (kind, path, body) => {
    const name = unique('account');
    const { id } = await world.admin.get(`create${kind}` as 'createArea', { body: { name, ...body } });
    const stored = () => world.admin.call(`get${kind}` as 'getArea', { params: { id } });
    const remove = await drawerOf(path, name, 'Delete')(page);
    await seen(remove.getByText(new RegExp(name)));
    await remove.getByRole('button', { name: 'Cancel' }).click();
    expect(await stored()).toMatchObject({ status: 200 });
    await drawerOf(path, name, 'Delete')(page);
    await remove.getByRole('button', { name: 'Delete' }).click();
    await remove.waitFor({ state: 'detached' });
    expect(await undo().count()).toBe(0);
    expect(await stored()).toMatchObject({ status: 404 });
  },
);
