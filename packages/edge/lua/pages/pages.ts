import { recordLastFailure } from '../fetch/ask.ts';
import { changeCorsFields, sendPreflight } from '../front/cors.ts';
import { errorAnswer, fillIn, suitingPages, type PageValues } from './error-page.ts';
import { askAgain, missesFetchServer } from '../fetch/crowd.ts';
import { callPlace, sendCallFailure } from '../front/grpc.ts';
import { sendToHttps } from '../front/guard.ts';
import { refusalOf, type Refusal } from './refusal.ts';
import { showChallenge } from '../protect/verify-answer.ts';
import { sendRedirect } from '../front/rewriting.ts';
import { banNotice } from './ban-page.ts';
import { send } from './send.ts';
import { secondsToOpening } from '../site/maintenance.ts';
import { entryOf, type HostEntry } from '../site/host.ts';
import { formerInPlaceOfError, sendStored } from '../fetch/revalidation.ts';
import { fetchRequest } from '../fetch/fetch-request.ts';
import { hasStale } from '../fetch/stale.ts';
import { pagesTold } from '../hop/told.ts';

interface Page {
  status: number;
  /** After how many seconds asking again may help. Search engines keep what they know of a site meanwhile. */
  retrySeconds?: number;
  /** The platform's own word, which no page of the site replaces. */
  isFixed?: true;
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
  offline: { status: 503, retrySeconds: 3600, zh: '网站已下线。', en: 'This site is offline.' },
  checking: {
    status: 503,
    isFixed: true,
    retrySeconds: 60,
    zh: '域名正在验证，通过后即可访问。',
    en: 'This domain is being verified. The site becomes available once verification completes.',
  },
  check_failed: {
    status: 503,
    isFixed: true,
    zh: '域名未通过验证，网站尚未开通。',
    en: 'This domain could not be verified, so the site is not available.',
  },
  unfiled: {
    status: 451,
    isFixed: true,
    zh: '该域名的 ICP 备案号尚未通过核验，暂时无法访问。',
    en: 'The ICP filing number of this domain has not been confirmed, so the site is not available.',
  },
  suspended: {
    status: 503,
    isFixed: true,
    retrySeconds: 3600,
    zh: '网站已被暂停服务。',
    en: 'This site is suspended.',
  },
  suspended_order_expired: {
    status: 503,
    isFixed: true,
    retrySeconds: 3600,
    zh: '网站的服务已到期。',
    en: 'The service for this site has expired.',
  },
  suspended_order_suspended: {
    status: 503,
    isFixed: true,
    retrySeconds: 3600,
    zh: '网站的服务订单已被暂停。',
    en: 'The service order for this site is suspended.',
  },
  suspended_client_disabled: {
    status: 503,
    isFixed: true,
    retrySeconds: 3600,
    zh: '网站所属账号已被停用。',
    en: 'The account that owns this site is disabled.',
  },
  misdirected: {
    status: 421,
    zh: '该连接不是为此域名建立的，请重新连接。',
    en: 'This connection was opened for a different domain. Please reconnect.',
  },
  client_certificate: {
    status: 403,
    zh: '访问此网站需要有效的客户端证书。',
    en: 'A valid client certificate is required to access this site.',
  },
  bad_path: {
    status: 400,
    zh: '请求路径有歧义，已被拒绝。',
    en: 'The request path is ambiguous and was rejected.',
  },
  no_own_page: { status: 404, isFixed: true, zh: '此处没有内容。', en: 'There is nothing here.' },
  denied: { status: 403, zh: '访问被拒绝。', en: 'Access denied.' },
  banned: {
    status: 403,
    isFixed: true,
    zh: '你的 IP 已被暂时禁止访问。',
    en: 'Your IP address is temporarily blocked.',
  },
  verify: {
    status: 403,
    isFixed: true,
    zh: '访问该网站需要先通过浏览器验证。',
    en: 'A browser check is required to access this site.',
  },
  offline_page: {
    status: 451,
    isFixed: true,
    zh: '此页面因内容违规已停止访问。',
    en: 'This page is not available because its content violates the rules of the platform.',
  },
  blocked: {
    status: 403,
    zh: '请求被网站的安全规则拦截。',
    en: 'The request was blocked by a security rule of this site.',
  },
  signature_missing: {
    status: 403,
    zh: '此链接需要签名才能访问。',
    en: 'A signed URL is required to access this page.',
  },
  signature_bad: { status: 403, zh: '链接的签名无效。', en: 'The signature of this link is invalid.' },
  signature_expired: { status: 403, zh: '链接已过期。', en: 'This link has expired.' },
  bad_referer: {
    status: 403,
    zh: '此内容不允许被其他网站引用。',
    en: 'This content may not be embedded by other sites.',
  },
  preflight: { status: 204, zh: '', en: '' },
  preflight_refused: {
    status: 403,
    zh: '此网站不接受来自其他网站页面的此类请求。',
    en: 'This site does not accept such requests from pages of other sites.',
  },
  login: {
    status: 401,
    zh: '访问此页面需要用户名和密码。',
    en: 'A username and password are required to access this page.',
  },
  maintenance: {
    status: 503,
    zh: '网站正在维护，请稍后再来。',
    en: 'This site is under maintenance. Please try again later.',
  },
  loop: {
    status: 508,
    zh: '请求在节点间循环，请检查源站设置。',
    en: 'The request is looping between nodes. Check the origin settings.',
  },
  not_stored: {
    status: 504,
    zh: '节点缓存中没有该内容。',
    en: 'This content is not in the cache of this node.',
  },
  link_refused: {
    status: 403,
    isFixed: true,
    zh: '该链接无效或已过期，请在控制台重新获取。',
    en: 'This link is invalid or has expired. Create a new one in the console.',
  },
  length_required: {
    status: 411,
    zh: '请求缺少 Content-Length，该站点限制了上传大小。',
    en: 'The request has no Content-Length, and this site limits the upload size.',
  },
  content_too_slow: {
    status: 408,
    zh: '上传速度过慢，请检查网络后重试。',
    en: 'The upload was too slow. Check your network and try again.',
  },
  content_too_large: {
    status: 413,
    zh: '上传内容超过该站点允许的大小。',
    en: 'The upload exceeds the size that this site allows.',
  },
  url_too_long: {
    status: 414,
    zh: '请求 URL 超过该站点允许的长度。',
    en: 'The request URL exceeds the length that this site allows.',
  },
  header_too_large: {
    status: 431,
    zh: '请求头超过该站点允许的数量或大小，可尝试清除 Cookie。',
    en: 'The request headers exceed the number or size that this site allows. Clearing cookies may help.',
  },
  too_many_requests: {
    status: 429,
    zh: '请求过于频繁，请稍后再试。',
    en: 'Too many requests. Please try again later.',
  },
  too_many_connections: {
    status: 429,
    zh: '同时进行的请求过多，请稍后再试。',
    en: 'Too many concurrent requests. Please try again later.',
  },
  origin_failed: {
    status: 502,
    zh: '源站无法访问，请稍后再试。',
    en: 'The origin of this site cannot be reached. Please try again later.',
  },
  origin_busy: {
    status: 503,
    zh: '源站繁忙，请稍后再试。',
    en: 'The origin of this site is busy. Please try again later.',
  },
  node_busy: {
    status: 503,
    isFixed: true,
    retrySeconds: 1,
    zh: '节点繁忙，请稍后再试。',
    en: 'This node is busy. Please try again later.',
  },
  origin_timeout: {
    status: 504,
    zh: '源站响应超时，请稍后再试。',
    en: 'The origin of this site took too long to respond. Please try again later.',
  },
};

