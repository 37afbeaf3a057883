import { escapeForPath } from '@breakwater/policy/rewrite/text';

let directed: Record<string, boolean> = {};

/** The sites for which this worker's nginx.conf has locations, their numbers with spaces between. */
export function noteDirectedSites(sites: string): void {
  directed = {};
  for (const site of sites.split(' ')) directed[site] = true;
}

/** A worker that is about to end may not know of a site yet: it serves it as before. */
export const isDirected = (site: string): boolean => directed[site] === true;

/** `$uri` of a site's directives: the path as nginx decoded it, with escapes for all that no path may hold. */
export const escapedPath = (): string => escapeForPath(ngx.var.uri!);
