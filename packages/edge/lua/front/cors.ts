import type { AccessControl } from '@breakwater/contract/site-config/access-control';
import type { Cors } from '@breakwater/contract/site-config/cors';
import {
  corsFields,
  dependsOnOrigin,
  preflightFields,
  varyWith,
  type CorsField,
} from '@breakwater/policy/access/cors';
import { joined } from './visitor.ts';

/** Documents from before it came say nothing of it. */
export function corsOf(control: AccessControl | undefined): Cors | undefined {
  const settings = control?.cors as Cors | undefined;
  return settings !== undefined && settings.enabled ? settings : undefined;
}

/** A preflight is answered here: no origin has to know of other sites' pages. Of another request nothing. */
export function preflightPage(settings: Cors): string | undefined {
  if (ngx.var.request_method !== 'OPTIONS') return undefined;
  const headers = ngx.req.get_headers(0);
  if (headers.origin === undefined || headers['access-control-request-method'] === undefined)
    return undefined;
  return answerOf(settings) === undefined ? 'preflight_refused' : 'preflight';
}

function answerOf(settings: Cors): CorsField[] | undefined {
  const headers = ngx.req.get_headers(0);
  return preflightFields(settings, {
    origin: joined(headers.origin ?? ''),
    method: joined(headers['access-control-request-method'] ?? ''),
    headers: joined(headers['access-control-request-headers'] ?? ''),
  });
}

export function sendPreflight(settings: Cors): void {
  const header = ngx.header;
  for (const { name, value } of answerOf(settings) ?? []) header[name] = value;
  header.Vary = 'Origin, Access-Control-Request-Method, Access-Control-Request-Headers';
  header['Cache-Control'] = 'no-store';
  ngx.status = 204;
}

const ofOrigin = [
  'Access-Control-Allow-Origin',
  'Access-Control-Allow-Credentials',
  'Access-Control-Expose-Headers',
  'Access-Control-Allow-Methods',
  'Access-Control-Allow-Headers',
  'Access-Control-Max-Age',
];

/** On an answer's way out: the site's word in place of the origin's. */
export function changeCorsFields(settings: Cors): void {
  const header = ngx.header;
  for (const name of ofOrigin) header[name] = undefined;
  const origin = ngx.req.get_headers(0).origin;
  for (const { name, value } of corsFields(settings, origin === undefined ? undefined : joined(origin)))
    header[name] = value;
  if (!dependsOnOrigin(settings)) return;
  const own = header.Vary;
  header.Vary = varyWith(
    type(own) === 'table' ? table.concat(own as string[], ', ') : (own as string | undefined),
    'Origin',
  );
}
