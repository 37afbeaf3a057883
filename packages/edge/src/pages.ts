import { recordLastFailure } from './fetch.ts';
import { hasStale } from './stale.ts';

interface Page {
  status: number;
  zh: string;
  en: string;
}

/**
 * The edge's own pages. An unknown host gets 421 (RFC 9110 §15.5.20): this server gives no answers for that name.
 * Unlike a 404 it is never cached by default, so nobody keeps it for a site that is about to be delivered. A request
 * that came round to its own edge gets 508, as RFC 8586 has it in mind.
 */
const pages: Record<string, Page> = {
  unknown_host: { status: 421, zh: '该域名未接入此节点。', en: 'This domain is not served here.' },
  offline: { status: 503, zh: '网站已下线。', en: 'This site is offline.' },
  suspended: { status: 503, zh: '网站已被暂停服务。', en: 'This site is suspended.' },
  loop: {
    status: 508,
    zh: '请求在节点间循环，请检查源站设置。',
    en: 'The request came round in a loop: the origin leads back to this edge.',
  },
  not_stored: {
    status: 504,
    zh: '节点缓存中没有该内容。',
    en: 'This edge holds no stored answer, and none other was wanted.',
  },
  origin_failed: {
    status: 502,
    zh: '源站无法访问，请稍后再试。',
    en: 'The origin of this site cannot be reached.',
  },
  origin_timeout: {
    status: 504,
    zh: '源站响应超时，请稍后再试。',
    en: 'The origin of this site took too long to answer.',
  },
};

/** Instead of a site: the page that `$edge_page` names; of an edge that fails within, the origin's. */
export function showPage(): void {
  show(pages[ngx.var.edge_page ?? ''] ?? pages.origin_failed!);
}

/** Instead of an origin's answer. */
export function showOriginFailure(): void {
  recordLastFailure();
  // nginx closes the connection: the cache gives what it has.
  if (hasStale()) ngx.exit(444);
  if (ngx.var.edge_page === 'not_stored') show(pages.not_stored!);
  else show(ngx.status === 504 ? pages.origin_timeout! : pages.origin_failed!);
}

function show(page: Page): void {
  const requestId = ngx.var.edge_request_id ?? '';
  ngx.status = page.status;
  ngx.header['Content-Type'] = 'text/html; charset=utf-8';
  ngx.header['Cache-Control'] = 'no-store';
  ngx.print(
    `<!doctype html><html lang="zh"><meta charset="utf-8"><meta name="viewport" content="width=device-width">` +
      `<title>${page.status}</title><style>body{font:16px/1.6 system-ui,sans-serif;max-width:36rem;margin:15vh auto;padding:0 1rem}` +
      `small{color:#666}</style><h1>${page.status}</h1><p>${page.zh}</p><p lang="en">${page.en}</p>` +
      `<p><small>Request ID: ${requestId}</small></p></html>\n`,
  );
}
