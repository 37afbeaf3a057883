import { afterEach, beforeEach } from 'vitest';
import { visitors, type Visitor } from './browser.ts';

const shownMax = 6000;
let before: Visitor[] = [];

beforeEach(() => {
  before = visitors();
});

afterEach(async ({ task }) => {
  // Whoever reads that a test failed wants to know what was to be seen then.
  if (task.result?.state === 'fail')
    for (const page of visitors().flatMap(({ context }) => context.pages())) {
      const shown = await page.locator('body').ariaSnapshot().catch(String);
      console.log(`${task.name}: ${page.url()} showed\n${shown.slice(-shownMax)}`);
    }
  // What a test that failed left open would take the time of those after it.
  await Promise.all(
    visitors()
      .filter((each) => !before.includes(each))
      .map((each) => each.close()),
  );
});
