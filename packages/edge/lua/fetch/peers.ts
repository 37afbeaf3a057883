import { makePeer, type Peer } from '@breakwater/policy/origin/balance';
import { checkedPlace, originPort } from '@breakwater/policy/origin/origin';
import { placeOf } from './health.ts';
import { mayAsk } from './origin-guard.ts';
import { addressesOf, resolvedEpoch } from './resolved.ts';
import type { Site } from '../site/site.ts';

/** The addresses a site's requests can go to, renewed when names resolve to others. */
export function peersOf(site: Site): Peer[] {
  const epoch = resolvedEpoch();
  if (site.peersEpoch === epoch) return site.peers;
  const peers: Peer[] = [];
  const credits: number[] = [];
  const isChecked = site.document.backend_health_check?.enabled === true;
  for (const origin of site.origins.origins) {
    if (origin.state === 'down') continue;
    for (const ip of addressesOf(origin.address)) {
      if (!mayAsk(ip)) {
        ngx.log(
          ngx.ERR,
          'site ',
          site.siteId,
          ': origin ',
          origin.address,
          ' is not asked: ',
          ip,
          ' is private, or an address of this node',
        );
        continue;
      }
      const peer = makePeer(origin, ip);
      if (isChecked) peer.checked = checkedPlace(site.key, origin, ip);
      peers.push(peer);
      credits.push(0);
    }
  }
  site.credits = credits;
  site.peers = peers;
  site.peersEpoch = epoch;
  site.peerPlaces = {};
  return peers;
}

/** Where peers are asked: a port for each, and by what their health and their requests are counted. */
export interface Places {
  ports: number[];
  names: string[];
}

/** The same for every request of a scheme, and of a port where origins are asked at the visitor's. */
export function placesOf(site: Site, peers: Peer[], scheme: 'http' | 'https', port: string): Places {
  const key = site.origins.follow_port ? `${scheme} ${port}` : scheme;
  site.peerPlaces[key] ??= findPlaces(site, peers, scheme, tonumber(port) ?? 0);
  return site.peerPlaces[key];
}

const findPlaces = (site: Site, peers: Peer[], scheme: 'http' | 'https', visited: number): Places =>
  placesAt(
    site,
    peers,
    peers.map(({ origin }) => originPort(site.origins, origin, scheme, visited)),
  );

export const placesAt = (site: Site, peers: Peer[], ports: number[]): Places => ({
  ports,
  names: peers.map(({ ip }, index) => placeOf(site.key, ip, ports[index]!)),
});
