import { chromium, type Browser } from 'playwright-core';
import type { Environment } from 'vitest/runtime';

declare global {
  /** The browser of this worker, for all of its files. */
  var workerBrowser: Browser;
}

/** What each worker of the browser tests starts with: one Chromium without a window, ended with the worker. */
export default {
  name: 'chromium',
  viteEnvironment: 'ssr',
  async setup(global: typeof globalThis) {
    const browser = await chromium.launch({
      executablePath: '/usr/bin/chromium-headless-shell',
      // Pages live for seconds: an optimizing compiler, and a process that draws for nobody, cost more than they give.
      args: ['--disable-gpu', '--in-process-gpu', '--js-flags=--no-opt'],
    });
    global.workerBrowser = browser;
    return { teardown: () => browser.close() };
  },
} satisfies Environment;
