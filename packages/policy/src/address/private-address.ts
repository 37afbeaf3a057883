import { formatAddress, isInNetworks, parseAddress, parseNetworks } from './ip.ts';

/**
 * What is not on the public internet: a machine itself, its link, its network, groups, tunnels, examples in documents. From
 * IANA's special-purpose registries (RFC 6890), whose few public parts below 2001::/23 serve no website either.
 */
const networks = parseNetworks([
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/4',
  '240.0.0.0/4',
  '64:ff9b:1::/48',
  '100::/64',
  '100:0:0:1::/64',
  // Teredo (2001::/32), ORCHID (2001:10::/28, 2001:20::/28), benchmarks (2001:2::/48).
  '2001::/23',
  '2001:db8::/32',
  '3fff::/20',
  '5f00::/16',
  'fc00::/7',
  'fe80::/10',
  'fec0::/10',
  'ff00::/8',
]);
/**
 * IPv6 addresses that hold an IPv4 address in their last four bytes: compatible, translated by SIIT and by NAT64. Mapped ones
 * are read as IPv4.
 */
const holdingIpv4 = parseNetworks(['::/96', '::ffff:0:0:0/96', '64:ff9b::/96']);
/** 6to4 holds it behind the first two. */
const sixToFour = parseNetworks(['2002::/16']);

/** An address (IPv6 without brackets) that only leads to the node itself or its neighbours; so does what is no address. */
export function isPrivateAddress(text: string): boolean {
  const address = parseAddress(text);
  if (address === undefined) return true;
  if (isInNetworks(address, holdingIpv4)) return isPrivateAddress(ipv4At(address, 12));
  if (isInNetworks(address, sixToFour)) return isPrivateAddress(ipv4At(address, 2));
  return isInNetworks(address, networks);
}

function ipv4At(bytes: number[], start: number): string {
  return formatAddress([bytes[start]!, bytes[start + 1]!, bytes[start + 2]!, bytes[start + 3]!]);
}
