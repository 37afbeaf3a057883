import { screens } from '@breakwater/contract';
import {
  makeAdministrator,
  makeApiClient,
  makeCustomer,
  startWorld,
  waitFor,
  type World,
} from '@breakwater/test-world';
import { Secret, TOTP } from 'otpauth';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { closeBrowser, openConsole, seen, signIn } from './browser.ts';
import { openShell } from './shell.ts';

/** One's own account: profile, password, two-factor, sessions and API tokens, for administrators and customers. */

let world: World;
beforeAll(async () => {
  world = await startWorld({ templateUrl: inject('templateUrl') });
});
afterAll(async () => {
  await closeBrowser();
  await world?.close();
});

const path = screens.ownAccount.path;
const dialog = (page: Page) => page.getByRole('dialog');
const codeOf = (secret: string) => new TOTP({ secret: Secret.fromBase32(secret) }).generate();

test('the way there is the account menu, for customers too; a sign-out ends the session on the server', async () => {
  const customer = await makeCustomer(world);
  const { page, close, scriptErrors } = await openShell(world, { customer });
  await page.getByRole('button', { name: /^Account: / }).click();
  await dialog(page).getByRole('link', { name: 'My account' }).click();
  await page.waitForURL(new RegExp(`${path}$`));
  await page.getByLabel('Name').fill('Ann');
  await page.getByRole('button', { name: 'Save' }).first().click();
  await seen(page.getByText('Profile saved'));
  expect(await customer.api.get('currentAccount', {})).toMatchObject({ name: 'Ann' });

  const token = await page.evaluate(() => localStorage.getItem('jwt_access_token')!);
  await page.getByRole('button', { name: /^Account: / }).click();
  await dialog(page).getByRole('button', { name: 'Sign out' }).click();
  await page.waitForURL(/sign-in/);
  const api = makeApiClient(() => world.userUrl, token);
  await waitFor('the end of the session', async () => (await api.call('currentAccount', {})).code === 406);
  expect(scriptErrors).toEqual([]);
  await close();
});

test('two-factor authentication is set up by a QR code, and asked for from then on', async () => {
  const one = await makeAdministrator(world, ['area.read']);
  const { page, close, scriptErrors } = await openShell(world, {
    administrator: one,
    path: `${path}?tab=security`,
  });
  await page.getByRole('button', { name: 'Turn on two-factor authentication' }).click();
  await dialog(page).getByLabel('Your password').fill('wrong');
  await dialog(page).getByRole('button', { name: 'Continue' }).click();
  await seen(dialog(page).getByText('Incorrect password'));
  await dialog(page).getByLabel('Your password').fill(one.password);
  await dialog(page).getByRole('button', { name: 'Continue' }).click();
  await seen(dialog(page).getByRole('img', { name: /QR code/ }));
  const secret = (await dialog(page).locator('code').textContent())!;
  await dialog(page).getByLabel('Verification code').fill(codeOf(secret));
  await dialog(page).getByRole('button', { name: 'Turn on' }).click();
  const codes = (await dialog(page).locator('pre').textContent())!.trim().split('\n');
  expect(codes).toHaveLength(10);
  await dialog(page).getByRole('button', { name: 'I have saved them' }).click();
  await seen(page.getByText('10 recovery codes left'));

  const other = await openConsole(world.adminUrl);
  await signIn(other.page, one.username, one.password);
  await seen(other.page.getByRole('heading', { name: 'Two-factor authentication' }));
  const code = other.page.getByLabel('One-time code or recovery code');
  await code.fill('000000');
  await other.page.getByRole('button', { name: 'Verify and sign in' }).click();
  await seen(other.page.getByText('This code is incorrect or has expired'));
  await code.fill(codes[0]!);
  await other.page.getByRole('button', { name: 'Verify and sign in' }).click();
  await other.page.waitForURL(/\/dashboard$/);

  await page.goto(`${path}?tab=sessions`);
  await page.getByRole('button', { name: 'End all other sessions' }).click();
  await dialog(page).getByRole('button', { name: 'End session' }).click();
  await seen(page.getByText('Session ended'));
  expect((await one.api.call('currentAccount', {})).code).toBe(406);
  await other.close();

  await page.goto(`${path}?tab=security`);
  await seen(page.getByText('9 recovery codes left'));
  await page.getByRole('button', { name: 'Turn off two-factor authentication' }).click();
  await dialog(page).getByLabel('Your password').fill(one.password);
  await dialog(page).getByLabel('Verification code').fill(codes[1]!);
  await dialog(page).getByRole('button', { name: 'Turn off two-factor authentication' }).click();
  await seen(page.getByText('Two-factor authentication turned off'));
  expect(scriptErrors).toEqual([]);
  await close();
});

