import { matcherRuleSection, type matcherRule } from '@breakwater/contract/site-config/matcher-rule';
import { once } from 'node:events';
import { connect as connectHttp2 } from 'node:http2';
import { connect } from 'node:net';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type * as z from 'zod';
import { AccessWorld } from './access-support.ts';
import { makeEnvelope, type Answer } from './support.ts';

/** Rules that ask for what a request carries, on a real nginx. */

let world: AccessWorld;
beforeAll(async () => {
  world = await AccessWorld.start();
});
afterAll(() => world.close());

type Rule = z.input<typeof matcherRule>;
type Leaf = NonNullable<Rule['condition']>['items'][number];

const form = { 'content-type': 'application/x-www-form-urlencoded' };
const evil: Leaf = { field: 'form', name: 'q', operator: 'contains', values: ['evil'] };
const blocking = (...items: Leaf[]): Rule => ({ action: 'block', condition: { items } });

const post = (host: string, body: string | Buffer, headers: Record<string, string> = form, path = '/') =>
  world.edge.get(host, path, { method: 'POST', headers, body: body as string });

async function lineOf({ headers }: Answer) {
  const id = headers['x-request-id'] as string;
  return (await world.edge.logLines(1, ({ request_id }) => request_id === id))[0]!;
}

it('blocks by a field of a form, and lets the others through with all they carry', async () => {
  const host = await world.site({ matchers: [blocking(evil)] });
  const blocked = await post(host, 'x=1&q=so+evil');
  expect(blocked.status).toBe(403);
  expect(await lineOf(blocked)).toMatchObject({
    decision: 'matcher_rule 1',
    waf: 'matcher_rule 1=block',
    waf_part: 'form.q: so evil',
  });
  const passed = await post(host, 'x=1&q=good');
  expect([passed.status, passed.body]).toEqual([200, 'asked /']);
  expect(world.seen['content-length']).toBe('10');
  expect(await lineOf(passed)).toMatchObject({ decision: '', waf: '' });
  expect(await world.status(host, '/?q=evil')).toBe(200);
});

it('blocks by JSON and by what is uploaded', async () => {
  const host = await world.site({
    matchers: [
      blocking({ field: 'json', name: 'user.role', operator: 'equals', values: ['admin'] }),
      blocking({ field: 'file_extension', operator: 'equals', values: ['php', 'phtml'] }),
    ],
  });
  const json = { 'content-type': 'application/json' };
  const status = async (body: string, headers: Record<string, string>) =>
    (await post(host, body, headers)).status;
  expect(await status('{"user":{"role":"admin"}}', json)).toBe(403);
  expect(await status('{"user":{"r\\u006fle":"\\u0061dmin"}}', json)).toBe(403);
  expect(await status('{"user":{"role":"guest"}}', json)).toBe(200);
  const upload = (name: string) =>
    status(`--b\r\nContent-Disposition: form-data; name="f"; filename="${name}"\r\n\r\nx\r\n--b--\r\n`, {
      'content-type': 'multipart/form-data; boundary=b',
    });
  expect([await upload('cat.jpg'), await upload('cat.PHP'), await upload('cat.phtml ')]).toEqual([
    200, 403, 403,
  ]);
});

it('asks rules in their order, whatever they ask for, and does what each says', async () => {
  const host = await world.site({
    matchers: [
      { action: 'tag', tag: { name: 'told' }, condition: { items: [evil] } },
      { action: 'allow', condition: { items: [{ field: 'path', operator: 'equals', values: ['/open'] }] } },
      blocking({ field: 'tags', operator: 'has', values: ['told'] }, evil),
      {
        action: 'redirect',
        redirect: { url: 'https://elsewhere.example/' },
        condition: { items: [{ field: 'form_names', operator: 'has', values: ['go'] }] },
      },
      { action: 'delay', delay: { milliseconds: 100 }, condition: { items: [{ ...evil, name: 'slow' }] } },
      {
        action: 'limit',
        limit: { requests: 1, period_seconds: 60, burst: 0 },
        condition: { items: [{ ...evil, name: 'few' }] },
      },
    ],
  });
  const open = await post(host, 'q=evil', form, '/open');
  expect(open.status).toBe(200);
  expect(await lineOf(open)).toMatchObject({
    waf: 'matcher_rule 1=tag; matcher_rule 2=allow',
    waf_tags: 'told',
  });
  const blocked = await post(host, 'q=evil');
  expect(blocked.status).toBe(403);
  expect(await lineOf(blocked)).toMatchObject({ waf: 'matcher_rule 1=tag; matcher_rule 3=block' });
  const sent = await post(host, 'go=1');
  expect([sent.status, sent.headers.location]).toEqual([302, 'https://elsewhere.example/']);
  const slow = await post(host, 'slow=evil');
  expect(slow.status).toBe(200);
  expect((await lineOf(slow)).request_time).toBeGreaterThanOrEqual(0.1);
  expect([(await post(host, 'few=evil')).status, (await post(host, 'few=evil')).status]).toEqual([200, 429]);
});

