import {
  makeCustomer,
  makeSite,
  startWorld,
  unique,
  waitFor,
  type Customer,
  type World,
} from '@breakwater/test-world';
import { randomBytes } from 'node:crypto';
import type { Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { falseAlarm, siteViolation } from '../apps/server/src/db/schema.ts';
import { makeMmdb } from '../apps/server/src/modules/ip-data/test-mmdb.ts';
import { closeBrowser, seen } from './browser.ts';
import { drawerOf, openTwo, type Two } from './two-people.ts';

/** Two people who decide about the same at once: who comes second reads what the first decided before theirs replaces it. */

let world: World;
let two: Two;
let customer: Customer;

beforeAll(async () => {
  world = await startWorld({ templateUrl: inject('templateUrl'), worker: true });
  [two, customer] = await Promise.all([openTwo(world), makeCustomer(world)]);
});
afterAll(async () => {
  await closeBrowser();
  await world?.close();
});

interface Shared<Now extends object> {
  open: (page: Page) => Promise<Locator>;
  /** What the first one does, and what the second one meant to. */
  first: (dialog: Locator, page: Page) => Promise<unknown>;
  second: (dialog: Locator, page: Page) => Promise<unknown>;
  send: (dialog: Locator) => Promise<unknown>;
  /** What the second one is told. */
  told: (now: Now) => readonly string[];
  stored: () => Promise<Now>;
  /** After the first, and in the end. */
  theirs: object;
  mine: object;
}

const secondNote = 'This is what I say';

async function decideBoth<Now extends object>(shared: Shared<Now>) {
  const { open, first, second, send, told, stored, theirs, mine } = shared;
  const [one, other] = two;
  const [firsts, seconds] = await Promise.all([open(one.page), open(other.page)]);
  await second(seconds, other.page);
  await first(firsts, one.page);
  await firsts.waitFor({ state: 'detached' });
  await expect.poll(stored).toMatchObject(theirs);

  await send(seconds);
  await seen(seconds.getByText('Changed by someone else'));
  for (const text of told(await stored())) await seen(seconds.getByText(text).first());
  // Nothing was decided, and nothing that was typed is gone.
  expect(await stored()).toMatchObject(theirs);
  expect(await seconds.getByLabel(/^(Note|Reason|Answer)$/).inputValue()).toBe(secondNote);

  await send(seconds);
  await seconds.waitFor({ state: 'detached' });
  await expect.poll(stored).toMatchObject(mine);
  expect([...one.scriptErrors, ...other.scriptErrors]).toEqual([]);
}

const button = (name: string) => (dialog: Locator) =>
  dialog.getByRole('button', { name, exact: true }).click();
const typeName = async (dialog: Locator, name: string) =>
  dialog.getByRole('textbox', { name: `Type ${name} to confirm` }).fill(name);

test('a violation: who decides second reads the decision, the note and the name of the first', async () => {
  const site = await makeSite(customer.api);
  const [row] = await world.server.services.db
    .insert(siteViolation)
    .values({
      siteId: site.id,
      host: site.domain,
      requestUri: '/bad.html',
      word: 'free casino',
      excerpt: 'all about the free casino here',
      action: 'recorded',
    })
    .returning({ id: siteViolation.id });
  const choose = async (dialog: Locator, page: Page, decision: string) => {
    await dialog.getByRole('combobox', { name: 'Decision' }).click();
    await page.getByRole('option', { name: decision }).click();
  };
  await decideBoth({
    open: drawerOf('/dashboard/statistics/http_filter', `${site.domain}/bad.html`, 'Decide'),
    first: async (dialog, page) => {
      await choose(dialog, page, 'Confirm, take the page offline');
      await dialog.getByLabel('Note').fill('Remove this page');
      await typeName(dialog, site.domain);
      await button('Take page offline')(dialog);
    },
    second: async (dialog, page) => {
      await choose(dialog, page, 'Dismiss, not a violation');
      await dialog.getByLabel('Note').fill(secondNote);
    },
    send: button('Dismiss violation'),
    told: ({ decided_by: by }) => ['Remove this page', 'Offline', by],
    stored: async () =>
      (await world.admin.get('listSiteViolations', { query: { ids: String(row!.id) } })).list[0]!,
    theirs: { state: 'confirmed', action: 'blocked', note: 'Remove this page' },
    mine: { state: 'dismissed', action: 'recorded', note: secondNote },
  });
});

test('a blacklisted domain: who suspends its site second reads that it was ignored, or suspended, before', async () => {
  const name = unique('listed');
  const domain = `www.${name}.example`;
  const site = await makeSite(customer.api, { domain });
  await world.admin.get('createDomainNameBlacklistEntry', {
    body: { name: `*${name}*`, kind: 'pattern', reason: 'gambling' },
  });
  const query = { site_id: site.id };
  const stored = async () => (await world.admin.get('listBlacklistHits', { query })).list[0]!;
  await waitFor('the scan', async () => (await stored()) !== undefined);
  const suspend = async (dialog: Locator, note: string) => {
    await dialog.getByLabel('Note').fill(note);
    await typeName(dialog, domain);
  };
  await decideBoth({
    open: drawerOf('/dashboard/system/domain_name_blacklist/hits', domain, 'Suspend site'),
    first: async (dialog) => {
      await suspend(dialog, 'Not allowed here');
      await button('Suspend site')(dialog);
    },
    second: (dialog) => suspend(dialog, secondNote),
    send: button('Suspend site'),
    told: ({ decided_by: by }) => ['Not allowed here', 'Site suspended', by],
    stored,
    theirs: { state: 'suspended', note: 'Not allowed here' },
    mine: { state: 'suspended', note: secondNote },
  });
  // The customer reads both, where the site says why it is suspended.
  expect(await world.admin.get('getSite', { params: { id: site.id } })).toMatchObject({
    status_note: `Not allowed here\n${secondNote}`,
  });
});

test('a filing number: who rejects it second reads that it was confirmed, and whose it is', async () => {
  const name = `${unique('filed')}.com`;
  const { id } = await customer.api.get('createFiling', { body: { name, number: '京ICP备12345678号-1' } });
  const reject = drawerOf('/dashboard/site/filing', name, 'Reject number');
  const confirm = drawerOf('/dashboard/site/filing', name, 'Confirm number');
  await decideBoth({
    open: (page) => (page === two[0].page ? confirm : reject)(page),
    first: async (dialog) => {
      await dialog.getByLabel('Holder').fill('Example Ltd');
      await dialog.getByLabel('Note').fill('Seen in the register');
      await button('Confirm number')(dialog);
    },
    second: (dialog) => dialog.getByLabel('Note').fill(secondNote),
    send: button('Reject number'),
    told: ({ decided_by: by }) => ['Example Ltd', 'Seen in the register', `Confirmed · ${by}`],
    stored: () => world.admin.get('getFiling', { params: { id } }),
    theirs: { state: 'confirmed', holder: 'Example Ltd', note: 'Seen in the register' },
    mine: { state: 'rejected', note: secondNote },
  });
});

test('a false alarm: who handles it second reads what the first did, and answered', async () => {
  const { id: siteId } = await makeSite(customer.api);
  const requestUri = `/${unique('search')}`;
  const [row] = await world.server.services.db
    .insert(falseAlarm)
    .values({
      clientId: customer.id,
      siteId,
      requestId: randomBytes(16).toString('hex'),
      reportedBy: 'customer',
      line: {
        time: new Date().toISOString(),
        host: 'www.example.com',
        method: 'GET',
        request_uri: requestUri,
        remote_addr: '192.0.2.1',
        user_agent: '',
        status: 403,
        decision: 'used_system_rule sql',
        waf: '',
        waf_part: '',
      },
    })
    .returning({ id: falseAlarm.id });
  await decideBoth({
    open: drawerOf('/dashboard/statistics/false_alarm', `GET ${requestUri}`, 'Handle'),
    first: async (dialog) => {
      await dialog.getByLabel('Answer').fill('Let through from now on');
      await button('Handle')(dialog);
    },
    second: (dialog) => dialog.getByLabel('Answer').fill(secondNote),
    send: button('Handle'),
    told: ({ handled_by: by }) => ['Let through from now on', `Exception added · ${by}`],
    stored: async () =>
      (await world.admin.get('listFalseAlarms', { query: { ids: String(row!.id) } })).list[0]!,
    theirs: { outcome: 'exception', answer: 'Let through from now on' },
    mine: { outcome: 'exception', answer: secondNote },
  });
});

test('a site: who suspends it second reads that it was suspended, and why', async () => {
  const { id, domain } = await makeSite(customer.api);
  await decideBoth({
    open: drawerOf('/dashboard/site/list', domain, 'Suspend'),
    first: async (dialog) => {
      await dialog.getByLabel('Reason').fill('Phishing reported');
      await button('Suspend')(dialog);
    },
    second: (dialog) => dialog.getByLabel('Reason').fill(secondNote),
    send: button('Suspend'),
    told: () => ['Phishing reported', 'Suspended'],
    stored: () => world.admin.get('getSite', { params: { id } }),
    theirs: { status: 'suspended', status_note: 'Phishing reported' },
    mine: { status: 'suspended', status_note: secondNote },
  });
});

test('data of places: who puts a file in service second reads which one was put there, and gives it up seen', async () => {
  const pages = [two[0].page, two[1].page] as const;
  const cardOf = (page: Page) =>
    page.locator('.MuiCard-root', {
      has: page.getByRole('heading', { name: 'Countries and regions', exact: true }),
    });
  const open = async (page: Page) => {
    await page.goto('/dashboard/system/ip_data');
    await cardOf(page).getByRole('button', { name: 'Replace' }).click();
    return page.getByRole('dialog');
  };
  const fill = async (form: Locator, name: string) => {
    const buffer = makeMmdb({ '192.0.2.0/24': { country: { iso_code: 'JP' } } });
    const file = { name: `${name}.mmdb`, mimeType: 'application/octet-stream', buffer };
    await form.locator('input[type=file]').setInputFiles(file);
    await form.getByLabel('Attribution and license').fill(`Data of ${name}`);
  };
  const [firsts, seconds] = await Promise.all([open(pages[0]), open(pages[1])]);
  await fill(seconds, 'second');
  await fill(firsts, 'first');
  await button('Enable')(firsts);
  await firsts.waitFor({ state: 'detached' });
  await button('Enable')(seconds);
  await seen(seconds.getByText('Changed by someone else'));
  await seen(seconds.getByText('Data of first'));
  expect(await seconds.getByLabel('Attribution and license').inputValue()).toBe('Data of second');
  await button('Enable')(seconds);
  await seconds.waitFor({ state: 'detached' });

  // The first page still shows the first file, which is not what would be given up.
  await button('Restore built-in data')(cardOf(pages[0]));
  const asked = pages[0].getByRole('dialog');
  await button('Restore built-in data')(asked);
  await seen(asked.getByText('Data of second'));
  await button('Restore built-in data')(asked);
  await asked.waitFor({ state: 'detached' });
  await seen(cardOf(pages[0]).getByText('IPtoASN (https://iptoasn.com), PDDL 1.0'));
});
