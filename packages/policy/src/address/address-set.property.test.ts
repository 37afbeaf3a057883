import { expect, it } from 'vitest';
import { isInSet, packAddresses } from './address-set.ts';
import { formatAddress, isInNetworks, parseAddress, parseNetworks, type Address } from './ip.ts';
import { randomFrom } from '../lib/test-random.ts';

/** Entries of a list and addresses near their ends, out of so few bytes that they meet often. */
it('a packed list names what its networks name, one by one', () => {
  const random = randomFrom(7);
  const pick = (count: number) => Math.floor(random() * count);
  for (let round = 0; round < 300; round++) {
    const bytes = round % 2 === 0 ? 4 : 16;
    const address = (): Address =>
      Array.from({ length: bytes }, (_, index) =>
        index === 0 ? 32 + pick(3) : [0, 1, 127, 128, 255][pick(5)]!,
      );
    const entries = Array.from(
      { length: pick(40) },
      () => `${formatAddress(address())}/${pick(bytes * 8 + 1)}`,
    );
    const set = packAddresses(entries);
    const networks = parseNetworks(entries);
    for (let tried = 0; tried < 50; tried++) {
      const one = parseAddress(formatAddress(address()))!;
      expect([entries, one, isInSet(one, set)]).toEqual([entries, one, isInNetworks(one, networks)]);
    }
  }
});
