import { createHmac } from 'node:crypto';
import type { browserVerifyRule } from '@breakwater/contract/site-config/browser-verify';
import { lettersOf, pictureSecret, slidePlace, turnOf } from '@breakwater/policy/protect/verify';
import { chromium, type Browser, type Page } from 'playwright-core';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import type * as z from 'zod';
import { AccessWorld } from '../packages/edge/test/access-support.ts';

/** Visitors with a real browser before sites that ask for verification, over plain HTTP, where there is no WebCrypto. */

const key = 'a'.repeat(64);
const hmac = (secret: string, text: string) => createHmac('sha256', secret).update(text).digest('hex');
let world: AccessWorld;
/** Without the mark that drivers set. Only its own name says that it has no window. */
let browser: Browser;
beforeAll(async () => {
  world = await AccessWorld.start();
  await world.edge.control('PUT', '/pass_keys', { keys: [key] });
  browser = await chromium.launch({
    executablePath: '/usr/bin/chromium-headless-shell',
    args: [
      '--disable-gpu',
      '--host-resolver-rules=MAP *.test 127.0.0.1',
      '--disable-blink-features=AutomationControlled',
    ],
  });
});
afterAll(async () => {
  await browser?.close();
  await world?.close();
});

/** Opens a site that asks; `problems` are what the browser refused of the page. */
async function visit(verify: z.input<typeof browserVerifyRule>, options = {}) {
  const host = await world.site({ verify: { enabled: true, difficulty: 10, ...verify } });
  const agent = `Mozilla/5.0 (X11; Linux x86_64) Chrome/${browser.version()} Safari/537.36`;
  const context = await browser.newContext({ userAgent: agent, ...options });
  onTestFinished(() => context.close());
  const page = await context.newPage();
  const problems: string[] = [];
  page.on('pageerror', (error) => problems.push(error.message));
  page.on('console', (message) => {
    // The page itself comes with 403.
    if (message.type() === 'error' && !message.text().includes('403')) problems.push(message.text());
  });
  const url = `http://${host}:${world.edge.httpPort}/there?a=1`;
  await page.goto(url);
  return { page, problems, url, context };
}

async function isThere(page: Page): Promise<void> {
  await expect.poll(() => page.textContent('body'), { timeout: 20_000 }).toBe('asked /there?a=1');
}

async function secretOf(page: Page): Promise<string> {
  const told = JSON.parse((await page.textContent('#c'))!) as { token: string };
  return pictureSecret(told.token, key, hmac);
}

async function pressTimes(page: Page, name: string, times: number): Promise<void> {
  for (let count = 0; count < times; count++) await page.keyboard.press(name);
}

test.each(['cookie', 'javascript', 'delay', 'proof_of_work'] as const)(
  '%s lets a browser in by itself',
  async (kind) => {
    const { page, problems, url, context } = await visit({ kind, delay_seconds: 3 });
    await isThere(page);
    expect(problems).toEqual([]);
    const [cookie] = await context.cookies(url);
    expect(cookie).toMatchObject({ name: 'bw_pass', httpOnly: true, sameSite: 'Lax' });
    await page.goto(url);
    expect(await page.textContent('body')).toBe('asked /there?a=1');
  },
);

test('click is done by keyboard', async () => {
  const { page, problems } = await visit({ kind: 'click' });
  await page.getByRole('button', { name: 'I am a human' }).focus();
  await page.keyboard.press('Enter');
  await isThere(page);
  expect(problems).toEqual([]);
});

test.each([
  ['slide', slideOf],
  ['rotate', turnOf],
] as const)('%s is solved with the arrow keys', async (kind, value) => {
  const { page, problems } = await visit({ kind });
  const wanted = value(await secretOf(page));
  await page.getByRole('slider').focus();
  await pressTimes(page, 'ArrowRight', wanted);
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await isThere(page);
  expect(problems).toEqual([]);
});

function slideOf(secret: string): number {
  return slidePlace(secret).x;
}

test('image is solved by typing, and a wrong answer gives another try', async () => {
  const { page } = await visit({ kind: 'image' });
  const field = page.getByRole('textbox', { name: 'Type the five characters' });
  await field.fill('WRONG');
  await page.keyboard.press('Enter');
  await page.getByText('The check failed.').waitFor();
  const retry = page.getByRole('button', { name: 'Try again' });
  await retry.and(page.locator(':focus')).waitFor();
  await page.keyboard.press('Enter');
  await expect.poll(() => field.inputValue()).toBe('');
  await field.fill(lettersOf(await secretOf(page)).toLowerCase());
  await page.keyboard.press('Enter');
  await isThere(page);
});

test('a picture can be done without seeing it, in the dark and in the visitor’s language', async () => {
  const { page, problems } = await visit({ kind: 'image' }, { colorScheme: 'dark', locale: 'zh-CN' });
  await page.getByRole('button', { name: '不使用图片验证' }).focus();
  await page.keyboard.press('Enter');
  await isThere(page);
  expect(problems).toEqual([]);
});

test('strict lets an ordinary browser in and refuses one with marks', async () => {
  const { page } = await visit({ strict: true });
  await isThere(page);
  const { page: marked } = await visit({ strict: true }, { userAgent: 'HeadlessChrome/1' });
  await marked.getByText('This browser appears to be automated').waitFor();
});

test('a form of the site is sent again once the browser has passed', async () => {
  const host = await world.site({ verify: { enabled: true, only_paths: ['/send'] } });
  const context = await browser.newContext();
  onTestFinished(() => context.close());
  const page = await context.newPage();
  const home = `http://${host}:${world.edge.httpPort}`;
  await page.goto(`${home}/form`);
  // Both may be over before the browser says that the first was sent.
  const sent: (string | null)[] = [];
  page.on('request', (request) => {
    if (request.method() === 'POST' && request.url() === `${home}/send`) sent.push(request.postData());
  });
  await page.evaluate(() => {
    document.body.innerHTML =
      '<form method="post" action="/send" accept-charset="utf-8"><input name="a" value="1 &amp; 中"><input name="submit"></form>';
    HTMLFormElement.prototype.submit.call(document.forms[0]!);
  });
  const content = 'a=1+%26+%E4%B8%AD&submit=';
  await expect.poll(() => sent).toEqual([content, content]);
  await expect.poll(() => page.textContent('body')).toBe('asked /send');
  expect(world.seen.cookie).toBeUndefined();
});
