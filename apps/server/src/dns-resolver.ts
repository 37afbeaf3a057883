import { Resolver } from 'node:dns/promises';

const timeoutMilliseconds = 2000;
const tries = 2;

/** `servers` empty: the system's. */
export function makeResolver(
  servers: readonly string[],
  patience = { timeout: timeoutMilliseconds, tries },
): Resolver {
  const resolver = new Resolver(patience);
  if (servers.length > 0) resolver.setServers([...servers]);
  return resolver;
}
