import { isTextIn, parseNetworks, type Network } from '@breakwater/policy/address/ip';
import { isPrivateAddress } from '@breakwater/policy/address/private-address';

/**
 * Which addresses are never asked as origins. The control plane refuses them as well, but only here it is known what a
 * name has come to mean: one that leads to the node itself, or to a service beside it, is left alone.
 */
let isAllowed = false;
let own: Network[] = [];

/** As the node is configured; `ownAddresses` by spaces. */
export function setOriginGuard(privateOrigins: boolean, ownAddresses: string): void {
  isAllowed = privateOrigins;
  own = parseNetworks(ownAddresses.split(' '));
}

export function mayAsk(ip: string): boolean {
  if (isAllowed) return true;
  const bare = ip.startsWith('[') ? ip.substring(1, ip.length - 1) : ip;
  return !isPrivateAddress(bare) && !isTextIn(bare, own);
}
