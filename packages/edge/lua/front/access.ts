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
  type AccessLevel,
  type AccessRequest,
  type PreparedAccess,
} from '@breakwater/policy/access/access';
import type { AddressLookups } from '@breakwater/policy/conditions/address-fact';
import { pathForms } from '@breakwater/policy/http/path-forms';
import { splitTarget } from '@breakwater/policy/http/path';
import { decideReferer } from '@breakwater/policy/access/referer';
import { checkSignature } from '@breakwater/policy/access/url-signature';
import { isAcmeChallenge } from '@breakwater/policy/http/tls';
import { md5Hex } from '../lib/digest.ts';
import { askedOfRequest } from './facts.ts';
import { epoch as currentEpoch } from '../documents/epoch.ts';
import { isListed } from '../documents/address-lists.ts';
import { placeOf } from '../documents/ip-places.ts';
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
  const { rules, referer, signing } = access;
  const own = rules && rulesForVisitor(access, rules);
  const isOpen = own === undefined || (own.levels.length === 0 && own.otherwise === 'allow');
  // Most requests end here: neither what they ask for nor where they come from matters.
  if (isOpen && signing === undefined && (referer === undefined || isWithoutReferer(referer)))
    return undefined;
  const target = ngx.var.request_uri!;
  // An authority that proves the domain comes from anywhere.
  if (isAcmeChallenge(target)) return undefined;
  const signature = signing && checkSignature(signing.settings, target, ngx.time(), md5Hex);
  // Rules are asked of the path that an origin gets, and not of the signature before it.
  const { path } = splitTarget(signature?.target ?? target);
  const page =
    (isOpen ? undefined : deniedPage(own, path)) ??
    (referer === undefined ? undefined : refererPage(access, referer, host, path));
  if (page !== undefined || signing === undefined || signature === undefined) return page;
  if (signature.state === 'good') {
    ngx.var.edge_target = signature.target;
    return undefined;
  }
  if (!isUnder(signing.only, signing.except, pathForms(path), true)) return undefined;
  ngx.var.edge_decision = `signing ${signature.state}`;
  return `signature_${signature.state}`;
}

function deniedPage(rules: PreparedAccess, path: string): string | undefined {
  const { action, level, index } = decideAccess(rules, requestFor(path), lookups);
  if (action === 'allow') return undefined;
  const rule = index < 0 ? 'otherwise' : `${index + 1}`;
  const isOwn = level === 'site';
  ngx.var.edge_decision = isOwn ? `access_control ${rule}` : `access_control ${level} ${rule}`;
  return isOwn ? 'denied' : `denied_${level}`;
}

function requestFor(path: string): AccessRequest {
  const variables = ngx.var;
  return {
    address: variables.client_addr!,
    method: variables.request_method!,
    path,
    agent: variables.http_user_agent,
    asked: askedOfRequest(),
  };
}

const visitorsMax = 1000;

/** Those that may fit the visitor: most visitors were here before, and most rules are not about them. */
function rulesForVisitor(access: Access, rules: PreparedAccess): PreparedAccess {
  const variables = ngx.var;
  const agent = variables.http_user_agent;
  const visitor = `${variables.request_method!} ${variables.client_addr!}${agent === undefined ? '' : ` ${agent}`}`;
  const known = access.visitors[visitor];
  return known !== undefined && access.visitorsEpoch === currentEpoch()
    ? known
    : chooseForVisitor(access, rules, visitor);
}

function chooseForVisitor(access: Access, rules: PreparedAccess, visitor: string): PreparedAccess {
  const epoch = currentEpoch();
  // Lists of addresses and the table of places may be others since.
  if (access.visitorsEpoch !== epoch || access.visitorsHeld >= visitorsMax) {
    access.visitors = {};
    access.visitorsHeld = 0;
    access.visitorsEpoch = epoch;
  }
  // What is asked for is left open: the rules that stay may fit anything.
  const some = accessOfVisitor(rules, requestFor(''), lookups);
  access.visitors[visitor] = some;
  access.visitorsHeld += 1;
  return some;
}

/** All lines of it are read only where there is one. */
const isWithoutReferer = (settings: BlockReferer): boolean =>
  settings.allow_empty && !settings.check_origin && ngx.var.http_referer === undefined;

function refererPage(access: Access, settings: BlockReferer, host: string, path: string): string | undefined {
  if (isWithoutReferer(settings)) return undefined;
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
