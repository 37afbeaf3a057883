import { redirectRule, type DraftNote, type SiteDraft } from '@breakwater/contract';
import * as z from 'zod';
import { domainOf, finish, giveOrigins, newDraft, note, type Draft } from './draft.ts';

/** Sites from the JSON of Nginx Proxy Manager (its API's answers, or rows of its database) and of GoEdge. */

type Drafts = { drafts: SiteDraft[]; notes: DraftNote[] };
type Row = Record<string, unknown>;

const isRow = (value: unknown): value is Row =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const textOf = (value: unknown): string =>
  typeof value === 'string' || typeof value === 'number' ? String(value) : '';
/** The database keeps truth as 0 and 1. */
const isOn = (value: unknown): boolean => value === true || value === 1 || value === '1';

/** A list, or the text of one, as the database keeps it. */
function listOf(value: unknown): unknown[] {
  if (Array.isArray(value)) return value;
  if (typeof value !== 'string') return [];
  try {
    const parsed: unknown = JSON.parse(value);
    return Array.isArray(parsed) ? parsed : [];
  } catch {
    return value.split(/[,\s]+/).filter(Boolean);
  }
}

function takeNames(draft: Draft, names: unknown[]): void {
  for (const name of names) {
    const domain = domainOf(textOf(name));
    if (domain === undefined) note(draft, textOf(name), 'bad_domain');
    else draft.domains.push(domain);
  }
}

/** One list of hosts of any kind, or an object of lists: `proxy_hosts`, `redirection_hosts`, `access_lists`. */
export function npmDrafts(data: unknown): Drafts {
  const rows = Array.isArray(data)
    ? data
    : isRow(data)
      ? Object.entries(data).flatMap(([name, value]) =>
          ['proxy_hosts', 'redirection_hosts', 'proxy_host', 'redirection_host'].includes(name)
            ? listOf(value)
            : [],
        )
      : [];
  const notes: DraftNote[] = [];
  const drafts: Draft[] = [];
  for (const row of rows) {
    if (!isRow(row) || !('domain_names' in row)) continue;
    if (isOn(row['is_deleted'])) continue;
    const draft = newDraft();
    takeNames(draft, listOf(row['domain_names']));
    if (draft.domains.length === 0) {
      note({ notes }, JSON.stringify(row['domain_names'] ?? ''), 'no_domain');
      continue;
    }
    if ('enabled' in row && !isOn(row['enabled'])) note(draft, 'enabled', 'disabled');
    if ('forward_domain_name' in row) takeRedirection(draft, row);
    else takeProxy(draft, row);
    if (isOn(row['ssl_forced'])) note(draft, 'ssl_forced', 'force_https');
    if (Number(row['certificate_id'] ?? 0) > 0) note(draft, 'certificate_id', 'certificate');
    if (Number(row['access_list_id'] ?? 0) > 0) note(draft, 'access_list_id', 'password');
    if (textOf(row['advanced_config']).trim() !== '') note(draft, 'advanced_config', 'unknown');
    drafts.push(draft);
  }
  giveOrigins(drafts);
  return { drafts: drafts.map(finish), notes };
}

function takeProxy(draft: Draft, row: Row): void {
  const protocol = row['forward_scheme'] === 'https' ? 'https' : 'http';
  const address = textOf(row['forward_host']).toLowerCase();
  const port = Number(row['forward_port']);
  draft.config['protocol'] = protocol;
  draft.config['websocket'] = isOn(row['allow_websocket_upgrade']);
  if (address !== '')
    draft.origins.push({
      address,
      [protocol === 'http' ? 'http_port' : 'https_port']: port || (protocol === 'http' ? 80 : 443),
    });
  if (isOn(row['caching_enabled']))
    draft.cacheRules.push({
      type: 'suffix',
      content: ['css', 'js', 'jpg', 'jpeg', 'png', 'gif', 'ico', 'svg', 'webp', 'woff', 'woff2'],
      ttl_seconds: 1800,
    });
  for (const location of listOf(row['locations']))
    if (isRow(location)) note(draft, `location ${textOf(location['path'])}`, 'several_origins');
}

