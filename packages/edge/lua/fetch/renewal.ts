import type { OriginServerConfig } from '@breakwater/contract/site-config/origin-server-config';
import { answerSeconds } from '../site/origins.ts';
import type { FetchRequest } from './fetch-request.ts';

/**
 * Renewal of what is given stale meanwhile (`stale-while-revalidate`). nginx renews within the visitor's request, and the next on
 * that connection waits until it is over: with an origin that takes a minute, a minute. So its request ends at once, with
 * nothing, and a request of our own goes to a server that has the same cache and nobody waiting (`renewServers`).
 */

/** In the place of how often a request has waited. */
const aside = 'aside';
/**
 * Until then the visitor's request has mostly ended, and with it nginx no longer takes the answer for one that is being renewed. On a
 * worker that is busy it has not: what is given as stale once more is asked for again after the next pause.
 */
const pauseSeconds = [0.05, 0.5, 2];

/** A field of the server that renews. */
const updating = 'X-Breakwater-Renewal: UPDATING';

/** On the visitor's side, with the header of an answer that is stale: what nginx asks for next is its renewal. */
export function moveRenewalAside(): void {
  ngx.var.edge_waited = aside;
}

/** In the fetch server: a renewal ends here, and another request does it. */
export function renewAside({ key, place }: FetchRequest, origins: OriginServerConfig): void {
  // Without a key it is not known what to renew.
  if (key === undefined || place === undefined || !place.startsWith(aside)) return;
  const [head] = string.gsub(ngx.req.raw_header(), '^%u+ ', 'HEAD ');
  const text = `${string.sub(head, 1, -3)}Connection: close\r\n\r\n`;
  const [isSet, problem] = ngx.timer.at(
    pauseSeconds[0]!,
    renew,
    ngx.var.renew_socket!,
    text,
    answerSeconds(origins) + 1,
  );
  if (!isSet) ngx.log(ngx.WARN, 'an answer is not renewed: ', problem ?? '');
  ngx.exit(204);
}

function renew(isEnding: boolean, socket: string, text: string, seconds: number): void {
  if (isEnding || isRenewed(socket, text, seconds)) return;
  for (const pause of pauseSeconds.slice(1)) {
    ngx.sleep(pause);
    if (isRenewed(socket, text, seconds)) return;
  }
}

/** Waits for the header of the answer: from then on nginx reads what is to be kept to its end, with nobody there. */
function isRenewed(socket: string, text: string, seconds: number): boolean {
  const connection = ngx.socket.tcp();
  connection.settimeout(seconds * 1000);
  const [isConnected, problem] = connection.connect(socket);
  if (isConnected) connection.send(text);
  else ngx.log(ngx.WARN, 'an answer is not renewed: ', problem ?? '');
  let line = connection.receive('*l');
  while (line !== undefined && line !== '' && line !== updating) line = connection.receive('*l');
  connection.close();
  return line !== updating;
}
