import type { UploadCertificate, UploadSite } from '@breakwater/contract';
import { describe, expect, it } from 'vitest';
import { firstChoices } from './first-choices.ts';

const site = (id: number, covered: string[], more: Partial<UploadSite> = {}): UploadSite => ({
  id,
  domain: covered[0]!,
  covered,
  use: 'added',
  present: [],
  ...more,
});
const made = (
  domains: string[],
  sites: UploadSite[],
  more: Partial<UploadCertificate> = {},
): UploadCertificate => ({
  fingerprint: domains.join(),
  name: domains[0]!,
  files: [],
  domains,
  issuer: '',
  key_type: 'ecdsa',
  key_bits: 256,
  not_before: '',
  not_after: '',
  warnings: [],
  known: null,
  replaces: null,
  sites,
  ...more,
});
const idsOf = (found: UploadCertificate[], mayBind = true) =>
  firstChoices(found, mayBind).map(({ siteIds }) => siteIds);

describe('what is chosen first', () => {
  it('is the certificate that names a domain, before one that has it by a wildcard', () => {
    const wild = made(['*.a.example'], [site(1, ['www.a.example']), site(2, ['api.a.example'])]);
    const own = made(['www.a.example'], [site(1, ['www.a.example'])]);
    expect(idsOf([wild, own])).toEqual([[2], [1]]);
  });

  it('is the one that covers more of a site, and both where neither covers what the other does', () => {
    const wide = made(['a.example', 'b.example'], [site(1, ['a.example', 'b.example'])]);
    const narrow = made(['a.example'], [site(1, ['a.example'])]);
    expect(idsOf([narrow, wide])).toEqual([[], [1]]);
    const wild = made(['*.example'], wide.sites);
    expect(idsOf([wild, narrow])).toEqual([[1], [1]]);
    const other = made(['c.example'], [site(1, ['c.example'])]);
    expect(idsOf([narrow, other])).toEqual([[1], [1]]);
  });

  it('is one of two that are alike, and both where their kinds of key differ', () => {
    const one = made(['a.example'], [site(1, ['a.example'])]);
    expect(idsOf([one, made(['a.example'], one.sites)])).toEqual([[1], []]);
    expect(idsOf([one, made(['a.example'], one.sites, { key_type: 'rsa' })])).toEqual([[1], [1]]);
  });

  it('is no site whose certificate lasts longer, or follows by itself, and none for who may not change sites', () => {
    const sites = [
      site(1, ['a.example'], { use: 'lasts_longer' }),
      site(2, ['a.example'], { use: 'follows' }),
    ];
    expect(idsOf([made(['a.example'], sites)])).toEqual([[]]);
    expect(idsOf([made(['a.example'], [site(1, ['a.example'])])], false)).toEqual([[]]);
  });

  it('is no certificate that is there already, unless a site gains by it', () => {
    const known = { id: 1, name: 'Known', not_after: '' };
    const takenOf = (sites: UploadSite[]) =>
      firstChoices([made(['a.example'], sites, { known })], true).map(({ isTaken }) => isTaken);
    expect(takenOf([])).toEqual([false]);
    expect(takenOf([site(1, ['a.example'])])).toEqual([true]);
  });
});
