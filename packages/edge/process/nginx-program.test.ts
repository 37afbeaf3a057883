import { expect, it } from 'vitest';
import { featuresOf } from './nginx-program.ts';

it.each([
  ['1.22.1', '', { http3: false, diskThreads: false }],
  ['1.25.3', '--with-http_v3_module', { http3: true, diskThreads: false }],
  ['1.25.4', '--with-http_v3_module', { http3: true, diskThreads: true }],
  ['1.26.0', '', { http3: false, diskThreads: true }],
])('nginx %s says what it can: %s', (version, options, features) => {
  expect(
    featuresOf(`nginx version: nginx/${version}\nconfigure arguments: --with-compat ${options}`),
  ).toEqual(features);
});
