import { redirectRule, urlRewriteRule } from '@breakwater/contract';
import { describe, expect, it } from 'vitest';
import { traceRewriting } from './preview-of.ts';

const redirects = [
  redirectRule.parse({ type: 'prefix', from: '/old/', to: '/new/', status: 301 }),
  redirectRule.parse({ type: 'url', from: '/ping', to: '/pong' }),
  redirectRule.parse({ type: 'url', from: '/pong', to: '/ping' }),
  redirectRule.parse({ type: 'url', from: '/away', to: 'https://other.example/' }),
];
const rewrites = [urlRewriteRule.parse({ type: 'prefix', from: '/new/', to: '/v2/' })];
const trace = (address: string) =>
  traceRewriting({ redirects, url_rewrites: rewrites }, address, ['a.example', '*.b.example'], 0);

describe('what becomes of an address', () => {
  it('follows redirects of the same site to what the origin is asked', () => {
    expect(trace('/old/x?y=1')).toEqual({
      hops: [{ rule: 0, status: 301, location: '/new/x?y=1' }],
      isEndless: false,
      origin: { rules: [0], target: '/v2/x?y=1' },
    });
  });
  it('says where redirects have no end', () => {
    expect(trace('https://w.b.example/ping')?.isEndless).toBe(true);
  });
  it('stops where a redirect leads away', () => {
    expect(trace('/away')).toMatchObject({
      hops: [{ location: 'https://other.example/' }],
      isEndless: false,
    });
    expect(trace('/away')?.origin).toBeUndefined();
  });
  it('asks the conditions of rules', () => {
    const condition = { items: [{ field: 'argument', name: 'x', operator: 'equals', values: ['\u00e4'] }] };
    const rule = redirectRule.parse({ type: 'url', from: '/c', to: '/d', condition });
    const hops = (address: string) =>
      traceRewriting({ redirects: [rule], url_rewrites: [] }, address, ['a.example'], 0)?.hops.length;
    expect([hops('/c?x=%C3%A4'), hops('/c?x=b'), hops('/c')]).toEqual([1, 0, 0]);
  });
  it('is nothing for what is no address', () => {
    expect(trace('old')).toBeUndefined();
  });
});
