import type { CaptchaAccountDocument, CaptchaProviderCode } from '@breakwater/contract';
import { createHmac, randomBytes } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/**
 * A vendor of challenges, played by the vendors' documents: its script with a box in a frame of its own, tokens that are good once,
 * and the call by which they are verified. Not a vendor's code: what that does besides nobody here has seen.
 */

interface Issued {
  hostname: string;
  action?: string | undefined;
  cdata?: string | undefined;
  score?: number | undefined;
}

export interface CaptchaVendorServer {
  url: string;
  siteKey: string;
  secretKey: string;
  /** Of vendors with three more parts, all of them. */
  issue(vendor: CaptchaProviderCode, to: Issued): string;
  /** How verification is answered: as documented, later, with this in its place, or never at all. */
  verification: { seconds?: number; answer?: { status: number; body: string }; silent?: boolean };
  /** Of visitors who are asked nothing. */
  score: number;
  /** Scripts are not there. */
  isBlocked: boolean;
  /** Forms that were to be verified. */
  verified: URLSearchParams[];
  /** Most that waited for an answer at once. */
  atOnceMax: number;
  account(
    vendor: CaptchaProviderCode,
    id: number,
    more?: Partial<CaptchaAccountDocument>,
  ): CaptchaAccountDocument;
  close(): Promise<void>;
}

const paths: Record<CaptchaProviderCode, { verify: string; script: string }> = {
  turnstile: { verify: '/turnstile/v0/siteverify', script: '/turnstile/v0/api.js' },
  hcaptcha: { verify: '/siteverify', script: '/1/api.js' },
  recaptcha: { verify: '/recaptcha/api/siteverify', script: '/recaptcha/api.js' },
  geetest: { verify: '/validate', script: '/v4/gt4.js' },
};

const siteKey = '0x4AAAAAAA-site';
const secretKey = '0x4AAAAAAA_secret/=';

export async function startCaptchaVendor(): Promise<CaptchaVendorServer> {
  const tokens = new Map<string, Issued & { vendor: CaptchaProviderCode }>();
  let waiting = 0;
  const server = createServer((request, response) => void answer(request, response));
  await new Promise<void>((settle) => server.listen(0, '127.0.0.1', settle));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

  const vendor: CaptchaVendorServer = {
    url,
    siteKey,
    secretKey,
    verification: {},
    score: 0.9,
    isBlocked: false,
    verified: [],
    atOnceMax: 0,
    issue(code, to) {
      const name = randomBytes(16).toString('hex');
      tokens.set(name, { ...to, vendor: code });
      return code === 'geetest' ? `${name} out_put-= ${'a'.repeat(64)} 1700000000` : name;
    },
    account: (code, id, more = {}) => ({
      account_id: id,
      vendor: code,
      site_key: siteKey,
      secret_key: secretKey,
      verify_url: url + paths[code].verify,
      script_url: url + paths[code].script,
      sources: [url],
      ...(code === 'geetest' ? { api_host: url.split('//')[1]! } : {}),
      ...more,
    }),
    close: () => {
      server.closeAllConnections();
      return new Promise((settle) => server.close(() => settle()));
    },
  };

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const target = new URL(request.url!, url);
    const code = (Object.keys(paths) as CaptchaProviderCode[]).find(
      (one) => paths[one].verify === target.pathname || paths[one].script === target.pathname,
    );
    if (request.method === 'POST' && code !== undefined) return verify(code, request, response);
    if (vendor.isBlocked) return void response.writeHead(404).end();
    const send = (type: string, body: string) =>
      void response.writeHead(200, { 'content-type': type, 'access-control-allow-origin': '*' }).end(body);
    if (code !== undefined) return send('text/javascript', scriptOf(code, url, target.searchParams));
    if (target.pathname === '/box') return send('text/html', box);
    if (target.pathname === '/load')
      return send('text/javascript', `${target.searchParams.get('callback')}()`);
    if (target.pathname !== '/token') return void response.writeHead(404).end();
    const told = (name: string) => target.searchParams.get(name) ?? undefined;
    return send(
      'text/plain',
      vendor.issue(told('vendor') as CaptchaProviderCode, {
        hostname: told('hostname') ?? '',
        action: told('action'),
        cdata: told('cdata'),
        score: told('score') === undefined ? undefined : vendor.score,
      }),
    );
  }

  async function verify(
    code: CaptchaProviderCode,
    request: IncomingMessage,
    response: ServerResponse,
  ): Promise<void> {
    waiting += 1;
    vendor.atOnceMax = Math.max(vendor.atOnceMax, waiting);
    response.on('close', () => (waiting -= 1));
    const form = new URLSearchParams(await textOf(request));
    vendor.verified.push(form);
    const { seconds = 0, answer: fixed, silent } = vendor.verification;
    if (silent === true) return;
    await new Promise((settle) => setTimeout(settle, seconds * 1000));
    const reply = fixed ?? {
      status: 200,
      body: JSON.stringify(code === 'geetest' ? judgeGeetest(form) : judge(code, form)),
    };
    response.writeHead(reply.status, { 'content-type': 'application/json' }).end(reply.body);
  }

  function judge(code: CaptchaProviderCode, form: URLSearchParams): object {
    const refuse = (...codes: string[]) => ({ success: false, 'error-codes': codes });
    if (form.get('secret') !== secretKey) return refuse('invalid-input-secret');
    if (code === 'hcaptcha' && form.get('sitekey') !== siteKey) return refuse('sitekey-secret-mismatch');
    const token = form.get('response') ?? '';
    const issued = tokens.get(token);
    const spent = code === 'hcaptcha' ? 'invalid-or-already-seen-response' : 'timeout-or-duplicate';
    if (issued === undefined || issued.vendor !== code)
      return refuse(tokens.has(`spent ${token}`) ? spent : 'invalid-input-response');
    tokens.delete(token);
    tokens.set(`spent ${token}`, issued);
    const { hostname, action, cdata, score } = issued;
    return {
      success: true,
      challenge_ts: new Date().toISOString(),
      hostname,
      'error-codes': [],
      // Some say so of what is not.
      credit: null,
      ...(code === 'turnstile' ? { action, cdata, metadata: { interactive: true } } : {}),
      ...(score === undefined ? {} : { score, action }),
    };
  }

  function judgeGeetest(form: URLSearchParams): object {
    const refuse = (number: string, msg: string) => ({ status: 'error', code: number, msg, desc: {} });
    if (form.get('captcha_id') !== siteKey) return refuse('-50103', 'not captcha');
    if (!/^\d+$/.test(form.get('gen_time') ?? '')) return refuse('-50005', 'illegal gen_time');
    const lot = form.get('lot_number') ?? '';
    const issued = tokens.get(lot);
    if (issued?.vendor !== 'geetest')
      return tokens.has(`spent ${lot}`)
        ? refuse('-50003', 'illegal verify')
        : refuse('-50303', 'illegal lot_number');
    tokens.delete(lot);
    tokens.set(`spent ${lot}`, issued);
    const sign = createHmac('sha256', secretKey).update(lot).digest('hex');
    const isGood = form.get('sign_token') === sign;
    return {
      status: 'success',
      result: isGood ? 'success' : 'fail',
      reason: isGood ? '' : 'sign_token error',
      captcha_args: {
        used_type: 'slide',
        user_ip: '127.0.0.1',
        lot_number: lot,
        scene: 'anti-spam',
        referer: `http://${issued.hostname}/`,
      },
    };
  }

  return vendor;
}

