import { screens } from '@breakwater/contract';
import {
  makeAdministrator,
  makeApiClient,
  makeCustomer,
  makeMember,
  startWorld,
  type World,
} from '@breakwater/test-world';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { closeBrowser, openProfile, seen, signIn } from './browser.ts';

/** Passkeys, with the authenticator that Chromium has for tests. */

let world: World;
beforeAll(async () => {
  world = await startWorld({ templateUrl: inject('templateUrl') });
});
afterAll(async () => {
  await closeBrowser();
  await world?.close();
});

/** Passkeys are for names: an address has none. */
const byName = (url: string) => url.replace('127.0.0.1', 'localhost');

async function addAuthenticator(page: Page): Promise<void> {
  const devtools = await page.context().newCDPSession(page);
  await devtools.send('WebAuthn.enable');
  await devtools.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
}

const dialog = (page: Page) => page.getByRole('dialog');
const path = `${screens.ownAccount.path}?tab=security`;
const passkeyButton = (page: Page) => page.getByRole('button', { name: 'Sign in with a passkey' });

test('a passkey signs in an administrator in place of the password, once for each challenge', async () => {
  const one = await makeAdministrator(world, ['area.read']);
  const url = byName(world.adminUrl);
  const { page, close, scriptErrors } = await openProfile(url);
  await page.goto('/');
  await addAuthenticator(page);
  await signIn(page, one.username, one.password);
  await page.waitForURL(/\/dashboard$/);
  await page.goto(path);
  await page.getByRole('button', { name: 'Add passkey' }).first().click();
  await dialog(page).getByLabel('Name').fill('laptop');
  await dialog(page).getByLabel('Your password').fill('wrong');
  // Without the code that asks the authenticator the form stays, and goes on once it comes.
  const library = /\/assets\/esm-[\w-]{8}\.js$/;
  await page.route(library, (route) => route.fulfill({ status: 404 }));
  await dialog(page).getByRole('button', { name: 'Continue' }).click();
  await seen(dialog(page).getByText('This part could not be loaded'));
  await page.unroute(library);
  expect(await dialog(page).getByLabel('Name').inputValue()).toBe('laptop');
  await dialog(page).getByRole('button', { name: 'Continue' }).click();
  await seen(dialog(page).getByText('Incorrect password'));
  await dialog(page).getByLabel('Your password').fill(one.password);
  await dialog(page).getByRole('button', { name: 'Continue' }).click();
  await seen(page.getByRole('row', { name: /laptop.*localhost/ }));

  await page.evaluate(() => localStorage.clear());
  await page.goto('/auth/jwt/sign-in');
  await page.evaluate(() => localStorage.setItem('appLanguage', 'en'));
  await page.reload();
  const asked = page.waitForRequest(/passkey_login$/);
  await passkeyButton(page).click();
  await page.waitForURL(/\/dashboard$/);
  // What was answered once is worth nothing again, and not for another origin either.
  const body = (await asked).postDataJSON() as never;
  const send = (origin: string) =>
    makeApiClient(() => url).send('POST', '/prod-api/auth/passkey_login', body, { origin });
  expect(await send(url)).toMatchObject({ status: 401, code: 40_104 });
  expect(await send('https://elsewhere.example.com')).toMatchObject({ status: 401, code: 40_104 });

  await page.goto(path);
  await page.getByRole('button', { name: 'Actions for laptop' }).click();
  await page.getByRole('menuitem', { name: 'Rename' }).click();
  await dialog(page).getByLabel('Name').fill('desk');
  await dialog(page).getByRole('button', { name: 'Save' }).click();
  await seen(page.getByRole('row', { name: /desk/ }));
  await page.getByRole('button', { name: 'Actions for desk' }).click();
  await page.getByRole('menuitem', { name: 'Delete' }).click();
  await dialog(page).getByRole('button', { name: 'Delete' }).click();
  await seen(page.getByText('Passkey deleted'));

  await page.evaluate(() => localStorage.removeItem('jwt_access_token'));
  await page.goto('/auth/jwt/sign-in');
  await passkeyButton(page).click();
  await seen(page.getByRole('alert').getByText('This passkey could not be verified'));
  expect(scriptErrors).toEqual([]);
  await close();
});

const customers = [
  ['a customer', () => makeCustomer(world)],
  ['a member', async () => makeMember(world, (await makeCustomer(world)).api, [])],
] as const;
test.each(customers)(
  'a passkey of %s signs them in, also from the administrators’ address',
  async (_, make) => {
    const customer = await make();
    const { page, close } = await openProfile(byName(world.adminUrl));
    await page.goto('/');
    await addAuthenticator(page);
    await signIn(page, customer.email, customer.password);
    await page.waitForURL(/\/dashboard$/);
    await page.goto(path);
    await page.getByRole('button', { name: 'Add passkey' }).first().click();
    await dialog(page).getByLabel('Name').fill('phone');
    await dialog(page).getByLabel('Your password').fill(customer.password);
    await dialog(page).getByRole('button', { name: 'Continue' }).click();
    await seen(page.getByRole('row', { name: /phone/ }));
    await page.evaluate(() => localStorage.removeItem('jwt_access_token'));
    await page.goto('/auth/jwt/sign-in');
    await passkeyButton(page).click();
    await page.waitForURL(/\/dashboard$/);
    expect(await page.evaluate(() => localStorage.getItem('isuser'))).toBe('true');
    await close();
  },
);