function takeRedirection(draft: Draft, row: Row): void {
  const scheme = textOf(row['forward_scheme']);
  const to = `${scheme === 'http' || scheme === 'https' ? scheme : '${scheme}'}://${textOf(row['forward_domain_name'])}`;
  const status = Number(row['forward_http_code']);
  const rule = {
    type: 'prefix' as const,
    from: '/',
    to,
    keep_path: isOn(row['preserve_path']),
    keep_query: isOn(row['preserve_path']),
    status: ([301, 302, 303, 307, 308].includes(status) ? status : 302) as 302,
  };
  if (redirectRule.safeParse(rule).success) draft.redirects.push(rule);
  else note(draft, to, 'bad_value');
}

/** A server's configuration, a list of them, or what the API wraps them in. */
export function goedgeDrafts(data: unknown): Drafts {
  const found: unknown[] = Array.isArray(data)
    ? data
    : isRow(data) && Array.isArray(data['servers'])
      ? data['servers']
      : [data];
  const notes: DraftNote[] = [];
  const drafts: Draft[] = [];
  for (const each of found) {
    const row = isRow(each) && isRow(each['config']) ? each['config'] : each;
    if (!isRow(row)) continue;
    const draft = newDraft();
    for (const name of listOf(row['serverNames']))
      takeNames(
        draft,
        isRow(name)
          ? [...(textOf(name['name']) === '' ? [] : [name['name']]), ...listOf(name['subNames'])]
          : [name],
      );
    if (draft.domains.length === 0) {
      note({ notes }, textOf(row['name']) || 'serverNames', 'no_domain');
      continue;
    }
    if ('isOn' in row && !isOn(row['isOn'])) note(draft, 'isOn', 'disabled');
    if (isRow(row['reverseProxy'])) takeGoedgeOrigins(draft, row['reverseProxy']);
    if (isRow(row['web'])) takeGoedgeWeb(draft, row['web']);
    if (isRow(row['https']) && listOf(row['https']['listen']).length > 0) note(draft, 'https', 'certificate');
    drafts.push(draft);
  }
  giveOrigins(drafts);
  return { drafts: drafts.map(finish), notes };
}

const addr = z.object({
  protocol: z.string().optional(),
  host: z.string(),
  portRange: z.string().optional(),
});

function takeGoedgeOrigins(draft: Draft, proxy: Row): void {
  for (const [list, state] of [
    ['primaryOrigins', 'primary'],
    ['backupOrigins', 'backup'],
  ] as const)
    for (const each of listOf(proxy[list])) {
      if (!isRow(each)) continue;
      const { success, data } = addr.safeParse(each['addr']);
      if (!success) {
        note(draft, list, 'bad_value');
        continue;
      }
      const protocol = data.protocol === 'https' || data.protocol === 'tls' ? 'https' : 'http';
      const port = Number(data.portRange) || (protocol === 'http' ? 80 : 443);
      draft.config['protocol'] ??= protocol;
      draft.origins.push({
        address: data.host.toLowerCase(),
        [protocol === 'http' ? 'http_port' : 'https_port']: port,
        state: 'isOn' in each && !isOn(each['isOn']) ? 'down' : state,
        weight: Math.min(100, Math.max(1, Number(each['weight'] ?? 10) || 10)),
      });
    }
}

/** Of the rest, what has a value is named. */
function takeGoedgeWeb(draft: Draft, web: Row): void {
  for (const [name, value] of Object.entries(web)) {
    if (name === 'hostRedirects') for (const each of listOf(value)) takeGoedgeRedirect(draft, each);
    else if (name === 'redirectToHttps') {
      if (isRow(value) && isOn(value['isOn'])) note(draft, name, 'force_https');
    } else if (
      !['id', 'isOn'].includes(name) &&
      (isRow(value) ? isOn(value['isOn']) : Array.isArray(value) && value.length > 0)
    )
      note(draft, name, 'own_setting');
  }
}

function takeGoedgeRedirect(draft: Draft, value: unknown): void {
  if (!isRow(value) || ('isOn' in value && !isOn(value['isOn']))) return;
  const status = Number(value['status']);
  const rule = {
    type: isOn(value['matchRegexp'])
      ? ('regex' as const)
      : isOn(value['matchPrefix'])
        ? ('prefix' as const)
        : ('url' as const),
    from: textOf(value['beforeURL']),
    to: textOf(value['afterURL']),
    keep_path: isOn(value['keepRequestURI']),
    keep_query: isOn(value['keepArgs']) || isOn(value['keepRequestURI']),
    status: ([301, 302, 303, 307, 308].includes(status) ? status : 302) as 302,
  };
  if (redirectRule.safeParse(rule).success) draft.redirects.push(rule);
  else note(draft, `${rule.from} → ${rule.to}`, 'bad_value');
}
