import type { Language } from '@breakwater/contract';
import type { BrowserContext, Page } from 'playwright-core';

/** A visitor with a browser profile of their own. */
export interface Visitor {
  page: Page;
  context: BrowserContext;
  /** Errors that a script of the console did not catch. A test that ends well has none. */
  scriptErrors: string[];
}

/** How long to wait for what should be there at once: machines are busy at times. */
export const waitMs = 60_000;

/** A fresh profile, with nothing opened yet. */
export async function openProfile(
  url: string,
  language: Language = 'en',
  viewport = { width: 1440, height: 900 },
): Promise<Visitor> {
  const context = await workerBrowser.newContext({
    baseURL: url,
    viewport,
    // What is still unfolding lets clicks fall through that are quicker than any hand's.
    reducedMotion: 'reduce',
  });
  context.setDefaultTimeout(waitMs);
  await context.addInitScript((chosen) => {
    if (localStorage.getItem('appLanguage') === null) localStorage.setItem('appLanguage', chosen);
  }, language);
  const page = await context.newPage();
  const scriptErrors: string[] = [];
  page.on('pageerror', (error) => scriptErrors.push(`${page.url()}: ${error.message}`));
  return { page, context, scriptErrors };
}

/** Opens the console at an address, in a language, in a fresh profile. */
export async function openConsole(url: string, language: Language = 'en'): Promise<Visitor> {
  const visitor = await openProfile(url, language);
  await visitor.page.goto('/');
  return visitor;
}

/** Closes every window; the browser itself serves the worker's next file. */
export async function closeBrowser(): Promise<void> {
  await Promise.all(workerBrowser.contexts().map((context) => context.close()));
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
export async function seen(
  locator: ReturnType<Page['getByText']>,
  timeoutSeconds = waitMs / 1000,
): Promise<void> {
  await locator.first().waitFor({ state: 'visible', timeout: timeoutSeconds * 1000 });
}
