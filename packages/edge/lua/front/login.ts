import type { AccessControl } from '@breakwater/contract/site-config/access-control';
import type { BasicAuth } from '@breakwater/contract/site-config/basic-auth';
import { isUnder } from '@breakwater/policy/access/access';
import { checkBasicAuth } from '@breakwater/policy/access/basic-auth';
import { parseAddress, visitorKey } from '@breakwater/policy/address/ip';
import { pathForms } from '@breakwater/policy/http/path-forms';
import { rateOf, retryAfterSeconds, type Rate } from '@breakwater/policy/access/rate';
import { isAcmeChallenge } from '@breakwater/policy/http/tls';
import { takeRate, waitOf } from '../lib/counters.ts';
import { hmacHex } from '../lib/digest.ts';
import { joined } from './visitor.ts';

/** A site, or parts of it, that ask for a name and a password. */
export interface Login {
  settings: BasicAuth;
  only: string[];
  except: string[];
  tries: Rate;
}

const triesPeriodSeconds = 600;

export function loginOf(control: AccessControl | undefined): Login | undefined {
  // Documents from before passwords say nothing of them.
  const settings = control?.basic_auth as BasicAuth | undefined;
  if (control === undefined || settings === undefined || !settings.enabled) return undefined;
  const tries = rateOf(settings.tries, triesPeriodSeconds, settings.tries - 1);
  return { settings, only: control.auth_paths, except: control.open_paths, tries };
}

/**
 * The page in place of what only those get who are known; nothing for them, and for paths that are open. `path` as it was
 * sent. A visitor with too many wrong tries is not heard, whatever is tried next.
 */
export function loginPage(login: Login, siteKey: string, path: string): string | undefined {
  const variables = ngx.var;
  if (isAcmeChallenge(variables.request_uri!)) return undefined;
  if (!isUnder(login.only, login.except, pathForms(path), true)) return undefined;
  const lines = ngx.req.get_headers(0).authorization;
  const field = lines === undefined ? undefined : joined(lines);
  const address = parseAddress(variables.client_addr!);
  const visitor = address === undefined ? variables.client_addr! : visitorKey(address);
  const counter = `${siteKey} login ${visitor}`;
  const wait = field === undefined ? 0 : waitOf(counter, login.tries);
  if (wait > 0) return tooMany(wait);
  const state = checkBasicAuth(login.settings.users, field, hmacHex);
  if (state === 'good') {
    if (!login.settings.pass_to_origin) ngx.req.clear_header('Authorization');
    return undefined;
  }
  variables.edge_decision = `basic_auth ${state}`;
  if (state === 'bad') takeRate(counter, login.tries);
  return 'login';
}

function tooMany(wait: number): string {
  const variables = ngx.var;
  variables.edge_decision = 'basic_auth tries';
  variables.edge_retry_after = `${retryAfterSeconds(wait)}`;
  return 'too_many_requests';
}
