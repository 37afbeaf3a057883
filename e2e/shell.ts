import type { World } from '@breakwater/test-world';
import type { Language } from '@breakwater/contract';
import type { Page } from 'playwright-core';
import { before, openProfile, type Visitor } from './browser.ts';

export interface ShellOptions {
  language?: Language;
  width?: number;
  /** What lies under `app-settings`. */
  settings?: Record<string, unknown>;
  /** Where to go once signed in. */
  path?: string;
  /** Signed in as this customer, or this administrator, instead of the first administrator. */
  customer?: { email: string; password: string };
  administrator?: { username: string; password: string };
}

export interface ShellVisitor extends Visitor {
  /** Errors and warnings that the browser's console shows. */
  complaints: string[];
}

/** A window with a session in its storage, as after a sign-in, that shows nothing yet. */
export async function openSession(world: World, options: ShellOptions = {}): Promise<ShellVisitor> {
  const { language = 'en', width = 1440, settings, customer } = options;
  const { username, password } = options.administrator ?? {
    username: 'admin',
    password: world.adminPassword,
  };
  const url = customer ? world.userUrl : world.adminUrl;
  const visitor = await openProfile(url, language, { width, height: 900 });
  const complaints: string[] = [];
  visitor.page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type()))
      complaints.push(`${visitor.page.url()}: ${message.text()}`);
  });
  const session = customer
    ? await world.anonymousUser.get('signInClient', {
        body: { email: customer.email, password: customer.password },
      })
    : await world.anonymous.get('signInAdmin', { body: { username, password } });
  const stored = {
    jwt_access_token: session.token,
    expires_in: JSON.stringify({ loginTime: Date.now(), expires_in: session.jwt_buffer_time }),
    [customer ? 'isuser' : 'isAdmin']: 'true',
    user_id: String(session.user_id),
    LoginInfo: JSON.stringify({ username: session.username }),
    ...(settings ? { 'app-settings': JSON.stringify(settings) } : {}),
  };
  // Once: what a test changes in the storage stays changed. A window keeps its name from page to page.
  await before(
    visitor,
    (pairs) => {
      if (window.name === pairs.jwt_access_token) return;
      window.name = pairs.jwt_access_token;
      for (const [key, value] of Object.entries(pairs)) localStorage.setItem(key, value);
    },
    stored,
  );
  return { ...visitor, complaints };
}

/** Opens a screen of the console, signed in. */
export async function openShell(world: World, options: ShellOptions = {}): Promise<ShellVisitor> {
  const visitor = await openSession(world, options);
  await visitor.page.goto(options.path ?? '/dashboard');
  await visitor.page.locator('main h1').first().waitFor();
  return visitor;
}

export const storedSettings = (page: Page): Promise<Record<string, unknown>> =>
  page.evaluate(() => JSON.parse(localStorage.getItem('app-settings') ?? '{}') as Record<string, unknown>);

/** Goes to a tab of a site as people do, by the menu, the list and the tab: what was read before a change stays in the memory. */
export async function walkToSite(page: Page, domain: string, tab: string): Promise<void> {
  await page.getByRole('link', { name: 'Sites', exact: true }).first().click();
  await page.getByRole('table').getByRole('link', { name: domain, exact: true }).click();
  await page.getByRole('tab', { name: tab, exact: true }).click();
}

/** Does something with the row of a list that a text is in: by its button, or by the menu of the row. */
export async function actOnRow(page: Page, text: string, action: string): Promise<void> {
  const row = page.getByRole('row', { name: new RegExp(text) });
  const button = row.getByRole('button', { name: action, exact: true });
  if (await button.isVisible()) return button.click();
  await row.getByRole('button').last().click();
  return page.getByRole('menuitem', { name: action, exact: true }).click();
}

/** The name of a style of an element, as drawn. */
export const styleOf = (page: Page, selector: string, property: string): Promise<string> =>
  page
    .locator(selector)
    .first()
    .evaluate((element, name) => getComputedStyle(element).getPropertyValue(name), property);

/** Waits until what slides or fades in has come to rest; what breathes for ever is left out. */
export const still = (page: Page): Promise<unknown> =>
  page.evaluate(() =>
    Promise.all(
      document
        .getAnimations()
        .filter(({ effect }) => effect?.getComputedTiming().iterations !== Infinity)
        .map(({ finished }) => finished.catch(() => undefined)),
    ).then(() => undefined),
  );
