import {
  contentRateMin,
  paceOf,
  readContentAt,
  smallContentBytes,
  tooSlowPlace,
} from '../lib/content-rate.ts';
import { framedContent } from '../lib/framed-content.ts';
import {
  pieceBytes,
  closing,
  relay,
  sendOn,
  silenceMs,
  type Connection,
  type PacedContent,
} from '../lib/relay.ts';
import { entryOf } from '../site/host.ts';
import type { Site } from '../site/site.ts';
import type { FetchRequest } from './fetch-request.ts';
import { letGo, noteOfUnread, takeVerdict } from './leaks.ts';

/**
 * Answers of sites that have them searched for leaks, and requests whose content is large. Such a request comes to the fetch server twice:
 * the first time it is only handed on, and comes back with a field that says so. The first sees that content comes fast enough, and keeps the beginning of the answer, header and all, until the second has read as much of
 * it as is judged (`leaks.ts`): nginx itself sends a header before there is any content. What is withheld so never reaches the cache.
 */

/** Until then the beginning is not let go; from then on nobody has read it. */
const heldSeconds = 1;
/** More than what is judged, with what frames it. */
const heldBytesMax = 262_144;

/** Whether a request is handed on first. Of another node's visitors, and of later parts: it is not. */
export function isHeld(request: FetchRequest, site: Site): boolean {
  if (site.leaks === undefined && !isPaced(request, site)) return false;
  const isHeldAlready = ngx.var.http_x_breakwater_holding !== undefined;
  return !isHeldAlready && !request.isFromEdge && !request.isLaterPart && ngx.req.get_method() !== 'HEAD';
}

/** It has content that is not read before an origin is asked, and that has to come at a rate. */
const isPaced = (request: FetchRequest, site: Site): boolean =>
  request.hasContent && site.contentRateMin > 0 && !isSmall(request);

/** Its content is read into memory before an origin is asked. */
const isSmall = ({ contentLength }: FetchRequest): boolean =>
  contentLength !== undefined && contentLength <= smallContentBytes;

/**
 * Waits for content that is small, so that no connection to an origin waits for a visitor who sends slowly. False: it comes too
 * slowly, and the request ends here. Of another node's visitors: that node has seen to it.
 */
export function awaitSmallContent(request: FetchRequest, { contentRateMin: rate }: Site): boolean {
  if (!request.hasContent || rate === 0 || request.isFromEdge || !isSmall(request)) return true;
  if (readContentAt(rate)) return true;
  ngx.header['X-Accel-Redirect'] = tooSlowPlace;
  ngx.exit(204);
  return false;
}

export function holdAnswer(): void {
  const head = ngx.req.raw_header();
  const [front] = ngx.req.socket(true);
  if (front === undefined) return;
  front.settimeout(silenceMs);
  const token = ngx.var.request_id!;
  const sign = `X-Breakwater-Holding: ${token}\r\n`;
  // What asks for another protocol says so of its connection. It may be answered as any other all the same.
  const isUpgrade = ngx.var.http_upgrade !== undefined;
  const request = isUpgrade ? `${string.sub(head, 1, -3)}${sign}\r\n` : closing(head, sign);
  const site = entryOf(ngx.var.host!)?.site;
  const paced = pacedContent(site, isUpgrade);
  const socket = ngx.var.fetch_socket!;
  relay(front, socket, request, (visitor, fetch) => sendDown(visitor, fetch, token, site, paced), paced);
}

/** Of what may become another protocol the content has no end. */
function pacedContent(site: Site | undefined, isUpgrade: boolean): PacedContent | undefined {
  const rate = site?.contentRateMin ?? contentRateMin;
  if (rate === 0 || isUpgrade) return undefined;
  return { pace: paceOf(rate), content: framedContent(), isAnswered: false, isTooSlow: false };
}

