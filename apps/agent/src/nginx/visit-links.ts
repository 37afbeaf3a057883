import { linksMax, type FollowKind, type linkKinds } from '@breakwater/contract';

export interface Links {
  kind: (typeof linkKinds)[number];
  urls: string[];
}

const linkMax = 4096;
/** Of one list together: an answer to the control plane has an end. */
const charactersMax = 1_000_000;

/** What a sitemap (sitemaps.org) or an HLS playlist (RFC 8216) lists, in its order, each once. */
export function linksOf(kind: FollowKind, text: string, base: string): Links {
  return kind === 'sitemap'
    ? {
        kind: /<sitemapindex[\s>]/i.test(text) ? 'sitemap' : 'content',
        urls: whole(sitemapLinks(text), base),
      }
    : { kind: 'piece', urls: whole(playlistLinks(text), base) };
}

const entities: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

function sitemapLinks(text: string): string[] {
  return [...text.matchAll(/<loc>\s*(?:<!\[CDATA\[)?\s*([^<\]]*?)\s*(?:\]\]>)?\s*<\/loc>/gi)].map(([, url]) =>
    url!
      .replace(/&#(x?)([0-9a-f]{1,6});/gi, (_, hex: string, digits: string) =>
        String.fromCodePoint(Math.min(0x10_ff_ff, Number.parseInt(digits, hex === '' ? 10 : 16) || 0)),
      )
      .replace(/&(amp|lt|gt|quot|apos);/g, (_, name: string) => entities[name]!),
  );
}

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
