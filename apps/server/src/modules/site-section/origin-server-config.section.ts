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
  // Without a secret the storage has to refuse what it is asked, as whoever sets one wants it to.
  if (config.object_storage) compiled.object_storage = { secret_access_key: '', ...config.object_storage };
  return compiled;
}

function compileOrigin({ max_conns, ...origin }: Origin): EdgeOriginConfig['origins'][number] {
  return max_conns === 0 ? origin : { ...origin, max_conns };
}
