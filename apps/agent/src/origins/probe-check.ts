import type { BackendHealthCheck, HealthError } from '@breakwater/contract';
import { siteDocument } from '@breakwater/contract';
import { checkedPlace } from '@breakwater/policy/origin/origin';
import * as z from 'zod';

/** What one check asks, of one address. Two sites that ask the same are answered by one check. */
export interface Question extends Pick<
  BackendHealthCheck,
  'path' | 'method' | 'expected_codes' | 'body_contains' | 'user_agent' | 'timeout_seconds'
> {
  protocol: 'http' | 'https' | 'tcp';
  ip: string;
  port: number;
  /** Host header, and the name asked for in TLS. */
  host: string;
  serverName: string;
  verifyTls: boolean;
}

/** How often it is asked, and how answers are judged. */
export type Judgement = Pick<
  BackendHealthCheck,
  'interval_seconds' | 'rise' | 'fall' | 'hold_down_seconds' | 'failback_delay_seconds'
>;

/** An origin address of a site, as nginx (`place`) and the control plane know it. */
export interface Watched {
  place: string;
  site_id: number;
  address: string;
  ip: string;
  port: number;
}

export interface Wanted {
  watched: Watched;
  question: Question;
  judgement: Judgement;
}

export interface ProbeResult {
  latencyMilliseconds: number;
  /** Absent: it was good. */
  error?: HealthError;
}

/** The part of a site document that checks depend on; loose, so that what other parts gain does not end the checks. */
const checkedSite = z.object({
  site_id: z.int(),
  status: z.string(),
  domains: z.array(z.string()).min(1),
  origin_server_config: z.object({
    origins: z.array(
      z.object({ address: z.string(), http_port: z.int(), https_port: z.int(), state: z.string() }),
    ),
    protocol: z.enum(['http', 'https', 'follow']),
    host: z.string().optional(),
    sni: z.string().optional(),
    verify_tls: z.boolean().default(false),
  }),
  backend_health_check: siteDocument.shape.backend_health_check,
});
export type CheckedSite = z.infer<typeof checkedSite> & { backend_health_check: BackendHealthCheck };

/** A site document whose origins are to be checked; nothing for any other document. */
export function readCheckedSite(body: string): CheckedSite | undefined {
  // Few documents have it, and a node can have a great many.
  if (!body.includes('"backend_health_check"')) return undefined;
  const { data } = checkedSite.safeParse(JSON.parse(body));
  if (data?.status !== 'online' || data.backend_health_check?.enabled !== true) return undefined;
  return { ...data, backend_health_check: data.backend_health_check };
}

/** Every check of a site: one for each address of each origin in use. */
export function wantedChecks(
  site: CheckedSite,
  addressesOf: (address: string) => readonly string[],
): Wanted[] {
  const { origin_server_config: config, backend_health_check: check } = site;
  const asked = config.protocol === 'https' ? 'https' : 'http';
  const protocol = check.protocol === 'origin' ? asked : check.protocol;
  const domain = site.domains.find((name) => !name.startsWith('*.')) ?? site.domains[0]!.slice(2);
  const host = check.host ?? config.host ?? domain;
  const { path, method, expected_codes, body_contains, user_agent, timeout_seconds } = check;
  const { interval_seconds, rise, fall, hold_down_seconds, failback_delay_seconds } = check;
  return config.origins
    .filter(({ state }) => state !== 'down')
    .flatMap((origin) => {
      const visited = asked === 'https' ? origin.https_port : origin.http_port;
      const usual = protocol === 'tcp' ? visited : origin[`${protocol}_port`];
      return addressesOf(origin.address).map((ip): Wanted => ({
        watched: {
          place: checkedPlace(String(site.site_id), origin, ip.includes(':') ? `[${ip}]` : ip),
          site_id: site.site_id,
          address: origin.address,
          ip,
          port: visited,
        },
        question: {
          protocol,
          ip,
          port: check.port ?? usual,
          host,
          serverName: check.host ?? config.sni ?? host,
          verifyTls: config.verify_tls,
          path,
          method,
          expected_codes,
          body_contains,
          user_agent,
          timeout_seconds,
        },
        judgement: { interval_seconds, rise, fall, hold_down_seconds, failback_delay_seconds },
      }));
    });
}
