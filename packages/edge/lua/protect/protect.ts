import type { VerifyKind } from '@breakwater/contract/site-config/browser-verify';
import type { EffectiveSite } from '@breakwater/contract/edge-document';
import type { AddressRule } from '@breakwater/policy/address/client-address';
import { isAcmeChallenge } from '@breakwater/policy/http/tls';
import type { ContentOfRequest } from '@breakwater/policy/conditions/content-facts';
import {
  contentMatchersOf,
  hasAnswerMatchers,
  type PreparedMatchers,
} from '@breakwater/policy/protect/matchers';
import { prepareGuard, type PreparedGuard } from '@breakwater/policy/protect/guard';
import type { Verification } from '@breakwater/policy/protect/verify-scope';
import { guardPage } from './guard.ts';
import { inspectedPage, inspectionOf, type Inspection } from './inspect.ts';
import { addressRuleOf } from './address-rule.ts';
import { matchersOf, matchersPage } from './matchers.ts';
import { takePasses, verificationOf, verifyPage } from './verify.ts';

/** Protection of a site, made ready from its document: what each stage has of it. A site with none of it has no `Protection`. */
export interface Protection {
  /** Names the site's counters. */
  siteKey: string;
  /** Where the visitor's address is not the socket's. */
  addressRule: AddressRule | undefined;
  matchers: PreparedMatchers | undefined;
  /** Those of them that ask for what a request carries. */
  contentMatchers: PreparedMatchers | undefined;
  /** Some of them ask for the answer. */
  asksAnswers: boolean;
  guard: PreparedGuard | undefined;
  verification: Verification | undefined;
  inspection: Inspection | undefined;
}

/** The rule that wants a challenge: the first of those that want most. */
export interface Challenger {
  section: string;
  rule: string;
  /** The log says it of who has passed, too, and so it does by now. */
  isNoted: boolean;
}

/** What stages tell those after them. Of one request, and gone when it goes to a place of its own. */
export interface Passing {
  /** The stages that follow are not asked. */
  passesAll: boolean;
  /** What a rule wants of the visitor's browser: see `wantChallenge`. */
  challengeWanted?: VerifyKind;
  challengedBy?: Challenger;
  /** Of the visitor's browser, as they came. */
  passes: string[] | undefined;
  /** Absent: nothing was read. */
  content: ContentOfRequest | undefined;
}

export function protectionOf(document: EffectiveSite): Protection | undefined {
  const matchers = matchersOf(document);
  const guard = prepareGuard(document.cc_guardian_rule);
  const verification = verificationOf(document);
  const inspection = inspectionOf(document);
  if ((matchers ?? guard ?? verification ?? inspection) === undefined) return undefined;
  const addressRule = addressRuleOf(document);
  return {
    siteKey: `${document.site_id}`,
    addressRule,
    matchers,
    contentMatchers: contentMatchersOf(matchers),
    asksAnswers: matchers !== undefined && hasAnswerMatchers(matchers),
    guard,
    verification,
    inspection,
  };
}

/**
 * The name of the page that a request gets in place of the site, if any. What is decided stands in variables by then (`note.ts`). The
 * stages stand one by one, for LuaJIT does not compile as one piece what has a loop over them.
 */
export function protectedPage(protection: Protection, content?: ContentOfRequest): string | undefined {
  // An authority that proves the domain comes from anywhere.
  if (isAcmeChallenge(ngx.var.request_uri!)) return undefined;
  const passing: Passing = { passesAll: false, passes: takePasses(), content };
  const page = matchersPage(protection, passing);
  if (page !== undefined || passing.passesAll) return page;
  return guardPage(protection, passing) ?? verifyPage(protection, passing) ?? inspectedPage(protection);
}
