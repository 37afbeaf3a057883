import { siteSnapshot, type SiteSnapshot, type siteCreateInput } from '@breakwater/contract';
import type * as z from 'zod';

/** Decisions about a site that need no database. */

/** The configuration of a new site: its origins, everything else by default. */
export function newSnapshot(input: NewSite): SiteSnapshot {
  const { origin, origin_port: port, origin_protocol: protocol, other_origins: others } = input;
  const toOrigin = (one: { address: string; port?: number | undefined }) => {
    const { address } = one;
    if (one.port === undefined) return { address };
    return protocol === 'https' ? { address, https_port: one.port } : { address, http_port: one.port };
  };
  return siteSnapshot.parse({
    domains: input.domains,
    status: 'online',
    origin_server_config: { origins: [{ address: origin, port }, ...others].map(toOrigin), protocol },
  });
}
export type NewSite = z.infer<typeof siteCreateInput>;
