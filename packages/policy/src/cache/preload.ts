import type { Preload } from '@breakwater/contract/site-config/speed-optimize';

/** The `Link` field (RFC 8288) of a page at a normalised path: what it needs first. Nothing where nothing is listed. */
export function preloadLinks(list: Preload[], path: string): string | undefined {
  const links: string[] = [];
  for (const { path: place, url, as } of list) {
    const isBelow = place.endsWith('*') && path.startsWith(place.substring(0, place.length - 1));
    if (!isBelow && place !== path) continue;
    // Fonts and what scripts fetch are asked for without credentials; the early request must be the same.
    const isAnonymous = as === 'font' || as === 'fetch';
    links.push(`<${url}>; rel=preload; as=${as}${isAnonymous ? '; crossorigin' : ''}`);
  }
  return links.length === 0 ? undefined : links.join(', ');
}
