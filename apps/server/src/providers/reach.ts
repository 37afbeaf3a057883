import { isPrivateAddress } from '@breakwater/policy/address/private-address';
import { isTextIn, parseNetworks } from '@breakwater/policy/address/ip';
import { lookup } from 'node:dns/promises';
import { isIP } from 'node:net';
import type { Config } from '../config.ts';
import { ProviderProblem } from './define-provider.ts';

/** Whom the calls of an account may reach: finds the address of a host, or fails with `provider_private`. */
export type Reach = (host: string) => Promise<{ address: string; family: 4 | 6 }>;

/**
 * The public internet, as for everything that somebody entered. Of private networks the platform's own accounts reach those
 * that the operator names (`PROVIDER_NETWORKS`); customers' accounts reach none, so that they cannot look around behind the
 * control plane. `PRIVATE_ORIGINS` lets everybody reach everything, here too.
 */
export function reachOf(
  { privateOrigins, providerNetworks }: Pick<Config, 'privateOrigins' | 'providerNetworks'>,
  clientId: number | null,
): Reach {
  const own = parseNetworks(clientId === null ? [...providerNetworks] : []);
  const mayAsk = (address: string) => privateOrigins || !isPrivateAddress(address) || isTextIn(address, own);
  return async (host) => {
    const name = host.replace(/^\[|\]$/g, '');
    const found =
      isIP(name) === 0
        ? await lookup(name, { all: true }).catch(() => {
            throw new ProviderProblem('provider_unreachable', name);
          })
        : [{ address: name, family: isIP(name) }];
    // One that leads astray makes all of them suspect.
    if (found.length === 0 || !found.every(({ address }) => mayAsk(address)))
      throw new ProviderProblem('provider_private');
    return { address: found[0]!.address, family: found[0]!.family === 6 ? 6 : 4 };
  };
}
