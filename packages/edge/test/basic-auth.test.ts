import { createHmac } from 'node:crypto';
import type { AccessControl } from '@breakwater/contract/site-config/access-control';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { AccessWorld } from './access-support.ts';

/** A name and a password, asked for by the edge (RFC 7617). */

let world: AccessWorld;
beforeAll(async () => {
  world = await AccessWorld.start();
});
afterAll(() => world.close());

const salt = '00112233445566778899aabbccddeeff';
const kept = (password: string) => `h1.${salt}.${createHmac('sha256', salt).update(password).digest('hex')}`;
const basic = (text: string) => ({ authorization: `Basic ${Buffer.from(text).toString('base64')}` });
const ann = basic('ann:correct horse');

const protect = (
  settings: Partial<AccessControl['basic_auth']> = {},
  where: Partial<Pick<AccessControl, 'auth_paths' | 'open_paths'>> = {},
) => ({
  basic_auth: {
    enabled: true,
    realm: 'Staging',
    users: [
      { name: 'ann', password: kept('correct horse') },
      { name: '管理员', password: kept('pä:ss') },
    ],
    ...settings,
  },
  ...where,
});

it('asks for a name and a password, and lets in whom it knows', async () => {
  const host = await world.site({ access: protect() });
  const asked = world.origin.count();
  const refused = await world.edge.get(host, '/page');
  expect([refused.status, refused.headers['www-authenticate']]).toEqual([
    401,
    'Basic realm="Staging", charset="UTF-8"',
  ]);
  expect(refused.headers['cache-control']).toBe('no-store');
  expect(world.origin.count()).toBe(asked);
  expect((await world.edge.get(host, '/page', { headers: ann })).body).toBe('asked /page');
  expect(await world.status(host, '/page', basic('管理员:pä:ss'))).toBe(200);
  // What is stored by now is no more open than before.
  expect(await world.status(host, '/page')).toBe(401);
});

it('lets in nobody else, however it is asked', async () => {
  const host = await world.site({ access: protect({ tries: 1000 }) });
  const wrong = [
    'ann:Correct horse',
    'ann:',
    ':correct horse',
    'ann',
    'Ann:correct horse',
    'ann\0:correct horse',
    `ann:${kept('correct horse')}`,
    '管理员:correct horse',
  ];
  for (const text of wrong) expect([text, await world.status(host, '/', basic(text))]).toEqual([text, 401]);
  const line = `Authorization: ${ann.authorization}`;
  for (const lines of [
    [`${line} x`],
    [`${line}, Basic YTpi`],
    [line.replace('Basic', 'Bearer')],
    ['Authorization: Basic ann:correct horse'],
    // Of two lines nobody knows which an origin takes.
    [line, 'Authorization: Basic YTpi'],
    [`Proxy-${line}`],
  ])
    expect([lines, await world.rawStatus(host, '/', lines)]).not.toContain(200);
});

describe('where it is asked', () => {
  it('a protected folder is closed however its path is written', async () => {
    const host = await world.site({ access: protect({}, { auth_paths: ['/private/'] }) });
    for (const target of [
      '/private/',
      '/private',
      '/PRIVATE/x',
      '/%70rivate/x',
      '/%2570rivate/x',
      '/public/..%2fprivate/x',
      '/public/..%252fprivate/x',
      '/public/%2e%2e/private/x',
      '//private//x',
      '/%c1%b0rivate/x',
      '/private;a=b/x',
      '/x\\..\\private\\x',
      `http://${host}/private/x`,
    ])
      expect([target, await world.rawStatus(host, target)]).toEqual([target, 401]);
    expect(await world.rawStatus(host, '/public/x')).toBe(200);
  });

  it('an open folder is open only where every reading leads there', async () => {
    const host = await world.site({ access: protect({}, { open_paths: ['/public/'] }) });
    expect(await world.rawStatus(host, '/public/x')).toBe(200);
    for (const target of ['/public/../x', '/public/..%2fx', '/public/%2e%2e%2fx', '/public/..%252fx', '/x'])
      expect([target, await world.rawStatus(host, target)]).toEqual([target, 401]);
  });

  it('proofs of a domain stay open, and the redirect to HTTPS goes first', async () => {
    const force_https = {
      enabled: true,
      status: 301 as const,
      port: 443,
      only_domains: [],
      except_domains: [],
    };
    const host = await world.site({ access: protect(), tls: { force_https } });
    expect(await world.status(host, '/.well-known/acme-challenge/token')).toBe(200);
    expect(await world.status(host, '/')).toBe(301);
  });
});

describe('what the origin sees', () => {
  it('is nothing of the password, so the answer is shared by all who are let in', async () => {
    const host = await world.site({ access: protect() });
    await world.edge.get(host, '/shared', { headers: ann });
    expect(world.seen.authorization).toBeUndefined();
    const second = await world.edge.get(host, '/shared', { headers: basic('管理员:pä:ss') });
    expect(second.headers['x-cache']).toBe('HIT');
  });

  it('is the password where the site says so, and then nothing is stored', async () => {
    const host = await world.site({ access: protect({ pass_to_origin: true }) });
    for (let round = 0; round < 2; round++) {
      const { headers } = await world.edge.get(host, '/passed', { headers: ann });
      expect(headers['x-cache']).not.toBe('HIT');
      expect(world.seen.authorization).toBe(ann.authorization);
    }
  });

  it('is what a visitor sends to paths that ask for none', async () => {
    const host = await world.site({ access: protect({}, { auth_paths: ['/private/'] }) });
    await world.edge.get(host, '/api', { headers: { authorization: 'Bearer abc' } });
    expect(world.seen.authorization).toBe('Bearer abc');
  });
});

it('after too many wrong tries a visitor is not heard, not even with the right password', async () => {
  const realIp = { mode: 'header' as const, headers: ['X-Real-IP'], trusted: ['127.0.0.0/8'] };
  const host = await world.site({ realIp, access: protect({ tries: 3 }) });
  const from = (address: string, text: string) =>
    world.edge.get(host, '/', { headers: { ...basic(text), 'X-Real-IP': address } });
  for (let round = 0; round < 3; round++) expect((await from('198.51.100.7', 'ann:no')).status).toBe(401);
  const heard = await from('198.51.100.7', 'ann:correct horse');
  expect(heard.status).toBe(429);
  expect(Number(heard.headers['retry-after'])).toBeGreaterThan(0);
  // Others are; and who has given no password may still be asked for one.
  expect((await from('198.51.100.8', 'ann:correct horse')).status).toBe(200);
  expect(await world.status(host, '/', { 'X-Real-IP': '198.51.100.7' })).toBe(401);
  const [line] = await world.edge.logLines(1, (each) => each.host === host && each.status === 429);
  expect(line).toMatchObject({ decision: 'basic_auth tries' });
});
