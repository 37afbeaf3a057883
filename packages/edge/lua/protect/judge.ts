import { entryOf } from '../site/host.ts';
import { closing, pieceBytes, relay, sendOn, silenceMs, type Connection } from '../lib/relay.ts';
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
  const inspection = entryOf(ngx.var.host!)?.site.protection?.inspection;
  const beginning = beginningOf(visitor, inspection?.bodyBytes ?? 0);
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

/** Nothing where the visitor went away. */
function beginningOf(visitor: Connection, bodyBytes: number): Beginning | undefined {
  const length = tonumber(ngx.var.http_content_length);
  const sent: string[] = [];
  const reading: Reading = { text: [], length: 0, left: length ?? 0, frame: '', isWhole: length === 0 };
  while (reading.length < bodyBytes && !reading.isWhole) {
    const [piece] = visitor.receiveany(pieceBytes);
    if (piece === undefined) return undefined;
    sent[sent.length] = piece;
    if (length === undefined) readChunks(reading, piece);
    else {
      note(reading, piece);
      reading.isWhole = reading.length >= length;
    }
  }
  const text = table.concat(reading.text);
  const isLonger = !reading.isWhole || text.length > bodyBytes;
  return { sent: table.concat(sent), text: isLonger ? string.sub(text, 1, bodyBytes) : text, isLonger };
}

interface Reading {
  text: string[];
  length: number;
  /** Bytes of the chunk that have not come. */
  left: number;
  /** What has come of the line that says how long the next chunk is. */
  frame: string;
  isWhole: boolean;
}

function note(reading: Reading, text: string): void {
  reading.text[reading.text.length] = text;
  reading.length += text.length;
}

/** RFC 9112 §7.1, as nginx writes it. */
function readChunks(reading: Reading, piece: string): void {
  const text = `${reading.frame}${piece}`;
  reading.frame = '';
  let at = 1;
  while (at <= text.length) {
    if (reading.left > 0) {
      const data = string.sub(text, at, at + reading.left - 1);
      note(reading, data);
      reading.left -= data.length;
      at += data.length;
    } else {
      // Before the length of any chunk but the first stands the end of the one before.
      const [found, end, digits] = string.find(text, '^\r?\n?(%x+)[^\n]*\n', at);
      if (found === undefined) {
        reading.frame = string.sub(text, at);
        return;
      }
      reading.left = tonumber(digits as string, 16)!;
      if (reading.left === 0) reading.isWhole = true;
      if (reading.isWhole) return;
      at = end + 1;
    }
  }
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
