import type { OriginServerConfig } from '@breakwater/contract';
import { isPrivateAddress } from '@breakwater/policy/address/private-address';
import { sql } from 'drizzle-orm';
import { BlockList, isIP } from 'node:net';
import type { Db } from '../../db/database.ts';
import { rowsOf, texts } from '../../delivery/queryable.ts';
import { servedNames } from '../../served-names.ts';
import { isServed } from '../site-claim/site-claim.service.ts';

/**
 * Origins that would send a node's request back to a node, by their place in the list: a domain of any site here, an
 * address of a node on one of its ports, or the loopback on a port of any node. What only a look-up at the node can
 * tell is caught there, by the CDN-Loop header (RFC 8586).
 */
export async function findLoopingOrigins(
  db: Db,
  config: OriginServerConfig,
  ownDomains: readonly string[],
): Promise<number[]> {
  const [served, edges] = await Promise.all([servedDomains(db, config), edgePorts(db, config)]);
  const looping: number[] = [];
  config.origins.forEach((origin, index) => {
    const ports = {
      http: [origin.http_port],
      https: [origin.https_port],
      follow: [origin.http_port, origin.https_port],
    };
    const wanted = ports[config.protocol];
    const loops = isIP(origin.address)
      ? edges.some(
          (edge) => (edge.ip === origin.address || isOwnHost(origin.address)) && wanted.includes(edge.port),
        )
      : servedNames(origin.address).some((name) => served.has(name) || ownDomains.includes(name)) ||
        (origin.address === 'localhost' && edges.some((edge) => wanted.includes(edge.port)));
    if (loops) looping.push(index);
  });
  return looping;
}

/**
 * Origins that a node would refuse to ask, by their place in the list, as far as it shows here: names are looked up at the
 * nodes, which check once more.
 */
export function findPrivateOrigins({ origins }: OriginServerConfig): number[] {
  const refused: number[] = [];
  origins.forEach(({ address }, index) => {
    const isLocal = address === 'localhost' || address.endsWith('.localhost');
    if (isIP(address) ? isPrivateAddress(address) : isLocal) refused.push(index);
  });
  return refused;
}

async function servedDomains(db: Db, config: OriginServerConfig): Promise<Set<string>> {
  const names = config.origins
    .filter(({ address }) => !isIP(address))
    .flatMap(({ address }) => servedNames(address));
  if (names.length === 0) return new Set();
  const rows = await rowsOf<{ domain: string }>(
    db,
    sql`SELECT domain FROM site_domain d WHERE domain = ANY(${texts(names)}) AND ${isServed(sql`d`)}`,
  );
  return new Set(rows.map((row) => row.domain));
}

/** Addresses and ports of nodes: all ports for an origin on the loopback, else those of the nodes it names. */
async function edgePorts(db: Db, config: OriginServerConfig): Promise<{ ip: string; port: number }[]> {
  const addresses = config.origins.map(({ address }) => address);
  const everywhere = addresses.some((address) => address === 'localhost' || isOwnHost(address));
  const rows = await rowsOf<{ ip: string; port: number }>(
    db,
    sql`SELECT DISTINCT i.ip, p.port::int AS port
        FROM node_ip i JOIN node n ON n.id = i.node_id,
          jsonb_array_elements_text(
            coalesce(n.state->'http_ports', '[80]'::jsonb) || coalesce(n.state->'https_ports', '[443]'::jsonb)
            || coalesce(n.state->'extra_ports', '[]'::jsonb)) AS p(port)
        WHERE ${everywhere} OR i.ip = ANY(${texts(addresses)})`,
  );
  return rows;
}

const ownHost = new BlockList();
ownHost.addSubnet('127.0.0.0', 8, 'ipv4');
ownHost.addSubnet('0.0.0.0', 8, 'ipv4');
ownHost.addAddress('::1', 'ipv6');
ownHost.addAddress('::', 'ipv6');

const isOwnHost = (address: string): boolean =>
  isIP(address) !== 0 && ownHost.check(address, isIP(address) === 6 ? 'ipv6' : 'ipv4');