for (const level of ['global', 'product', 'client']) pages[`denied_${level}`] = pages.denied!;

const pageName = (): string => (missesFetchServer() ? askAgain() : (ngx.var.edge_page ?? ''));

/** Instead of a site: the page that `$edge_page` names; of an edge that fails within, the origin's. */
export function showPage(): void {
  // In the middle of an answer that goes in parts there is no room for a page: nginx cuts it off.
  if (ngx.is_subrequest) ngx.exit(ngx.ERROR);
  const name = pageName();
  const entry = entryOf(ngx.var.host!);
  const cors = entry?.site.access?.cors;
  // A browser hides from the page what says nothing of it. A preflight has an answer of its own, or none.
  if (cors !== undefined && name !== 'preflight' && name !== 'preflight_refused') changeCorsFields(cors);
  // First, for it is what a flood of requests gets.
  if (name === 'verify' && entry !== undefined && callPlace(entry.site) === undefined)
    showChallenge(entry.site);
  else showNamed(name, entry);
}

function showNamed(name: string, entry: HostEntry | undefined): void {
  const page = pages[name] ?? pages.origin_failed!;
  const values = valuesOf(page, ngx.var.client_addr);
  const { login, cors } = entry?.site.access ?? { login: undefined, cors: undefined };
  const refusal = entry && refusalOf(name, entry.site);
  if (name === 'login' && login !== undefined)
    ngx.header['WWW-Authenticate'] = `Basic realm="${login.settings.realm}", charset="UTF-8"`;
  if (entry !== undefined && callPlace(entry.site) !== undefined) sendCallFailure(page);
  else if (name === 'maintenance' && entry?.site.closing !== undefined) showClosed(page, entry, values);
  else if (name === 'redirect' && entry?.guard?.redirect !== undefined)
    sendToHttps(entry.host, entry.guard.redirect);
  else if (refusal !== undefined) showRefusal(entry!, refusal, values);
  else if (name === 'preflight' && cors !== undefined) sendPreflight(cors);
  else if (name === 'rule_redirect') sendRedirect();
  else show(page, entry, values);
}

