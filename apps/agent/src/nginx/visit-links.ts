import { linksMax, type FollowKind, type linkKinds } from '@breakwater/contract';
import { mpdLinks } from './mpd-links.ts';
import { unescapeXml } from './xml-text.ts';

export interface Links {
  kind: (typeof linkKinds)[number];
  urls: string[];
}

const linkMax = 4096;
/** Of one list together: an answer to the control plane has an end. */
const charactersMax = 1_000_000;

/** What a sitemap (sitemaps.org), an HLS playlist (RFC 8216) or a DASH presentation lists, in its order, each once. */
export function linksOf(kind: FollowKind, text: string, base: string): Links {
  return kind === 'sitemap'
    ? {
        kind: /<sitemapindex[\s>]/i.test(text) ? 'sitemap' : 'content',
        urls: whole(sitemapLinks(text), base),
      }
    : { kind: 'piece', urls: whole(isMpd(text) ? mpdLinks(text, base) : playlistLinks(text), base) };
}

function sitemapLinks(text: string): string[] {
  return [...text.matchAll(/<loc>\s*(?:<!\[CDATA\[)?\s*([^<\]]*?)\s*(?:\]\]>)?\s*<\/loc>/gi)].map(([, url]) =>
    unescapeXml(url!),
  );
}

const isMpd = (text: string): boolean => /^\s*(?:<[?!][\s\S]*?>\s*)*<(?:\w+:)?MPD[\s>]/.test(text);

/** Segments and other playlists stand on lines of their own; keys, initial parts and renditions in attributes. */
function playlistLinks(text: string): string[] {
  return text.split(/\r?\n/).flatMap((line) => {
    if (!line.startsWith('#')) return line.trim() === '' ? [] : [line.trim()];
    return [...(/^#EXT-X-[A-Z-]+:.*?\bURI="([^"]+)"/.exec(line) ?? [])].slice(1);
  });
}

function whole(links: readonly string[], base: string): string[] {
  const urls = new Set<string>();
  let characters = 0;
  for (const link of links) {
    const url = URL.parse(link, base);
    if (!url || !/^https?:$/.test(url.protocol) || url.href.length > linkMax) continue;
    characters += url.href.length;
    if (urls.size === linksMax || characters > charactersMax) break;
    urls.add(url.href);
  }
  return [...urls];
}
