import type { IncomingMessage } from 'node:http';
import { connect } from 'node:net';
import type { RequestTrace } from '@breakwater/contract/explain';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeSite, startOrigin, TestEdge, type Answer, type SiteInput, type TestOrigin } from './support.ts';

/** The detectors of attacks, on a real nginx. */

let edge: TestEdge;
let origin: TestOrigin;
/** What the origin was last sent, once all of it was there. */
let sent: { length: number; text: string };
let sites = 0;

async function readAll(request: IncomingMessage): Promise<void> {
  let length = 0;
  let text = '';
  try {
    for await (const chunk of request as AsyncIterable<Buffer>) {
      length += chunk.length;
      if (text.length < 1000) text += chunk.toString('latin1');
    }
  } catch {
    // Whoever sent it went away.
  }
  sent = { length, text };
}

beforeAll(async () => {
  origin = await startOrigin((request, response) => void readAll(request).then(() => response.end('ok')));
  edge = await TestEdge.start();
});
afterAll(async () => {
  await edge.close();
  await origin.close();
});

async function serve(
  systemRules: NonNullable<SiteInput['systemRules']>,
  more: Partial<SiteInput> = {},
): Promise<string> {
  const id = ++sites;
  const host = `rules${id}.test`;
  const origins = [{ address: '127.0.0.1', http_port: origin.port }];
  const [result] = await edge.applySites(makeSite({ id, domains: [host], origins, systemRules, ...more }));
  if (result!.error !== undefined) throw new Error(result!.error);
  return host;
}

async function lineOf({ headers }: Answer) {
  const id = headers['x-request-id'] as string;
  return (await edge.logLines(1, ({ request_id }) => request_id === id))[0]!;
}

const attack = "/list?q=1'+or+'1'='1";
const form = { 'content-type': 'application/x-www-form-urlencoded' };
const post = (host: string, body: string, headers: Record<string, string> = form, path = '/') =>
  edge.get(host, path, { method: 'POST', headers, body });

describe('the head of a request', () => {
  it.each([
    ['query', attack, {}, 'sql', "query.q: 1' or '1'='1"],
    ['path', '/shop/.git/config', {}, 'path', 'path: '],
    ['header', '/', { 'user-agent': 'sqlmap/1.8' }, 'scanner', 'header.user-agent: sqlmap/1.8'],
    ['cookie', '/', { cookie: 'a=<script>alert(1)</script>' }, 'html', 'cookie.a: ***'],
    ['referrer', '/', { referer: 'http://a.test/?b=${jndi:ldap://c/d}' }, 'log4j', 'referer.b: '],
  ])('is blocked for its %s, by rule and part in the log', async (_place, path, headers, rule, part) => {
    const host = await serve({ mode: 'default' });
    const answer = await edge.get(host, path, { headers });
    expect(answer.status).toBe(403);
    expect(answer.body).toContain(answer.headers['x-request-id']);
    const line = await lineOf(answer);
    expect(line).toMatchObject({ decision: `used_system_rule ${rule}` });
    expect(line.waf).toContain(`used_system_rule ${rule}=block`);
    expect(line.waf_part.startsWith(part)).toBe(true);
  });

  it('goes on by the modes of the site, and the log says what was found', async () => {
    const watching = await serve({ mode: 'default', sql: 'observe' });
    const answer = await edge.get(watching, attack);
    expect(answer.status).toBe(200);
    expect(await lineOf(answer)).toMatchObject({ decision: '', waf: 'used_system_rule sql=observe' });
    const off = await serve({ mode: 'default', sql: 'off' });
    expect(await lineOf(await edge.get(off, attack))).toMatchObject({ status: 200, waf: '' });
    expect((await edge.get(off, '/?q=<script>alert(1)</script>')).status).toBe(403);
  });

  it('is judged again for each site, however often another let it pass', async () => {
    const off = await serve({ mode: 'observe' });
    const on = await serve({ mode: 'default' });
    for (let count = 0; count < 3; count++) expect((await edge.get(off, attack)).status).toBe(200);
    expect((await edge.get(on, attack)).status).toBe(403);
  });

  it('has exceptions by path, parameter and rule, until they end', async () => {
    const now = Math.floor(Date.now() / 1000);
    const status = async (...exceptions: NonNullable<SiteInput['systemRules']>['exceptions'] & object[]) =>
      (await edge.get(await serve({ mode: 'default', exceptions }), attack)).status;
    expect(await status({ path: '/li*', parameter: 'q', detector: 'sql' })).toBe(200);
    expect(await status({ path: '/li*', parameter: 'r' })).toBe(403);
    expect(await status({ detector: 'sql', until: now + 600 })).toBe(200);
    expect(await status({ detector: 'sql', until: now - 1 })).toBe(403);
  });

  it('is let past by a rule that lets past all, content too', async () => {
    const matchers = [{ action: 'allow' as const }];
    const host = await serve({ mode: 'default' }, { matchers });
    expect((await edge.get(host, attack)).status).toBe(200);
    expect((await post(host, 'a=<script>alert(1)</script>')).status).toBe(200);
  });

  it('is explained as it is judged', async () => {
    const host = await serve({ mode: 'default' });
    const trace = await edge.control<RequestTrace>('POST', '/explain', {
      site_id: sites,
      request: {
        method: 'GET',
        scheme: 'http',
        host,
        port: 80,
        target: attack,
        headers: [],
        address: '127.0.0.1',
        time: Math.floor(Date.now() / 1000),
      },
    });
    expect(trace.steps.find(({ step }) => step === 'system_rules')).toMatchObject({
      outcome: 'stopped',
      reason: 'attack_blocked',
      level: 'site',
      facts: [{ name: 'detector', value: 'sql' }, { name: 'part' }, { name: 'decoded', value: 'url' }],
    });
  });
});

