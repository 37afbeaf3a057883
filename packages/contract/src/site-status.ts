/**
 * What a site is, see docs/site-status.md. `checking`: none of its domains is proven yet; `check_failed`: their time for
 * it is over. `suspended` is the platform's alone.
 */
export const siteStatuses = ['online', 'offline', 'checking', 'check_failed', 'suspended'] as const;
export type SiteStatus = (typeof siteStatuses)[number];

/** Why a site is suspended. All but `operator` come and go by themselves with their cause; `none`: it is not suspended. */
export const siteStatusReasons = [
  'none',
  'operator',
  'order_expired',
  'order_suspended',
  'client_disabled',
] as const;
export type SiteStatusReason = (typeof siteStatusReasons)[number];

/** By the certificate of the site that ends first; `not_enabled`: it has none, and nodes answer with their own. */
export const siteCertificateStatuses = ['not_enabled', 'enabled', 'expired'] as const;
export type SiteCertificateStatus = (typeof siteCertificateStatuses)[number];
