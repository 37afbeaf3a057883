import { redirectRule, requestHeaderRule, responseHeaderRule, urlRewriteRule } from '@breakwater/contract';
import type * as z from 'zod';
import { note, type Draft } from './draft.ts';
import { conditionOf, type Scope } from './nginx-scope.ts';
import type { Directive } from './nginx-tokens.ts';

/** Directives that become rules of rewriting. Each rule is judged by the contract before it is taken over. */

const variables: Record<string, string> = {
  host: '${host}',
  http_host: '${host}',
  server_name: '${host}',
  scheme: '${scheme}',
  request_method: '${method}',
  uri: '${path}',
  document_uri: '${path}',
  request_uri: '${uri}',
  args: '${query}',
  query_string: '${query}',
  remote_addr: '${client_ip}',
  realip_remote_addr: '${client_ip}',
  request_id: '${request_id}',
};

/** nginx's variables as ours, or nothing where one has no counterpart. Groups stay as they are. */
export function valueOf(text: string): string | undefined {
  let isKnown = true;
  const value = text.replaceAll(
    /\$(?:\{(\w+)\}|([a-z_]\w*)|(\d))?/gi,
    (all, braced?: string, bare?: string, group?: string) => {
      if (group !== undefined) return all;
      const known = variables[braced ?? bare ?? ''];
      if (known === undefined) isKnown = false;
      return known ?? '';
    },
  );
  return isKnown ? value : undefined;
}

const said = ({ name, args }: Directive) => [name, ...args].join(' ');

/** A rule as the contract takes it; of another, a note says why not. */
export function judged<Rule>(
  draft: Draft,
  directive: Directive,
  schema: z.ZodType,
  rule: Rule,
): Rule | undefined {
  const { success, error } = schema.safeParse(rule);
  if (success) return rule;
  const isPattern = error.issues.some(({ message }) => message.startsWith('pattern_'));
  const isSet = error.issues.some(({ message }) =>
    ['field_of_edge', 'field_framing', 'field_followed'].includes(message),
  );
  note(draft, said(directive), isPattern ? 'pattern' : isSet ? 'own_setting' : 'bad_value', directive.line);
  return undefined;
}

/** `return` with a redirect, of the location it stands in. */
export function takeReturn(draft: Draft, directive: Directive, scope: Scope): void {
  const [first = '', second] = directive.args;
  const status = second === undefined ? 302 : Number(first);
  const written = second ?? first;
  if (![301, 302, 303, 307, 308].includes(status) || !/^(?:https?:\/\/|\/|\$scheme:)/.test(written)) {
    note(draft, said(directive), 'unknown', directive.line);
    return;
  }
  const keepsAll = /\$(?:\{?request_uri\}?|\{?uri\}?(?:\$is_args\$args)?)$/.exec(written);
  const to = valueOf(keepsAll === null ? written : written.slice(0, keepsAll.index));
  if (to === undefined) {
    note(draft, said(directive), 'variable', directive.line);
    return;
  }
  if (to === 'https://${host}' && keepsAll !== null) {
    note(draft, said(directive), 'force_https', directive.line);
    return;
  }
  const from = scope.path ?? '/';
  const rule = {
    type: scope.isExact ? ('url' as const) : ('prefix' as const),
    from,
    to: to === '' ? '/' : to,
    keep_path: false,
    keep_query: keepsAll !== null,
    status: status as 302,
    ...conditionOf(scope, true),
  };
  if (keepsAll !== null) {
    // All of the path goes on, of which the folder is a part.
    rule.keep_path = true;
    if (from !== '/') rule.to = `${to.replace(/\/$/, '')}${from}`;
  }
  const good = judged(draft, directive, redirectRule, rule);
  if (good !== undefined) draft.redirects.push(good);
}

/** `rewrite pattern replacement [flag]`. */
export function takeRewrite(draft: Draft, directive: Directive, scope: Scope): void {
  const [pattern = '', replacement = '', flag = ''] = directive.args;
  const isBare = replacement.endsWith('?');
  const to = valueOf(isBare ? replacement.slice(0, -1) : replacement);
  if (to === undefined) {
    note(draft, said(directive), 'variable', directive.line);
    return;
  }
  const isFolded = pattern.startsWith('(?i)');
  const shared = {
    type: 'regex' as const,
    from: isFolded ? pattern.slice(4) : pattern,
    to: to === '/' || to.startsWith('/') || /^https?:/.test(to) ? to : `/${to}`,
    keep_query: !isBare,
    case_insensitive: isFolded,
    ...conditionOf(scope, false),
  };
  const isRedirect = flag === 'redirect' || flag === 'permanent' || /^https?:\/\//.test(to);
  if (isRedirect) {
    const rule = {
      ...shared,
      keep_path: false,
      status: flag === 'permanent' ? (301 as const) : (302 as const),
    };
    const good = judged(draft, directive, redirectRule, rule);
    if (good !== undefined) draft.redirects.push(good);
    return;
  }
  const rule = { ...shared, flow: flag === '' ? ('continue' as const) : ('break' as const) };
  const good = judged(draft, directive, urlRewriteRule, rule);
  if (good !== undefined) draft.urlRewrites.push(good);
}

/** `add_header`, `proxy_hide_header`: what visitors get. */
export function takeResponseHeader(draft: Draft, directive: Directive): void {
  const [name = '', written = ''] = directive.args;
  const isHidden = directive.name === 'proxy_hide_header';
  const value = valueOf(written);
  if (value === undefined) {
    note(draft, said(directive), 'variable', directive.line);
    return;
  }
  const rule = isHidden
    ? { action: 'remove', name }
    : { action: name.toLowerCase() === 'set-cookie' ? 'add' : 'set', name, value };
  const good = judged(draft, directive, responseHeaderRule, rule);
  if (good !== undefined) draft.responseHeaders.push(good);
}

/** What the edge tells origins by itself. */
const toldAnyway = new Set([
  'x-real-ip',
  'x-forwarded-for',
  'x-forwarded-proto',
  'x-forwarded-host',
  'x-forwarded-scheme',
  'x-forwarded-port',
  'x-forwarded-ssl',
  'upgrade',
  'connection',
  'accept-encoding',
  'x-request-id',
]);

/** `proxy_set_header`: what origins get. */
export function takeRequestHeader(draft: Draft, directive: Directive): void {
  const [name = '', written = ''] = directive.args;
  const field = name.toLowerCase();
  if (field === 'host') {
    if (/^\$(?:host|http_host|server_name)$/.test(written) || /^\$(?:host|http_host):\$\w+$/.test(written))
      return;
    if (written.includes('$')) note(draft, said(directive), 'variable', directive.line);
    else draft.config['host'] = written.toLowerCase();
    return;
  }
  if (toldAnyway.has(field)) return;
  const value = valueOf(written);
  if (value === undefined) {
    note(draft, said(directive), 'variable', directive.line);
    return;
  }
  const rule = value === '' ? { action: 'remove', name } : { action: 'set', name, value };
  const good = judged(draft, directive, requestHeaderRule, rule);
  if (good !== undefined) draft.requestHeaders.push(good);
}
