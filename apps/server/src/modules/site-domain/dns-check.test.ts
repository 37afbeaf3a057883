import type { DnsExpected } from '@breakwater/contract';
import { brokenZone, startDnsServer, type DnsServer } from '@breakwater/test-world';
import { createSocket } from 'node:dgram';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeResolver } from '../../dns-resolver.ts';
import { checkDomain, zoneOf } from './dns-check.ts';

const expected: DnsExpected = {
  cname: 'a1b2.cdn.example.com',
  addresses: ['192.0.2.1', '2001:db8::1'],
};
let server: DnsServer;
beforeAll(async () => {
  server = await startDnsServer('example.com', [
    'a1b2.cdn IN A 192.0.2.1',
    'direct IN CNAME a1b2.cdn.example.com.',
    'detour IN CNAME direct.example.com.',
    'upper IN CNAME A1B2.CDN.example.com.',
    'dangling IN CNAME nowhere.example.com.',
    'loop IN CNAME loop2.example.com.',
    'loop2 IN CNAME loop.example.com.',
    'address IN A 192.0.2.1',
    'address IN AAAA 2001:0db8:0:0::1',
    'partly IN A 192.0.2.1',
    'partly IN A 198.51.100.7',
    'elsewhere IN A 198.51.100.7',
    'proven IN A 198.51.100.7',
    '_breakwater.proven IN TXT "something else"',
    '_breakwater.proven IN TXT "tok" "en"',
    'wrong IN A 198.51.100.7',
    '_breakwater.wrong IN TXT "another token"',
    'mail IN MX 10 elsewhere.example.com.',
    '*.wild IN CNAME a1b2.cdn.example.com.',
    '_breakwater.stars IN TXT "token"',
    '_breakwater.moved IN TXT "token"',
    'moved IN A 192.0.2.1',
    'partner IN TXT "token"',
    'partner IN A 198.51.100.7',
    '*.delegated IN CNAME partner.example.com.',
  ]);
});
afterAll(() => server.close());

const check = (domain: string, servers = [server.address], wanted = expected, token = 'token') =>
  checkDomain(makeResolver(servers), domain, wanted, token);

describe('the check of a domain', () => {
  it.each([
    ['direct.example.com', 'cname'],
    ['detour.example.com', 'cname'],
    ['upper.example.com', 'cname'],
    ['*.wild.example.com', 'cname'],
    ['address.example.com', 'address'],
    ['proven.example.com', 'txt'],
    ['*.stars.example.com', 'txt'],
    ['partly.example.com', 'partly'],
    ['elsewhere.example.com', 'elsewhere'],
    ['wrong.example.com', 'elsewhere'],
    ['dangling.example.com', 'elsewhere'],
    ['mail.example.com', 'no_records'],
    ['absent.example.com', 'nxdomain'],
    [`www.${brokenZone}`, 'server_failed'],
    ['www.example.org', 'refused'],
  ])('finds %s: %s', async (domain, verdict) => {
    expect((await check(domain)).verdict).toBe(verdict);
  });

  it('says what it saw, each step of the way', async () => {
    expect((await check('detour.example.com')).seen).toEqual({
      name: 'detour.example.com',
      cname_chain: ['direct.example.com', 'a1b2.cdn.example.com'],
      a: ['192.0.2.1'],
      aaaa: [],
      txt: [],
    });
    const proven = (await check('proven.example.com')).seen;
    expect(proven.txt.sort()).toEqual(['something else', 'token']);
  });

  it('ends with a chain that leads in a circle', async () => {
    expect((await check('loop.example.com')).seen.cname_chain).toEqual([
      'loop2.example.com',
      'loop.example.com',
    ]);
  });

  it('takes no other site’s CNAME or token for proof', async () => {
    const other = { cname: 'ffff.cdn.example.com', addresses: [] };
    for (const domain of ['direct.example.com', 'proven.example.com'])
      expect(await check(domain, [server.address], other, 'theirs')).toMatchObject({
        verdict: 'elsewhere',
        evidence: 'none',
      });
  });

  it.each([
    ['direct.example.com', 'own'],
    ['upper.example.com', 'own'],
    ['*.wild.example.com', 'own'],
    ['proven.example.com', 'own'],
    ['*.stars.example.com', 'own'],
    // It points at the nodes, and has the record besides.
    ['moved.example.com', 'own'],
    // A CNAME of somebody between: enough for a name that nobody else has.
    ['detour.example.com', 'led'],
    // Addresses prove nothing, and neither does what stands where a wildcard CNAME leads the TXT name.
    ['address.example.com', 'none'],
    ['login.delegated.example.com', 'none'],
    ['wrong.example.com', 'none'],
    ['absent.example.com', 'none'],
  ])('takes %s for %s evidence', async (domain, evidence) => {
    expect((await check(domain)).evidence).toBe(evidence);
  });

  it('tells a server that is silent from one that says no', async () => {
    const silent = createSocket('udp4');
    await new Promise<void>((resolve) => silent.bind(0, '127.0.0.1', resolve));
    const { verdict } = await check('direct.example.com', [`127.0.0.1:${silent.address().port}`]);
    silent.close();
    expect(verdict).toBe('timeout');
  });
});

describe('the zone of a domain', () => {
  it.each([
    ['shop.example.com', 'example.com'],
    ['example.com', 'example.com'],
    ['*.a.example.com.cn', 'example.com.cn'],
    ['www.example.co.uk', 'example.co.uk'],
    ['intranet', 'intranet'],
  ])('of %s is %s', (domain, zone) => {
    expect(zoneOf(domain)).toBe(zone);
  });
});
