import type { SiteInput } from '../../packages/edge/test/support.ts';

const several = <Rule>(count: number, make: (index: number) => Rule): Rule[] =>
  Array.from({ length: count }, (_, index) => make(index));

const cacheRules: NonNullable<SiteInput['rules']> = [
  ...several(10, (index) => ({ type: 'suffix' as const, content: [`s${index}`, `t${index}`] })),
  ...several(9, (index) => ({ type: 'folder' as const, content: [`/folder-${index}/`] })),
  ...several(5, (index) => ({ type: 'regex' as const, content: [`^/api/v${index}/.*\\.json$`] })),
  { type: 'all', ttl_seconds: 86_400, browser_ttl_seconds: 3600 },
];

const accessRules = [
  ...several(10, (index) => ({
    action: 'deny' as const,
    addresses: [`203.0.113.${index}`, `198.51.${index}.0/24`],
  })),
  ...several(5, (index) => ({ action: 'deny' as const, agents: [`badbot-${index}`] })),
  ...several(5, (index) => ({
    action: 'deny' as const,
    only_paths: [`/private-${index}/`],
    methods: ['POST' as const],
  })),
];

const rewrite: NonNullable<SiteInput['rewrite']> = {
  redirects: [
    ...several(10, (index) => ({ type: 'prefix' as const, from: `/old-${index}/`, to: `/new-${index}/` })),
    ...several(5, (index) => ({
      type: 'regex' as const,
      from: `^/post-${index}/([0-9]+)$`,
      to: `/blog?id=$1`,
    })),
  ],
  url_rewrites: [
    ...several(5, (index) => ({ type: 'prefix' as const, from: `/app-${index}/`, to: `/v${index}/` })),
    ...several(5, (index) => ({
      type: 'regex' as const,
      from: `^/item-${index}/([0-9]+)$`,
      to: `/item.php?id=$1`,
    })),
  ],
  request_headers: several(10, (index) => ({ name: `X-Origin-${index}`, value: 'value ${client_ip}' })),
  response_headers: [
    ...several(6, (index) => ({ name: `X-Site-${index}`, value: `value ${index}` })),
    ...several(4, (index) => ({ action: 'remove' as const, name: `X-Powered-By-${index}` })),
  ],
};

const errorPages = several(5, (index) => ({ statuses: [`50${index}`], body: '<h1>{{status}}</h1>' }));

/** A hundred rules over all sections; a plain request for a page passes every one that is asked of each request. */
export const hundredRules = {
  rules: cacheRules,
  access: { rules: accessRules },
  referer: { enabled: true, deny: ['spam.example'], allow_empty: true },
  rewrite,
  advanced: { error_pages: errorPages },
  security: {
    rate_per_address: { requests: 10_000_000, period_seconds: 1, burst: 1_000_000 },
    rate: { requests: 10_000_000, period_seconds: 1, burst: 1_000_000 },
    rate_counts_hits: true,
    connections: 10_000,
    connections_per_address: 10_000,
  },
} satisfies Partial<SiteInput>;
