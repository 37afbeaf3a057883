import {
  originServerConfig,
  type EdgeOriginConfig,
  type Origin,
  type OriginServerConfig,
} from '@breakwater/contract';
import { isDeepStrictEqual } from 'node:util';

const plain = originServerConfig.parse({ origins: [{ address: '192.0.2.1' }] });

/** The section as it travels: most sites set little, and a node holds them all in memory. */
export function compileOrigins(config: OriginServerConfig): EdgeOriginConfig {
  const compiled: EdgeOriginConfig = { ...config, origins: config.origins.map(compileOrigin) };
  for (const name of [
    'method',
    'follow_port',
    'verify_tls',
    'keepalive_seconds',
    'retry_on',
    'websocket',
    'grpc',
  ] as const)
    if (isDeepStrictEqual(config[name], plain[name])) delete compiled[name];
  return compiled;
}

function compileOrigin({ max_conns, ...origin }: Origin): EdgeOriginConfig['origins'][number] {
  return max_conns === 0 ? origin : { ...origin, max_conns };
}
