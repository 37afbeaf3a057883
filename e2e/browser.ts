import type { Language } from '@breakwater/contract';
import { chromium, type Browser, type BrowserContext, type Page } from 'playwright-core';
import { afterEach } from 'vitest';

/** A visitor with a browser profile of their own. */
export interface Visitor {
  page: Page;
  context: BrowserContext;
  /** Errors that a script of the console did not catch. A test that ends well has none. */
  scriptErrors: string[];
}

let browser: Browser | undefined;
const shownMax = 6000;

// Whoever reads that a test failed wants to know what was to be seen then.
afterEach(async ({ task }) => {
  if (task.result?.state !== 'fail') return;
  for (const page of browser?.contexts().flatMap((context) => context.pages()) ?? []) {
    const shown = await page.locator('body').ariaSnapshot().catch(String);
    console.log(`${task.name}: ${page.url()} showed\n${shown.slice(-shownMax)}`);
  }
});

const launchOptions = {
  executablePath: '/usr/bin/chromium',
  args: ['--headless', '--no-sandbox', '--disable-gpu', '--disable-background-networking'],
};

/** Opens the console at an address, in a language, in a fresh profile. */
export async function openConsole(url: string, language: Language = 'en'): Promise<Visitor> {
  browser ??= await chromium.launch(launchOptions);
  const context = await browser.newContext({
    baseURL: url,
    viewport: { width: 1440, height: 900 },
    // What is still unfolding lets clicks fall through that are quicker than any hand's.
    reducedMotion: 'reduce',
  });
  context.setDefaultTimeout(15_000);
  await context.addInitScript((chosen) => {
    if (localStorage.getItem('appLanguage') === null) localStorage.setItem('appLanguage', chosen);
  }, language);
  const page = await context.newPage();
  const scriptErrors: string[] = [];
  page.on('pageerror', (error) => scriptErrors.push(`${page.url()}: ${error.message}`));
  await page.goto('/');
  return { page, context, scriptErrors };
}

export async function closeBrowser(): Promise<void> {
  await browser?.close();
  browser = undefined;
}

const words = {
  zh: { name: '用户名或邮箱', password: '密码', submit: '登录' },
  en: { name: 'User name or e-mail', password: 'Password', submit: 'Sign in' },
} as const;

/** Fills in the sign-in form, as people do. */
export async function signIn(
  page: Page,
  name: string,
  password: string,
  language: Language = 'en',
): Promise<void> {
  const word = words[language];
  await page.getByLabel(word.name).fill(name);
  await page.getByLabel(word.password, { exact: true }).fill(password);
  await page.getByRole('button', { name: word.submit, exact: true }).click();
}

/** Waits for a locator to be seen; the error names what was waited for. */
export async function seen(locator: ReturnType<Page['getByText']>, timeoutSeconds = 15): Promise<void> {
  await locator.first().waitFor({ state: 'visible', timeout: timeoutSeconds * 1000 });
}
