import { entryOf } from '../site/host.ts';
import { judgedPage, type Content } from './content.ts';

/**
 * Large content, judged while it streams. The cache sends such a request to a server of its own (`packages/edge/nginx/judge.ts`),
 * which gets it as plain HTTP/1.1 however the visitor sent it. That one holds the beginning until it is judged, then goes between
 * the cache and the fetch server and looks at nothing more: no request takes more memory than that beginning and two pieces.
 */

/** Of a piece that streams on; `lua_socket_buffer_size` of the server. */
const pieceBytes = 65_536;
/** The front ends a request whose visitor is silent, and the fetch server one whose origin is. */
const silenceMs = 3_600_000;
const connectMs = 5000;
const endSeconds = 2;

let folder = '';

export function setJudgeFolder(edgeDir: string): void {
  folder = `unix:${edgeDir}/run/`;
}

type Connection = ngx.socket.Connection;

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
  if (page === undefined) passOn(visitor, socketOf(fetch), head, beginning.sent);
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

function passOn(visitor: Connection, socket: string, head: string, sent: string): void {
  const fetch = ngx.socket.tcp();
  fetch.settimeouts(connectMs, silenceMs, silenceMs);
  const [isConnected, problem] = fetch.connect(socket);
  if (!isConnected) {
    ngx.log(ngx.WARN, 'judged content goes nowhere: ', problem ?? '');
    return;
  }
  // So that the end of the answer is the end of the connection.
  fetch.send(`${string.sub(head, 1, -3)}Connection: close\r\n\r\n${sent}`);
  const up = ngx.thread.spawn(sendUp, visitor, fetch);
  const down = ngx.thread.spawn(sendDown, visitor, fetch);
  // The front ends the connection once it has all of the answer, or once its visitor is gone.
  const [, hasAnswer] = ngx.thread.wait(up, down);
  if (hasAnswer === true) {
    // If that is not all, the front would wait for more of it.
    const pause = ngx.thread.spawn(() => ngx.sleep(endSeconds));
    ngx.thread.wait(up, pause);
    ngx.thread.kill(pause);
  }
  ngx.thread.kill(up);
  ngx.thread.kill(down);
  fetch.close();
}

/** What is sent after an answer, which the origin no longer wants, is read all the same: else the front would not see the answer. */
function sendUp(visitor: Connection, fetch: Connection): void {
  let isWanted = true;
  let [piece] = visitor.receiveany(pieceBytes);
  while (piece !== undefined) {
    if (isWanted) isWanted = fetch.send(piece) !== undefined;
    [piece] = visitor.receiveany(pieceBytes);
  }
}

/** Whether there was an answer. */
function sendDown(visitor: Connection, fetch: Connection): boolean {
  const status = fetch.receive('*l');
  // Before the lines of the origin, so that none of them is taken for it.
  let isThere = status !== undefined && visitor.send(`${status}\r\n${notes()}`) !== undefined;
  while (isThere) {
    const [piece] = fetch.receiveany(pieceBytes);
    isThere = piece !== undefined && visitor.send(piece) !== undefined;
  }
  return status !== undefined;
}

function drain(visitor: Connection): void {
  let [piece] = visitor.receiveany(pieceBytes);
  while (piece !== undefined) [piece] = visitor.receiveany(pieceBytes);
}
