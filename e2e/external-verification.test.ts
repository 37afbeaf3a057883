import type { CaptchaProviderCode } from '@breakwater/contract';
import type { DocumentResult } from '@breakwater/contract/edge-document';
import type { browserVerifyRule } from '@breakwater/contract/site-config/browser-verify';
import { startCaptchaVendor, type CaptchaVendorServer } from '@breakwater/test-world/captcha-vendor';
import { chromium, type Browser, type Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, expect, onTestFinished, test } from 'vitest';
import type * as z from 'zod';
import { AccessWorld } from '../packages/edge/test/access-support.ts';
import { makeEnvelope } from '../packages/edge/test/support.ts';

/** Visitors with a real browser before sites that show a vendor's challenge; the vendor's script comes from a server of the test. */

let world: AccessWorld;
let vendor: CaptchaVendorServer;
let browser: Browser;
let accounts = 0;
beforeAll(async () => {
  [world, vendor] = await Promise.all([AccessWorld.start(), startCaptchaVendor()]);
  await world.edge.control('PUT', '/pass_keys', { keys: ['a'.repeat(64)] });
  browser = await chromium.launch({
    executablePath: '/usr/bin/chromium-headless-shell',
    args: ['--disable-gpu', '--host-resolver-rules=MAP *.test 127.0.0.1'],
  });
});
afterAll(async () => {
  await browser?.close();
  await world?.close();
  await vendor?.close();
});
beforeEach(() => {
  Object.assign(vendor, { verification: {}, isBlocked: false, score: 0.9 });
});

interface Asked {
  code: CaptchaProviderCode;
  account?: object;
  verify?: z.input<typeof browserVerifyRule>;
  options?: object;
}

async function visit({ code, account = {}, verify = {}, options = {} }: Asked) {
  const id = ++accounts;
  const envelope = makeEnvelope(
    'captcha_account',
    `${id}`,
    world.edge.nextRevision(),
    vendor.account(code, id, account),
  );
  await world.edge.control<DocumentResult[]>('POST', '/documents', [envelope]);
  const host = await world.site({
    verify: { enabled: true, kind: 'external', difficulty: 10, captcha_account_id: id, ...verify },
  });
  const context = await browser.newContext(options);
  onTestFinished(() => context.close());
  const page = await context.newPage();
  const problems: string[] = [];
  page.on('pageerror', (error) => problems.push(error.message));
  page.on('console', (message) => {
    // The page itself comes with 403, and so does an answer that is refused.
    if (message.type() === 'error' && !/40[34]/.test(message.text())) problems.push(message.text());
  });
  await page.goto(`http://${host}:${world.edge.httpPort}/there?a=1`);
  return { page, problems, context, host };
}

async function isThere(page: Page): Promise<void> {
  await expect.poll(() => page.textContent('body'), { timeout: 20_000 }).toBe('asked /there?a=1');
}
const box = (page: Page) => page.frameLocator('iframe').getByRole('checkbox', { name: 'I am human' });

test.each(['turnstile', 'hcaptcha', 'recaptcha', 'geetest'] as const)(
  '%s is shown in the visitor’s language, done by keyboard, and lets in',
  async (code) => {
    const { page, problems, context } = await visit({ code, options: { locale: 'zh-CN' } });
    await page.getByText('此验证由').waitFor();
    expect((await page.locator('iframe').getAttribute('lang'))?.toLowerCase()).toMatch(/^zh/);
    await box(page).focus();
    await page.keyboard.press('Space');
    await isThere(page);
    expect(problems).toEqual([]);
    const [cookie] = await context.cookies();
    expect(cookie).toMatchObject({ name: 'bw_pass', httpOnly: true, sameSite: 'Lax' });
  },
);

test('a score lets in whom it is high enough for, without asking anything', async () => {
  const { page, problems } = await visit({ code: 'recaptcha', account: { score_min: 0.5 } });
  await isThere(page);
  expect(problems).toEqual([]);
});

test('with a score that is too low the browser works in its place', async () => {
  vendor.score = 0.1;
  const { page, problems } = await visit({ code: 'recaptcha', account: { score_min: 0.5 } });
  await isThere(page);
  expect(problems).toEqual([]);
});

test('there is another way, by keyboard, that needs nothing of the vendor', async () => {
  const { page, problems } = await visit({ code: 'hcaptcha' });
  await box(page).waitFor();
  await page.getByRole('button', { name: 'Use another check' }).focus();
  await page.keyboard.press('Enter');
  await isThere(page);
  expect(problems).toEqual([]);
});

test('a browser that cannot load the vendor’s script works in its place', async () => {
  vendor.isBlocked = true;
  const { page } = await visit({ code: 'turnstile' });
  await isThere(page);
});

test('where only nodes decide on that, it is told what is the matter', async () => {
  vendor.isBlocked = true;
  const { page } = await visit({ code: 'turnstile', verify: { external_fallback: 'vendor_down' } });
  await page
    .getByRole('status')
    .getByText('The check by Cloudflare Turnstile could not be loaded.')
    .waitFor();
  await page.getByRole('button', { name: 'Try again' }).and(page.locator(':focus')).waitFor();
  expect(await page.getByRole('button', { name: 'Use another check' }).count()).toBe(0);
});

test.each(['always', 'vendor_down'] as const)(
  'a vendor that no longer answers the node is replaced by work on the same page (%s)',
  async (fallback) => {
    vendor.verification = { answer: { status: 503, body: '' } };
    const { page } = await visit({ code: 'turnstile', verify: { external_fallback: fallback } });
    await box(page).check();
    await isThere(page);
  },
);

test('a token of another site is refused, and there is another try', async () => {
  const { page } = await visit({ code: 'recaptcha', verify: { external_fallback: 'vendor_down' } });
  await box(page).waitFor();
  await page.frames()[1]!.evaluate(() => {
    history.replaceState(null, '', '/box?vendor=recaptcha&hostname=evil.test');
  });
  await box(page).check();
  await page.getByText('The check failed.').waitFor();
  await page.getByRole('button', { name: 'Try again' }).click();
  await box(page).check();
  await isThere(page);
});

test('a form of the site is sent again once the browser has passed', async () => {
  const { page, host } = await visit({ code: 'turnstile', verify: { only_paths: ['/send'] } });
  const home = `http://${host}:${world.edge.httpPort}`;
  await page.evaluate(() => {
    document.body.innerHTML = '<form method="post" action="/send"><input name="a" value="1"></form>';
    HTMLFormElement.prototype.submit.call(document.forms[0]!);
  });
  await box(page).waitFor();
  const again = page.waitForRequest(
    (request) => request.method() === 'POST' && request.url() === `${home}/send`,
  );
  await box(page).check();
  expect((await again).postData()).toBe('a=1');
  await expect.poll(() => page.textContent('body')).toBe('asked /send');
});