/** Whether there was an answer. */
function sendDown(
  visitor: Connection,
  fetch: Connection,
  token: string,
  site: Site | undefined,
  paced: PacedContent | undefined,
): boolean {
  if (site?.leaks === undefined) return sendAsItComes(visitor, fetch, paced);
  const head = headOf(fetch);
  if (paced !== undefined) paced.isAnswered = true;
  const isJudged = head?.isJudged === true;
  const held = head === undefined || isJudged ? heldOf(fetch, token, head === undefined) : undefined;
  if (held?.isBlocked === true) return withhold(visitor, held.note);
  if (head === undefined) return false;
  const note = held === undefined ? head.note : held.note;
  const lines = note === '' ? head.lines : withNote(head.lines, note);
  const beginning = held === undefined ? '' : held.text;
  const isSent = visitor.send(`${lines}\r\n${beginning}`) !== undefined;
  fetch.settimeout(silenceMs);
  if (isSent && held?.isEnded !== true) sendOn(fetch, visitor);
  return true;
}

function sendAsItComes(visitor: Connection, fetch: Connection, paced: PacedContent | undefined): boolean {
  const [piece] = fetch.receiveany(pieceBytes);
  if (piece === undefined) return false;
  if (paced !== undefined) paced.isAnswered = true;
  if (visitor.send(piece) !== undefined) sendOn(fetch, visitor);
  return true;
}

/** With what was found, and a sign for it in the note that the front reads of every answer; one that has a sign already keeps it. */
function withNote(lines: string, note: string): string {
  const [marked] = string.gsub(lines, '(\nX%-Breakwater: %d%d%d%d%d%d%d%d%d%d) ', '%1!', 1);
  return `${marked}X-Breakwater-Leaks: ${note}\r\n`;
}

interface Head {
  /** Without the empty line that ends them. */
  lines: string;
  isJudged: boolean;
  /** Of an answer that nobody reads, which says so itself. */
  note: string;
}

/** What the fetch server says to this one alone. */
const judgedSign = 'X-Breakwater-Holding:';
const noteSign = 'X-Breakwater-Leaks: ';

function headOf(fetch: Connection): Head | undefined {
  const lines: string[] = [];
  let isJudged = false;
  let note = '';
  let line = fetch.receive('*l');
  while (line !== undefined && line !== '') {
    if (line.startsWith(judgedSign)) isJudged = true;
    else if (line.startsWith(noteSign)) note = line.slice(noteSign.length);
    else lines.push(`${line}\r\n`);
    line = fetch.receive('*l');
  }
  return line === undefined ? undefined : { lines: table.concat(lines), isJudged, note };
}

interface Held {
  text: string;
  isBlocked: boolean;
  /** For the log of the front. */
  note: string;
  isEnded: boolean;
}

/** What is judged writes its verdict down before it lets the last of it go on, so after each piece there is one to look for. */
function heldOf(fetch: Connection, token: string, hasEnded: boolean): Held {
  const pieces: string[] = [];
  const until = ngx.now() + heldSeconds;
  let bytes = 0;
  let isEnded = hasEnded;
  let verdict = takeVerdict(token);
  while (verdict === undefined && !isEnded && bytes < heldBytesMax) {
    const left = until - ngx.now();
    if (left <= 0) break;
    fetch.settimeout(math.max(1, left * 1000));
    const [piece, problem] = fetch.receiveany(pieceBytes);
    if (piece !== undefined) {
      pieces.push(piece);
      bytes += piece.length;
    } else if (problem !== 'timeout') isEnded = true;
    verdict = takeVerdict(token);
  }
  if (verdict === undefined && !letGo(token)) verdict = takeVerdict(token);
  const { isBlocked, note } = verdict ?? { isBlocked: false, note: noteOfUnread() };
  return { text: table.concat(pieces), isBlocked, note, isEnded };
}

/** The cache keeps nothing of this, and the front shows the page. */
function withhold(visitor: Connection, note: string): boolean {
  visitor.send(
    `HTTP/1.1 403 Forbidden\r\nConnection: close\r\nContent-Length: 0\r\nX-Accel-Expires: 0\r\nX-Accel-Redirect: @judged_content\r\nX-Breakwater-Leaks: ${note}\r\n\r\n`,
  );
  return true;
}