it('goes on to all that a site has after its rules', async () => {
  const host = await world.site({
    matchers: [blocking(evil)],
    systemRules: { mode: 'default' },
    security: { body_bytes_max: 100 },
  });
  expect((await post(host, "id=1'+or+'1'='1")).status).toBe(403);
  expect((await post(host, `x=${'a'.repeat(200)}`)).status).toBe(413);
  expect((await post(host, 'x=1')).status).toBe(200);
});

it('cannot decide what it does not hold: a rule that blocks fits, one that lets in does not', async () => {
  const host = await world.site({ matchers: [blocking(evil)] });
  const open = await world.site({
    matchers: [{ action: 'allow', condition: { items: [evil] } }, { action: 'block' }],
  });
  const small = await world.site({
    matchers: [blocking({ field: 'content_length', operator: 'at_most', values: ['1048576'] }, evil)],
  });
  const large = `x=${'a'.repeat(1_048_577)}`;
  expect((await post(host, large)).status).toBe(403);
  expect((await post(small, large)).status).toBe(200);
  expect((await post(open, large)).status).toBe(403);
  expect((await post(host, `x=${'a'.repeat(1_048_574)}`)).status).toBe(200);
  const packed = gzipSync('x=1');
  expect((await post(host, packed, { ...form, 'content-encoding': 'gzip' })).status).toBe(403);
  const chunked = (to: string) =>
    world.raw(
      `POST / HTTP/1.1\r\nHost: ${to}\r\nConnection: close\r\nContent-Type: ${form['content-type']}\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nx=1\r\n0\r\n\r\n`,
    );
  expect(await chunked(host)).toContain('HTTP/1.1 403 ');
  expect(await chunked(small)).toContain('HTTP/1.1 200 ');
});

it('reads nothing where the other tests of its rules decide', async () => {
  const host = await world.site({
    matchers: [
      {
        action: 'redirect',
        redirect: { url: 'https://elsewhere.example/' },
        condition: { items: [{ field: 'path', operator: 'equals', values: ['/go'] }] },
      },
      blocking({ field: 'path', operator: 'starts_with', values: ['/login'] }, evil),
    ],
  });
  expect((await post(host, 'q=evil', form, '/login')).status).toBe(403);
  expect((await post(host, 'q=evil', form, '/LOGIN;x')).status).toBe(403);
  expect((await post(host, 'q=evil', form, '/other')).status).toBe(200);
  // It is answered while most of what it announces is still to come.
  const socket = connect(world.edge.httpPort, '127.0.0.1');
  const fields = `Host: ${host}\r\nContent-Type: ${form['content-type']}\r\nContent-Length: 600`;
  socket.write(`POST /go HTTP/1.1\r\n${fields}\r\n\r\nq=e`);
  const [first] = (await once(socket, 'data')) as [Buffer];
  socket.destroy();
  expect(first.toString('latin1')).toContain('HTTP/1.1 302 ');
});

it('reads over HTTP/2 what says its length, and cannot decide what does not', async () => {
  const host = await world.site({ matchers: [blocking(evil)] });
  const session = connectHttp2(`https://127.0.0.1:${world.edge.httpsPort}`, { rejectUnauthorized: false });
  const statusOf = async (body: string, length: Record<string, number>) => {
    const head = { ':method': 'POST', ':authority': host, ':path': '/', ...form, ...length };
    const stream = session.request(head).end(body);
    const [answer] = (await once(stream, 'response')) as [Record<string, unknown>];
    stream.close();
    return answer[':status'];
  };
  expect(await statusOf('q=evil', { 'content-length': 6 })).toBe(403);
  expect(await statusOf('q=good', { 'content-length': 6 })).toBe(200);
  expect(await statusOf('q=good', {})).toBe(403);
  session.close();
});

it('takes rules of levels that ask for content', async () => {
  const host = await world.site({});
  const document = { level: 'global', matcher_rule: matcherRuleSection.parse({ rules: [blocking(evil)] }) };
  const say = (body: object) =>
    world.edge.control('POST', '/documents', [
      makeEnvelope('level', 'global', world.edge.nextRevision(), body),
    ]);
  await say(document);
  const answer = await post(host, 'q=evil');
  expect(answer.status).toBe(403);
  expect(await lineOf(answer)).toMatchObject({ decision: 'matcher_rule global 1' });
  await say({ level: 'global' });
  expect((await post(host, 'q=evil')).status).toBe(200);
});
