import { expect, test } from 'vitest';
import { splitOrigin } from './split-origin.ts';

test.each([
  ['203.0.113.10', { origin: '203.0.113.10' }],
  ['origin.example.com:8080', { origin: 'origin.example.com', origin_port: 8080 }],
  ['https://origin.example.com/', { origin: 'origin.example.com', origin_protocol: 'https' }],
  ['http://127.0.0.1:3000', { origin: '127.0.0.1', origin_port: 3000, origin_protocol: 'http' }],
  ['[2001:db8::1]:8443', { origin: '2001:db8::1', origin_port: 8443 }],
  ['2001:db8::1', { origin: '2001:db8::1' }],
  ['not a host', { origin: 'not a host' }],
])('%s', (origin, expected) => {
  expect(splitOrigin({ origin })).toEqual(expected);
});

test('the fields of their own go first', () => {
  expect(splitOrigin({ origin: 'a.example:81', origin_port: 82, origin_protocol: 'https' })).toEqual({
    origin: 'a.example',
    origin_port: 82,
    origin_protocol: 'https',
  });
});
