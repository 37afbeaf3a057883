import type { BrowserVerifyRule } from '@breakwater/contract/site-config/browser-verify';
import { rateOf, retryAfterSeconds, type Rate } from '@breakwater/policy/access/rate';
import { answerPath } from '@breakwater/policy/protect/verify-page';
import { verifyTexts } from '@breakwater/policy/protect/verify-page.text';
import { percentDecode, splitTarget } from '@breakwater/policy/http/path';
import { cookieValues } from '@breakwater/policy/http/request-parts';
import {
  challengeSeconds,
  challengeUnderLoad,
  judgeAnswer,
  readChallenge,
  signPass,
  type Challenge,
  type ReadChallenge,
} from '@breakwater/policy/protect/verify';
import {
  chooseLanguage,
  formBytesMax,
  formFields,
  isFormKept,
  passCookie,
} from '@breakwater/policy/protect/verify-request';
import { passKeys } from '../control/pass-keys.ts';
import { visitorOf } from '../front/visitor.ts';
import { contentRateMin, readContentAt } from '../lib/content-rate.ts';
import { takeRate, waitOf } from '../lib/counters.ts';
import { sha256Hex, shortHmacHex } from '../lib/digest.ts';
import { encodeJson } from '../lib/json.ts';
import { send } from '../pages/send.ts';
import type { Site } from '../site/site.ts';
import { askVendor, externalOf } from './captcha.ts';
import { pageParts } from './page-text.ts';
import { boundOf, settingsOfSite } from './verify.ts';
import {
  countPage,
  isPageWanted,
  makeChallenge,
  newToken,
  pageOf,
  policyOf,
  referrerPolicy,
  type MadeChallenge,
} from './verify-challenge.ts';

/** What a browser without a pass gets, and what it answers. Nothing is kept of it before it is solved. */

const passes = ngx.shared.edge_passes;
const cookiePath = '/.well-known/breakwater/verify/cookie';
const tryCookie = 'bw_try';
const wrongSeconds = 600;

/** In place of the site: the challenge of the kind that `$edge_challenge` names. What `placeOfPage` gives does not come here. */
export function showChallenge(site: Site): void {
  const variables = ngx.var;
  const settings = settingsOfSite(site.document);
  ngx.header['Cache-Control'] = 'no-store';
  if (!isPageWanted()) {
    const body = { error: 'browser_verification', request_id: variables.edge_request_id ?? '' };
    sendText(403, 'application/json', encodeJson(body));
    return;
  }
  const made = makeChallenge(settings);
  if (made.kind === 'cookie') sendForCookie(made.token, variables.request_uri!);
  else sendPage(settings, made);
}

function sendText(status: number, contentType: string, body: string): void {
  sendParts(status, contentType, [body]);
}

function sendParts(status: number, contentType: string, body: string[]): void {
  ngx.header['X-Content-Type-Options'] = 'nosniff';
  send(status, contentType, body);
}

function sendPage(settings: BrowserVerifyRule, made: MadeChallenge): void {
  const method = ngx.var.request_method!;
  const isPost = method !== 'GET' && method !== 'HEAD';
  ngx.header['Content-Security-Policy'] = policyOf(made);
  if (made.external !== undefined) ngx.header['Referrer-Policy'] = referrerPolicy;
  const page = pageOf(settings, made, isPost, isPost ? keptForm() : undefined);
  sendParts(settings.status, 'text/html; charset=utf-8', pageParts(settings, page));
}

/** Of a form that may be sent again its fields, else nothing. */
function keptForm(): [string, string][] | undefined {
  const variables = ngx.var;
  const length = variables.http_content_length;
  const isKept = isFormKept({
    method: variables.request_method!,
    contentType: variables.http_content_type,
    length: length === undefined ? undefined : tonumber(length),
    origin: variables.http_origin,
    site: variables.http_sec_fetch_site,
    self: `${variables.scheme!}://${variables.http_host!}`,
  });
  if (!isKept) return undefined;
  const body = smallBody(formBytesMax);
  return body === undefined ? undefined : formFields(body, percentDecode);
}

/** The content of a request that says it has no more than this; nothing where it is more, a file, or comes too slowly. */
function smallBody(max: number): string | undefined {
  const length = tonumber(ngx.var.http_content_length ?? '');
  if (length === undefined || length > max) return undefined;
  if (!readContentAt(contentRateMin)) return undefined;
  return ngx.req.get_body_data() ?? '';
}

/** The kind without a page: a cookie that has to come back, with 307 so that what was sent is sent again. */
function sendForCookie(token: string, target: string): void {
  ngx.header['Set-Cookie'] = `${tryCookie}=${token}; Path=${cookiePath}; Max-Age=60; ${cookieMarks()}`;
  redirect(`${cookiePath}?to=${encode(target)}`);
}

const cookieMarks = (): string =>
  ngx.var.scheme === 'https' ? 'HttpOnly; SameSite=Lax; Secure' : 'HttpOnly; SameSite=Lax';

function redirect(location: string): void {
  ngx.header.Location = location;
  sendText(307, 'text/plain; charset=utf-8', '');
}

const encode = (text: string): string =>
  string.gsub(text, '[^%w%-%._~/]', (found: string) => string.format('%%%02X', string.byte(found)))[0];

/** What is asked below the path of answers. */
export function showVerifyAnswer(site: Site): void {
  ngx.header['Cache-Control'] = 'no-store';
  const { path, query } = splitTarget(ngx.var.request_uri!);
  const settings = settingsOfSite(site.document);
  if (path === cookiePath) takeCookie(settings, query ?? '');
  else if (path === answerPath && ngx.var.request_method === 'POST') takeAnswer(settings);
  else sendText(404, 'application/json', encodeJson({ error: 'not_found' }));
}

