import { afterEach } from 'vitest';

const shownMax = 6000;

// Whoever reads that a test failed wants to know what was to be seen then.
afterEach(async ({ task }) => {
  if (task.result?.state !== 'fail') return;
  for (const page of workerBrowser.contexts().flatMap((context) => context.pages())) {
    const shown = await page.locator('body').ariaSnapshot().catch(String);
    console.log(`${task.name}: ${page.url()} showed\n${shown.slice(-shownMax)}`);
  }
});
