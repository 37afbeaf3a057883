import { afterEach, beforeEach } from 'vitest';

const shownMax = 6000;
let before: unknown[] = [];

beforeEach(() => {
  before = workerBrowser.contexts();
});

afterEach(async ({ task }) => {
  const contexts = workerBrowser.contexts();
  // Whoever reads that a test failed wants to know what was to be seen then.
  if (task.result?.state === 'fail')
    for (const page of contexts.flatMap((context) => context.pages())) {
      const shown = await page.locator('body').ariaSnapshot().catch(String);
      console.log(`${task.name}: ${page.url()} showed\n${shown.slice(-shownMax)}`);
    }
  // What a test that failed left open would take the time of those after it.
  await Promise.all(contexts.filter((each) => !before.includes(each)).map((each) => each.close()));
});
