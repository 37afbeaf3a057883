import { originServerConfig } from '@breakwater/contract';
import { edgeOriginConfig } from '@breakwater/contract/site-config/origin-server-config';
import { completeOriginConfig } from '@breakwater/policy/origin/origin';
import { expect, it } from 'vitest';
import { compileOrigins } from './origin-server-config.section.ts';

const plain = originServerConfig.parse({ origins: [{ address: '192.0.2.1' }] });
const special = originServerConfig.parse({
  origins: [{ address: '192.0.2.1', max_conns: 5 }, { address: 'o.example' }],
  method: 'consistent',
  follow_port: true,
  host: 'h.example',
  sni: 's.example',
  verify_tls: true,
  keepalive_seconds: 60,
  retry_on: [],
  websocket: false,
  grpc: true,
});

it('leaves out what is as by default', () => {
  const compiled = compileOrigins(plain);
  for (const name of [
    'method',
    'follow_port',
    'verify_tls',
    'keepalive_seconds',
    'retry_on',
    'websocket',
    'grpc',
  ])
    expect(compiled).not.toHaveProperty(name);
  expect(compiled.origins[0]).not.toHaveProperty('max_conns');
});

it.each([
  ['plain', plain],
  ['special', special],
])('a %s section is the same again at the node', (_name, section) => {
  const document = structuredClone(compileOrigins(section));
  expect(edgeOriginConfig.safeParse(document).success).toBe(true);
  expect(completeOriginConfig(document)).toEqual(section);
});
