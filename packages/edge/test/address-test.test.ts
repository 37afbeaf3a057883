import { createHmac } from 'node:crypto';
import { addressLinkPath, addressLinkText } from '@breakwater/policy/address/address-link';
import { freePorts } from '@breakwater/test-world/ports';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeSite, startOrigin, TestEdge, type SiteInput, type TestOrigin } from './support.ts';

const key = 'a'.repeat(64);
const trusted = ['127.0.0.0/8'];
let edge: TestEdge;
let origin: TestOrigin;
let proxyPort: number;
let nextId = 1;

beforeAll(async () => {
  [proxyPort] = (await freePorts(1)) as [number];
  edge = await TestEdge.start({ proxyHttpPorts: [proxyPort], nodeName: 'node "one"' });
  origin = await startOrigin((_request, response) => response.end('of the origin'));
});
afterAll(async () => {
  await edge.close();
  await origin.close();
});

async function siteWith(more: Partial<SiteInput> = {}): Promise<{ id: number; host: string }> {
  const id = nextId++;
  const host = `sight${id}.test`;
  const origins = [{ address: '127.0.0.1', http_port: origin.port }];
  const [result] = await edge.applySites(makeSite({ id, domains: [host], origins, ...more }));
  expect(result!.error).toBeUndefined();
  return { id, host };
}

const soon = () => Math.floor(Date.now() / 1000) + 60;

function linkTo(siteId: number, expires = soon(), signingKey = key): string {
  const signature = createHmac('sha256', signingKey)
    .update(addressLinkText(String(siteId), expires))
    .digest('hex');
  return addressLinkPath({ expires, signature });
}

const asJson = { accept: 'application/json' };

it('is closed to everybody while the node has no key', async () => {
  const { id, host } = await siteWith();
  expect((await edge.get(host, linkTo(id, soon(), ''))).status).toBe(403);
  await edge.control('PUT', '/link_key', { key });
  expect((await edge.get(host, linkTo(id))).status).toBe(200);
});

describe('who has no link for this site that is still good', () => {
  const forged: [string, (id: number) => string][] = [
    ['without a link', () => '/.well-known/breakwater/address/'],
    ['with a signature by another key', (id) => linkTo(id, soon(), 'b'.repeat(64))],
    ['with a time that was put off', (id) => linkTo(id).replace(/\d{10}-/, `${soon() + 600}-`)],
    ['with one that is over', (id) => linkTo(id, soon() - 61)],
    ['with another site’s', (id) => linkTo(id + 1000)],
    ['with one digit changed', (id) => linkTo(id).replace(/.$/, (last) => (last === '0' ? '1' : '0'))],
  ];
  it.each(forged)('%s is refused, and nothing reaches the origin', async (_, pathOf) => {
    const { id, host } = await siteWith();
    const before = origin.count();
    const answer = await edge.get(host, pathOf(id), { headers: { 'x-real-ip': '198.51.100.7' } });
    expect(answer.status).toBe(403);
    expect(answer.headers['cache-control']).toBe('no-store');
    expect(answer.body).not.toContain('198.51.100.7');
    expect(origin.count()).toBe(before);
  });

  it('finds no page at a host that is not served', async () => {
    expect((await edge.get('nobody.test', linkTo(1))).status).toBe(421);
  });
});

