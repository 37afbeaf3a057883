import { escapeHtml } from '@breakwater/policy/site/error-page';
import type { Site } from '../site/site.ts';
import { banOf, objection } from '../protect/bans.ts';
import { banText as t } from './ban-page.text.ts';

/** What who is banned is told besides: until when, and how to object. */
export function banNotice(site: Site, address: string): string {
  const found = banOf(site, address);
  const parts: string[] = [];
  if (found !== undefined) {
    ngx.header['Retry-After'] = `${math.max(1, found.until - ngx.time())}`;
    const until = os.date('!%Y-%m-%d %H:%M:%S UTC', found.until) as string;
    parts.push(`<p>${t.until.zh} ${until}<br><span lang="en">${t.until.en} ${until}</span></p>`);
  }
  const where = objection();
  if (where !== '') {
    const link = string.find(where, '^https?://')[0] === undefined ? `mailto:${where}` : where;
    parts.push(
      `<p>${t.objection.zh} <span lang="en">${t.objection.en}</span> ` +
        `<a href="${escapeHtml(link)}">${escapeHtml(where)}</a></p>`,
    );
  }
  return parts.join('');
}
