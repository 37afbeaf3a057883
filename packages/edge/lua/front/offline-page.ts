import { isPageOffline, type OfflinePages } from '@breakwater/policy/site/offline-pages';

/** Whether the page is not to be shown; what is answered instead is said by then. */
export function isTakenOffline(pages: OfflinePages, host: string, target: string): boolean {
  if (!isPageOffline(pages, host, target)) return false;
  const variables = ngx.var;
  variables.edge_decision = 'offline_page';
  variables.edge_page = 'offline_page';
  return true;
}
