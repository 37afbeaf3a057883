import {
  makeCustomer,
  makeSite,
  startWorld,
  unique,
  type Customer,
  type World,
} from '@breakwater/test-world';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { closeBrowser, seen } from './browser.ts';
import { openShell } from './shell.ts';

/** A domain that overlaps with another customer's: what its customer reads, and how an operator decides. */

let world: World;
let owner: Customer;
let other: Customer;
beforeAll(async () => {
  world = await startWorld({ templateUrl: inject('templateUrl') });
  [owner, other] = await Promise.all([makeCustomer(world), makeCustomer(world)]);
});
afterAll(async () => {
  await closeBrowser();
  await world?.close();
});

/** A site that names a domain below one of another customer. */
async function contestedSite() {
  const name = `${unique('name')}.example.com`;
  const domain = `shop.${name}`;
  await makeSite(world.admin, { domain: `*.${name}`, orderId: owner.orderId });
  const { id } = await makeSite(other.api, { domain });
  return { id, domain, wildcard: `*.${name}`, path: `/dashboard/site/sitedetail/${id}` };
}
const row = (page: Page, domain: string) => page.getByRole('row', { name: new RegExp(domain) }).first();

test('its customer is told what to do, and not whose the other name is', async () => {
  const { path, domain, wildcard } = await contestedSite();
  const { page, close, scriptErrors } = await openShell(world, { customer: other, path });
  const record = page.getByRole('region', { name: 'Add this DNS record' });
  await seen(record.getByText(/overlaps with a domain of another customer/));
  await seen(record.getByText(`_breakwater.${domain.slice(0, -'.example.com'.length)}`));
  await row(page, domain)
    .getByRole('button', { name: `Expand ${domain}` })
    .click();
  await seen(page.getByRole('group', { name: `Details: ${domain}` }).getByText('has not been checked yet'));
  expect(await page.getByText(wildcard).count()).toBe(0);
  expect(
    await row(page, domain)
      .getByRole('button', { name: /^Actions/ })
      .count(),
  ).toBe(0);
  expect(scriptErrors).toEqual([]);
  await close();
});

test('an operator reads whose it is, and assigns it by typing its name', async () => {
  const { id, path, domain, wildcard } = await contestedSite();
  const { page, close, scriptErrors } = await openShell(world, { path });
  await row(page, domain)
    .getByRole('button', { name: `Expand ${domain}` })
    .click();
  await seen(page.getByRole('link', { name: new RegExp(`^\\${wildcard} `) }));
  await row(page, domain)
    .getByRole('button', { name: /^Actions/ })
    .click();
  await page.getByRole('menuitem', { name: 'Assign to this site' }).click();
  const dialog = page.getByRole('dialog');
  const assign = dialog.getByRole('button', { name: 'Assign to this site' });
  await expect.poll(() => assign.isDisabled()).toBe(true);
  await dialog.getByRole('textbox').fill(domain);
  await assign.click();
  await seen(row(page, domain).getByText('Verified'));
  const { domains } = await world.admin.get('getSiteDnsCheck', { params: { id } });
  expect(domains).toMatchObject([{ domain, proof: 'given', contested: false }]);
  expect(scriptErrors).toEqual([]);
  await close();
});
