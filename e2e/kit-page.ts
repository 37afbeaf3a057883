import type { Language } from '@breakwater/contract';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { serveBuiltKit } from '../apps/console/kit-server.ts';
import { before, closeBrowser, openProfile } from './browser.ts';

export interface Look {
  language: Language;
  colorScheme: 'light' | 'dark';
  contrast: 'default' | 'hight';
  direction: 'ltr' | 'rtl';
}
export const kitSections = ['table', 'fields', 'forms', 'charts', 'values', 'states'] as const;

/** The kit's page as it is built. */
export async function openBuiltKit(mode: 'production' | 'development') {
  const folder = await mkdtemp(join(tmpdir(), 'breakwater-kit-'));
  const kit = await serveBuiltKit(folder, mode);
  // Where windows go that are left (`browser.ts`), as a server has it.
  await writeFile(join(folder, 'healthz'), 'ok');
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
  const visitor = await openProfile(address, language, { width, height: 900 });
  await before(visitor, (stored) => localStorage.setItem('app-settings', stored), JSON.stringify(settings));
  const { page } = visitor;
  const complaints: string[] = [];
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) complaints.push(message.text());
  });
  page.on('pageerror', (error) => complaints.push(error.message));
  await page.goto(`${address}#/${section}`);
  await settled(page);
  return { ...visitor, complaints };
}

/** Until lazy parts are there, and nothing moves: for as long as a few frames ask for nothing more. */
export async function settled(page: Page): Promise<void> {
  await page.getByRole('main').locator('h2, table, ul').first().waitFor();
  await page.evaluate(async () => {
    const frame = () => new Promise(requestAnimationFrame);
    // A link that preloads stands in the head before its file is here.
    const fetched = () => performance.getEntriesByType('resource').length;
    const asked = () =>
      new Set([...document.querySelectorAll<HTMLLinkElement>('link[href]')].map(({ href }) => href)).size;
    for (let known = -1; known !== fetched() + asked();) {
      known = fetched() + asked();
      for (let frames = 0; frames < 5; frames += 1) await frame();
    }
    await document.fonts.ready;
    await Promise.allSettled(
      document
        .getAnimations()
        .filter((each) => each.effect?.getTiming().iterations !== Infinity)
        .map((each) => each.finished),
    );
  });
}
