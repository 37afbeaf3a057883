import type { SiteDocument } from '@breakwater/contract/edge-document';
import { fieldProblem, type Fields } from './field-problem.ts';

const ruleFields: Fields = {
  action: 'string',
  addresses: 'table',
  agents: 'table',
  empty_agent: 'boolean',
  methods: 'table',
  only_paths: 'table',
  except_paths: 'table',
  enabled: 'boolean',
};
const refererFields: Fields = {
  enabled: 'boolean',
  allow: 'table',
  deny: 'table',
  allow_empty: 'boolean',
  allow_same_domain: 'boolean',
  check_origin: 'boolean',
  only_paths: 'table',
  except_paths: 'table',
  action: 'string',
  status: 'number',
  redirect_url: 'string',
};

/** Of who may come in: what a request would break on. */
export function accessProblem({
  access_control: control,
  block_referer: referer,
}: Partial<SiteDocument>): string | undefined {
  if (referer !== undefined) {
    const problem = fieldProblem('block_referer', referer, refererFields);
    if (problem !== undefined) return problem;
  }
  if (control === undefined) return undefined;
  const problem =
    fieldProblem('access_control', control, { rules: 'table', otherwise: 'string', deny: 'table' }) ??
    fieldProblem('access_control.deny', control.deny, { status: 'number', body: 'string' });
  if (problem !== undefined) return problem;
  for (let index = 0; index < control.rules.length; index++) {
    const bad = fieldProblem(`access_control.rules.${index}`, control.rules[index], ruleFields);
    if (bad !== undefined) return bad;
  }
  return undefined;
}
