import type { SiteDocument } from '@breakwater/contract/edge-document';
import { conditionProblem } from './condition-problem.ts';
import { fieldProblem, type Fields } from './field-problem.ts';
import { regexOptions } from './regex.ts';

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

export function rewriteProblem({ content_rewrite: config }: Partial<SiteDocument>): string | undefined {
  if (config === undefined) return undefined;
  return (
    fieldProblem('content_rewrite', config, sectionFields) ??
    fieldProblem('content_rewrite.body', config.body, bodyFields) ??
    conditionProblem('content_rewrite.body.condition', config.body.condition, regexOptions) ??
    listProblem('body.replacements', config.body.replacements, { find: 'string', replace: 'string' }) ??
    listProblem('redirects', config.redirects, { ...urlFields, status: 'number' }) ??
    listProblem('url_rewrites', config.url_rewrites, urlFields) ??
    listProblem('request_headers', config.request_headers, headerFields) ??
    listProblem('response_headers', config.response_headers, headerFields)
  );
}

function listProblem(list: string, rules: unknown[], fields: Fields): string | undefined {
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
