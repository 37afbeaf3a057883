import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Page } from 'playwright-core';

const axeSource = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** What axe finds, of any severity, in a line each: in cards below the window, too, which browsers leave undrawn. */
export async function findings(page: Page): Promise<string[]> {
  if (!(await page.evaluate(() => 'axe' in window))) {
    await page.evaluate(axeSource);
    await page.evaluate(() => {
      const sheet = new CSSStyleSheet();
      sheet.replaceSync('* { content-visibility: visible !important }');
      document.adoptedStyleSheets.push(sheet);
    });
  }
  const results = await page.evaluate(() => {
    const { axe } = window as unknown as { axe: typeof import('axe-core') };
    return axe.run(document, { resultTypes: ['violations'] });
  });
  return results.violations.flatMap(({ id, nodes }) =>
    nodes.map(({ html, any }) => `${id}: ${html.slice(0, 160)} ${any[0]?.message.slice(0, 120) ?? ''}`),
  );
}

/** Makes a window as wide as that. A width is drawn once its media queries have told React. */
export async function widen(page: Page, width: number): Promise<void> {
  if (page.viewportSize()?.width === width) return;
  await page.setViewportSize({ width, height: 900 });
  await page.evaluate(
    () => new Promise<void>((resolve) => requestAnimationFrame(() => requestAnimationFrame(() => resolve()))),
  );
}

/** What is cut at each of the widths. */
export async function cutAt(page: Page, widths: readonly number[]): Promise<string[]> {
  const found: string[] = [];
  for (const width of widths) {
    await widen(page, width);
    found.push(...(await page.evaluate(cutTexts)).map((text) => `at ${width}: ${text}`));
  }
  return found;
}

/**
 * Texts that their boxes cut, and anything that makes the page scroll sideways. What a title tells in full is not cut;
 * nor is the one line of a cell in a list, whose title is made on hover.
 */
function cutTexts(): string[] {
  const overflow = document.documentElement.scrollWidth - innerWidth;
  const wide = overflow > 0 ? [`the page is ${overflow} px wider than the window`] : [];
  const hasText = (element: Element) =>
    [...element.childNodes].some((node) => node.nodeType === 3 && node.textContent!.trim() !== '');
  const cut = [...document.querySelectorAll<HTMLElement>('body *')].filter((element) => {
    if (!hasText(element) || element.clientWidth <= 1) return false;
    if (element.closest('[aria-hidden=true], fieldset, .cm-editor, [title], [aria-label][role=img]'))
      return false;
    if (element.closest('td[data-column]')) return false;
    const style = getComputedStyle(element);
    return (
      style.visibility !== 'hidden' &&
      style.overflowX === 'hidden' &&
      element.scrollWidth > element.clientWidth + 1
    );
  });
  return [
    ...wide,
    ...cut.map(
      (element) => `${element.tagName}.${element.className} “${element.textContent.trim().slice(0, 60)}”`,
    ),
  ];
}
