import type { CaptchaAccountDocument } from '@breakwater/contract/edge-document';
import type { BrowserVerifyRule, VerifyKind } from '@breakwater/contract/site-config/browser-verify';
import { externalChallenge } from '@breakwater/policy/protect/captcha-page';
import { verifyPage } from '@breakwater/policy/protect/verify-page';
import { join, joinNothing } from '../lib/joined-variable.ts';
import { encodeJson } from '../lib/json.ts';

/**
 * The pages of challenges. All but a few places of one is the same for a site, a language and a kind, and is made once: under a
 * flood of requests the pages must not cost more than what they protect.
 */
export interface PageOfRequest {
  kind: VerifyKind;
  language: string;
  token: string;
  /** The request's name, which the page shows, too. */
  nonce: string;
  picture: string | undefined;
  isPost: boolean;
  form: [string, string][] | undefined;
  /** Of the kind `external`, if it shows one; of the revision. */
  external: { account: CaptchaAccountDocument; revision: number } | undefined;
  hasOtherWay: boolean;
}

/** What stands between the places, and what each of them is for. */
interface Template {
  texts: string[];
  slots: (keyof Places)[];
}
type Places = Record<'token' | 'nonce' | 'requestId', string> & { picture: string | undefined };

/** Where a place is: no text of a site has it, since there an ampersand is written otherwise. */
const mark = '&\u0001';
const templatesMax = 2000;
/** By a site's settings, as they are held while they do not change. */
let templates = new LuaTable<BrowserVerifyRule, Record<string, Template>>();
let held = 0;

/** As the texts that `putJoined` sets a variable to; of a page that keeps no form. */
export function joinPage(settings: BrowserVerifyRule, page: PageOfRequest): void {
  const { texts, slots } = templateOf(settings, page);
  joinNothing();
  join(texts[0]!);
  fill(texts, slots, placesOf(page), 0);
}

/** As texts that follow each other. */
export function pageParts(settings: BrowserVerifyRule, page: PageOfRequest): string[] {
  const places = placesOf(page);
  if (page.form !== undefined) return [textWith(settings, page, places, encodeJson)];
  const { texts, slots } = templateOf(settings, page);
  const parts: string[] = [texts[0]!];
  for (let index = 0; index < slots.length; index++)
    parts.push(places[slots[index]!] ?? '', texts[index + 1]!);
  return parts;
}

/** From this place on. No loop: LuaJIT would not compile what calls one as one piece. */
function fill(texts: string[], slots: Template['slots'], places: Places, index: number): void {
  const slot = slots[index];
  if (slot === undefined) return undefined;
  join(places[slot] ?? '');
  join(texts[index + 1]!);
  return fill(texts, slots, places, index + 1);
}

const placesOf = ({ token, nonce, picture }: PageOfRequest): Places => ({
  token,
  nonce,
  picture,
  requestId: nonce,
});

function templateOf(settings: BrowserVerifyRule, page: PageOfRequest): Template {
  let own = templates.get(settings);
  if (own === undefined || held >= templatesMax) {
    if (held >= templatesMax) {
      templates = new LuaTable();
      held = 0;
    }
    own = {};
    templates.set(settings, own);
  }
  const name = `${page.kind} ${page.language} ${page.picture !== undefined} ${page.isPost} ${page.external?.revision ?? ''}`;
  const known = own[name];
  if (known !== undefined) return known;
  held += 1;
  own[name] = templateFor(settings, page);
  return own[name];
}

function templateFor(settings: BrowserVerifyRule, page: PageOfRequest): Template {
  const at = (slot: keyof Places) => `${mark}${slot}${mark}`;
  const places = {
    token: at('token'),
    nonce: at('nonce'),
    picture: page.picture === undefined ? undefined : at('picture'),
    requestId: at('requestId'),
  };
  const toJson = (value: unknown) => encodeJson(value).split('&\\u0001').join(mark);
  const template: Template = { texts: [], slots: [] };
  const parts = textWith(settings, page, places, toJson).split(mark);
  for (let index = 0; index < parts.length; index++)
    if (index % 2 === 0) template.texts.push(parts[index]!);
    else template.slots.push(parts[index] as keyof Places);
  return template;
}

const textWith = (
  settings: BrowserVerifyRule,
  { kind, language, isPost, form, external, hasOtherWay }: PageOfRequest,
  { token, nonce, picture, requestId }: Places,
  toJson: (this: void, value: unknown) => string,
): string =>
  verifyPage({
    settings,
    language,
    challenge: { kind, issued: 0, difficulty: 0, nonce: '' },
    token,
    picture,
    external: external && externalChallenge(external.account, language),
    hasOtherWay,
    cspNonce: nonce,
    form,
    isPost,
    requestId,
    toJson,
  });
