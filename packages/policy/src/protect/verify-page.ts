import type { BrowserVerifyRule } from '@breakwater/contract/site-config/browser-verify';
import { hexValue } from '../lib/text.ts';
import { escapeHtml } from '../site/error-page.ts';
import type { ExternalChallenge } from './captcha-page.ts';
import { isPicture, slideHeight, slideWidth, type Challenge } from './verify.ts';
import { externalVerifyScript, verifyScript } from './verify-script.ts';
import { verifyTexts, type VerifyText } from './verify-page.text.ts';

/** The page of a challenge: all of it in one answer, with nothing from elsewhere but what a vendor's challenge needs. The console shows it as nodes do. */
export interface VerifyPage {
  settings: BrowserVerifyRule;
  language: string;
  challenge: Challenge;
  token: string;
  /** As an address, of kinds that show one. */
  picture: string | undefined;
  /** Of the kind `external`, whose challenge it shows; nothing where the node asks for work in its place. */
  external?: ExternalChallenge | undefined;
  /** Of that kind: a browser may solve the node's own work instead. */
  hasOtherWay?: boolean;
  /** That scripts and styles of this page carry, and no others run. */
  cspNonce: string;
  /** What was sent, if it is sent again; else whether something was that is not. */
  form: [string, string][] | undefined;
  isPost: boolean;
  requestId: string;
  /** A value as JSON. */
  toJson: (this: void, value: unknown) => string;
  /** Only looked at: nothing of it runs. */
  isPreview?: boolean;
}

export const answerPath = '/.well-known/breakwater/verify/answer';

const style =
  ':root{color-scheme:light dark}*{box-sizing:border-box}body{font:16px/1.6 system-ui,sans-serif;margin:0;padding:12vh 1rem 2rem}' +
  'main{max-width:30rem;margin:auto}h1{font-size:1.4rem;margin:.5rem 0}svg{display:block}' +
  'button{font:inherit;padding:.5rem 1.2rem;border:0;border-radius:.4rem;background:var(--c);color:var(--on);cursor:pointer}' +
  'button.o{background:none;color:inherit;text-decoration:underline;padding:.5rem 0}' +
  ':focus-visible{outline:3px solid var(--c);outline-offset:3px}[hidden]{display:none!important}' +
  'input{font:inherit;width:100%;margin:.5rem 0 1rem;accent-color:var(--c)}input[type=text]{padding:.5rem;letter-spacing:.2em}' +
  `.w{position:relative;width:100%;max-width:400px}.w img{display:block;width:100%;height:auto}` +
  '#w{min-height:66px;margin:.5rem 0}.r img{width:160px;border-radius:50%}#i{position:absolute;top:0;height:100%;width:16%;border:3px solid var(--c);background:#fff5}' +
  'small{color:#767676;overflow-wrap:anywhere}@media(prefers-reduced-motion:no-preference){button{transition:opacity .2s}}';

export function verifyPage(page: VerifyPage): string {
  const { settings, cspNonce } = page;
  const t = verifyTexts[page.language]!;
  const title = escapeHtml(settings.title === '' ? t.title : settings.title);
  const parts = [
    `<!doctype html><html lang="${page.language}"><head><meta charset="utf-8">`,
    '<meta name="viewport" content="width=device-width,initial-scale=1"><meta name="robots" content="noindex">',
    `<title>${title}</title><style nonce="${cspNonce}">:root{--c:${settings.color};--on:${inkOn(settings.color)}}${style}</style>`,
    '</head><body><main>',
    '<svg width="40" height="40" viewBox="0 0 24 24" fill="none" stroke="var(--c)" stroke-width="2" aria-hidden="true">',
    '<path d="M12 2 4 5v6c0 5 3.4 9 8 11 4.6-2 8-6 8-11V5z"/><path d="m8.5 12 2.5 2.5 4.5-5"/></svg>',
    `<h1>${title}</h1><p>${escapeHtml(settings.text === '' ? t.text : settings.text)}</p>`,
    partOf(page, t),
    '<p id="s" role="status" aria-live="polite"></p>',
    `<p><button id="a" type="button" hidden>${t.tryAgain}</button><button id="b" type="button" hidden>${t.back}</button></p>`,
    page.isPreview === true ? '' : `<noscript><p>${t.noScript}</p></noscript>`,
    formOf(page.form),
    `<p><small>Request ID: ${page.requestId}</small></p></main>`,
    page.isPreview === true ? '' : scriptsOf(page, t),
    '</body></html>\n',
  ];
  return parts.join('');
}

