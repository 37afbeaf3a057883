import type { Browser, CDPSession, Page } from 'playwright-core';
import { screens } from '../../packages/contract/src/index.ts';
import type { ConsoleWorld, Traffic } from './console-world.ts';

const hourMs = 3_600_000;
/** How often the screen of real-time monitoring reads anew. */
const refreshMs = 10_000;

/**
 * The memory that a window of real-time monitoring uses after an hour, as a share of what it used after a minute. The
 * browser's clock is simulated, and ends its hour now; there was traffic all the time.
 */
export async function measureHeap(
  browser: Browser,
  { adminUrl, stored }: ConsoleWorld,
  logTraffic: (traffic: Traffic) => Promise<unknown>,
): Promise<number> {
  const start = Date.now() - hourMs;
  await logTraffic({ from: start - hourMs, milliseconds: 2 * hourMs });
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 } });
  await context.addInitScript((pairs) => {
    for (const [key, value] of Object.entries(pairs)) localStorage.setItem(key, value);
  }, stored);
  const page = await context.newPage();
  const devTools = await context.newCDPSession(page);
  await page.clock.install({ time: start });
  await page.goto(adminUrl + screens.monitor.path);
  await page.locator('main [role=img] svg').first().waitFor();
  await letPass(page, 60_000);
  const before = await usedBytes(devTools);
  await letPass(page, hourMs - 60_000);
  const after = await usedBytes(devTools);
  console.log(
    `memory of real-time monitoring: ${(before / 1e6).toFixed(1)} MB after a minute, ${(after / 1e6).toFixed(1)} MB after an hour`,
  );
  await context.close();
  return after / before;
}

/** Lets simulated time pass, in which every read is answered before the next one. */
async function letPass(page: Page, milliseconds: number): Promise<void> {
  for (let passed = 0; passed < milliseconds; passed += refreshMs) {
    const answer = page.waitForResponse((response) => new URL(response.url()).pathname.endsWith('/monitor'));
    // Each timer that is due runs once: no frame is drawn that nobody would see.
    await page.clock.fastForward(refreshMs);
    await (await answer).finished();
  }
}

async function usedBytes(devTools: CDPSession): Promise<number> {
  // What the first collection frees may hold what the second one does.
  for (let round = 0; round < 3; round++) await devTools.send('HeapProfiler.collectGarbage');
  return (await devTools.send('Runtime.getHeapUsage')).usedSize;
}