describe('the page', () => {
  it('shows the connection, each header as it came, and each step to the address', async () => {
    const { id, host } = await siteWith({
      realIp: { mode: 'header', headers: ['True-Client-IP', 'X-Forwarded-For'], trusted },
    });
    const answer = await edge.get(host, linkTo(id), {
      headers: { ...asJson, 'x-forwarded-for': '6.6.6.6, 198.51.100.7, 127.0.0.9', 'x-real-ip': '6.6.6.7' },
    });
    expect(answer.headers['content-type']).toBe('application/json');
    expect(JSON.parse(answer.body)).toEqual({
      node: 'node -one-',
      site_id: id,
      host,
      connection: {
        address: '127.0.0.1',
        port: expect.stringMatching(/^\d+$/) as string,
        scheme: 'http',
        protocol: 'HTTP/1.1',
        server_port: String(edge.httpPort),
      },
      mode: 'header',
      headers: [
        { name: 'x-forwarded-for', lines: ['6.6.6.6, 198.51.100.7, 127.0.0.9'] },
        { name: 'x-real-ip', lines: ['6.6.6.7'] },
      ],
      trust: 'listed',
      fields: [
        { field: 'true-client-ip', outcome: 'absent', entries: [] },
        {
          field: 'x-forwarded-for',
          outcome: 'used',
          entries: [
            { text: '127.0.0.9', verdict: 'passed' },
            { text: '198.51.100.7', verdict: 'chosen' },
            { text: '6.6.6.6', verdict: 'unread' },
          ],
        },
      ],
      client: { address: '198.51.100.7', reason: 'field', field: 'x-forwarded-for' },
    });
    // What it says is what counts: the log has the same.
    const [line] = await edge.logLines(1, (each) => each.host === host);
    expect(line).toMatchObject({ remote_addr: '198.51.100.7', raw_remote_addr: '127.0.0.1', status: 200 });
  });

  it('is there for people in both languages, never kept, and shows what was sent as text', async () => {
    const { id, host } = await siteWith({ realIp: { mode: 'header', headers: ['X-Real-IP'], trusted } });
    const path = linkTo(id);
    const attack = '<script>alert(1)</script>';
    const { headers, body } = await edge.get(host, path, { headers: { 'x-real-ip': attack } });
    expect(headers['content-type']).toBe('text/html; charset=utf-8');
    expect(headers['cache-control']).toBe('no-store');
    expect(headers['content-security-policy']).toContain("default-src 'none'");
    expect(headers['x-cache']).toBeUndefined();
    expect(body).toContain('节点识别的访客真实 IP');
    expect(body).toContain('How this node sees you');
    expect(body).toContain('contains something other than IP addresses');
    expect(body).not.toContain('<script>');
    expect(body).toContain('&lt;script&gt;');
    const again = await edge.get(host, path, { headers: { 'x-real-ip': '198.51.100.8' } });
    expect(again.body).toContain('198.51.100.8');
  });

  it('says that a peer is not trusted, and that a provider’s is', async () => {
    const untrusted = await siteWith({ realIp: { mode: 'header', headers: ['X-Real-IP'], trusted: [] } });
    const options = { headers: { ...asJson, 'x-real-ip': '198.51.100.7' } };
    expect(JSON.parse((await edge.get(untrusted.host, linkTo(untrusted.id), options)).body)).toMatchObject({
      trust: 'untrusted',
      fields: [],
      client: { address: '127.0.0.1', reason: 'untrusted_peer' },
    });
    const plain = await siteWith();
    expect(JSON.parse((await edge.get(plain.host, linkTo(plain.id), options)).body)).toMatchObject({
      mode: 'socket',
      trust: 'unasked',
      headers: [{ name: 'x-real-ip', lines: ['198.51.100.7'] }],
      client: { address: '127.0.0.1', reason: 'socket' },
    });
  });

  it('stands before limits, rules with extras and a site’s own error pages too', async () => {
    const { id, host } = await siteWith({
      security: { connections: 1, rate: { requests: 1, period_seconds: 3600 } },
      rules: [{ type: 'all', ttl_seconds: 60, lock: false }],
      advanced: { error_pages: [{ statuses: ['403'], body: 'own' }] },
    });
    for (const _ of [1, 2, 3])
      expect((await edge.get(host, linkTo(id), { headers: asJson })).status).toBe(200);
    const refused = await edge.get(host, linkTo(id + 1000));
    expect([refused.status, refused.body.includes('own')]).toEqual([403, false]);
    expect((await edge.get(host, '/.well-known/other')).body).toBe('of the origin');
  });

  it('shows those who are not let in which address that was for, whatever is rewritten', async () => {
    const { id, host } = await siteWith({
      access: { rules: [{ action: 'deny', addresses: ['127.0.0.1'] }] },
      rewrite: { redirects: [{ type: 'regex', from: '^/', to: 'https://elsewhere.example/' }] },
    });
    const answer = await edge.get(host, linkTo(id), { headers: asJson });
    expect(JSON.parse(answer.body)).toMatchObject({ client: { address: '127.0.0.1', reason: 'socket' } });
    expect((await edge.get(host, '/')).status).toBe(403);
    expect((await edge.get(host, '/.well-known/breakwater/x')).status).toBe(403);
  });

  it('is served over TLS as well', async () => {
    const { id, host } = await siteWith();
    const { body } = await edge.get(host, linkTo(id), { headers: asJson, servername: host });
    expect(JSON.parse(body)).toMatchObject({ connection: { scheme: 'https' } });
  });
});