/** Who is not let in gets what the site says of that. */
function showRefusal(entry: HostEntry, refusal: Refusal, values: PageValues): void {
  const { page, status, body, location } = refusal;
  if (refusal.closes === true) ngx.exit(444);
  const own = { ...values, status };
  if (location !== undefined) {
    ngx.header.Location = location;
    sendPage(302, 'text/plain; charset=utf-8', []);
  } else if (body === '') show({ ...pages[page]!, status }, entry, own);
  else sendPage(status, 'text/html; charset=utf-8', fillIn(body, own));
}

/** Instead of what a link leads to that nobody signed, or not for this site, or long ago. */
export function showRefusedLink(): void {
  const page = pages.link_refused!;
  show(page, undefined, valuesOf(page, ngx.var.client_addr));
}

/** 500: nginx has no connection left to ask with. */
const failures: Record<string, Page> = {
  '500': pages.node_busy!,
  '503': pages.origin_busy!,
  '504': pages.origin_timeout!,
};

/** Instead of an origin's answer to a call of gRPC. */
export function showCallFailure(): void {
  if (ngx.status !== 500) recordLastFailure();
  sendCallFailure(pages[ngx.var.edge_page ?? ''] ?? failures[`${ngx.status}`] ?? pages.origin_failed!);
}

/** Instead of an origin's answer. */
export function showOriginFailure(): void {
  if (ngx.status !== 500) recordLastFailure();
  // nginx closes the connection: the cache gives what it has.
  if (hasStale(fetchRequest())) ngx.exit(444);
  const former = formerInPlaceOfError();
  if (former !== undefined && sendStored(former)) return;
  const page = failures[`${ngx.status}`] ?? pages.origin_failed!;
  const shown = pages[ngx.var.edge_page ?? ''] ?? page;
  show(shown, entryOf(ngx.var.host!), valuesOf(shown, ngx.var.http_x_real_ip), pagesTold);
}

function valuesOf(page: Page, clientIp: string | undefined): PageValues {
  const requestId = ngx.var.edge_request_id ?? '';
  return { status: page.status, host: ngx.var.host ?? '', requestId, clientIp: clientIp ?? '' };
}

function showClosed(page: Page, { site }: HostEntry, values: PageValues): void {
  ngx.header['Retry-After'] = `${secondsToOpening(site.closing!)}`;
  const body = site.closing!.body;
  sendPage(
    page.status,
    'text/html; charset=utf-8',
    body === '' ? pageText(page, values) : fillIn(body, values),
  );
}

/** The site's own page for the status, or the edge's. `suiting`: how it is known here which pages suit the visitor's request. */
function show(
  page: Page,
  entry: HostEntry | undefined,
  values: PageValues,
  suiting = () => suitingPages(entry!.site.errorPages!),
): void {
  if (page.retrySeconds !== undefined) ngx.header['Retry-After'] = `${page.retrySeconds}`;
  const own = page.isFixed
    ? undefined
    : entry && errorAnswer(entry.site.errorPages, suiting, ngx.var.request_uri!, values).answer;
  const notice = page === pages.banned && entry !== undefined ? banNotice(entry.site, values.clientIp) : '';
  if (own === undefined) sendPage(page.status, 'text/html; charset=utf-8', pageText(page, values, notice));
  else {
    ngx.header.Location = own.location;
    sendPage(own.status, own.contentType, own.body);
  }
}

function sendPage(status: number, contentType: string, parts: string[]): void {
  ngx.header['Cache-Control'] = 'no-store';
  send(status, contentType, parts);
}

const pageText = ({ status, zh, en }: Page, { requestId }: PageValues, notice = ''): string[] => [
  '<!doctype html><html lang="zh"><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>',
  `${status}`,
  '</title><style>body{font:16px/1.6 system-ui,sans-serif;max-width:36rem;margin:15vh auto;padding:0 1rem}small{color:#666}</style><h1>',
  `${status}`,
  '</h1><p>',
  zh,
  '</p><p lang="en">',
  en,
  '</p>',
  notice,
  '<p><small>Request ID: ',
  requestId,
  '</small></p></html>\n',
];
