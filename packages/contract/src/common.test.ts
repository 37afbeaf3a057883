import { describe, expect, it } from 'vitest';
import { hostAddress, ipOrCidr, isIpOrCidr, isPortRange, port, portRanges } from './common.ts';

describe('isIpOrCidr', () => {
  it.each([
    '192.0.2.1',
    '10.0.0.0/8',
    '0.0.0.0/0',
    '192.0.2.1/32',
    '2001:db8::1',
    '2001:db8::/32',
    '::/0',
    '::1/128',
  ])('takes %s', (text) => expect(isIpOrCidr(text)).toBe(true));
  it.each([
    '',
    '/8',
    '10.0.0.0/',
    '10.0.0.0/33',
    '10.0.0.0/08',
    '10.0.0.0/8/8',
    '10.0.0/8',
    '2001:db8::/129',
    '10.0.0.0/-1',
    'example.com',
  ])('refuses %j', (text) => expect(isIpOrCidr(text)).toBe(false));
  it('names the issue', () => {
    expect(ipOrCidr.safeParse('10.0.0.0/40').error?.issues[0]?.message).toBe('ip_format');
  });
});

describe('isPortRange', () => {
  it.each(['1', '443', '65535', '8000-8100', '443-443', '1-65535'])('takes %s', (text) =>
    expect(isPortRange(text)).toBe(true),
  );
  it.each([
    '',
    '0',
    '65536',
    '8100-8000',
    '80-',
    '-80',
    '80-65536',
    '080',
    '80 - 90',
    'http',
    '1e3',
    '1-2-3',
  ])('refuses %j', (text) => expect(isPortRange(text)).toBe(false));
  it.each([0, 65_536, -1])('says so of the single port %i as well', (value) => {
    expect(port.safeParse(value).error?.issues[0]).toMatchObject({ message: 'port_range' });
  });
  it('trims, and says which entry is wrong', () => {
    expect(portRanges.parse([' 80 '])).toEqual(['80']);
    expect(portRanges.safeParse(['80', '70000']).error?.issues[0]).toMatchObject({
      path: [1],
      message: 'port_range',
    });
  });
});

describe('hostAddress', () => {
  it.each([
    ['Origin.Example.com', 'origin.example.com'],
    ['源站.example.com', 'xn--b9w05x.example.com'],
    ['192.0.2.1', '192.0.2.1'],
    ['2001:DB8::1', '2001:db8::1'],
    ['localhost', 'localhost'],
  ])('takes %s as %s', (typed, kept) => {
    expect(hostAddress.parse(typed)).toBe(kept);
  });

  it.each(['1.2', '源站 example', '源/站', '', 'a_b.example.com'])('refuses %j', (typed) => {
    expect(hostAddress.safeParse(typed).success).toBe(false);
  });
});
