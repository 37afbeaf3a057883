import type { EffectiveSite } from '@breakwater/contract/edge-document';
import { findByHost } from '@breakwater/policy/host';
import * as store from './store.ts';

/** The page that stands in for the site under a host: by its status, or because the domain is not proven yet. */
export function pageOf(document: EffectiveSite, host: string): string | undefined {
  const { status, waiting_domains: waiting } = document;
  if (status === 'suspended') {
    const reason = document.status_reason ?? 'operator';
    return reason === 'operator' ? status : `${status}_${reason}`;
  }
  if (status !== 'online' || waiting === undefined) return status === 'online' ? undefined : status;
  const domain = findByHost(host, (name) => (store.siteOfDomain(name) === undefined ? undefined : name));
  for (const name of waiting) if (name === domain) return 'checking';
  return undefined;
}