describe('content', () => {
  const json = { 'content-type': 'application/json' };
  const script = '<script>alert(1)</script>';

  it.each([
    ['a form', form, `a=b&c=${encodeURIComponent(script)}`],
    ['JSON', json, JSON.stringify({ a: { b: script } })],
    ['JSON within JSON', json, JSON.stringify({ a: JSON.stringify({ b: [script] }) })],
    ['JSON that says to be text', { 'content-type': 'text/plain' }, JSON.stringify({ a: script })],
    [
      'multipart',
      { 'content-type': 'multipart/form-data; boundary=x' },
      `--x\r\nContent-Disposition: form-data; name="a"\r\n\r\n${script}\r\n--x--`,
    ],
    [
      'multipart without an end',
      { 'content-type': 'multipart/form-data; boundary=x' },
      `--x\r\nContent-Disposition: form-data; name="a"\r\n\r\n${script}`,
    ],
    ['padding', form, `a=${'b'.repeat(50_000)}&c=${encodeURIComponent(script)}`],
  ])('of %s is blocked and does not reach the origin', async (_kind, headers, body) => {
    const host = await serve({ mode: 'default' });
    const before = origin.count();
    const answer = await post(host, body, headers);
    expect([answer.status, origin.count() - before]).toEqual([403, 0]);
    expect(await lineOf(answer)).toMatchObject({ decision: 'used_system_rule html' });
  });

  it('that is harmless reaches the origin as it was, of what is longer the beginning is judged', async () => {
    const host = await serve({ mode: 'default', body_bytes: 1000 });
    const short = await post(host, 'a=b');
    expect([short.status, sent.text]).toEqual([200, 'a=b']);
    expect((await lineOf(short)).waf).toBe('');
    const long = await post(host, `a=${'b'.repeat(500_000)}${script}`);
    expect([long.status, sent.length]).toEqual([200, 500_002 + script.length]);
    expect((await lineOf(long)).waf).toBe('used_system_rule unread=observe');
    expect((await post(host, `a=${script}${'b'.repeat(500_000)}`)).status).toBe(403);
  });

  it('that is too large goes on unseen, and the log says so', async () => {
    const host = await serve({ mode: 'default' });
    const large = await post(host, 'x'.repeat(1_200_000), { 'content-type': 'application/octet-stream' });
    expect([large.status, sent.length]).toEqual([200, 1_200_000]);
    expect((await lineOf(large)).waf).toBe('used_system_rule unread=observe');
  });

  it('streams on where it is too large: the origin has its beginning before its end is sent', async () => {
    const host = await serve({ mode: 'default' });
    const before = origin.count();
    const socket = connect(edge.httpPort, '127.0.0.1');
    const closed = new Promise((settle) => socket.on('close', settle));
    let answer = '';
    socket.on('data', (chunk: Buffer) => (answer += chunk.toString('latin1')));
    const length = 2_147_483_648;
    socket.write(
      `POST / HTTP/1.1\r\nHost: ${host}\r\nContent-Length: ${length}\r\n\r\n${'x'.repeat(5_000_000)}`,
    );
    await expect.poll(() => origin.count(), { timeout: 10_000 }).toBe(before + 1);
    socket.destroy();
    await closed;
    expect(answer).toBe('');
  });

  it.each([
    ['of unknown length', { 'transfer-encoding': 'chunked', ...form }, 'a=b', 411, 'length_required'],
    ['of more than a mebibyte', form, `a=${'b'.repeat(1_100_000)}`, 413, 'content_too_large'],
  ])('%s is refused where the site says so, else let through', async (_kind, headers, body, status, why) => {
    const open = await serve({ mode: 'default' });
    const strict = await serve({ mode: 'default', large_bodies: 'refuse' });
    const send = (host: string) => (status === 411 ? chunked(host, body) : post(host, body, headers));
    expect((await send(open)).status).toBe(200);
    const refused = await send(strict);
    expect(refused.status).toBe(status);
    const id = refused.headers['x-request-id'] as string;
    const [line] = await edge.logLines(1, ({ request_id }) => request_id === id);
    expect(line).toMatchObject({ decision: `used_system_rule ${why}` });
  });

  it('is counted by limits before it is judged', async () => {
    const host = await serve({ mode: 'default' }, { security: { body_bytes_max: 100 } });
    expect((await post(host, `a=${'b'.repeat(200)}`)).status).toBe(413);
    expect((await post(host, `a=${encodeURIComponent(script)}`)).status).toBe(403);
    const harmless = await post(host, 'a=b');
    expect([harmless.status, sent.text]).toEqual([200, 'a=b']);
  });

  it('of a site that looks at none is not read', async () => {
    const host = await serve({ mode: 'default', body_bytes: 0 });
    expect((await post(host, `a=${script}`)).status).toBe(200);
  });
});

/** A POST that does not say its length. */
async function chunked(host: string, body: string): Promise<Pick<Answer, 'status' | 'headers'>> {
  const socket = connect(edge.httpPort, '127.0.0.1');
  const closed = new Promise((settle) => socket.on('close', settle));
  let answer = '';
  socket.on('data', (chunk: Buffer) => (answer += chunk.toString('latin1')));
  const head = `POST / HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\nTransfer-Encoding: chunked\r\n`;
  socket.write(`${head}\r\n${body.length.toString(16)}\r\n${body}\r\n0\r\n\r\n`);
  await closed;
  const id = /^X-Request-Id: (\S+)/im.exec(answer)?.[1];
  return { status: Number(answer.split(' ')[1]), headers: { 'x-request-id': id } };
}
