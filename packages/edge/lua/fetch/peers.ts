import { makePeer, type Peer } from '@breakwater/policy/origin/balance';
import { checkedPlace } from '@breakwater/policy/origin/origin';
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
  return peers;
}
