import { chromium, type Browser } from 'playwright-core';
import type { Environment } from 'vitest/runtime';

declare global {
  /** The browser of this worker, for all of its files. */
  var workerBrowser: Browser;
}

/** Chromium takes the last of these switches, so what Playwright would turn off stands here too. */
const featuresOff = [
  'AvoidCorsURLLoaderRestartOnRedirect',
  'AvoidUnnecessaryBeforeUnloadCheckSync',
  'DestroyProfileOnBrowserClose',
  'AimEnabled',
  'HttpsFirstBalancedModeAutoEnable',
  'HttpsUpgrades',
  'LensOverlay',
  'MediaRouter',
  'NetworkTimeServiceQuerying',
  'OptimizationHints',
  'PaintHolding',
  'PreconnectToSearch',
  'ThirdPartyStoragePartitioning',
  // Each window would draw two pages for its address bar, which nobody sees: half of a window's work.
  'WebUIOmniboxAimPopup',
  'WebUIOmniboxPopup',
];

/** What each worker of the browser tests starts with: one Chromium, ended with the worker. */
export default {
  name: 'chromium',
  viteEnvironment: 'ssr',
  async setup(global: typeof globalThis) {
    const browser = await chromium.launch({
      executablePath: '/usr/bin/chromium',
      args: ['--disable-gpu', `--disable-features=${featuresOff.join(',')}`],
    });
    global.workerBrowser = browser;
    return { teardown: () => browser.close() };
  },
} satisfies Environment;
