import { describe, expect, it } from 'vitest';
import { ProviderProblem } from '../define-provider.ts';
import {
  canonicalValue,
  fromHostValue,
  plainText,
  quotedText,
  sameValue,
  toHostValue,
} from './dns-values.ts';

describe('a value', () => {
  it.each([
    ['AAAA', '2001:DB8:0::1', '2001:db8::1'],
    ['CNAME', 'WWW.Example.com', 'www.example.com.'],
    ['MX', '10   mail.example.com.', '10 mail.example.com.'],
    ['TXT', 'bare', '"bare"'],
    ['TXT', '"中"', String.raw`"\228\184\173"`],
    ['CAA', '0 issue letsencrypt.org', '0 issue "letsencrypt.org"'],
  ] as const)('has one form: %s %s', (type, value, form) => {
    expect(canonicalValue(type, value)).toBe(form);
  });

  it.each([
    ['A', '2001:db8::1'],
    ['MX', 'mail.example.com'],
    ['TXT', `"${'x'.repeat(256)}"`],
  ] as const)('that is none of its type is refused: %s %s', (type, value) => {
    expect(() => canonicalValue(type, value)).toThrow(ProviderProblem);
    // Of a host's text there is none that could not be one.
    if (type !== 'TXT') expect(fromHostValue(type, { value }, whole)).toBeUndefined();
  });
});

const bare = { text: 'plain', names: 'bare', priority: 'apart' } as const;
const whole = { text: 'quoted', names: 'dot', priority: 'within' } as const;

describe('a text', () => {
  it('is parted and joined, whatever it has in it', () => {
    for (const text of ['a', 'quotes " and \\', '中文', 'x'.repeat(600)]) {
      const quoted = quotedText(text);
      expect(plainText(quoted)).toBe(text);
      expect(canonicalValue('TXT', quoted)).toBe(quoted);
    }
    expect(
      quotedText('x'.repeat(600))
        .split(' ')
        .map((part) => part.length),
    ).toEqual([257, 257, 92]);
  });

  it('is the same wherever it is parted', () => {
    expect(sameValue('TXT', '"ab" "c"', '"a" "bc"')).toBe(true);
    expect(sameValue('TXT', '"ab"', '"abc"')).toBe(false);
  });

  it('may be kept with the marks that somebody entered', () => {
    expect(fromHostValue('TXT', { value: '"a b"' }, bare)).toBe('"a b"');
    expect(fromHostValue('TXT', { value: 'a b' }, bare)).toBe('"a b"');
  });
});

describe('hosts', () => {
  it.each([
    ['MX', '10 mail.example.com.', { value: 'mail.example.com', priority: 10 }],
    ['SRV', '1 2 443 x.example.com.', { value: '1 2 443 x.example.com' }],
    ['CNAME', 'www.example.com.', { value: 'www.example.com' }],
    ['TXT', String.raw`"a \"b\""`, { value: 'a "b"' }],
  ] as const)('write %s in their own way, and back', (type, value, there) => {
    expect(toHostValue(type, value, bare)).toEqual(there);
    expect(fromHostValue(type, there, bare)).toBe(value);
    expect(toHostValue(type, value, whole)).toEqual({ value });
  });
});
