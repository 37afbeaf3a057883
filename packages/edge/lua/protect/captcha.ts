import type { CaptchaAccountDocument } from '@breakwater/contract/edge-document';
import type { BrowserVerifyRule } from '@breakwater/contract/site-config/browser-verify';
import { captchaForm, captchaVerdict, type CaptchaVerdict } from '@breakwater/policy/protect/captcha';
import type { Challenge } from '@breakwater/policy/protect/verify';
import { captchaAccount } from '../documents/captcha-accounts.ts';
import { mayAsk } from '../fetch/origin-guard.ts';
import { addressesOf } from '../fetch/resolved.ts';
import { enter, leave } from '../lib/counters.ts';
import { hmacHex, sha256Hex } from '../lib/digest.ts';
import { decodeJson } from '../lib/json.ts';

/**
 * Challenges of vendors: this node asks the vendor itself whether a visitor has passed. A vendor that is slow or away holds up
 * nobody for long: only so many answers wait for it at once, and after some failures it is not asked for a while; what visitors
 * get meanwhile is the node's own work.
 */

const kept = ngx.shared.edge_passes;
let socket = '';

/** Where the server listens that asks vendors (`packages/edge/nginx/captcha.ts`). */
export function setCaptchaSocket(edgeDir: string): void {
  socket = `unix:${edgeDir}/run/captcha.sock`;
}

/** For one answer, with all addresses of the vendor that are tried. */
const secondsMax = 4;
const addressesMax = 3;
/** Answers of one account that wait for its vendor at once, on a node, and of all accounts. */
const atOnceMax = 64;
const atOnceOfAllMax = 256;
/** So many failures without an answer between them, and it is not asked for so long. */
const failuresMax = 3;
const awaySeconds = 15;
const failuresSeconds = 120;
/** Vendors' tokens are good for two to ten minutes. */
const tokenSeconds = 900;
const answerBytesMax = 65_536;

/** Whose challenge a site shows; nothing where it names none, or the node does not have it. */
export function externalOf({ captcha_account_id: id }: BrowserVerifyRule) {
  return id === undefined ? undefined : captchaAccount(id);
}

export const isAway = ({ account_id: id }: CaptchaAccountDocument): boolean =>
  kept.get(`captcha away ${id}`) !== undefined;

/** What the vendor says of a token that a browser got for this challenge. The challenge is spent for this way, whatever it says. */
export function askVendor(
  account: CaptchaAccountDocument,
  token: string,
  { nonce }: Challenge,
): CaptchaVerdict | 'malformed' {
  const form = captchaForm(account, token, hmacHex);
  if (form === undefined) return 'malformed';
  const [isFirst] = kept.add(`asked ${nonce}`, 1, tokenSeconds * 8);
  if (!isFirst) return 'used';
  const [isNew] = kept.add(`captcha ${sha256Hex(`${account.account_id} ${token}`)}`, 1, tokenSeconds);
  if (!isNew) return 'used';
  if (isAway(account)) return 'away';
  const name = `captcha ${account.account_id}`;
  if (!enter(name, atOnceMax)) return 'away';
  if (!enter('captcha', atOnceOfAllMax)) {
    leave(name);
    return 'away';
  }
  const [isDone, answer] = pcall(() => ask(account, form));
  leave('captcha');
  leave(name);
  const verdict =
    isDone && answer !== undefined ? captchaVerdict(account, answer, { host: ngx.var.host!, nonce }) : 'away';
  note(account, verdict, isDone ? (answer?.status ?? 0) : answer);
  return verdict;
}

function note(account: CaptchaAccountDocument, verdict: CaptchaVerdict, detail: unknown): void {
  const { account_id: id, vendor } = account;
  const name = `captcha failures ${id}`;
  if (verdict !== 'away' && verdict !== 'setup') {
    kept.delete(name);
    return;
  }
  const failures = kept.incr(name, 1, 0, failuresSeconds) ?? failuresMax;
  if (failures >= failuresMax) kept.set(`captcha away ${id}`, 1, awaySeconds);
  // Once a minute, for whoever looks after the node.
  const [isFirst] = kept.add(`captcha told ${id}`, 1, 60);
  if (!isFirst) return;
  const what =
    verdict === 'setup' ? 'does not accept the keys' : `gives no answer of use (${tostring(detail)})`;
  ngx.log(ngx.WARN, `${vendor} ${what}: CAPTCHA account ${id}; visitors get proof of work meanwhile`);
}

interface VendorAnswer {
  status: number;
  json: unknown;
}

function ask({ verify_url: url }: CaptchaAccountDocument, form: string): VendorAnswer | undefined {
  const [scheme, host, port, path] = string.match(url, '^(https?)://([^/:]+):?(%d*)(/.*)$');
  if (scheme === undefined) return undefined;
  const until = ngx.now() + secondsMax;
  let last: VendorAnswer | undefined;
  for (const address of addressesInTurn(host!)) {
    const to = `${address}:${port === '' ? (scheme === 'https' ? '443' : '80') : port}`;
    last = post(`/${scheme}${path}`, port === '' ? host! : `${host}:${port}`, to, form, until) ?? last;
    // One that cannot be connected to. What was sent is not sent twice, for tokens are good once.
    if (last?.status !== 502 || ngx.now() >= until) return last;
  }
  return last;
}

/** IPv4 first, which every node has. */
function addressesInTurn(host: string): string[] {
  const chosen: string[] = [];
  const later: string[] = [];
  for (const address of addressesOf(host))
    if (mayAsk(address)) (address.startsWith('[') ? later : chosen).push(address);
  for (const address of later) chosen.push(address);
  while (chosen.length > addressesMax) chosen.pop();
  return chosen;
}

function post(
  target: string,
  host: string,
  to: string,
  form: string,
  until: number,
): VendorAnswer | undefined {
  const connection = ngx.socket.tcp();
  connection.settimeout(secondsMax * 1000);
  const [isConnected] = connection.connect(socket);
  if (!isConnected) return undefined;
  connection.send(
    `POST ${target} HTTP/1.0\r\nHost: ${host}\r\nX-Breakwater-To: ${to}\r\n` +
      `Content-Type: application/x-www-form-urlencoded\r\nContent-Length: ${form.length}\r\n\r\n${form}`,
  );
  const text = received(connection, until);
  connection.close();
  if (text === undefined) return undefined;
  const [status] = string.match(text, '^HTTP/1%.%d (%d%d%d)');
  const [, end] = string.find(text, '\r\n\r\n', 1, true);
  if (status === undefined || end === undefined) return undefined;
  return { status: tonumber(status)!, json: decodeJson(string.sub(text, end + 1), true)[0] };
}

/** All of an answer, if it comes in time and is no larger than such answers are. */
function received(connection: ngx.socket.Connection, until: number): string | undefined {
  const parts: string[] = [];
  let bytes = 0;
  while (true) {
    const left = (until - ngx.now()) * 1000;
    if (left <= 0 || bytes > answerBytesMax) return undefined;
    connection.settimeout(math.max(1, math.ceil(left)));
    const [part, problem] = connection.receiveany(8192);
    if (part === undefined) return problem === 'closed' ? table.concat(parts) : undefined;
    parts.push(part);
    bytes += part.length;
  }
}
