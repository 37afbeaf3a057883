/** How hard the fetch servers compress; each site chooses one. `balanced` is the one of all sites that say nothing. */
export const compressionLevels = ['balanced', 'fast', 'best'] as const;
export type CompressionLevel = (typeof compressionLevels)[number];

/** Brotli's 10 and 11 are some ten times slower than its 9, and no answer is to wait for that. */
const strengths: Record<CompressionLevel, { gzip: number; brotli: number }> = {
  fast: { gzip: 1, brotli: 2 },
  balanced: { gzip: 5, brotli: 5 },
  best: { gzip: 9, brotli: 9 },
};

export function fetchSocket(level: CompressionLevel): string {
  return level === 'balanced' ? 'fetch.sock' : `fetch-${level}.sock`;
}

/** Of the server beside it that renews what is stale; see `renewal.ts`. */
export function renewSocket(level: CompressionLevel): string {
  return `renew-${level}.sock`;
}

/** The name of the upstream, as `$edge_fetch` has it. */
export function fetchUpstream(level: CompressionLevel): string {
  return level === 'balanced' ? 'fetch' : `fetch_${level}`;
}

/** All types and sizes: which answers are compressed, and how, Lua decides and says in the request's Accept-Encoding. */
export function compressionOf(level: CompressionLevel, hasBrotli: boolean): string {
  const { gzip, brotli } = strengths[level];
  const lines = [
    'gzip on',
    'gzip_types *',
    'gzip_min_length 1',
    'gzip_proxied any',
    'gzip_http_version 1.0',
    `gzip_comp_level ${gzip}`,
  ];
  if (hasBrotli)
    lines.push('brotli on', 'brotli_types *', 'brotli_min_length 1', `brotli_comp_level ${brotli}`);
  return lines.map((line) => `${line};`).join('\n    ');
}