function takeCookie(settings: BrowserVerifyRule, query: string): void {
  const token = cookieValues(ngx.var.http_cookie ?? '', tryCookie)?.[0] ?? '';
  const read = readChallenge(token, boundOf(settings), passKeys(), ngx.time(), shortHmacHex);
  const target = query.startsWith('to=') ? percentDecode(query.substring(3)) : '/';
  const isOurs = typeof read !== 'string' && read.challenge.kind === 'cookie';
  if (!isOurs || !spend(read.challenge)) {
    const language = chooseLanguage(ngx.var.http_accept_language, verifyTexts, 'en');
    sendText(403, 'text/plain; charset=utf-8', `${verifyTexts[language]!.cookies}\n`);
    return;
  }
  givePass(settings, read);
  redirect(isLocal(target) ? target : '/');
}

/** A path of this site, and nothing that a browser takes for another's address. */
const isLocal = (target: string): boolean =>
  target.startsWith('/') &&
  string.find(target, '^/[/\\]')[0] === undefined &&
  string.find(target, '%c')[0] === undefined;

type Refusal =
  | 'too_many'
  | 'malformed'
  | 'forged'
  | 'expired'
  | 'early'
  | 'wrong'
  | 'used'
  | 'automated'
  | 'elsewhere'
  | 'low_score'
  | 'away';

/** Vendors' tokens are long. */
const answerBytesMax = 8192;

function takeAnswer(settings: BrowserVerifyRule): void {
  const visitor = visitorOf(ngx.var.client_addr!);
  const counter = `${ngx.var.site_id!} verify ${visitor}`;
  const rate = rateOf(settings.wrong_answers_max, wrongSeconds, settings.wrong_answers_max - 1);
  const wait = waitOf(counter, rate);
  if (wait > 0) return refuse('too_many', counter, rate, wait);
  const fields: Record<string, string> = {};
  for (const [name, value] of formFields(smallBody(answerBytesMax) ?? '', percentDecode))
    fields[name] = value;
  const refusal = refusalOf(settings, fields);
  if (refusal === 'away') return sendInstead(settings);
  if (refusal !== undefined) return refuse(refusal, counter, rate, 0);
  sendText(200, 'application/json', '{}');
}

/** Nothing: it was good, and the pass is given. */
function refusalOf(settings: BrowserVerifyRule, fields: Record<string, string>): Refusal | undefined {
  const { token = '', answer = '', marks = '' } = fields;
  const now = ngx.time();
  const read = readChallenge(token, boundOf(settings), passKeys(), now, shortHmacHex);
  if (typeof read === 'string') return read;
  const isOfVendor = answer.startsWith('vendor:');
  if (isOfVendor) {
    const refusal = vendorRefusal(settings, read.challenge, answer.substring(7));
    if (refusal !== undefined) return refusal;
  }
  const verdict = isOfVendor
    ? 'good'
    : judgeAnswer({
        token,
        read,
        answer,
        delaySeconds: settings.delay_seconds,
        now,
        sha256: sha256Hex,
        hmac: shortHmacHex,
      });
  if (verdict === 'early') return verdict;
  // A wrong answer spends it as well: nobody tries one picture twice.
  if (!spend(read.challenge)) return 'used';
  if (verdict === 'wrong') return verdict;
  if (settings.strict && marks !== '') return 'automated';
  givePass(settings, read);
  return undefined;
}

/** Why the vendor's word on an answer lets nobody in; nothing where it does. */
function vendorRefusal(
  settings: BrowserVerifyRule,
  challenge: Challenge,
  token: string,
): Refusal | undefined {
  if (challenge.kind !== 'external') return 'wrong';
  const external = externalOf(settings);
  if (external === undefined) return 'away';
  const verdict = askVendor(external.account, token, challenge);
  if (verdict === 'good') return undefined;
  // What is wrong with the account is not for visitors to know.
  return verdict === 'setup' ? 'away' : verdict;
}

/** The vendor cannot be asked: the page goes on with another challenge, of the node's own work. */
function sendInstead(settings: BrowserVerifyRule): void {
  const { difficulty } = challengeUnderLoad('external', settings.difficulty, countPage());
  const token = newToken(settings, 'external', difficulty);
  ngx.var.edge_decision = 'browser_verify_rule away';
  sendText(403, 'application/json', encodeJson({ reason: 'away', token }));
}

/** Each challenge is good once on a node. */
function spend({ nonce }: Challenge): boolean {
  const [isNew] = passes.add(`used ${nonce}`, 1, challengeSeconds);
  return isNew;
}

function givePass(settings: BrowserVerifyRule, { challenge: { kind, nonce } }: ReadChallenge): void {
  const pass = { kind, issued: ngx.time(), seconds: settings.pass_seconds, id: nonce };
  const token = signPass(pass, boundOf(settings), passKeys()[0]!, shortHmacHex);
  ngx.header['Set-Cookie'] =
    `${passCookie}=${token}; Path=/; Max-Age=${settings.pass_seconds}; ${cookieMarks()}`;
}

function refuse(reason: Refusal, counter: string, rate: Rate, wait: number): void {
  if (reason === 'wrong' || reason === 'forged' || reason === 'elsewhere') takeRate(counter, rate);
  if (wait > 0) ngx.header['Retry-After'] = retryAfterSeconds(wait);
  ngx.var.edge_decision = `browser_verify_rule ${reason}`;
  sendText(wait > 0 ? 429 : 403, 'application/json', encodeJson({ reason }));
}
