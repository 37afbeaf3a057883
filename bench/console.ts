/**
 * The console in headless Chromium: how much JavaScript a visitor waits for, how soon sign-in and a table of 200 rows
 * answer beside bare pages of MUI built the same way, turn by turn, the longest frame while 10,000 rows scroll, and how much
 * more memory an hour of real-time monitoring takes than a minute.
 * Time to interactive: what one came for is there, and the last long task (over 50 ms) before a second of quiet is over.
 */
import { execFileSync, fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { chromium, type Browser, type BrowserContext, type Page } from 'playwright-core';
import { serveBuiltKit } from '../apps/console/kit-server.ts';
import { screens } from '../packages/contract/src/index.ts';
import { measureHeap } from './lib/console-heap.ts';
import type { ConsoleWorld } from './lib/console-world.ts';
import { median, printResult } from './lib/result.ts';

const turns = 9;
const scrollRuns = 5;
const scrollSeconds = 3;
type Stored = Record<string, string>;

const closers: (() => Promise<unknown>)[] = [];
try {
  execFileSync(
    process.execPath,
    ['node_modules/vite/bin/vite.js', 'build', '--logLevel', 'warn', 'apps/console'],
    {
      cwd: fileURLToPath(new URL('..', import.meta.url)),
      stdio: 'inherit',
    },
  );
  const folder = await mkdtemp(join(tmpdir(), 'breakwater-bench-'));
  await chmod(folder, 0o755);
  closers.push(() => rm(folder, { recursive: true, force: true }));
  const { world, process: child } = await startConsoleWorld();
  closers.push(async () => {
    const ended = once(child, 'exit');
    child.disconnect();
    await ended;
  });
  const kit = await serveBuiltKit(join(folder, 'kit'), 'production');
  closers.push(() => kit.close());
  const browser = await chromium.launch({
    executablePath: '/usr/bin/chromium-headless-shell',
    args: ['--no-sandbox', '--disable-gpu'],
  });
  closers.push(() => browser.close());

  const { adminUrl, bareUrl, stored } = world;
  const sizes = await measureSizes(browser, world);
  const times = {
    signIn: [] as number[],
    bareSignIn: [] as number[],
    table: [] as number[],
    bareTable: [] as number[],
  };
  for (let turn = 0; turn < turns; turn++) {
    times.signIn.push(
      await timeToInteractive(browser, `${adminUrl}/auth/jwt/sign-in`, {}, '[name=password]'),
    );
    times.bareSignIn.push(
      await timeToInteractive(browser, `${bareUrl}bare-sign-in.html`, {}, '[name=password]'),
    );
    const list = `${adminUrl}${screens.sites.path}?page_size=200`;
    times.table.push(await timeToInteractive(browser, list, stored, 'tbody a'));
    times.bareTable.push(await timeToInteractive(browser, `${bareUrl}bare-table.html`, stored, 'tbody td'));
  }
  for (const [name, list] of Object.entries(times))
    console.log(`${name}: median ${median(list).toFixed(0)} ms`);
  const frames: number[] = [];
  for (let run = 0; run < scrollRuns; run++)
    frames.push(await longestFrame(browser, `${kit.address}#/virtual-rows`));
  console.log(`longest frame of each run: ${frames.map((ms) => ms.toFixed(0)).join(', ')} ms`);
  const heap_hour = await measureHeap(browser, world, (traffic) => {
    child.send(traffic);
    return messageOf(child);
  });
  printResult(
    'console',
    {
      tti_sign_in: median(times.signIn) / median(times.bareSignIn),
      tti_table_200: median(times.table) / median(times.bareTable),
      heap_hour,
    },
    { ...sizes, frame_ms: median(frames) },
  );
} finally {
  for (const close of closers.reverse()) await close();
}

async function startConsoleWorld(): Promise<{ world: ConsoleWorld; process: ChildProcess }> {
  const child = fork(fileURLToPath(new URL('lib/console-world.ts', import.meta.url)));
  return { world: (await messageOf(child)) as ConsoleWorld, process: child };
}

/** The next of a process. Throws when it ends before; why, it has said itself. */
async function messageOf(child: ChildProcess): Promise<unknown> {
  const waiting = new AbortController();
  const ended = once(child, 'exit', waiting).then(() => {
    throw new Error('the server of the bench has ended');
  });
  try {
    const [message] = (await Promise.race([once(child, 'message', waiting), ended])) as unknown[];
    return message;
  } finally {
    ended.catch(() => undefined);
    waiting.abort();
  }
}

/** A fresh profile, with a session where one is given. */
async function openContext(browser: Browser, stored: Stored): Promise<BrowserContext> {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 } });
  await context.addInitScript((pairs) => {
    for (const [key, value] of Object.entries(pairs)) localStorage.setItem(key, value);
  }, stored);
  return context;
}

/** Counts the gzip kB of the scripts that a page fetches. */
function countScripts(page: Page): () => Promise<number> {
  const bodies: Promise<number>[] = [];
  page.on('response', (response) => {
    if (!response.url().endsWith('.js')) return;
    const size = response.body().then((body) => gzipSync(body).length);
    // A page that is closed meanwhile is not counted any more.
    bodies.push(size.catch(() => 0));
  });
  return async () => (await Promise.all(bodies.splice(0))).reduce((sum, bytes) => sum + bytes, 0) / 1000;
}

