import {
  originServerConfig,
  type EdgeOriginConfig,
  type Origin,
  type OriginServerConfig,
  type SiteSnapshot,
} from '@breakwater/contract';
import { isDeepStrictEqual } from 'node:util';
import { ApiError, invalid, type FieldIssue } from '../../api-error.ts';
import type { Transaction } from '../../db/database.ts';
import { findLoopingOrigins, findPrivateOrigins } from './origin-loop.ts';
import { defineSection, type SiteChange } from './section.ts';

export const originServerConfigSection = defineSection('origin_server_config', {
  async check({ tx, config, before, after, path, alone }) {
    if (
      differs(before.origin_server_config, after.origin_server_config) ||
      differs(before.domains, after.domains)
    )
      await checkOrigins(tx, config, after, (index) => `${path}.origins.${index}.address`);
    // A file holds no secrets: what it brings stays without until one is set.
    const storage = after.origin_server_config.object_storage;
    if (storage && storage.secret_access_key === undefined && alone)
      throw invalid(`${path}.object_storage.secret_access_key`, 'required');
  },
  publish: (value) => ({ origin_server_config: compileOrigins(value) }),
});

const differs = (one: unknown, other: unknown): boolean => JSON.stringify(one) !== JSON.stringify(other);

/** Refuses origins that nodes may not ask, or that would send a request back to a node. */
export async function checkOrigins(
  tx: Transaction,
  { privateOrigins }: SiteChange['config'],
  snapshot: SiteSnapshot,
  pathOf: (index: number) => string,
): Promise<void> {
  const refused = privateOrigins ? [] : findPrivateOrigins(snapshot.origin_server_config);
  if (refused.length > 0)
    throw new ApiError(
      'invalid_input',
      refused.map((index) => ({ path: pathOf(index), issue: 'origin_private' as const })),
    );
  const looping = await findLoopingOrigins(tx, snapshot.origin_server_config, snapshot.domains);
  const fields = looping.map((index): FieldIssue => ({ path: pathOf(index), issue: 'origin_cyclic' }));
  if (fields.length > 0) throw new ApiError('invalid_input', fields);
}

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
