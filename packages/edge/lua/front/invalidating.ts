import { invalidatedTargets } from '@breakwater/policy/cache/invalidation';
import { bucketOfTarget, type HostEntry } from '../site/host.ts';
import { gone, invalidate } from './generations.ts';

/** Methods that change nothing (RFC 9110 §9.2.1). */
const safe: Record<string, boolean> = { GET: true, HEAD: true, OPTIONS: true, TRACE: true };

/** Of a site that wants it: after such a request what is stored is asked for again. */
export function invalidatesStored({ site }: HostEntry, method: string): boolean {
  return safe[method] !== true && site.document.cache_settings?.invalidate_on_change === true;
}

/** After a request that may have changed something. */
export function invalidateTargets(entry: HostEntry, scheme: string, target: string): void {
  const variables = ngx.var;
  const targets = invalidatedTargets({
    method: variables.request_method!,
    status: ngx.status,
    scheme,
    host: entry.host,
    authority: variables.http_host!,
    target,
    location: variables.upstream_http_location!,
    contentLocation: variables.upstream_http_content_location!,
  });
  for (const each of targets) invalidate(bucketOfTarget(entry, each), gone);
}
