import type { RouteName } from '@breakwater/contract';

/** What to read again after a site changed. */
export const siteReads: readonly RouteName[] = [
  'getSite',
  'listSites',
  'getSiteDelivery',
  'listSiteRevisions',
  'getOriginServerConfig',
  'getBackendHealthCheck',
  'getCacheRule',
  'getSpeedOptimize',
  'getCertificateSettings',
  'getAdvancedConfig',
  'getListenPort',
  'getSiteSecurity',
  'getAccessControl',
  'getRealIp',
  'listTasks',
  'getSiteDnsCheck',
];
