import { expect, it } from 'vitest';
import { TrustedProxies } from './trusted-proxies.ts';

const networksOf = (realIp: object) => {
  const proxies = new TrustedProxies(async () => undefined);
  proxies.track('site/1', JSON.stringify({ domains: ['example.com'], real_ip: realIp, acl: [] }));
  return proxies.networks();
};
const ofCloudflare = '104.16.0.0/13';

it('takes the networks of a CDN that nodes know, with those that a site adds', async () => {
  const networks = await networksOf({ mode: 'cdn', preset: 'cloudflare', trusted: ['192.0.2.0/24'] });
  expect(networks).toEqual(expect.arrayContaining([ofCloudflare, '2400:cb00::/32', '192.0.2.0/24']));
  expect(await networksOf({ preset: 'cloudflare' })).toContain(ofCloudflare);
});

it('takes none of a CDN where a site asks another way', async () => {
  expect(await networksOf({ mode: 'xff', preset: 'cloudflare' })).toEqual([]);
  expect(await networksOf({ mode: 'cdn', preset: 'of a later release' })).toEqual([]);
});

it('says when nothing can have changed', () => {
  const proxies = new TrustedProxies(async () => undefined);
  expect(proxies.track('site/1', '{}')).toBe(false);
  expect(proxies.track('address_list/1', '{}')).toBe(false);
  expect(proxies.track('certificate/1', '{"real_ip":{}}')).toBe(false);
  expect(proxies.track('site/1', '{"real_ip":{"trusted":["192.0.2.1"]}}')).toBe(true);
  expect(proxies.track('site/1', undefined)).toBe(true);
});
