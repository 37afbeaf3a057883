import type { Resolver } from 'node:dns/promises';
import type { SearchRobot } from '@breakwater/contract';
import { parseAddress } from '@breakwater/policy/address/ip';
import { robotOfName } from '@breakwater/policy/access/search-robots';

/** Whoever has an address chooses its names; no more of them are looked at. */
const namesMax = 5;
const noSuchName = new Set(['ENOTFOUND', 'ENODATA']);

/**
 * Whose robots have an address: it has a name below a domain of the engine's, and that name leads back to it. Nothing
 * outside those domains is asked about, whatever names a stranger gives an address. Fails where DNS gives no answer.
 */
export async function findRobot(resolver: Resolver, written: string): Promise<SearchRobot | 'none'> {
  const address = parseAddress(written);
  if (address === undefined) return 'none';
  // Not `reverse`, which takes a name server that fails for one that knows no name.
  const names = await answerOf(() => resolver.resolvePtr(reverseName(address)));
  for (const name of names.slice(0, namesMax)) {
    const robot = robotOfName(name);
    if (robot === undefined) continue;
    const back = await answerOf(() =>
      address.length === 4 ? resolver.resolve4(name) : resolver.resolve6(name),
    );
    if (back.some((each) => parseAddress(each)?.join() === address.join())) return robot;
  }
  return 'none';
}

/** That there is no such name is an answer too. */
async function answerOf(ask: () => Promise<string[]>): Promise<string[]> {
  try {
    return await ask();
  } catch (error) {
    if (noSuchName.has((error as NodeJS.ErrnoException).code ?? '')) return [];
    throw error;
  }
}

/** Where the names of an address stand in DNS (RFC 1035 §3.5, RFC 3596 §2.5). */
function reverseName(address: readonly number[]): string {
  const parts =
    address.length === 4
      ? address.map(String)
      : address.flatMap((byte) => [(byte >> 4).toString(16), (byte & 15).toString(16)]);
  return `${parts.reverse().join('.')}.${address.length === 4 ? 'in-addr' : 'ip6'}.arpa`;
}
