import type { SiteAccessLog } from '@breakwater/contract/site-config/advanced-config';

/** What is logged of a site's requests, as `nginx/conf.ts` reads it; absent: everything. */
export function loggedOf(log: SiteAccessLog | undefined): string | undefined {
  if (log === undefined) return undefined;
  if (!log.enabled) return ':0';
  const fields = `${log.referer ? 'r' : ''}${log.user_agent ? 'u' : ''}${log.query ? 'q' : ''}${log.ja4 ? 'j' : ''}`;
  return fields === 'ruq' && log.sample_rate === 1 ? undefined : `${fields}:${log.sample_rate}`;
}

/** The fingerprints of its visitors' TLS clients are, so they have to be looked up. */
export const logsJa4 = (log: SiteAccessLog | undefined): boolean => log?.enabled === true && log.ja4;
