import { screens } from '@breakwater/contract';
import {
  makeCustomer,
  makeMember,
  makeSite,
  startWorld,
  type Customer,
  type World,
} from '@breakwater/test-world';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { closeBrowser, openConsole, seen, signIn, type Visitor } from './browser.ts';
import { openShell } from './shell.ts';

/** People of a customer's account: who adds them, and what they see. */

let world: World;
let customer: Customer;
let mine: { id: number; domain: string };
let other: { id: number; domain: string };
let page: Page;
const path = screens.members.path;
const password = 'a long password';

beforeAll(async () => {
  world = await startWorld({ templateUrl: inject('templateUrl') });
  customer = await makeCustomer(world);
  [mine, other] = [await makeSite(customer.api), await makeSite(customer.api)];
  ({ page } = await openShell(world, { customer }));
});
afterAll(async () => {
  await closeBrowser();
  await world?.close();
});

const drawer = () => page.getByRole('dialog');
const subject = (name: string) => drawer().getByRole('group', { name, exact: true });
async function chooseAction(row: string, action: string) {
  await page.getByRole('button', { name: `Actions for ${row}`, exact: true }).click();
  await page.getByRole('menuitem', { name: action }).click();
}
/** Calls of a visitor that were refused: a screen asks for nothing that its reader may not have. */
function noteRefusals({ page: visited }: Visitor): string[] {
  const refused: string[] = [];
  visited.on('response', (answer) => {
    if (answer.status() === 403) refused.push(answer.url());
  });
  return refused;
}

test('the owner adds a member for one site, who sees just that site and the menu that follows', async () => {
  await page.getByRole('navigation').first().getByRole('link', { name: 'Members', exact: true }).click();
  await page.getByRole('button', { name: 'Add member' }).first().click();
  await drawer().getByLabel('Full name', { exact: true }).fill('Nora');
  await drawer().getByLabel('Email', { exact: true }).fill(customer.email);
  await drawer().getByLabel('Password', { exact: true }).fill(password);
  await drawer().getByRole('combobox', { name: 'Sites' }).fill(mine.domain);
  await page.getByRole('option', { name: mine.domain }).click();
  await page.keyboard.press('Escape');
  for (const name of ['Sites', 'Certificates', 'Statistics', 'Address lists'])
    await subject(name).getByRole('checkbox', { name, exact: true }).check();
  await drawer().getByRole('button', { name: 'Save' }).click();
  await seen(drawer().getByText('This email is taken'));
  await drawer().getByLabel('Email', { exact: true }).fill('nora@example.com');
  await drawer().getByRole('button', { name: 'Save' }).click();
  await seen(page.getByText('Member saved'));
  await seen(page.getByRole('row', { name: /Nora.*1 site/ }));

  const nora = await openConsole(world.userUrl);
  const refused = noteRefusals(nora);
  await signIn(nora.page, 'nora@example.com', password);
  const menu = nora.page.getByRole('navigation', { name: 'Main navigation' });
  await menu.getByRole('link', { name: 'Sites', exact: true }).click();
  await seen(nora.page.getByRole('link', { name: mine.domain }));
  expect(await nora.page.getByText(other.domain).count()).toBe(0);
  await seen(menu.getByRole('link', { name: 'Analysis' }).or(menu.getByText('Statistics')).first());
  expect(
    await menu.getByRole('link', { name: /^(Certificates|Batch operations|Members|Orders)$/ }).count(),
  ).toBe(0);
  await nora.page.goto(`/dashboard/site/sitedetail/${mine.id}`);
  await seen(nora.page.getByRole('tab').first());
  const tabs = await nora.page.getByRole('tab').allTextContents();
  expect(tabs.length).toBeGreaterThan(5);
  for (const name of tabs) {
    await nora.page.getByRole('tab', { name, exact: true }).click();
    await seen(nora.page.getByRole('tabpanel'));
    await nora.page.waitForLoadState('networkidle');
  }
  await nora.page.goto(screens.siteCreate.path);
  await seen(nora.page.getByRole('heading', { name: 'Page not found' }));
  expect(refused).toEqual([]);
  expect(nora.scriptErrors).toEqual([]);
  await nora.close();
});

test('who manages members gives no more than they hold, and changes nobody who holds more', async () => {
  const account = await makeMember(world, customer.api, ['member.read', 'member.write', 'site.read']);
  const manager = await openShell(world, { path, customer: account });
  await seen(manager.page.getByText('nora@example.com'));
  await manager.page.getByRole('button', { name: 'Actions for Nora', exact: true }).click();
  const edit = manager.page.getByRole('menuitem', { name: 'Edit' });
  expect(await edit.getAttribute('aria-disabled')).toBe('true');
  await manager.page.keyboard.press('Escape');
  await manager.page.getByRole('button', { name: 'Add member' }).first().click();
  const sites = manager.page.getByRole('dialog').getByRole('group', { name: 'Sites', exact: true });
  expect(await sites.getByRole('checkbox', { name: 'View' }).isEnabled()).toBe(true);
  expect(await sites.getByRole('checkbox', { name: 'Delete' }).isEnabled()).toBe(false);
  await manager.close();
});

test('a member is changed and deleted, and an operator finds them with the customer', async () => {
  await page.goto(path);
  await chooseAction('Nora', 'Edit');
  await seen(drawer().getByText(mine.domain));
  await drawer().getByRole('switch', { name: 'Enabled' }).uncheck();
  await drawer().getByRole('button', { name: 'Save' }).click();
  await seen(page.getByRole('row', { name: /Nora.*Disabled/ }));

  const operator = await openShell(world, {
    path: `/dashboard/client/clientdetail/${customer.id}?tab=members`,
  });
  await seen(operator.page.getByRole('row', { name: /Nora.*Disabled/ }));
  await operator.page.getByRole('button', { name: 'Actions for Nora', exact: true }).click();
  await operator.page.getByRole('menuitem', { name: 'Reset password' }).click();
  await operator.page.getByRole('dialog').getByLabel('New password').fill('another password');
  await operator.page.getByRole('dialog').getByRole('button', { name: 'Save' }).click();
  await seen(operator.page.getByText('Password reset'));
  await operator.close();

  await chooseAction('Nora', 'Delete');
  await drawer().getByRole('textbox').fill('Nora');
  await drawer().getByRole('button', { name: 'Delete' }).click();
  await seen(page.getByText('Member deleted'));
  const { list } = await customer.api.get('listMembers', { query: { name: 'Nora' } });
  expect(list).toEqual([]);
});
