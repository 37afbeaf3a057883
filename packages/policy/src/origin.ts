import type { Origin, OriginServerConfig } from '@breakwater/contract/site-config/origin-server-config';

/** One address that a request can be sent to: an origin given by name has one for each address of the name. */
export interface Peer {
  origin: Origin;
  ip: string;
  /** Where the site has its origins checked: what the agent calls this address (`checkedPlace`). */
  checked?: string;
}

/** Names an address of a site's origin by all that tells it apart; the port it is asked on can differ by request. */
export function checkedPlace(
  siteKey: string,
  origin: Pick<Origin, 'http_port' | 'https_port'>,
  ip: string,
): string {
  return `${siteKey} ${ip} ${origin.http_port} ${origin.https_port}`;
}

/**
 * The next peer for a request, or undefined when all have been tried: among the primaries that are up, else the
 * backups that are up, else, since an answer may still be had, the primaries and backups that failed of late.
 * `random` is in [0, 1); weights count against the others of the same group.
 */
export function choosePeer(
  peers: Peer[],
  tried: boolean[],
  down: boolean[],
  random: number,
): number | undefined {
  return (
    chooseAmong(peers, tried, down, 'primary', false, random) ??
    chooseAmong(peers, tried, down, 'backup', false, random) ??
    chooseAmong(peers, tried, down, 'primary', true, random) ??
    chooseAmong(peers, tried, down, 'backup', true, random)
  );
}

function chooseAmong(
  peers: Peer[],
  tried: boolean[],
  down: boolean[],
  state: string,
  isDown: boolean,
  random: number,
): number | undefined {
  let total = 0;
  for (let index = 0; index < peers.length; index++)
    if (peers[index]!.origin.state === state && !tried[index]! && down[index]! === isDown)
      total += peers[index]!.origin.weight;
  let left = random * total;
  let last: number | undefined;
  for (let index = 0; index < peers.length; index++) {
    if (peers[index]!.origin.state !== state || tried[index]! || down[index]! !== isDown) continue;
    last = index;
    left -= peers[index]!.origin.weight;
    if (left < 0) return index;
  }
  return last;
}

/** The scheme an origin is spoken to in, for a visitor's scheme. */
export function originScheme(config: OriginServerConfig, visitorScheme: string): 'http' | 'https' {
  if (config.protocol !== 'follow') return config.protocol;
  return visitorScheme === 'https' ? 'https' : 'http';
}

export function originPort(origin: Origin, scheme: 'http' | 'https'): number {
  return scheme === 'https' ? origin.https_port : origin.http_port;
}

/** The Host header and server name an origin is asked for. */
export function originHost(config: OriginServerConfig, visitorHost: string): string {
  return config.host ?? visitorHost;
}
