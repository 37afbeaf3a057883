import type { BrowserVerifyRule, VerifyKind } from '@breakwater/contract/site-config/browser-verify';
import { pagePolicy } from '@breakwater/policy/protect/captcha-page';
import { verifyTexts } from '@breakwater/policy/protect/verify-page.text';
import {
  challengeUnderLoad,
  isPicture,
  picturePagesMax,
  pictureSecret,
  signChallenge,
  type Challenge,
} from '@breakwater/policy/protect/verify';
import { chooseLanguage, wantsPage } from '@breakwater/policy/protect/verify-request';
import { passKeys } from '../control/pass-keys.ts';
import { shortHmacHex } from '../lib/digest.ts';
import { join, joinNothing, putJoined } from '../lib/joined-variable.ts';
import type { Site } from '../site/site.ts';
import { externalOf, isAway } from './captcha.ts';
import { joinPage, type PageOfRequest } from './page-text.ts';
import { pictureOf } from './picture.ts';
import { boundOf, settingsOfSite } from './verify.ts';

/** Challenges, and the pages that show them. */

type External = NonNullable<ReturnType<typeof externalOf>>;

export interface MadeChallenge {
  kind: VerifyKind;
  token: string;
  /** The vendor's challenge that the page shows. */
  external: External | undefined;
}

/** Of the kind that `$edge_challenge` names. */
export function makeChallenge(settings: BrowserVerifyRule): MadeChallenge {
  const asked = ngx.var.edge_challenge as VerifyKind;
  const { kind, difficulty } = challengeUnderLoad(asked, settings.difficulty, countPage());
  const external = kind === 'external' ? usableExternal(settings) : undefined;
  const isAsked = external === undefined || hasOtherWay(settings);
  return { kind, token: newToken(settings, kind, isAsked ? difficulty : 0), external };
}

/** Of a challenge of this request. */
export function newToken(settings: BrowserVerifyRule, kind: VerifyKind, difficulty: number): string {
  const challenge: Challenge = { kind, issued: ngx.time(), difficulty, nonce: ngx.var.edge_request_id! };
  return signChallenge(challenge, boundOf(settings), passKeys()[0]!, shortHmacHex);
}

/** The vendor's challenge that a page can show now. */
function usableExternal(settings: BrowserVerifyRule): External | undefined {
  const external = externalOf(settings);
  return external === undefined || isAway(external.account) ? undefined : external;
}

const hasOtherWay = ({ external_fallback: fallback }: BrowserVerifyRule): boolean =>
  fallback !== 'vendor_down';

let second = 0;
let pagesBefore = 0;
let pages = 0;

/**
 * How many pages this node makes a second, if its workers have alike to do: those of the second before, or of this one where
 * they are more. Each worker counts its own, for what they share costs more than the page.
 */
export function countPage(): number {
  const now = ngx.time();
  if (now !== second) {
    pagesBefore = now === second + 1 ? pages : 0;
    pages = 0;
    second = now;
  }
  pages += 1;
  return pagesASecond();
}

const pagesASecond = (): number => math.max(pages, pagesBefore) * ngx.worker.count();

export const policyOf = ({ external }: MadeChallenge): string =>
  pagePolicy(ngx.var.edge_request_id!, external?.account);

/** Vendors tell by it where their challenge was passed. */
export const referrerPolicy = 'strict-origin';

/** The policy of a page without a vendor, in the texts around the request's name, which stands in it twice. */
const ownPolicy = pagePolicy('\n', undefined).split('\n');

/** Into a variable. */
function putPolicy(made: MadeChallenge): void {
  if (made.external === undefined) {
    const nonce = ngx.var.edge_request_id!;
    joinNothing();
    join(ownPolicy[0]!);
    join(nonce);
    join(ownPolicy[1]!);
    join(nonce);
    join(ownPolicy[2]!);
    putJoined('edge_challenge_policy');
    return;
  }
  ngx.var.edge_challenge_policy = policyOf(made);
  ngx.var.edge_challenge_referrer = referrerPolicy;
}

/** `form`: the fields of one that is sent again when the challenge was passed. */
export function pageOf(
  settings: BrowserVerifyRule,
  { kind, token, external }: MadeChallenge,
  isPost: boolean,
  form: [string, string][] | undefined,
): PageOfRequest {
  const variables = ngx.var;
  return {
    kind,
    language: chooseLanguage(variables.http_accept_language, verifyTexts, 'en'),
    token,
    nonce: variables.edge_request_id!,
    picture:
      isPicture(kind) && pagesASecond() <= picturePagesMax
        ? pictureOf(kind, pictureSecret(token, passKeys()[0]!, shortHmacHex))
        : undefined,
    isPost,
    form,
    external,
    hasOtherWay: hasOtherWay(settings),
  };
}

/** Whether who asks can do with a page; else they get a word of JSON. */
export function isPageWanted(): boolean {
  const variables = ngx.var;
  return wantsPage({
    accept: variables.http_accept,
    requestedWith: variables.http_x_requested_with,
    destination: variables.http_sec_fetch_dest,
    contentType: variables.http_content_type,
  });
}

/**
 * A page for a `GET` is made where the challenge is decided on, and stands in variables that nginx answers with: no phase of Lua's
 * own is needed then, which would cost more than the page. It answers with the place that gives it; nothing where that cannot be.
 */
export function placeOfPage(site: Site): string | undefined {
  const variables = ngx.var;
  if (variables.request_method !== 'GET' || site.access?.cors !== undefined) return undefined;
  if (variables.edge_challenge === 'cookie' || !isPageWanted()) return undefined;
  const settings = settingsOfSite(site.document);
  const made = makeChallenge(settings);
  joinPage(settings, pageOf(settings, made, false, undefined));
  if (!putJoined('edge_challenge_page')) return undefined;
  putPolicy(made);
  return settings.status === 503 ? '@challenge_503' : '@challenge_403';
}
