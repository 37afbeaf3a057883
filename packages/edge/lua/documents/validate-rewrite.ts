import type { SiteDocument } from '@breakwater/contract/edge-document';
import type { BodyRewrite } from '@breakwater/contract/site-config/content-rewrite';
import { conditionProblem } from './condition-problem.ts';
import { fieldProblem, optionalProblem, type Fields } from './field-problem.ts';
import { regexOptions } from '../lib/regex.ts';

const sectionFields: Fields = {
  redirects: 'table',
  url_rewrites: 'table',
  request_headers: 'table',
  response_headers: 'table',
  body: 'table',
};
const bodyFields: Fields = {
  replacements: 'table',
  content_types: 'table',
  max_bytes: 'number',
  head_html: 'string',
  body_html: 'string',
};
const urlFields: Fields = { type: 'string', from: 'string', to: 'string', enabled: 'boolean' };
const headerFields: Fields = { action: 'string', name: 'string', pattern: 'string', value: 'string' };

/** Of what a site or a level changes: a list that it does not set is absent. */
export function rewriteProblem(config: SiteDocument['content_rewrite']): string | undefined {
  if (config === undefined) return undefined;
  const { body, redirects, url_rewrites: rewrites, request_headers: sent, response_headers: told } = config;
  return (
    optionalProblem('content_rewrite', config, sectionFields) ??
    (body && bodyProblem(body)) ??
    listProblem('redirects', redirects, { ...urlFields, status: 'number' }) ??
    listProblem('url_rewrites', rewrites, urlFields) ??
    listProblem('request_headers', sent, headerFields) ??
    listProblem('response_headers', told, headerFields)
  );
}

function bodyProblem(body: BodyRewrite): string | undefined {
  return (
    fieldProblem('content_rewrite.body', body, bodyFields) ??
    conditionProblem('content_rewrite.body.condition', body.condition, regexOptions) ??
    listProblem('body.replacements', body.replacements, { find: 'string', replace: 'string' })
  );
}

function listProblem(list: string, rules: unknown[] | undefined, fields: Fields): string | undefined {
  if (rules === undefined) return undefined;
  for (let index = 0; index < rules.length; index++) {
    const place = `content_rewrite.${list}.${index}`;
    const problem = fieldProblem(place, rules[index], fields);
    if (problem !== undefined) return problem;
    const rule = rules[index] as { type?: string; from?: string; pattern?: string; condition?: unknown };
    const badCondition = conditionProblem(`${place}.condition`, rule.condition, regexOptions);
    if (badCondition !== undefined) return badCondition;
    const pattern = rule.type === 'regex' ? rule.from : rule.pattern;
    if (pattern === undefined || pattern === '') continue;
    const [, , bad] = ngx.re.find('', pattern, regexOptions);
    if (bad !== undefined) return `${place}: the regular expression does not compile: ${bad}`;
  }
  return undefined;
}
