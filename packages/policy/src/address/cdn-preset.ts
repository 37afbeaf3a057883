/**
 * Providers whose nodes may stand before ours: the networks they publish, and the field in which they give the visitor's
 * address. Lists of addresses that a site names stand in for these networks, and are fetched anew; some providers' change
 * so often that none are built in.
 */
export interface CdnPreset {
  /** Lower case. */
  header: string;
  networks: string[];
}

/** https://www.cloudflare.com/ips/, as of 2026-09-29. Cloudflare sets the field anew in every request. */
const cloudflare: CdnPreset = {
  header: 'cf-connecting-ip',
  networks: [
    '173.245.48.0/20',
    '103.21.244.0/22',
    '103.22.200.0/22',
    '103.31.4.0/22',
    '141.101.64.0/18',
    '108.162.192.0/18',
    '190.93.240.0/20',
    '188.114.96.0/20',
    '197.234.240.0/22',
    '198.41.128.0/17',
    '162.158.0.0/15',
    '104.16.0.0/13',
    '104.24.0.0/14',
    '172.64.0.0/13',
    '131.0.72.0/22',
    '2400:cb00::/32',
    '2606:4700::/32',
    '2803:f800::/32',
    '2405:b500::/32',
    '2405:8100::/32',
    '2a06:98c0::/29',
    '2c0f:f248::/32',
  ],
};

/**
 * https://api.fastly.com/public-ip-list, as of 2026-08-30. Its `Fastly-Client-IP` passes what a visitor wrote there, so the
 * address is taken from the list to which each of its nodes adds where the request came from.
 */
const fastly: CdnPreset = {
  header: 'x-forwarded-for',
  networks: [
    '23.235.32.0/20',
    '43.249.72.0/22',
    '103.244.50.0/24',
    '103.245.222.0/23',
    '103.245.224.0/24',
    '104.156.80.0/20',
    '140.248.64.0/18',
    '140.248.128.0/17',
    '146.75.0.0/17',
    '151.101.0.0/16',
    '157.52.64.0/18',
    '167.82.0.0/17',
    '167.82.128.0/20',
    '167.82.160.0/20',
    '167.82.224.0/20',
    '172.111.64.0/18',
    '185.31.16.0/22',
    '199.27.72.0/21',
    '199.232.0.0/16',
    '2a04:4e40::/32',
    '2a04:4e42::/32',
  ],
};

/** Each of its nodes adds where the request came from at the end, whatever a visitor wrote there. */
const appending: CdnPreset = { header: 'x-forwarded-for', networks: [] };

export const cdnPresets: Record<string, CdnPreset> = {
  cloudflare,
  fastly,
  cloudfront: appending,
  gcore: appending,
  bunny: appending,
  keycdn: appending,
};
