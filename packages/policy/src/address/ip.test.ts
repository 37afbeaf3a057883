import { BlockList, isIP } from 'node:net';
import { expect, it } from 'vitest';
import { formatAddress, isInNetwork, parseAddress, parseNetwork } from './ip.ts';
import { randomFrom } from '../lib/test-random.ts';

const random = randomFrom(11);
const upTo = (max: number) => Math.floor(random() * max);
const group = () => (random() < 0.5 ? '0' : upTo(65_536).toString(16));
const randomIpv4 = () => Array.from({ length: 4 }, () => upTo(256)).join('.');
const randomIpv6 = () => Array.from({ length: 8 }, group).join(':');

it('reads every address as Node does, and writes IPv6 as WHATWG does', () => {
  for (let round = 0; round < 3000; round++) {
    const text = random() < 0.3 ? randomIpv4() : randomIpv6();
    const address = parseAddress(text)!;
    const shown = formatAddress(address);
    if (address.length === 16) expect(`[${shown}]`).toBe(new URL(`http://[${text}]/`).hostname);
    else expect(shown).toBe(text.includes(':') ? expect.any(String) : text);
    expect(parseAddress(shown)).toEqual(address);
  }
});

it('takes what is no address for none, and nothing else', () => {
  const signs = ['0', '1', '9', 'a', 'F', 'g', ':', ':', ':', '.', '.', '%', '/', ' ', '-', '\0', '25', '::'];
  for (let round = 0; round < 20_000; round++) {
    const text = Array.from({ length: 1 + upTo(14) }, () => signs[upTo(signs.length)]!).join('');
    expect([text, parseAddress(text) !== undefined]).toEqual([text, isIP(text) > 0 && !text.includes('%')]);
  }
});

it('knows what lies in a network as Node does', () => {
  for (let round = 0; round < 3000; round++) {
    const [text, bits] = random() < 0.5 ? [randomIpv4(), upTo(33)] : [randomIpv6(), upTo(129)];
    const kind = text.includes(':') ? 'ipv6' : 'ipv4';
    const list = new BlockList();
    list.addSubnet(text, bits, kind);
    const network = parseNetwork(`${text}/${bits}`);
    const other = kind === 'ipv4' ? randomIpv4() : randomIpv6();
    const near = text.slice(0, -1) + (text.endsWith('1') ? '2' : '1');
    for (const candidate of [text, other, near]) {
      const address = parseAddress(candidate);
      if (address === undefined || network === undefined) continue;
      expect([candidate, text, bits, isInNetwork(address, network)]).toEqual([
        candidate,
        text,
        bits,
        list.check(candidate, kind),
      ]);
    }
  }
});
