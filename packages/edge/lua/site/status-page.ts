import type { EffectiveSite } from '@breakwater/contract/edge-document';
import { findByHost } from '@breakwater/policy/http/host';
import { statusPage } from '@breakwater/policy/site/site-state';
import * as store from '../documents/store.ts';

/** The page that stands in for the site under a host: by its status, or because the domain is not proven yet, or not filed. */
export function pageOf(document: EffectiveSite, host: string): string | undefined {
  const { waiting_domains: waiting, unfiled_domains: unfiled } = document;
  return statusPage(document, waiting === undefined && unfiled === undefined ? undefined : domainOf(host));
}

/** The domain by which a site answers to a host. */
export function domainOf(host: string): string | undefined {
  return findByHost(host, (name) => (store.siteOfDomain(name) === undefined ? undefined : name));
}
