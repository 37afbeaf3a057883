import { describe, expect, it } from 'vitest';
import { bindingOf, type SiteCertificate } from './certificate-binding.ts';

/** Where a certificate goes among those of a site. */

let last = 0;
const make = (domains: string[], more: Partial<SiteCertificate> = {}): SiteCertificate => ({
  id: (last += 1),
  name: domains[0]!,
  domains,
  notAfter: new Date('2030-01-01'),
  keyType: 'ecdsa',
  isRenewed: false,
  ...more,
});
const domains = ['a.example.com', 'b.example.com', 'c.example.com'];
const ended = { notAfter: new Date('2029-01-01') };

describe('a certificate that comes to a site', () => {
  it('goes behind those that cover other names, and says what it covers', () => {
    const other = make(['c.example.com']);
    const added = make(['a.example.com', 'b.example.com', 'x.example.com']);
    expect(bindingOf(domains, [other], added)).toEqual({
      covered: ['a.example.com', 'b.example.com'],
      present: [],
      after: [other, added],
      isOutlasted: false,
    });
  });

  it('takes the place of one that ends before it and covers nothing more', () => {
    const [former, other] = [make(['a.example.com'], ended), make(['c.example.com'])];
    const added = make(['*.example.com']);
    const { present, after } = bindingOf(domains, [former, other], added);
    expect(present).toEqual([former, other]);
    expect(after).toEqual([added]);
    expect(
      bindingOf(domains, [make(['b.example.com', 'c.example.com']), former], make(['a.example.com'])).after,
    ).toHaveLength(2);
  });

  it('goes before one that covers more, and leaves it there', () => {
    const wide = make(['*.example.com'], ended);
    const added = make(['a.example.com']);
    expect(bindingOf(domains, [wide], added).after).toEqual([added, wide]);
  });

  it('goes before one that is renewed by itself, which stays', () => {
    const renewed = make(['a.example.com'], { ...ended, isRenewed: true });
    const added = make(['a.example.com']);
    const { after, isOutlasted } = bindingOf(domains, [renewed], added);
    expect(after).toEqual([added, renewed]);
    expect(isOutlasted).toBe(false);
  });

  it('is outlasted by an uploaded one that ends later, which stays behind it where it comes all the same', () => {
    const longer = make(['a.example.com'], { notAfter: new Date('2031-01-01') });
    const added = make(['a.example.com']);
    expect(bindingOf(domains, [longer], added)).toMatchObject({
      after: [added, longer],
      isOutlasted: true,
    });
  });

  it('leaves those with another kind of key alone, which serve other visitors', () => {
    const rsa = make(['a.example.com'], { ...ended, keyType: 'rsa' });
    const added = make(['a.example.com']);
    expect(bindingOf(domains, [rsa], added)).toMatchObject({ present: [], after: [rsa, added] });
  });

  it('is there once, where the site has it already', () => {
    const added = make(['a.example.com']);
    expect(bindingOf(domains, [added], added).after).toEqual([added]);
  });
});
