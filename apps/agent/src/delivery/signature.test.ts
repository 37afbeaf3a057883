import { createHash, createHmac } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { parseAuthorization, sign, signatureOf, type SignedParts } from './signature.ts';

const appId = 'A1b2C3d4E5f6G7h8';
const appSecret = '0123456789abcdef0123456789ABCDEF';
const parts: SignedParts = {
  method: 'GET',
  target: '/node-api/documents?since=0&generation=1',
  body: '',
  time: 1_700_000_000,
  nonce: '000102030405060708090a0b0c0d0e0f',
};

describe('signature', () => {
  it('is HMAC-SHA256 over method, target, time, nonce and body hash', () => {
    const emptyHash = 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855';
    expect(createHash('sha256').update('').digest('hex')).toBe(emptyHash);
    const text = `GET\n${parts.target}\n1700000000\n${parts.nonce}\n${emptyHash}`;
    expect(signatureOf(appSecret, parts)).toBe(createHmac('sha256', appSecret).update(text).digest('hex'));
  });

  it('keeps to its vector', () => {
    expect(signatureOf(appSecret, parts)).toBe(
      '1c55b349fdcb5f7529ab67cbe7c7d9abeac4f060a65e3874aa5c55afb1cd5966',
    );
  });

  it('changes with every part', () => {
    const variants: SignedParts[] = [
      { ...parts, method: 'POST' },
      { ...parts, target: '/node-api/documents?since=1&generation=1' },
      { ...parts, body: '{}' },
      { ...parts, time: parts.time + 1 },
      { ...parts, nonce: 'f'.repeat(32) },
    ];
    const signatures = new Set(variants.map((variant) => signatureOf(appSecret, variant)));
    expect(signatures.size).toBe(variants.length);
    expect(signatures).not.toContain(signatureOf(appSecret, parts));
    expect(signatureOf('f'.repeat(32), parts)).not.toBe(signatureOf(appSecret, parts));
  });

  it('signs text and its bytes alike', () => {
    const body = '{"名":"值"}';
    expect(signatureOf(appSecret, { ...parts, body })).toBe(
      signatureOf(appSecret, { ...parts, body: new TextEncoder().encode(body) }),
    );
  });

  it('is read back from the header', () => {
    expect(parseAuthorization(sign(appId, appSecret, parts))).toEqual({
      appId,
      time: parts.time,
      nonce: parts.nonce,
      signature: signatureOf(appSecret, parts),
    });
  });

  it.each([undefined, '', 'Bearer x', 'BW1-HMAC-SHA256 app_id=short, time=1, nonce=00, signature=00'])(
    'reads nothing from %j',
    (text) => expect(parseAuthorization(text)).toBeUndefined(),
  );
});