async function textOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
}

/** In a frame from the vendor: a box to check, by mouse or keyboard, that tells the page its token. */
const box = `<!doctype html><meta charset="utf-8"><label><input id="b" type="checkbox"> I am human</label>
<script>document.getElementById('b').onchange=function(){
fetch('/token'+location.search).then(function(r){return r.text()}).then(function(t){parent.postMessage({token:t},'*')})}</script>`;

/** What the script of each gives the page, by its documents. */
function scriptOf(code: CaptchaProviderCode, url: string, asked: URLSearchParams): string {
  const shared = `
var base=${JSON.stringify(url)};
function query(o){var q=[];for(var k in o)if(o[k]!=null)q.push(k+'='+encodeURIComponent(o[k]));return q.join('&')}
function show(at,o,done){
var at=typeof at==='string'?(at.charAt(0)==='#'?document.querySelector(at):document.getElementById(at)):at;
var f=document.createElement('iframe');f.title='Challenge';f.lang=o.lang||'';f.style.cssText='width:300px;height:66px;border:0';
f.src=base+'/box?'+query({vendor:${JSON.stringify(code)},hostname:location.hostname,action:o.action,cdata:o.cData});
var s=document.createElement('style');s.textContent='iframe{display:block}';document.head.appendChild(s);
addEventListener('message',function(e){if(e.source===f.contentWindow&&e.origin===base)done(e.data.token)});
at.appendChild(f)}
`;
  if (code === 'geetest')
    return `(function(){${shared}
window.initGeetest4=function(o,ready){
var calls={},name='geetest_'+Date.now(),g={
appendTo:function(at){show(at,{lang:o.language},function(t){g.token=t.split(' ');calls.success()});return g},
onReady:function(f){setTimeout(f,0);return g},onError:function(){return g},onSuccess:function(f){calls.success=f;return g},
getValidate:function(){var t=g.token;return t&&{lot_number:t[0],captcha_output:t[1],pass_token:t[2],gen_time:t[3]}}};
window[name]=function(){ready(g)};
var s=document.createElement('script');s.onerror=o.onError;s.src=o.protocol+o.apiServers[0]+'/load?callback='+name;document.head.appendChild(s)};
})()`;
  const name = { turnstile: 'turnstile', hcaptcha: 'hcaptcha', recaptcha: 'grecaptcha' }[code];
  return `(function(){${shared}
window.${name}={
render:function(at,o){show(at,{action:o.action,cData:o.cData,lang:o.language||o.hl||${JSON.stringify(asked.get('hl') ?? '')}},o.callback)},
ready:function(f){setTimeout(f,0)},
execute:function(key,o){return fetch(base+'/token?'+query({vendor:${JSON.stringify(code)},hostname:location.hostname,action:o.action,score:1})).then(function(r){return r.text()})}};
var f=window[${JSON.stringify(asked.get('onload') ?? '')}];if(f)f()})()`;
}
