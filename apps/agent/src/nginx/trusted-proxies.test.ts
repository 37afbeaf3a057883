import { packAddresses } from '@breakwater/policy/address/address-set';
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

it('goes on with what it can read of a later control plane', async () => {
  const body = { list_id: 1, ranges: 'in another form' };
  const proxies = new TrustedProxies(async (id) => (id === 1 ? JSON.stringify(body) : listOf('192.0.2.1')));
  proxies.track('site/1', '{"real_ip":{"address_lists":[1,2],"since":"later"}}');
  proxies.track('site/2', '{"real_ip":{"trusted":"in another form"}}');
  expect(await proxies.networks()).toEqual(['192.0.2.1']);
});

function listOf(address: string): string {
  const { v4, v6 } = packAddresses([address]);
  const base64 = (bytes: string) => Buffer.from(bytes, 'latin1').toString('base64');
  return JSON.stringify({ list_id: 2, v4: base64(v4), v6: base64(v6), since: 'later' });
}