function scriptsOf(page: VerifyPage, t: VerifyText): string {
  const { cspNonce, challenge } = page;
  // Nothing in it ends the script that it stands in.
  const told = page
    .toJson(settingsOf(page, t, challenge))
    .split('<')
    .join('\\u003c');
  return (
    `<script type="application/json" id="c" nonce="${cspNonce}">${told}</script>` +
    `<script nonce="${cspNonce}">${page.external === undefined ? verifyScript : externalVerifyScript}</script>`
  );
}

/** What the script is told. */
function settingsOf(page: VerifyPage, t: VerifyText, { kind }: Challenge): unknown {
  const { checking, wait, done, failed, tooMany, automated, again, instead, blocked } = t;
  const { external } = page;
  // In place of a vendor that cannot be asked.
  const working = kind === 'external' && external === undefined ? instead : t.working;
  return {
    kind,
    token: page.token,
    to: answerPath,
    wait: page.settings.delay_seconds,
    sight: isPicture(kind),
    post: page.isPost,
    form: page.form !== undefined,
    ...(external === undefined ? {} : { ext: external }),
    t: {
      checking,
      working,
      wait,
      done,
      failed,
      tooMany,
      automated,
      again,
      ...(external === undefined ? {} : { instead, blocked: named(blocked, external.name) }),
    },
  };
}

function partOf(page: VerifyPage, t: VerifyText): string {
  const {
    challenge: { kind },
    picture,
  } = page;
  if (kind === 'external') return externalPart(page, t);
  if (kind === 'click') return `<div id="p"><p><button id="k" type="button">${t.click}</button></p></div>`;
  if (picture === undefined) return '';
  const told = kind === 'slide' ? t.slide : kind === 'rotate' ? t.rotate : t.image;
  const size = kind === 'slide' ? ` width="${slideWidth}" height="${slideHeight}"` : '';
  const shown = `<div class="w${kind === 'rotate' ? ' r' : ''}"><img id="g" alt="" src="${picture}"${size}>${kind === 'slide' ? '<div id="i"></div>' : ''}</div>`;
  const input =
    kind === 'image'
      ? '<input id="v" type="text" autocomplete="off" autocapitalize="characters" spellcheck="false" maxlength="8" required aria-labelledby="l">'
      : `<input id="v" type="range" min="0" max="${kind === 'slide' ? 168 : 359}" value="0" aria-labelledby="l">`;
  return (
    `<div id="p"><form id="q"><p id="l">${told}</p>${shown}${input}<button>${t.send}</button></form>` +
    `<p><button id="o" class="o" type="button">${t.other}</button></p></div>`
  );
}

const named = (text: string, vendor: string): string => text.split('{vendor}').join(vendor);

/** The vendor's script draws into it. A way that needs neither the vendor nor a mouse stands below. */
function externalPart({ external, hasOtherWay, isPreview }: VerifyPage, t: VerifyText): string {
  if (external === undefined && isPreview !== true) return '';
  const told = external === undefined ? '' : named(t.vendor, external.name);
  const other =
    hasOtherWay === true ? `<p><button id="o" class="o" type="button">${t.otherWay}</button></p>` : '';
  return `<div id="p" role="group" aria-labelledby="l"><p id="l">${told}</p><div id="w"></div>${other}</div>`;
}

/** Sent by the script when the browser has passed. */
function formOf(fields: [string, string][] | undefined): string {
  if (fields === undefined) return '';
  const parts = ['<form id="f" method="post" accept-charset="utf-8" hidden>'];
  for (const [name, value] of fields)
    parts.push(`<textarea name="${escapeHtml(name)}">\n${escapeHtml(value)}</textarea>`);
  parts.push('</form>');
  return parts.join('');
}

/** Black or white, whichever is read better on a color (`#rrggbb`). */
function inkOn(color: string): string {
  const part = (from: number) => hexValue(color, from) * 16 + hexValue(color, from + 1);
  return part(1) * 0.299 + part(3) * 0.587 + part(5) * 0.114 > 150 ? '#000' : '#fff';
}
