import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeSite, startOrigin, TestEdge, type SiteInput, type TestOrigin } from './support.ts';

/** Cache deception: what belongs to one visitor must not be stored because its address looks like a file's. */

let edge: TestEdge;
let origin: TestOrigin;
let fields: Record<string, string>;
let sites = 0;

beforeAll(async () => {
  edge = await TestEdge.start();
  origin = await startOrigin((_request, response) => {
    for (const [name, value] of Object.entries(fields)) response.setHeader(name, value);
    response.end('private');
  });
});
afterAll(async () => {
  await edge.close();
  await origin.close();
});

async function serve(...rules: NonNullable<SiteInput['rules']>): Promise<string> {
  const id = (sites += 1);
  const host = `deception${id}.test`;
  const origins = [{ address: '127.0.0.1', http_port: origin.port }];
  const [result] = await edge.applySites(makeSite({ id, domains: [host], origins, rules }));
  expect(result).toMatchObject({ status: 'applied' });
  return host;
}

function raw(host: string, target: string, lines = ''): Promise<string> {
  return new Promise((settle, refuse) => {
    const socket = connect(edge.httpPort, '127.0.0.1');
    socket.write(`GET ${target} HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n${lines}\r\n`, 'latin1');
    let text = '';
    socket.on('data', (chunk: Buffer) => (text += chunk.toString('latin1')));
    socket.on('error', refuse);
    socket.on('close', () => settle(text));
  });
}

/** Whether the second who asks gets what the first was given. */
async function isStored(host: string, target: string, lines = ''): Promise<boolean> {
  await raw(host, target, lines);
  return (await raw(host, target)).includes('X-Cache: HIT');
}

const lifetime = { ttl_seconds: 600 };
const css = { 'Content-Type': 'text/css' };

it.each([
  '/account.php%2f..%2fstatic/x',
  '/static/..%5caccount.php',
  '/static/..\\account.php',
  '/static/..;/account.php',
  '/static/../account.php',
  '/static/%2e%2e/account.php',
  '/static%23/../account.php',
  '/static/..%23/x',
  '/static/%252e%252e/account.php',
  '/static%252faccount.php',
  '/static%2faccount.php',
  '/static/account;x',
  '/static/account%3bx',
  '/static/x%23',
  '/static/x%3f',
  '//static/account.php',
  '///static//account.php',
])('a rule for a folder stores nothing that may be elsewhere: %s', async (target) => {
  fields = css;
  const host = await serve({ type: 'folder', content: ['/static/'], ...lifetime });
  expect(await isStored(host, '/static/x')).toBe(true);
  expect(await isStored(host, target)).toBe(false);
});

it.each([
  '/account;x.css',
  '/account%3b.css',
  '/account%23x.css',
  '/account%3fx.css',
  '/account%2fx.css',
  '/account/..%2fx.css',
  '/account%00x.css',
  '/account%0ax.css',
  '/account%252ex.css',
  '/account%5cx.css',
  '/account;/x.css',
  '/account./x.css',
])('a rule for a suffix stores nothing that may be no such file: %s', async (target) => {
  fields = css;
  const host = await serve({ type: 'suffix', content: ['css'], ...lifetime });
  expect(await isStored(host, '/x.css')).toBe(true);
  expect(await isStored(host, target)).toBe(false);
});

it('slashes too many change nothing where all readings come under the rule', async () => {
  fields = css;
  const host = await serve({ type: 'suffix', content: ['css'], ...lifetime });
  expect(await isStored(host, '//a//x.css')).toBe(true);
});

it('a path with more than one reading is kept where the origin itself says so', async () => {
  fields = { ...css, 'Cache-Control': 'max-age=60' };
  const host = await serve({ type: 'folder', content: ['/static/'], ...lifetime });
  expect(await isStored(host, '/static/group%2fproject')).toBe(true);
});

it('a rule that leads around the cache does so for every reading', async () => {
  fields = { ...css, 'Cache-Control': 'max-age=60' };
  const host = await serve(
    { type: 'folder', content: ['/account/'], action: 'bypass' },
    { type: 'all', ...lifetime },
  );
  for (const target of ['/account/x', '//account/x', '//h/account/x', '/account;a/x', '/account%2fx'])
    expect([target, await isStored(host, target)]).toEqual([target, false]);
});

it('nor does a later rule store what an earlier one may be about', async () => {
  fields = css;
  const host = await serve(
    { type: 'folder', content: ['/account/'], action: 'follow_origin' },
    { type: 'all', ...lifetime },
  );
  expect(await isStored(host, '/x')).toBe(true);
  for (const target of ['/account/x', '//h/account/x', '/x%2f..;/account'])
    expect([target, await isStored(host, target)]).toEqual([target, false]);
});

it('the same holds where rules have conditions', async () => {
  fields = css;
  const items = [{ field: 'method' as const, operator: 'equals' as const, values: ['GET'] }];
  const host = await serve({ type: 'folder', content: ['/static/'], condition: { items }, ...lifetime });
  expect(await isStored(host, '/static/x')).toBe(true);
  for (const target of ['/static/account;x', '//static/x', '/static%2fx'])
    expect([target, await isStored(host, target)]).toEqual([target, false]);
});

describe('a rule for suffixes stores only what such files are sent as', () => {
  it.each([
    ['pdf', 'application/json', false],
    ['zip', 'application/json', false],
    ['zip', 'text/html', false],
    ['pdf', 'application/pdf', true],
    ['zip', 'application/zip', true],
    ['zip', 'application/octet-stream', true],
    ['css', '', false],
    ['pdf', '', false],
    ['css', 'text/css; charset=utf-8', true],
    ['css', 'text/plain', false],
    ['unknown', 'application/json', false],
    ['unknown', 'application/octet-stream', true],
  ])('.%s as %s: %s', async (suffix, type, wanted) => {
    fields = type === '' ? {} : { 'Content-Type': type };
    const host = await serve({ type: 'suffix', content: [suffix], ...lifetime });
    expect(await isStored(host, `/x.${suffix}`)).toBe(wanted);
  });
});

describe('what is for one visitor', () => {
  const signedIn = 'Authorization: Basic eDp5\r\n';

  it.each<[string, Record<string, string>, string, object, boolean]>([
    ['Set-Cookie', { 'Set-Cookie': 'a=1' }, '', {}, false],
    ['Set-Cookie, with the switch', { 'Set-Cookie': 'a=1' }, '', { ignore_set_cookie: true }, true],
    ['Set-Cookie, with the other', { 'Set-Cookie': 'a=1' }, '', { ignore_cache_control: true }, false],
    ['private', { 'Cache-Control': 'private' }, '', {}, false],
    ['private, with the switch', { 'Cache-Control': 'private' }, '', { ignore_cache_control: true }, true],
    ['private, with the other', { 'Cache-Control': 'private' }, '', { ignore_set_cookie: true }, false],
    ['Authorization', {}, signedIn, {}, false],
    [
      'Authorization, with both',
      {},
      signedIn,
      { ignore_cache_control: true, ignore_set_cookie: true },
      false,
    ],
    ['Authorization, where the origin allows it', { 'Cache-Control': 'public' }, signedIn, {}, true],
  ])('%s', async (_, answer, lines, switches, wanted) => {
    fields = { ...css, ...answer };
    const host = await serve({ type: 'suffix', content: ['css'], ...lifetime, ...switches });
    expect(await isStored(host, '/x.css', lines)).toBe(wanted);
  });
});
