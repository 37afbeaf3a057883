import type { EffectiveSite } from '@breakwater/contract/edge-document';
import type { AccessControl } from '@breakwater/contract/site-config/access-control';
import type { Cors } from '@breakwater/contract/site-config/cors';
import type { UrlSigning } from '@breakwater/contract/site-config/url-signing';
import type { BlockReferer } from '@breakwater/contract/site-config/block-referer';
import {
  accessOfVisitor,
  decideAccess,
  isUnder,
  prepareAccess,
  type AccessDecision,
  type AccessLevel,
  type AccessRequest,
  type PreparedAccess,
} from '@breakwater/policy/access';
import type { AddressLookups } from '@breakwater/policy/address-fact';
import { pathForms } from '@breakwater/policy/path-forms';
import { splitTarget } from '@breakwater/policy/path';
import { decideReferer } from '@breakwater/policy/referer';
import { checkSignature } from '@breakwater/policy/url-signature';
import { isAcmeChallenge } from '@breakwater/policy/tls';
import { md5Hex } from './digest.ts';
import { askedOfRequest } from './facts.ts';
import { epoch as currentEpoch } from './epoch.ts';
import { isListed } from './address-lists.ts';
import { placeOf } from './ip-places.ts';
import { corsOf } from './cors.ts';
import { loginOf, type Login } from './login.ts';
import { joined } from './visitor.ts';

const lookups: AddressLookups = { isListed, placeOf };

/** Who may come in, made ready from a site's document; a site that lets everybody in has none of this. */
export interface Access {
  rules: PreparedAccess | undefined;
  /** Of `rules` those that may fit a visitor, by what is known of him, since `visitorsEpoch`. */
  visitors: Record<string, PreparedAccess>;
  visitorsHeld: number;
  visitorsEpoch: number;
  /** What who is refused gets, by whose rule it is. */
  deny: Partial<Record<AccessLevel, AccessControl['deny']>>;
  referer: BlockReferer | undefined;
  signing: Signing | undefined;
  login: Login | undefined;
  cors: Cors | undefined;
  domains: string[];
}

/** Links that have to be signed, and where. */
interface Signing {
  settings: UrlSigning;
  only: string[];
  except: string[];
}

export function accessOf(document: EffectiveSite): Access | undefined {
  const { access_control: control, block_referer: referer, domains } = document;
  const deny: Access['deny'] = {};
  if (control !== undefined) deny.site = control.deny;
  for (const each of document.access_levels ?? []) deny[each.level] = each.deny;
  const access: Access = {
    rules: prepareAccess(document),
    visitors: {},
    visitorsHeld: 0,
    visitorsEpoch: -1,
    deny,
    referer: referer?.enabled === true ? referer : undefined,
    signing: signingOf(control),
    login: loginOf(control),
    cors: corsOf(control),
    domains,
  };
  const isOpen =
    access.rules === undefined &&
    access.referer === undefined &&
    access.signing === undefined &&
    access.login === undefined &&
    access.cors === undefined;
  return isOpen ? undefined : access;
}

/** Its links carry what the cache must not be asked with, or its answers what the cache does not give. */
export const changesForAccess = ({ access_control: control }: EffectiveSite): boolean =>
  signingOf(control) !== undefined || corsOf(control) !== undefined;

function signingOf(control: AccessControl | undefined): Signing | undefined {
  // Documents from before links could be signed say nothing of it.
  const settings = control?.signing as UrlSigning | undefined;
  if (control === undefined || settings === undefined || !settings.enabled) return undefined;
  return { settings, only: control.signed_paths, except: control.unsigned_paths };
}

/** The page that a request gets in place of the site, if any. Why stands in `$edge_decision`, for the log. */
export function accessPage(access: Access, host: string): string | undefined {
  const variables = ngx.var;
  const target = variables.request_uri!;
  // An authority that proves the domain comes from anywhere.
  if (isAcmeChallenge(target)) return undefined;
  const { rules, referer, signing } = access;
  const signature = signing && checkSignature(signing.settings, target, ngx.time(), md5Hex);
  // Rules are asked of the path that an origin gets, and not of the signature before it.
  const { path } = splitTarget(signature?.target ?? target);
  if (rules !== undefined) {
    const { action, level, index } = decideForVisitor(access, rules, path);
    if (action === 'deny') {
      const rule = index < 0 ? 'otherwise' : `${index + 1}`;
      const isOwn = level === 'site';
      variables.edge_decision = isOwn ? `access_control ${rule}` : `access_control ${level} ${rule}`;
      return isOwn ? 'denied' : `denied_${level}`;
    }
  }
  const page = referer === undefined ? undefined : refererPage(access, referer, host, path);
  if (page !== undefined || signing === undefined || signature === undefined) return page;
  if (signature.state === 'good') {
    variables.edge_target = signature.target;
    return undefined;
  }
  if (!isUnder(signing.only, signing.except, pathForms(path), true)) return undefined;
  variables.edge_decision = `signing ${signature.state}`;
  return `signature_${signature.state}`;
}

const visitorsMax = 1000;
const openToAll: AccessDecision = { action: 'allow', level: 'site', index: -1 };

/** Most requests are of visitors who were here before, and most rules are not about them. */
function decideForVisitor(access: Access, rules: PreparedAccess, path: string): AccessDecision {
  const variables = ngx.var;
  const address = variables.client_addr!;
  const method = variables.request_method!;
  const agent = variables.http_user_agent;
  const visitor = `${method} ${address}${agent === undefined ? '' : ` ${agent}`}`;
  const epoch = currentEpoch();
  // Lists of addresses and the table of places may be others since.
  if (access.visitorsEpoch !== epoch || access.visitorsHeld >= visitorsMax) {
    access.visitors = {};
    access.visitorsHeld = 0;
    access.visitorsEpoch = epoch;
  }
  const known = access.visitors[visitor];
  if (known !== undefined && known.levels.length === 0 && known.otherwise === 'allow') return openToAll;
  const request: AccessRequest = { address, method, path, agent, asked: askedOfRequest() };
  if (known !== undefined) return decideAccess(known, request, lookups);
  const some = accessOfVisitor(rules, request, lookups);
  access.visitors[visitor] = some;
  access.visitorsHeld += 1;
  return decideAccess(some, request, lookups);
}

function refererPage(access: Access, settings: BlockReferer, host: string, path: string): string | undefined {
  // Most requests that have none may pass; all lines of it are read only where there is one.
  if (settings.allow_empty && !settings.check_origin && ngx.var.http_referer === undefined) return undefined;
  const headers = ngx.req.get_headers(0);
  const reason = decideReferer(settings, {
    host,
    domains: access.domains,
    path,
    referer: joined(headers.referer ?? ''),
    origin: joined(headers.origin ?? ''),
  });
  if (reason === 'none') return undefined;
  ngx.var.edge_decision = `block_referer ${reason}`;
  return 'bad_referer';
}