test('an API token is made of what one holds, shown once, used and deleted', async () => {
  const one = await makeAdministrator(world, [
    'area.read',
    'area.write',
    'admin_user.read',
    'admin_user.write',
  ]);
  const { page, close, scriptErrors } = await openShell(world, {
    administrator: one,
    path: `${path}?tab=tokens`,
  });
  await page.getByRole('button', { name: 'Create token' }).first().click();
  await dialog(page).getByLabel('Name').fill('deploy script');
  // What leads to other accounts is not offered.
  const subject = (name: string) => dialog(page).getByRole('group', { name, exact: true });
  expect(
    await subject('Administrators').getByRole('checkbox', { name: 'Add, edit and delete' }).count(),
  ).toBe(0);
  await subject('Areas').getByRole('checkbox', { name: 'View' }).check();
  await dialog(page).getByLabel('Your password').fill(one.password);
  await dialog(page).getByRole('button', { name: 'Create', exact: true }).click();
  const token = (await dialog(page).locator('pre').first().textContent())!.trim();
  const api = makeApiClient(() => world.adminUrl, token);
  await api.get('listAreas', { query: {} });
  expect(await api.call('listNodes', { query: {} })).toMatchObject({ status: 403 });
  // It cannot be shown again: neither a key nor a reload takes it away unasked.
  await page.keyboard.press('Escape');
  const asked = page.waitForEvent('dialog');
  void page.reload().catch(() => undefined);
  await (await asked).dismiss();
  await seen(dialog(page).getByText(token, { exact: true }));
  await dialog(page).getByRole('button', { name: 'I have saved it' }).click();

  await seen(page.getByRole('row', { name: /deploy script/ }).getByText('1 permission'));
  await page.getByRole('button', { name: 'Actions for deploy script' }).click();
  await page.getByRole('menuitem', { name: 'Delete' }).click();
  await dialog(page).getByRole('button', { name: 'Delete' }).click();
  await seen(page.getByText('Token deleted'));
  expect(await api.call('listAreas', { query: {} })).toMatchObject({ code: 40_103 });
  expect(scriptErrors).toEqual([]);
  await close();
});

test('an administrator’s lost two-factor is reset in the list of administrators, one’s own is not', async () => {
  const one = await makeAdministrator(world, ['area.read']);
  const { secret } = await one.api.get('startTwoFactor', { body: { password: one.password } });
  await one.api.get('confirmTwoFactor', { body: { one_time_code: codeOf(secret) } });
  const { page, close } = await openShell(world, { path: screens.adminUsers.path });
  await seen(page.getByRole('row', { name: new RegExp(one.username) }).getByText('On', { exact: true }));
  await page.getByRole('button', { name: `Actions for ${one.username}` }).click();
  await page.getByRole('menuitem', { name: 'Reset two-factor authentication' }).click();
  await dialog(page).getByRole('button', { name: 'Reset two-factor authentication' }).click();
  await seen(page.getByText('Two-factor authentication reset'));
  await page.getByRole('button', { name: 'Actions for admin', exact: true }).click();
  const own = page.getByRole('menuitem', { name: 'Reset two-factor authentication' });
  expect(await own.getAttribute('aria-disabled')).toBe('true');
  await close();
});
