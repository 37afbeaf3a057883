import type {
  AddressListDocument,
  IpDataDocument,
  LevelDocument,
  SiteDocument,
} from '@breakwater/contract/edge-document';
import type { AccessRule } from '@breakwater/contract/site-config/access-control';
import { conditionProblem } from './condition-problem.ts';
import { fieldProblem, optionalProblem, type Fields } from './field-problem.ts';
import { regexOptions } from '../lib/regex.ts';

const ruleFields: Fields = {
  action: 'string',
  addresses: 'table',
  address_lists: 'table',
  countries: 'table',
  provinces: 'table',
  carriers: 'table',
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

export const refererProblem = (referer: SiteDocument['block_referer']): string | undefined =>
  optionalProblem('block_referer', referer, refererFields);

/** Of who may come in: what a request would break on. */
export function accessProblem({ access_control: control }: Partial<SiteDocument>): string | undefined {
  if (control === undefined) return undefined;
  const problem =
    fieldProblem('access_control', control, { rules: 'table', otherwise: 'string', deny: 'table' }) ??
    fieldProblem('access_control.deny', control.deny, { status: 'number', body: 'string' });
  if (problem !== undefined) return problem;
  const badSigning = signingProblem(control.signing);
  if (badSigning !== undefined) return badSigning;
  return loginProblem(control) ?? corsProblem(control.cors) ?? accessRulesProblem(control.rules);
}

/** Absent in documents from before passwords. */
function loginProblem(control: NonNullable<SiteDocument['access_control']>): string | undefined {
  const settings = control.basic_auth as unknown;
  if (settings === undefined) return undefined;
  const fields = {
    enabled: 'boolean',
    realm: 'string',
    users: 'table',
    pass_to_origin: 'boolean',
    tries: 'number',
  };
  return (
    fieldProblem('access_control.basic_auth', settings, fields) ??
    fieldProblem('access_control', control, { auth_paths: 'table', open_paths: 'table' })
  );
}

/** Absent in documents from before it came. */
function corsProblem(settings: unknown): string | undefined {
  if (settings === undefined) return undefined;
  return fieldProblem('access_control.cors', settings, {
    enabled: 'boolean',
    origins: 'table',
    methods: 'table',
    headers: 'table',
    exposed_headers: 'table',
    credentials: 'boolean',
    max_age_seconds: 'number',
  });
}

/** Of a level: rules, and what those get whom they refuse. */
export function levelAccessProblem(control: LevelDocument['access_control']): string | undefined {
  if (control === undefined) return undefined;
  return (
    fieldProblem('access_control', control, { rules: 'table', deny: 'table' }) ??
    fieldProblem('access_control.deny', control.deny, { status: 'number', body: 'string' }) ??
    accessRulesProblem(control.rules)
  );
}

function accessRulesProblem(rules: AccessRule[]): string | undefined {
  for (let index = 0; index < rules.length; index++) {
    const place = `access_control.rules.${index}`;
    const bad =
      fieldProblem(place, rules[index], ruleFields) ??
      conditionProblem(`${place}.condition`, rules[index]!.condition, regexOptions);
    if (bad !== undefined) return bad;
  }
  return undefined;
}

/** Absent in documents from before links could be signed. */
function signingProblem(signing: unknown): string | undefined {
  if (signing === undefined) return undefined;
  return fieldProblem('access_control.signing', signing, {
    enabled: 'boolean',
    type: 'string',
    valid_seconds: 'number',
    argument: 'string',
  });
}

/** Ranges packed by eights or thirty-twos of bytes. */
export function listProblem(list: Partial<AddressListDocument>): string | undefined {
  const problem = fieldProblem('address_list', list, { list_id: 'number', v4: 'string', v6: 'string' });
  if (problem !== undefined) return problem;
  const v4 = ngx.decode_base64(list.v4!);
  const v6 = ngx.decode_base64(list.v6!);
  if (v4 === undefined || v6 === undefined) return 'address_list: what is no base64';
  return v4.length % 8 === 0 && v6.length % 32 === 0 ? undefined : 'address_list: part of a range';
}

export function ipDataProblem(data: Partial<IpDataDocument>): string | undefined {
  const text = 'string';
  const fields = { v4: text, v4_places: text, v6: text, v6_places: text, places: 'table' };
  const problem = fieldProblem('ip_data', data, fields);
  if (problem !== undefined) return problem;
  const isWhole =
    stretches(data.v4!, 4) === stretches(data.v4_places!, 2) &&
    stretches(data.v6!, 8) === stretches(data.v6_places!, 2) &&
    (data.asn === undefined || isWholeAsn(data.asn));
  return isWhole ? undefined : 'ip_data: not as many places as stretches, or what is no base64';
}

const isWholeAsn = (asn: NonNullable<IpDataDocument['asn']>): boolean =>
  type(asn) === 'table' &&
  stretches(asn.v4, 4) === stretches(asn.v4_numbers, 4) &&
  stretches(asn.v6, 8) === stretches(asn.v6_numbers, 4);

function stretches(base64: string, width: number): number {
  const bytes = type(base64) === 'string' ? ngx.decode_base64(base64) : undefined;
  return bytes === undefined ? -width : bytes.length / width;
}
