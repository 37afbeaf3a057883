import type { EffectiveSite } from '@breakwater/contract/edge-document';
import type { BrowserVerifyRule, VerifyKind } from '@breakwater/contract/site-config/browser-verify';
import { robotFact } from '@breakwater/policy/access/search-robots';
import { splitTarget } from '@breakwater/policy/http/path';
import { cookieValues } from '@breakwater/policy/http/request-parts';
import { isEnough, networkOf, readPass, type Bound } from '@breakwater/policy/protect/verify';
import { passCookie, withoutPass } from '@breakwater/policy/protect/verify-request';
import { tlsClientOf } from '@breakwater/policy/http/ja4';
import { isToBeAsked, prepareVerification, type Verification } from '@breakwater/policy/protect/verify-scope';
import { sectionDefaults } from '@breakwater/policy/site/section-defaults';
import { passKeys } from '../control/pass-keys.ts';
import { isListed } from '../documents/address-lists.ts';
import { placeOf } from '../documents/ip-places.ts';
import { askedOfRequest } from '../front/facts.ts';
import { robotOf } from '../front/robots.ts';
import { shortHmacHex } from '../lib/digest.ts';
import { ja4OfRequest } from '../tls/client-hello.ts';
import { noteProtection, noteRefusal } from './note.ts';
import type { Challenger, Passing, Protection } from './protect.ts';

const section = 'browser_verify_rule';
/** What was spent, and how often passes were used. What is old makes room. */
const passes = ngx.shared.edge_passes;

const lookups = { isListed, placeOf };
const byDefault = sectionDefaults.browser_verify_rule as unknown as BrowserVerifyRule;

export const verificationOf = (document: EffectiveSite): Verification | undefined =>
  prepareVerification(document.browser_verify_rule);

/** As by default where a site says nothing of it, but one of its rules wants a challenge. */
export const settingsOfSite = (document: EffectiveSite): BrowserVerifyRule =>
  document.browser_verify_rule ?? byDefault;

/**
 * For rules of other stages: the visitor has to have passed a challenge of this kind, or of a stronger one. Without a pass the
 * page comes in place of the site when it is this stage's turn.
 */
export function wantChallenge(passing: Passing, kind: VerifyKind, by: Challenger): void {
  if (raiseChallenge(passing, kind)) passing.challengedBy = by;
}

function raiseChallenge(passing: Passing, kind: VerifyKind): boolean {
  const wanted = passing.challengeWanted;
  if (wanted !== undefined && isEnough(wanted, kind)) return false;
  passing.challengeWanted = kind;
  return true;
}

/** The stage: a page for who has to be asked and has no pass. */
export function verifyPage(protection: Protection, passing: Passing): string | undefined {
  const { verification } = protection;
  const by = passing.challengedBy;
  const isAsked = verification !== undefined && isAskedOf(verification);
  if (!isAsked && by === undefined) return undefined;
  if (isAsked) raiseChallenge(passing, verification.settings.kind);
  const wanted = passing.challengeWanted!;
  const { passes: held } = passing;
  if (held !== undefined && hasPassed(verification?.settings ?? byDefault, held, wanted)) return undefined;
  noteProtection(section, '', 'challenge');
  const variables = ngx.var;
  if (by === undefined) variables.edge_decision = section;
  else if (by.isNoted) variables.edge_decision = `${by.section} ${by.rule}`;
  else noteRefusal(by.section, by.rule, 'challenge');
  variables.edge_challenge = wanted;
  return 'verify';
}

/** Takes passes out of a request: they are the edge's own, so no rule and no origin sees them and no answer is kept for them. */
export function takePasses(): string[] | undefined {
  const field = ngx.var.http_cookie;
  if (field === undefined || string.find(field, passCookie, 1, true)[0] === undefined) return undefined;
  const rest = withoutPass(field);
  if (rest === undefined) ngx.req.clear_header('Cookie');
  else ngx.req.set_header('Cookie', rest);
  return cookieValues(field, passCookie);
}

function isAskedOf(verification: Verification): boolean {
  const variables = ngx.var;
  const request = {
    path: splitTarget(variables.request_uri!).path,
    address: variables.client_addr!,
    isRobot,
    asked: askedOfRequest(),
  };
  return isToBeAsked(verification, request, lookups);
}

/** Agents that name no robot: to find that out takes longer than all else here. */
let plainAgents: Record<string, boolean> = {};
let plainAgentsHeld = 0;
const heldMax = 1000;

export function isRobot(): boolean {
  const agent = ngx.var.http_user_agent;
  return agent !== undefined && plainAgents[agent] !== true && isRobotByName(agent);
}

function isRobotByName(agent: string): boolean {
  let isNamed = false;
  const robot = robotFact('verified_robot', agent, () => {
    isNamed = true;
    return robotOf(ngx.var.client_addr!);
  });
  if (!isNamed && agent.length < 500) {
    if (plainAgentsHeld >= heldMax) {
      plainAgents = {};
      plainAgentsHeld = 0;
    }
    plainAgents[agent] = true;
    plainAgentsHeld += 1;
  }
  return robot !== undefined;
}

let networks: Record<string, string> = {};
let networksHeld = 0;

function networkAt(address: string, { address_bits_v4: v4, address_bits_v6: v6 }: BrowserVerifyRule): string {
  const name = `${address} ${v4} ${v6}`;
  const known = networks[name];
  if (known !== undefined) return known;
  if (networksHeld >= heldMax) {
    networks = {};
    networksHeld = 0;
  }
  networksHeld += 1;
  networks[name] = networkOf(address, v4, v6);
  return networks[name];
}

export function boundOf(settings: BrowserVerifyRule): Bound {
  const variables = ngx.var;
  return {
    siteId: variables.site_id!,
    network: networkAt(variables.client_addr!, settings),
    agent: variables.http_user_agent ?? '',
    client: settings.bind_tls ? boundClient() : undefined,
  };
}

/** Connections without a fingerprint are as of one client. */
function boundClient(): string {
  const ja4 = ja4OfRequest();
  return ja4 === undefined ? '-' : tlsClientOf(ja4);
}

function hasPassed(settings: BrowserVerifyRule, tokens: readonly string[], wanted: VerifyKind): boolean {
  const bound = boundOf(settings);
  for (const token of tokens) {
    const pass = readPass(token, bound, passKeys(), ngx.time(), shortHmacHex);
    if (typeof pass === 'string' || !isEnough(pass.kind, wanted)) continue;
    const max = settings.pass_requests;
    if (max === undefined) return true;
    const used = passes.incr(`pass ${pass.id}`, 1, 0, pass.seconds);
    if (used === undefined || used <= max) return true;
  }
  return false;
}
