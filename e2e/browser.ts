import type { Language } from '@breakwater/contract';
import type { BrowserContext, CDPSession, Disposable, Locator, Page } from 'playwright-core';

/** A visitor with a browser window, whose storage is their own. */
export interface Visitor {
  page: Page;
  context: BrowserContext;
  /** Errors and rejections that a script of the console did not catch. A test that ends well has none. */
  scriptErrors: string[];
  /** Forgets all that the visitor left in the browser; the window is somebody else's then. */
  close: () => Promise<void>;
}

/** How long to wait for what should be there at once: machines are busy at times. */
const waitMs = 60_000;

/** A window of the browser, and how to empty it. */
interface Window {
  url: string;
  context: BrowserContext;
  page: Page;
  devTools: CDPSession;
  /** What runs before each page's own scripts, until the visitor has gone; and how to add to it. */
  scripts: Disposable[];
  addScript: Page['addInitScript'];
  /** Something was done to it that nothing takes back: nobody else gets it. */
  isMarked: boolean;
}

/**
 * Windows that nobody uses. A page that opens in one that had the same console open costs half as much processor time:
 * the process runs, and the scripts are there, compiled.
 */
const idle: Window[] = [];
const used = new Map<Window, Visitor>();

async function openWindow(url: string): Promise<Window> {
  const context = await workerBrowser.newContext({ baseURL: url });
  context.setDefaultTimeout(waitMs);
  const page = await context.newPage();
  const devTools = await context.newCDPSession(page);
  const addScript = page.addInitScript.bind(page);
  const window = { url, context, page, devTools, scripts: [], addScript, isMarked: false };
  markBy(window, page.clock, ['install']);
  markBy(window, page, ['addInitScript', 'exposeFunction', 'exposeBinding', 'setExtraHTTPHeaders']);
  markBy(window, context, ['addInitScript', 'grantPermissions', 'newCDPSession', 'route', 'setOffline']);
  return window;
}

/** Of each of these, something would stay for whoever comes next. */
function markBy<Holder extends object>(
  window: Window,
  holder: Holder,
  names: (keyof Holder & string)[],
): void {
  for (const name of names) {
    const own = (holder[name] as (...given: unknown[]) => unknown).bind(holder);
    Object.assign(holder, {
      [name]: (...given: unknown[]) => {
        window.isMarked = true;
        return own(...given);
      },
    });
  }
}

/**
 * Empties a window for the next visitor. It throws where that cannot be done.
 *
 * A page that is left may write once more into its storage, so it goes first, for one without scripts of the same origin:
 * elsewhere, and for `about:blank` too, the browser would start a process anew, and storage is emptied by its origin's page.
 */
async function emptyWindow({ url, context, page, devTools, scripts }: Window): Promise<void> {
  for (const other of context.pages()) if (other !== page) await other.close();
  for (const script of scripts.splice(0)) await script.dispose();
  page.removeAllListeners();
  await page.unrouteAll({ behavior: 'ignoreErrors' });
  const { origin } = new URL(url);
  await page.goto(`${origin}/healthz`);
  await page.evaluate(() => {
    window.name = '';
    sessionStorage.clear();
  });
  await devTools.send('Page.resetNavigationHistory');
  await devTools.send('Storage.clearDataForOrigin', { origin, storageTypes: 'local_storage,cookies' });
  // Nothing of the next page is pointed at.
  await page.mouse.move(0, 0);
}

/** Somebody with nothing in their browser, and nothing opened yet. */
export async function openProfile(
  url: string,
  language: Language = 'en',
  viewport = { width: 1440, height: 900 },
): Promise<Visitor> {
  const at = idle.findIndex((window) => window.url === url);
  const window = idle.splice(at, at < 0 ? 0 : 1)[0] ?? (await openWindow(url));
  const { page, context } = window;
  await page.setViewportSize(viewport);
  // What is still unfolding lets clicks fall through that are quicker than any hand's.
  await page.emulateMedia({ reducedMotion: 'reduce' });
  const scriptErrors: string[] = [];
  page.on('pageerror', (error) => scriptErrors.push(`${page.url()}: ${error.message}`));
  // Of those that nobody waited for the console makes no errors.
  page.on('console', (message) => {
    if (message.text().startsWith('nobody waited for this'))
      scriptErrors.push(`${page.url()}: ${message.text()}`);
  });
  const visitor: Visitor = {
    page,
    context,
    scriptErrors,
    close: async () => {
      if (!used.delete(window)) return;
      if (window.isMarked) return context.close();
      try {
        await emptyWindow(window);
        idle.push(window);
      } catch {
        // A page that crashed, that the test has closed, or whose server is away, is of no use to anybody.
        await context.close();
      }
    },
  };
  used.set(window, visitor);
  await before(
    visitor,
    (chosen) => {
      if (localStorage.getItem('appLanguage') === null) localStorage.setItem('appLanguage', chosen);
    },
    language,
  );
  await before(visitor, blurNothing, undefined);
  return visitor;
}

/** What is blurred behind the header is drawn twice in each frame, by the processor: half of what drawing costs. */
function blurNothing(): void {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync('*, ::before { backdrop-filter: none !important }');
  document.adoptedStyleSheets = [sheet];
}

/** From now on the page is blurred as for people. */
export const blurAsWritten = (page: Page): Promise<void> =>
  page.evaluate(() => {
    document.adoptedStyleSheets = [];
  });

/** Runs before the scripts of each page that the visitor opens. */
export async function before<Given>(
  { page }: Pick<Visitor, 'page'>,
  script: (given: Given) => void,
  given: Given,
): Promise<void> {
  const window = [...used.keys()].find((each) => each.page === page)!;
  window.scripts.push(await window.addScript(script as never, given));
}

/** Opens the console at an address, in a language, in a fresh profile. */
export async function openConsole(url: string, language: Language = 'en'): Promise<Visitor> {
  const visitor = await openProfile(url, language);
  await visitor.page.goto('/');
  return visitor;
}

/** Those who have a window now. */
export const visitors = (): Visitor[] => [...used.values()];

/** Everybody leaves; the browser itself, and its windows, serve the worker's next file. */
export async function closeBrowser(): Promise<void> {
  await Promise.all(visitors().map((visitor) => visitor.close()));
}

/** What was fetched and compiled goes with the windows: whoever comes next has never been here. */
export async function forgetWindows(): Promise<void> {
  await Promise.all(idle.splice(0).map(({ context }) => context.close()));
}

const words = {
  zh: { name: '用户名或邮箱', password: '密码', submit: '登录' },
  en: { name: 'Username or email', password: 'Password', submit: 'Sign in' },
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

/** Waits for one of what a locator finds to be seen, for some of it may be for screen readers alone; the error names what was waited for. */
export async function seen(
  locator: ReturnType<Page['getByText']>,
  timeoutSeconds = waitMs / 1000,
): Promise<void> {
  await locator
    .filter({ visible: true })
    .first()
    .waitFor({ timeout: timeoutSeconds * 1000 });
}

/** A row of a list in a form, by its place from 1: what it is called changes while it is filled in. */
export const rowOf = (page: Page, list: string, place: number): Locator =>
  page
    .getByRole('group', { name: list, exact: true })
    .getByRole('list')
    .first()
    .locator('> li')
    .nth(place - 1);
