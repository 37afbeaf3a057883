import { createHash } from 'node:crypto';
import { toByteString } from '@breakwater/policy';
import { parseSnippet } from '@breakwater/policy/site/nginx-snippet';
import { cacheLocation, cachePlaces, pacing } from './cache.ts';

/** What one site tells nginx itself, ready to be written: see `packages/policy/src/site/nginx-snippet.ts`. */
export interface SiteDirectives {
  siteId: number;
  /** One directive a line, every word in quotes. */
  text: string;
  /** The places in which the site's requests can end, without `@`: see `cachePlaces`. */
  places: string[];
}

/** Requests of a site with directives end in locations of its own, chosen by Lua; other sites never see them. */
export function siteLocations(sites: readonly SiteDirectives[], lines: string[]): string {
  return sites.map((site) => locationsOf(site, lines)).join('\n    ');
}

function locationsOf({ siteId, text, places }: SiteDirectives, lines: string[]): string {
  const told = directiveLines(text);
  const own = [...lines, pacing, ...told];
  const isRewriting = told.some((line) => /^(?:return|set_by_lua_block) /.test(line));
  // What is to be replaced has to be readable.
  if (text.includes('sub_filter ')) own.push('proxy_set_header Accept-Encoding "";');
  return cachePlaces
    .filter(([name]) => places.includes(name))
    .map(([name, place]) =>
      cacheLocation({ ...place, isRewriting, name: `${name}_${siteId}` }, own, `_${siteId}`),
    )
    .join('\n    ');
}

const decodedPath = /\$(?:\{uri\}|uri(?!\w))/g;
const requestId = /\$(?:\{request_id\}|request_id(?!\w))/g;

/**
 * What nginx is given, which is asked once more: an agent starts nginx with what one of an older version has left. `$uri` is
 * decoded and may hold line breaks, so Lua's text of it with escapes stands in its place. `$request_id` is the log's.
 */
function directiveLines(text: string): string[] {
  const allowed = text
    .split('\n')
    .filter((line) => parseSnippet(toByteString(line)).problem === undefined)
    .map((line) => line.replaceAll(decodedPath, '${edge_path}').replaceAll(requestId, '${edge_request_id}'));
  const usesPath = allowed.some((line) => line.includes('${edge_path}'));
  return usesPath ? ['set_by_lua_block $edge_path { return edge.escapedPath() }', ...allowed] : allowed;
}

/** Tells one set of them from another; empty where there are none. */
export function nameOfDirectives(sites: readonly SiteDirectives[]): string {
  if (sites.length === 0) return '';
  return createHash('sha256').update(JSON.stringify(sites)).digest('hex').slice(0, 16);
}
