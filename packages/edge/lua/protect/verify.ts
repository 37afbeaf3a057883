import type { EffectiveSite } from '@breakwater/contract/edge-document';
import type { BrowserVerifyRule, VerifyKind } from '@breakwater/contract/site-config/browser-verify';
import { isUnder } from '@breakwater/policy/access/access';
import { robotFact } from '@breakwater/policy/access/search-robots';
import { isInSet, packAddresses, type AddressSet } from '@breakwater/policy/address/address-set';
import { parseAddress } from '@breakwater/policy/address/ip';
import { prepareCondition, type PreparedCondition } from '@breakwater/policy/conditions/condition';
import { splitTarget } from '@breakwater/policy/http/path';
import { pathForms } from '@breakwater/policy/http/path-forms';
import { cookieValues } from '@breakwater/policy/http/request-parts';
import { isEnough, networkOf, readPass, type Bound } from '@breakwater/policy/protect/verify';
import { passCookie, withoutPass } from '@breakwater/policy/protect/verify-request';
import { sectionDefaults } from '@breakwater/policy/site/section-defaults';
import { passKeys } from '../control/pass-keys.ts';
import { isListed } from '../documents/address-lists.ts';
import { verdictOf } from '../front/facts.ts';
import { robotOf } from '../front/robots.ts';
import { hmacHex } from '../lib/digest.ts';
import { noteProtection } from './note.ts';
import type { Passing, Protection } from './protect.ts';

const section = 'browser_verify_rule';
/** What was spent, and how often passes were used. What is old makes room. */
const passes = ngx.shared.edge_passes;

export interface Verification {
  settings: BrowserVerifyRule;
  condition: PreparedCondition | undefined;
  addresses: AddressSet | undefined;
}

export function verificationOf({ browser_verify_rule: settings }: EffectiveSite): Verification | undefined {
  if (settings === undefined || !settings.enabled) return undefined;
  return {
    settings,
    condition: settings.condition && prepareCondition(settings.condition),
    addresses: settings.exempt_addresses.length === 0 ? undefined : packAddresses(settings.exempt_addresses),
  };
}

/** How challenges of a site look that does not ask for them itself, but one of its rules does. */
export const settingsOfSite = (document: EffectiveSite): BrowserVerifyRule =>
  document.browser_verify_rule ?? (sectionDefaults.browser_verify_rule as unknown as BrowserVerifyRule);

/**
 * For rules of other stages: the visitor has to have passed a challenge of this kind, or of a stronger one. They say in the
 * log themselves why; without a pass the page comes in place of the site when it is this stage's turn.
 */
export function wantChallenge(passing: Passing, kind: VerifyKind): void {
  const wanted = passing.challengeWanted;
  if (wanted === undefined || !isEnough(wanted, kind)) passing.challengeWanted = kind;
}

/** The stage: a page for who has to be asked and has no pass. */
export function verifyPage(protection: Protection, passing: Passing): string | undefined {
  const { verification, settings } = protection;
  const byRule = passing.challengeWanted;
  const isAsked = verification !== undefined && isToBeAsked(verification);
  const field = ngx.var.http_cookie;
  const hasCookie = field !== undefined && string.find(field, passCookie, 1, true)[0] !== undefined;
  if (hasCookie) hidePass(field);
  if (!isAsked && byRule === undefined) return undefined;
  if (isAsked) wantChallenge(passing, verification.settings.kind);
  const wanted = passing.challengeWanted!;
  if (hasCookie && hasPassed(settings, field, wanted)) return undefined;
  noteProtection(section, '', 'challenge');
  const variables = ngx.var;
  if (byRule === undefined) variables.edge_decision = section;
  variables.edge_challenge = wanted;
  return 'verify';
}

/** The pass is the edge's own: no origin sees it, and no answer is kept for it. */
function hidePass(field: string): void {
  const rest = withoutPass(field);
  if (rest === undefined) ngx.req.clear_header('Cookie');
  else ngx.req.set_header('Cookie', rest);
}

function isToBeAsked({ settings, condition, addresses }: Verification): boolean {
  const variables = ngx.var;
  const { only_paths: only, except_paths: except, exempt_lists: lists } = settings;
  if (only.length > 0 || except.length > 0) {
    const { path } = splitTarget(variables.request_uri!);
    if (!isUnder(only, except, pathForms(path), true)) return false;
  }
  if (addresses !== undefined || lists.length > 0) {
    const address = parseAddress(variables.client_addr!);
    if (address !== undefined) {
      if (addresses !== undefined && isInSet(address, addresses)) return false;
      for (const list of lists) if (isListed(list, address)) return false;
    }
  }
  if (settings.exempt_robots && isRobot()) return false;
  return condition === undefined || verdictOf(condition) !== 0;
}

const isRobot = (): boolean =>
  robotFact('verified_robot', ngx.var.http_user_agent, () => robotOf(ngx.var.client_addr!)) === 1;

export function boundOf(settings: BrowserVerifyRule): Bound {
  const variables = ngx.var;
  return {
    siteId: variables.site_id!,
    network: networkOf(variables.client_addr!, settings.address_bits_v4, settings.address_bits_v6),
    agent: variables.http_user_agent ?? '',
  };
}

function hasPassed(settings: BrowserVerifyRule, field: string, wanted: VerifyKind): boolean {
  const bound = boundOf(settings);
  for (const token of cookieValues(field, passCookie) ?? []) {
    const pass = readPass(token, bound, passKeys(), ngx.time(), hmacHex);
    if (typeof pass === 'string' || !isEnough(pass.kind, wanted)) continue;
    const max = settings.pass_requests;
    if (max === undefined) return true;
    const used = passes.incr(`pass ${pass.id}`, 1, 0, pass.seconds);
    if (used === undefined || used <= max) return true;
  }
  return false;
}
