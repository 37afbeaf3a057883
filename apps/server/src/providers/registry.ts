import type { DnsProviderCode, ProviderFamily } from '@breakwater/contract';
import type { Provider } from './define-provider.ts';
import type { DnsClient } from './dns/dns-client.ts';
import { powerdnsProvider } from './dns/powerdns.ts';
import { rfc2136Provider } from './dns/rfc2136.ts';

/** Every provider there is, by family and code. A family stands here once it has one. */
export const providers = {
  dns: { powerdns: powerdnsProvider, rfc2136: rfc2136Provider },
} satisfies { dns: Record<DnsProviderCode, Provider<DnsClient>> } & {
  [Family in Exclude<ProviderFamily, 'dns'>]?: Record<string, Provider<unknown>>;
};
