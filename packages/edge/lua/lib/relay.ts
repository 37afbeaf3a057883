import { keepsPace, tooSlowPlace, type Pace } from './content-rate.ts';
import { takePiece, type FramedContent } from './framed-content.ts';

/** A request that goes on to another server of this nginx as it came, and its answer as the caller sends it. */

export type Connection = ngx.socket.Connection;

/** Of a piece that streams on; `lua_socket_buffer_size` of the server. */
export const pieceBytes = 65_536;
/** The front ends a request whose visitor is silent, and the fetch server one whose origin is. */
export const silenceMs = 3_600_000;
const connectMs = 5000;
const endSeconds = 2;

/** So that the end of the answer is the end of the connection. `head`: as `ngx.req.raw_header` gives it. */
export const closing = (head: string, fields = ''): string =>
  `${string.sub(head, 1, -3)}${fields}Connection: close\r\n\r\n`;

/** A request whose content has to come at a rate. */
export interface PacedContent {
  pace: Pace;
  content: FramedContent;
  /** Then the visitor can be told of it no more. */
  isAnswered: boolean;
  isTooSlow: boolean;
}

/**
 * `sent`: what was read of the request. `sendDown` sends the answer, and says whether there was one. `paced`: absent, content may come
 * as slowly as it does.
 */
export function relay(
  visitor: Connection,
  socket: string,
  sent: string,
  sendDown: (this: void, visitor: Connection, fetch: Connection) => boolean,
  paced?: PacedContent,
): void {
  const fetch = ngx.socket.tcp();
  fetch.settimeouts(connectMs, silenceMs, silenceMs);
  const [isConnected, problem] = fetch.connect(socket);
  if (!isConnected) {
    ngx.log(ngx.WARN, 'a request goes nowhere: ', problem ?? '');
    return;
  }
  fetch.send(sent);
  const up = ngx.thread.spawn(sendUp, visitor, fetch, paced);
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
  if (paced?.isTooSlow === true && !paced.isAnswered) sendTooSlow(visitor);
}

/** Has the front show the page for it. */
export function sendTooSlow(visitor: Connection): void {
  visitor.send(
    `HTTP/1.1 408 Request Timeout\r\nConnection: close\r\nContent-Length: 0\r\nX-Accel-Redirect: ${tooSlowPlace}\r\n\r\n`,
  );
}

/**
 * What is sent after an answer, which the origin no longer wants, is read all the same: else the front would not see the answer. So is
 * what comes after the content.
 */
function sendUp(visitor: Connection, fetch: Connection, paced: PacedContent | undefined): void {
  let isWanted = true;
  let began = ngx.now();
  let [piece] = visitor.receiveany(pieceBytes);
  while (piece !== undefined) {
    if (paced !== undefined && !isInTime(paced, piece, ngx.now() - began)) return;
    if (isWanted) isWanted = fetch.send(piece) !== undefined;
    began = ngx.now();
    [piece] = visitor.receiveany(pieceBytes);
  }
}

function isInTime(paced: PacedContent, piece: string, seconds: number): boolean {
  if (paced.content.isWhole) return true;
  takePiece(paced.content, piece);
  paced.isTooSlow = !keepsPace(paced.pace, piece.length, seconds) && !paced.content.isWhole;
  return !paced.isTooSlow;
}

/** All that comes, until either side ends. */
export function sendOn(from: Connection, to: Connection): void {
  let isThere = true;
  while (isThere) {
    const [piece] = from.receiveany(pieceBytes);
    isThere = piece !== undefined && to.send(piece) !== undefined;
  }
}
