import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import { toByteString } from '@breakwater/policy';
import { parseSnippet, renderSnippet } from '@breakwater/policy/site/nginx-snippet';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startScriptedOrigin, type ScriptedOrigin } from './scripted-origin.ts';
import { makeSite, TestEdge, type SiteInput } from './support.ts';

let edge: TestEdge;
let origin: ScriptedOrigin;

beforeAll(async () => {
  edge = await TestEdge.start();
  origin = await startScriptedOrigin();
});
afterAll(async () => {
  await edge.close();
  await origin.close();
});

const places = ['plain', 'cached', 'slice_1m', 'whole'];
const directivesOf = (siteId: number, snippet: string) => ({
  siteId,
  text: Buffer.from(renderSnippet(parseSnippet(toByteString(snippet)).directives), 'latin1').toString('utf8'),
  places,
});

/** Puts a site and its directives into service, beside those of others. */
async function direct(id: number, snippet: string, more: Partial<SiteInput> = {}): Promise<string> {
  const others = edge.edge.siteDirectives.filter(({ siteId }) => siteId !== id);
  await edge.edge.direct([...others, directivesOf(id, snippet)]);
  const host = `own${id}.test`;
  await edge.applySites(
    makeSite({
      id,
      domains: [host],
      origins: [{ address: '127.0.0.1', http_port: origin.port }],
      advanced: { snippet },
      ...more,
    }),
  );
  return host;
}

describe("a site's own directives", () => {
  it('change its answers, stored ones too, and those of no other site', async () => {
    const host = await direct(
      1,
      `# a comment
       add_header X-Own "at $host; } 例" always;
       expires 1h;
       sub_filter "answer" 'reply';
       sub_filter_types text/plain;`,
    );
    const other = 'plain.test';
    await edge.applySites(
      makeSite({ id: 2, domains: [other], origins: [{ address: '127.0.0.1', http_port: origin.port }] }),
    );
    const path = origin.serve({ 'cache-control': 'max-age=60', 'content-type': 'text/plain' });
    for (const state of ['MISS', 'HIT']) {
      const answer = await edge.get(host, path);
      expect(answer.headers).toMatchObject({
        'x-cache': state,
        'x-own': toByteString('at own1.test; } 例'),
        'cache-control': 'max-age=3600',
      });
      expect(answer.body).toMatch(/^reply \d/);
      expect(answer.headers['x-request-id']).toMatch(/^[0-9a-f]{32}$/);
    }
    const plain = await edge.get(other, path);
    expect(plain.headers['x-own']).toBeUndefined();
    expect(plain.body).toMatch(/^answer /);
    const [line] = await edge.logLines(1, ({ site_id }) => site_id === 1);
    expect(line).toMatchObject({ status: 200, host, cache_status: 'MISS' });
  });

  it('call a request what the log calls it', async () => {
    const host = await direct(11, 'add_header X-Named "$request_id ${request_id}";');
    const { headers } = await edge.get(host, origin.serve({}));
    const id = String(headers['x-request-id']);
    expect(headers['x-named']).toBe(`${id} ${id}`);
  });

  it('read what they replace from an origin that would compress it', async () => {
    const host = await direct(3, 'sub_filter plain changed; sub_filter_types *;');
    const path = origin.serve((request) =>
      (request.headers['accept-encoding'] ?? '').includes('gzip')
        ? { headers: { 'content-encoding': 'gzip' }, body: gzipSync('plain').toString('latin1') }
        : { headers: { 'content-type': 'text/html' }, body: 'plain' },
    );
    const answer = await edge.get(host, path, { headers: { 'accept-encoding': 'gzip' } });
    expect(answer.body).toBe('changed');
  });

  it('answer by themselves, and keep visitors out', async () => {
    const host = await direct(4, 'return 302 https://elsewhere.example$request_uri;');
    const moved = await edge.get(host, '/a?b=c', { method: 'POST', body: 'content' });
    expect([moved.status, moved.headers.location]).toEqual([302, 'https://elsewhere.example/a?b=c']);
    const closed = await direct(5, 'allow 192.0.2.0/24; deny all;');
    const before = origin.count();
    expect((await edge.get(closed)).status).toBe(403);
    const open = await direct(5, 'allow 127.0.0.0/8; deny all;');
    expect((await edge.get(open, origin.serve({}))).status).toBe(200);
    expect(origin.count()).toBe(before + 1);
  });

  it('hold beside content that is sent, errors of the origin and error pages of the site', async () => {
    const host = await direct(6, 'add_header X-Own yes always;', {
      advanced: {
        snippet: 'add_header X-Own yes always;',
        error_pages: [{ statuses: ['502', '404'], body: 'own {{status}}' }],
      },
    });
    const echo = await edge.get(host, origin.serve({}), { method: 'POST', body: 'x'.repeat(100_000) });
    expect([echo.status, echo.headers['x-own']]).toEqual([200, 'yes']);
    const missing = await edge.get(host, '/none');
    expect([missing.status, missing.body, missing.headers['x-own']]).toEqual([404, 'own 404', 'yes']);
    const silent = createServer((socket) => socket.destroy());
    silent.listen(0, '127.0.0.1');
    await once(silent, 'listening');
    await direct(6, 'add_header X-Own yes always;', {
      origins: [{ address: '127.0.0.1', http_port: (silent.address() as AddressInfo).port }],
      advanced: {
        snippet: 'add_header X-Own yes always;',
        error_pages: [{ statuses: ['502'], body: 'own {{status}}' }],
      },
    });
    const failed = await edge.get(host);
    expect([failed.status, failed.body]).toEqual([502, 'own 502']);
    silent.close();
  });

  it('hold where the site has answers in parts', async () => {
    const host = await direct(7, 'add_header X-Own yes;', {
      rules: [{ type: 'all', ttl_seconds: 60, slice_bytes: 1_048_576 }],
    });
    const answer = await edge.get(host, origin.serve({}));
    expect([answer.status, answer.headers['x-own']]).toEqual([200, 'yes']);
  });

  it('are gone with the next configuration, and with the next document', async () => {
    const host = await direct(8, 'add_header X-Own yes;');
    const path = origin.serve({});
    expect((await edge.get(host, path)).headers['x-own']).toBe('yes');
    await edge.edge.direct([]);
    expect((await edge.get(host, path)).headers['x-own']).toBeUndefined();
  });

  it('do not hide a request that came round to its own edge', async () => {
    const host = await direct(9, 'add_header X-Own yes;');
    const looped = await edge.get(host, '/', { headers: { 'cdn-loop': 'breakwater-test' } });
    expect(looped.status).toBe(508);
  });
});

it('says what nginx has against directives, without a trace on what is served', async () => {
  const host = await direct(10, 'add_header X-Own yes;');
  const before = edge.edge.siteDirectives;
  expect(await edge.edge.complaintAbout([directivesOf(10, 'expires 1h; expires 2h;')])).toBe(
    '"expires" directive is duplicate',
  );
  expect(await edge.edge.complaintAbout([directivesOf(10, 'expires later;')])).toBe(
    '"expires" directive invalid value',
  );
  expect(await edge.edge.complaintAbout([directivesOf(10, 'expires 2h;')])).toBeUndefined();
  await expect(edge.edge.direct([directivesOf(10, 'allow nowhere;')])).rejects.toThrow('invalid parameter');
  expect(edge.edge.siteDirectives).toBe(before);
  expect((await edge.get(host, origin.serve({}))).headers['x-own']).toBe('yes');
});
