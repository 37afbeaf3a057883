import { makeAdministrator, makeSite, startWorld, type World } from '@breakwater/test-world';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { closeBrowser, seen } from './browser.ts';
import { openShell } from './shell.ts';

let world: World;
let nora: { username: string; password: string };

beforeAll(async () => {
  world = await startWorld({ templateUrl: inject('templateUrl') });
  await makeSite(world.admin, { domain: 'mine.example.com' });
  nora = await makeAdministrator(world, ['site.read']);
});
afterAll(async () => {
  await closeBrowser();
  await world?.close();
});

test('another tab that signs in as somebody else lends its session to no page of this one', async () => {
  const { page, context, close, scriptErrors } = await openShell(world, { path: '/dashboard/site/list' });
  await seen(page.getByRole('link', { name: 'mine.example.com' }));
  const own = await page.evaluate(() => localStorage.getItem('jwt_access_token'));
  const sent: (string | undefined)[] = [];
  page.on('request', (request) => {
    if (new URL(request.url()).pathname.startsWith('/prod-api/')) sent.push(request.headers().authorization);
  });
  // A tab that still stood at sign-in: it signs in by the server, and stores what the sign-in page stores.
  const other = await context.newPage();
  await other.goto('/faqs');
  const { username, password } = nora;
  const session = await world.anonymous.get('signInAdmin', { body: { username, password } });
  const theirs = session.token;
  await other.evaluate(
    (pairs) => {
      for (const [key, value] of Object.entries(pairs)) localStorage.setItem(key, value);
    },
    {
      user_id: String(session.user_id),
      LoginInfo: JSON.stringify({ username: session.username }),
      expires_in: JSON.stringify({ loginTime: Date.now(), expires_in: session.jwt_buffer_time }),
      jwt_access_token: theirs,
    },
  );
  expect(theirs).not.toBe(own);

  const said = page.getByRole('alertdialog', { name: 'Signed in with another account' });
  await seen(said.getByText(nora.username).first());
  // What the page still asks for by itself is asked for by nobody.
  await page.clock.install();
  await page.clock.runFor(60_000);
  await page.clock.resume();
  expect(sent.filter((authorization) => authorization?.includes(theirs!))).toEqual([]);
  await said.getByRole('button', { name: `Continue as ${nora.username}` }).click();
  await page.waitForURL(/\/dashboard$/);
  await seen(page.getByRole('heading', { name: new RegExp(nora.username, 'i') }));
  expect(scriptErrors).toEqual([]);
  await other.close();
  await close();
});

test('the same person who signs in again in another tab goes on in this one', async () => {
  const { page, context, close } = await openShell(world, { path: '/dashboard/site/list' });
  const other = await context.newPage();
  await other.goto('/dashboard');
  const session = await world.anonymous.get('signInAdmin', {
    body: { username: 'admin', password: world.adminPassword },
  });
  await other.evaluate((token) => localStorage.setItem('jwt_access_token', token), session.token);
  const asked = page.waitForRequest(
    (request) => request.headers().authorization === `Bearer ${session.token}`,
  );
  await page.getByRole('navigation').first().getByRole('link', { name: 'Home', exact: true }).click();
  await asked;
  expect(await page.getByRole('alertdialog').count()).toBe(0);
  await other.close();
  await close();
});
