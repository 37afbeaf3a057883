import type { Language } from '@breakwater/contract';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { serveBuiltKit } from '../apps/console/kit-server.ts';
import { closeBrowser, waitMs } from './browser.ts';

export interface Look {
  language: Language;
  colorScheme: 'light' | 'dark';
  contrast: 'default' | 'hight';
  direction: 'ltr' | 'rtl';
}
export const kitSections = ['table', 'fields', 'forms', 'charts', 'values', 'states'] as const;

/** The kit's page as it is built. */
export async function openBuiltKit() {
  const folder = await mkdtemp(join(tmpdir(), 'breakwater-kit-'));
  const kit = await serveBuiltKit(folder);
  return {
    address: kit.address,
    open: (section: string, look?: Partial<Look>, width?: number) =>
      openSection(kit.address, section, look, width),
    async close() {
      await closeBrowser();
      await kit.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
export type Kit = Awaited<ReturnType<typeof openBuiltKit>>;

/** The page in a look; whatever the browser complains of is kept. */
async function openSection(address: string, section: string, look: Partial<Look> = {}, width = 1280) {
  const { language = 'en' as Language, ...settings } = look;
  const context = await workerBrowser.newContext({
    viewport: { width, height: 900 },
    reducedMotion: 'reduce',
  });
  context.setDefaultTimeout(waitMs);
  await context.addInitScript(
    ([chosen, stored]) => {
      localStorage.setItem('appLanguage', chosen!);
      localStorage.setItem('app-settings', stored!);
    },
    [language, JSON.stringify(settings)],
  );
  const page = await context.newPage();
  const complaints: string[] = [];
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) complaints.push(message.text());
  });
  page.on('pageerror', (error) => complaints.push(error.message));
  await page.goto(`${address}#/${section}`);
  await settled(page);
  return { page, context, complaints };
}

/** Until lazy parts are there: nothing of the page is on its way. */
export async function settled(page: Page): Promise<void> {
  await page.getByRole('main').locator('h2, table, ul').first().waitFor();
  await page.waitForLoadState('networkidle');
  await page.evaluate(async () => {
    await document.fonts.ready;
    await Promise.allSettled(
      document
        .getAnimations()
        .filter((each) => each.effect?.getTiming().iterations !== Infinity)
        .map((each) => each.finished),
    );
  });
}
