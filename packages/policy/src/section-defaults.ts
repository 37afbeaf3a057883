/**
 * What the sections of a site document hold where no level says anything, for those that sites inherit. The contract has
 * the same defaults (a test holds them together); it is not at hand where this runs.
 */
export const sectionDefaults: Record<string, Record<string, unknown>> = {
  cache_settings: { cache_header: true, always_online: false },
  certificate_settings: {},
  speed_optimize: {
    gzip: false,
    brotli: false,
    level: 'balanced',
    types: [
      'text/html',
      'text/css',
      'text/plain',
      'text/xml',
      'text/javascript',
      'application/javascript',
      'application/json',
      'application/ld+json',
      'application/manifest+json',
      'application/rss+xml',
      'application/xml',
      'application/wasm',
      'image/svg+xml',
    ],
    min_length_bytes: 1024,
    preload: [],
  },
  advanced_config: {
    error_pages: [],
    maintenance: { enabled: false, retry_after_seconds: 600, body: '', allowed_ips: [] },
    response_buffering: true,
    access_log: { enabled: true, referer: true, user_agent: true, query: true, sample_rate: 1 },
    snippet: '',
  },
  security: {
    rate: { period_seconds: 10, burst: 100 },
    rate_per_address: { period_seconds: 10, burst: 100 },
    rate_counts_hits: true,
  },
  block_referer: {
    enabled: false,
    allow: [],
    deny: [],
    allow_empty: true,
    allow_same_domain: true,
    check_origin: false,
    only_paths: [],
    except_paths: [],
    action: 'status',
    status: 403,
    redirect_url: '',
  },
  content_rewrite: {
    redirects: [],
    url_rewrites: [],
    request_headers: [],
    response_headers: [],
    body: {
      replacements: [],
      content_types: ['text/html'],
      max_bytes: 4_194_304,
      head_html: '',
      body_html: '',
    },
  },
  real_ip: { mode: 'socket', headers: [], depth: 1, preset: 'cloudflare', trusted: [] },
};
