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

/** `sent`: what was read of the request. `sendDown` sends the answer, and says whether there was one. */
export function relay(
  visitor: Connection,
  socket: string,
  sent: string,
  sendDown: (this: void, visitor: Connection, fetch: Connection) => boolean,
): void {
  const fetch = ngx.socket.tcp();
  fetch.settimeouts(connectMs, silenceMs, silenceMs);
  const [isConnected, problem] = fetch.connect(socket);
  if (!isConnected) {
    ngx.log(ngx.WARN, 'a request goes nowhere: ', problem ?? '');
    return;
  }
  fetch.send(sent);
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

/** All that comes, until either side ends. */
export function sendOn(from: Connection, to: Connection): void {
  let isThere = true;
  while (isThere) {
    const [piece] = from.receiveany(pieceBytes);
    isThere = piece !== undefined && to.send(piece) !== undefined;
  }
}