async function measureSizes(browser: Browser, world: ConsoleWorld) {
  const { adminUrl, stored } = world;
  const visitor = await openContext(browser, {});
  const guest = await visitor.newPage();
  const guestScripts = countScripts(guest);
  await guest.goto(`${adminUrl}/auth/jwt/sign-in`);
  await guest.locator('[name=password]').waitFor();
  const kb_sign_in = await guestScripts();
  await visitor.close();

  const context = await openContext(browser, stored);
  const page = await context.newPage();
  const scripts = countScripts(page);
  await page.goto(adminUrl + screens.home.path);
  await page.locator('main h1').waitFor();
  const kb_first_screen = await scripts();

  const largest = await measureLargest(browser, world, kb_first_screen);
  const perScreen: number[] = [];
  for (const [id, { path }] of Object.entries(screens)) {
    await visit(page, path.replace('{id}', '1'));
    const kb = await scripts();
    if (id !== 'home') perScreen.push(kb);
  }
  console.log(`scripts of each screen: ${perScreen.map((kb) => kb.toFixed(1)).join(', ')} kB`);
  await context.close();
  return { kb_sign_in, kb_first_screen, kb_screen_median: median(perScreen), ...largest };
}

/**
 * A site's page, opened by its address: all scripts that it fetches before its first tab is there, and what of them home does
 * not have. What its other tabs fetch when each is opened in turn is only told.
 */
async function measureLargest(browser: Browser, { adminUrl, stored }: ConsoleWorld, firstScreen: number) {
  const context = await openContext(browser, stored);
  const page = await context.newPage();
  const scripts = countScripts(page);
  await page.goto(adminUrl + screens.siteDetail.path.replace('{id}', '1'));
  await page.getByRole('tabpanel').locator('h2').first().waitFor();
  const kb_largest_screen = await scripts();
  let tabs = 0;
  for (const tab of await page.getByRole('tab').all()) {
    await tab.click();
    await page.waitForLoadState('networkidle');
    tabs += await scripts();
  }
  console.log(`scripts of the other tabs of a site: ${tabs.toFixed(1)} kB`);
  await context.close();
  return { kb_largest_screen, kb_largest_first: kb_largest_screen - firstScreen };
}

/** Goes to a screen as a link does: what other screens have fetched is there already. */
async function visit(page: Page, path: string): Promise<void> {
  await page.evaluate((to) => {
    history.pushState({}, '', to);
    dispatchEvent(new PopStateEvent('popstate'));
  }, path);
  await page.waitForURL((url) => url.pathname === path);
  await page.locator('main h1').waitFor();
  await page.waitForLoadState('networkidle');
  await page.waitForTimeout(300);
}

async function timeToInteractive(
  browser: Browser,
  url: string,
  stored: Stored,
  selector: string,
): Promise<number> {
  const context = await openContext(browser, stored);
  const page = await context.newPage();
  await page.addInitScript((wanted) => {
    const state = { shown: 0, busyUntil: 0 };
    Object.assign(window, { benchState: state });
    new PerformanceObserver((list) => {
      for (const { startTime, duration } of list.getEntries()) state.busyUntil = startTime + duration;
    }).observe({ type: 'longtask', buffered: true });
    const look = () => {
      if (document.querySelector(wanted)) state.shown = performance.now();
      else requestAnimationFrame(look);
    };
    requestAnimationFrame(look);
  }, selector);
  await page.goto(url);
  await page.locator(selector).first().waitFor();
  await page.waitForTimeout(1000);
  const { shown, busyUntil } = await page.evaluate(
    () => (window as unknown as { benchState: { shown: number; busyUntil: number } }).benchState,
  );
  await context.close();
  return Math.max(shown, busyUntil);
}

/** Milliseconds of the longest frame while the wheel turns for a few seconds. */
async function longestFrame(browser: Browser, url: string): Promise<number> {
  const context = await openContext(browser, {});
  const page = await context.newPage();
  await page.goto(url);
  const table = page.getByRole('table').first();
  await table.locator('tbody tr').nth(5).waitFor();
  await table.locator('tbody tr').nth(3).hover();
  await page.waitForTimeout(1000);
  await page.evaluate(() => {
    const state = { longest: 0, last: performance.now() };
    Object.assign(window, { benchFrames: state });
    const frame = (now: number) => {
      state.longest = Math.max(state.longest, now - state.last);
      state.last = now;
      requestAnimationFrame(frame);
    };
    requestAnimationFrame((now) => {
      state.last = now;
      requestAnimationFrame(frame);
    });
  });
  const end = Date.now() + scrollSeconds * 1000;
  while (Date.now() < end) {
    await page.mouse.wheel(0, 600);
    await page.waitForTimeout(16);
  }
  const longest = await page.evaluate(
    () => (window as unknown as { benchFrames: { longest: number } }).benchFrames.longest,
  );
  await context.close();
  return longest;
}
