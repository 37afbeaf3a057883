import type {
  BodyRewrite,
  HeaderRule,
  RedirectRule,
  UrlRewriteRule,
} from '@breakwater/contract/site-config/content-rewrite';
import { changeBody, startBodyChange } from '../rewrite/body.ts';
import { changedLines, prepareHeaderRules } from '../rewrite/header-rule.ts';
import { decideRedirect, prepareRedirects } from '../rewrite/redirect.ts';
import type { FindRegex } from '../rewrite/match.ts';
import type { RewriteRequest } from '../rewrite/template.ts';
import { prepareUrlRewrites, rewriteUrl } from '../rewrite/url.ts';

/** The decisions of a site's rewriting; nothing for another. */
export function runRewriteVector(decision: string, input: Record<string, unknown>, find: FindRegex): unknown {
  if (decision === 'redirect') return redirect(input as never, find);
  if (decision === 'url-rewrite') return urlRewrite(input as never, find);
  if (decision === 'header-rule') return headers(input as never, find);
  if (decision === 'body-rewrite') return body(input as never);
  if (decision === 'pattern-find') return patternFind(input as never, find);
  return undefined;
}

interface PatternCase {
  subject: string;
  pattern: string;
  insensitive?: boolean;
  from?: number;
}

function patternFind({ subject, pattern, insensitive, from }: PatternCase, find: FindRegex): unknown {
  const found = find(subject, pattern, insensitive === true, from ?? 0);
  return found === undefined
    ? { start: -1 }
    : { start: found.start, end: found.end, groups: found.groups.join('|') };
}

interface UrlCase<Rule> {
  rules: Partial<Rule>[];
  target: string;
  scheme?: string;
  host?: string;
  port?: string;
}

function requestOf({ target, scheme, host, port }: UrlCase<unknown>): RewriteRequest {
  return {
    target,
    scheme: scheme ?? 'https',
    host: host ?? 'a.example',
    port: port ?? '443',
    method: 'GET',
    clientIp: '192.0.2.7',
    requestId: 'f00d',
  };
}

const always = () => true;

function redirect(input: UrlCase<RedirectRule>, find: FindRegex): unknown {
  const rules: RedirectRule[] = [];
  for (const rule of input.rules)
    rules.push({
      type: rule.type ?? 'url',
      from: rule.from ?? '/',
      to: rule.to ?? '/',
      keep_path: rule.keep_path ?? true,
      keep_query: rule.keep_query ?? true,
      status: rule.status ?? 302,
      case_insensitive: rule.case_insensitive ?? false,
      enabled: rule.enabled ?? true,
    });
  const decided = decideRedirect(prepareRedirects(rules), requestOf(input), always, find);
  return decided ?? { index: -1 };
}

function urlRewrite(input: UrlCase<UrlRewriteRule>, find: FindRegex): unknown {
  const rules: UrlRewriteRule[] = [];
  for (const rule of input.rules)
    rules.push({
      type: rule.type ?? 'path',
      from: rule.from ?? '/',
      to: rule.to ?? '/',
      keep_query: rule.keep_query ?? true,
      case_insensitive: rule.case_insensitive ?? false,
      flow: rule.flow ?? 'break',
      enabled: rule.enabled ?? true,
    });
  const { target, indexes } = rewriteUrl(prepareUrlRewrites(rules), requestOf(input), always, find);
  return { target, rules: indexes.join(' ') };
}

interface HeaderCase extends UrlCase<HeaderRule> {
  lines: string[];
}

/** The lines of one field after all rules, as one text. */
function headers(input: HeaderCase, find: FindRegex): unknown {
  const rules: HeaderRule[] = [];
  for (const rule of input.rules)
    rules.push({
      action: rule.action ?? 'set',
      name: rule.name ?? 'X-Test',
      pattern: rule.pattern ?? '',
      value: rule.value ?? '',
      enabled: rule.enabled ?? true,
    });
  let lines = input.lines;
  for (const rule of prepareHeaderRules(rules)) lines = changedLines(rule, lines, requestOf(input), find);
  return { lines: lines.join(' | ') };
}

interface BodyCase {
  rules: Partial<BodyRewrite>;
  type: string;
  pieces: string[];
}

function body({ rules, type, pieces }: BodyCase): unknown {
  const change = startBodyChange(
    {
      replacements: rules.replacements ?? [],
      content_types: rules.content_types ?? ['text/html'],
      max_bytes: 1_000_000,
      head_html: rules.head_html ?? '',
      body_html: rules.body_html ?? '',
    },
    type,
  );
  if (change === undefined) return { text: 'as it is' };
  const out: string[] = [];
  for (let index = 0; index < pieces.length; index++)
    out.push(changeBody(change, pieces[index]!, index === pieces.length - 1));
  return { text: out.join('') };
}
