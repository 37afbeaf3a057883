import { entryOf } from '../site/host.ts';
import { contentRateMin, keepsPace, paceOf, type Pace } from '../lib/content-rate.ts';
import { framedContent, takePiece } from '../lib/framed-content.ts';
import { closing, pieceBytes, relay, sendOn, sendTooSlow, silenceMs, type Connection } from '../lib/relay.ts';
import { judgedPage, type Content } from './content.ts';

/**
 * Large content, judged while it streams. The cache sends such a request to a server of its own (`packages/edge/nginx/judge.ts`),
 * which gets it as plain HTTP/1.1 however the visitor sent it. That one holds the beginning until it is judged, then goes between
 * the cache and the fetch server and looks at nothing more: no request takes more memory than that beginning and two pieces.
 */

let folder = '';

export function setJudgeFolder(edgeDir: string): void {
  folder = `unix:${edgeDir}/run/`;
}

export function judge(): void {
  const [fetch, target] = string.match(ngx.var.http_x_breakwater_judge ?? '', '^(%S+) (%S+)$');
  const head = ngx.req.raw_header();
  const [visitor] = ngx.req.socket(true);
  if (fetch === undefined || target === undefined || visitor === undefined) return;
  visitor.settimeout(silenceMs);
  const site = entryOf(ngx.var.host!)?.site;
  const inspection = site?.protection?.inspection;
  const pace = paceOf(site?.contentRateMin ?? contentRateMin);
  const beginning = beginningOf(visitor, inspection?.bodyBytes ?? 0, pace);
  if (beginning === undefined) return;
  const page = inspection && judgedPage(inspection, { ...beginning, target });
  if (page === undefined) relay(visitor, socketOf(fetch), closing(head) + beginning.sent, sendDown);
  else {
    visitor.send(
      `HTTP/1.1 403 Forbidden\r\nConnection: close\r\nContent-Length: 0\r\nX-Accel-Redirect: @judged_content\r\n${notes()}\r\n`,
    );
    drain(visitor);
  }
}

/** The names of `compression.ts`. */
const socketOf = (fetch: string): string => `${folder}${string.gsub(fetch, '_', '-')[0]}.sock`;

/** What the log is to say, as it travels. */
function notes(): string {
  const { edge_waf: waf, edge_waf_part: part, edge_decision: decision } = ngx.var;
  const said = [waf ?? '', decision ?? '', part ?? ''].map((text) => ngx.encode_base64(text));
  return `X-Breakwater-Judged: ${table.concat(said, ',')}\r\n`;
}

interface Beginning extends Content {
  /** As it came, with what frames it. */
  sent: string;
}

/** Nothing where the visitor went away, or sends too slowly. */
function beginningOf(visitor: Connection, bodyBytes: number, pace: Pace): Beginning | undefined {
  const sent: string[] = [];
  const texts: string[] = [];
  const taken = { bytes: 0 };
  const content = framedContent();
  const note = (data: string) => {
    texts.push(data);
    taken.bytes += data.length;
  };
  while (taken.bytes < bodyBytes && !content.isWhole) {
    const began = ngx.now();
    const [piece] = visitor.receiveany(pieceBytes);
    if (piece === undefined) return undefined;
    if (!keepsPace(pace, piece.length, ngx.now() - began)) {
      sendTooSlow(visitor);
      return undefined;
    }
    sent.push(piece);
    takePiece(content, piece, note);
  }
  const text = table.concat(texts);
  const isLonger = !content.isWhole || text.length > bodyBytes;
  return { sent: table.concat(sent), text: isLonger ? string.sub(text, 1, bodyBytes) : text, isLonger };
}

/** Whether there was an answer. */
function sendDown(visitor: Connection, fetch: Connection): boolean {
  const status = fetch.receive('*l');
  // Before the lines of the origin, so that none of them is taken for it.
  const isSent = status !== undefined && visitor.send(`${status}\r\n${notes()}`) !== undefined;
  if (isSent) sendOn(fetch, visitor);
  return status !== undefined;
}

function drain(visitor: Connection): void {
  let [piece] = visitor.receiveany(pieceBytes);
  while (piece !== undefined) [piece] = visitor.receiveany(pieceBytes);
}
