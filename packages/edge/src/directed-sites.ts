let directed: Record<string, boolean> = {};

/** The sites for which this worker's nginx.conf has locations, their numbers with spaces between. */
export function noteDirectedSites(sites: string): void {
  directed = {};
  for (const site of sites.split(' ')) directed[site] = true;
}

/** A worker that is about to end may not know of a site yet: it serves it as before. */
export const isDirected = (site: string): boolean => directed[site] === true;
