import { isInNetworks, prepareNetworks } from './network.ts';

/** What is not on the public internet (IANA's special-purpose registries): a machine itself, its link, its network, groups. */
const networks = prepareNetworks([
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.168.0.0/16',
  '198.18.0.0/15',
  '224.0.0.0/4',
  '240.0.0.0/4',
  '64:ff9b:1::/48',
  '100::/64',
  'fc00::/7',
  'fe80::/10',
  'fec0::/10',
  'ff00::/8',
]);
/** IPv6 addresses that hold an IPv4 address in their last four bytes: compatible, mapped, translated. */
const holdingIpv4 = prepareNetworks(['::/96', '::ffff:0:0/96', '64:ff9b::/96']);
/** 6to4 holds it behind the first two. */
const sixToFour = prepareNetworks(['2002::/16']);

/** An address (IPv6 without brackets) that only leads to the node itself or its neighbours; so does what is no address. */
export function isPrivateAddress(address: string): boolean {
  const read = prepareNetworks([address])[0];
  if (read === undefined) return true;
  if (isInNetworks(holdingIpv4, address)) return isPrivateAddress(ipv4At(read.bytes, 12));
  if (isInNetworks(sixToFour, address)) return isPrivateAddress(ipv4At(read.bytes, 2));
  return isInNetworks(networks, address);
}

function ipv4At(bytes: number[], start: number): string {
  return `${bytes[start]!}.${bytes[start + 1]!}.${bytes[start + 2]!}.${bytes[start + 3]!}`;
}
