import type {
  EdgeOriginConfig,
  Origin,
  OriginServerConfig,
  RetryCondition,
} from '@breakwater/contract/site-config/origin-server-config';

/** A configuration as it travels, completed: what is absent is as by default. */
export function completeOriginConfig(config: EdgeOriginConfig): OriginServerConfig {
  const complete = config as OriginServerConfig;
  complete.method ??= 'round_robin';
  complete.follow_port ??= false;
  complete.verify_tls ??= false;
  complete.keepalive_seconds ??= 4;
  complete.retry_on ??= ['timeout'];
  complete.websocket ??= true;
  complete.grpc ??= false;
  for (const origin of complete.origins) origin.max_conns ??= 0;
  return complete;
}

/** Names an address of a site's origin by all that tells it apart; the port it is asked on can differ by request. */
export function checkedPlace(
  siteKey: string,
  origin: Pick<Origin, 'http_port' | 'https_port'>,
  ip: string,
): string {
  return `${siteKey} ${ip} ${origin.http_port} ${origin.https_port}`;
}

/** The scheme an origin is spoken to in, for a visitor's scheme. */
export function originScheme(config: OriginServerConfig, visitorScheme: string): 'http' | 'https' {
  if (config.protocol !== 'follow') return config.protocol;
  return visitorScheme === 'https' ? 'https' : 'http';
}

/** The port of an origin; `visitorPort` is where the visitor asked the edge. */
export function originPort(
  config: OriginServerConfig,
  origin: Origin,
  scheme: 'http' | 'https',
  visitorPort: number,
): number {
  if (config.follow_port && visitorPort > 0) return visitorPort;
  return scheme === 'https' ? origin.https_port : origin.http_port;
}

/** The Host header an origin is asked for. */
export function originHost(config: OriginServerConfig, visitorHost: string): string {
  return config.host ?? visitorHost;
}

/** The name an origin is asked for in TLS. */
export function originServerName(config: OriginServerConfig, visitorHost: string): string {
  return config.sni ?? originHost(config, visitorHost);
}

/** In the order of their bits in `retrySet`. */
export const retryConditions: RetryCondition[] = [
  'timeout',
  'server_error',
  'gateway_error',
  'not_found',
  'too_many',
];

/** A set of conditions as one number: nginx has a location for each. */
export function retrySet(conditions: RetryCondition[]): number {
  let set = 0;
  let bit = 1;
  for (const condition of retryConditions) {
    for (const wanted of conditions)
      if (wanted === condition) {
        set += bit;
        break;
      }
    bit *= 2;
  }
  return set;
}
