import type { ErrorPage } from '@breakwater/contract/site-config/advanced-config';

/** Which of a site's pages stands in for an error, and what it says. */

/** The index of the first page for a status and a normalised path, or -1. `suits`: whether a page's condition does. */
export function chooseErrorPage(
  pages: ErrorPage[],
  status: number,
  path: string,
  suits: (index: number) => boolean,
): number {
  const text = `${status}`;
  const ofClass = `${text.substring(0, 1)}xx`;
  for (let index = 0; index < pages.length; index++) {
    const page = pages[index]!;
    if (!page.enabled) continue;
    let fits = false;
    for (const wanted of page.statuses) if (wanted === text || wanted === ofClass) fits = true;
    if (!fits || isAmong(page.except_paths, path)) continue;
    if (page.only_paths.length > 0 && !isAmong(page.only_paths, path)) continue;
    if (page.condition === undefined || suits(index)) return index;
  }
  return -1;
}

/** Whether a list of paths names this one; a path that ends with a slash names all below it. */
function isAmong(paths: string[], path: string): boolean {
  for (const each of paths) {
    if (each === path) return true;
    if (each.endsWith('/') && path.startsWith(each)) return true;
  }
  return false;
}

/** A page with its placeholders filled in, as HTML, in parts; names that are not known stay as they are. */
export function fillPage(body: string, values: Record<string, string>): string[] {
  const parts: string[] = [];
  let start = 0;
  let open = body.indexOf('{{');
  while (open >= 0) {
    const close = body.indexOf('}}', open);
    if (close < 0) break;
    const value = values[body.substring(open + 2, close)];
    if (value !== undefined) {
      parts.push(body.substring(start, open), escapeHtml(value));
      start = close + 2;
    }
    open = body.indexOf('{{', value === undefined ? open + 2 : start);
  }
  parts.push(body.substring(start));
  return parts;
}

/** Whether a page differs from request to request, so that it must not be given to another visitor. */
export function isPersonal(body: string): boolean {
  return body.indexOf('{{request_id}}') >= 0 || body.indexOf('{{client_ip}}') >= 0;
}

export function escapeHtml(text: string): string {
  const parts: string[] = [];
  let start = 0;
  for (let index = 0; index < text.length; index++) {
    const entity = entities[text.substring(index, index + 1)];
    if (entity === undefined) continue;
    parts.push(text.substring(start, index), entity);
    start = index + 1;
  }
  return start === 0 ? text : parts.join('') + text.substring(start);
}

const entities: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};
