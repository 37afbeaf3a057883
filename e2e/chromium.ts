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
      args: ['--disable-gpu', '--js-flags=--no-opt --no-maglev'],
    });
    global.workerBrowser = browser;
    return { teardown: () => browser.close() };
  },
} satisfies Environment;
