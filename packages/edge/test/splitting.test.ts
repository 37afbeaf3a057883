import { connect } from 'node:net';
import { connect as connectTls } from 'node:tls';
import type { HeaderRule } from '@breakwater/contract/site-config/content-rewrite';
import { toByteString } from '@breakwater/policy';
import { parseSnippet, renderSnippet } from '@breakwater/policy/site/nginx-snippet';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startScriptedOrigin, type ScriptedOrigin } from './scripted-origin.ts';
import { makeSite, TestEdge, type SiteInput } from './support.ts';

/** Attempts to end a line of an answer, or the answer itself, from within a request, with what sites may set. */

let edge: TestEdge;
let origin: ScriptedOrigin;
let sites = 0;
const cachePlaces = ['plain', 'cached'];

beforeAll(async () => {
  edge = await TestEdge.start();
  origin = await startScriptedOrigin();
});
afterAll(async () => {
  await edge.close();
  await origin.close();
});

async function serve(more: Partial<SiteInput>, snippet = ''): Promise<string> {
  const id = (sites += 1);
  const text = renderSnippet(parseSnippet(toByteString(snippet)).directives);
  expect(text === '').toBe(snippet === '');
  if (snippet !== '')
    await edge.edge.direct([...edge.edge.siteDirectives, { siteId: id, text, places: cachePlaces }]);
  const host = `split${id}.test`;
  const origins = [{ address: '127.0.0.1', http_port: origin.port }];
  const site = makeSite({ id, domains: [host], origins, ...more, advanced: { ...more.advanced, snippet } });
  const [result] = await edge.applySites(site);
  expect(result!.error).toBeUndefined();
  return host;
}

/** What comes back over one connection, of which this is the last request. */
function raw(lines: string[]): Promise<string> {
  return new Promise((settle, refuse) => {
    const text = [...lines, 'Connection: close', '', ''].join('\r\n');
    const socket = connect(edge.httpPort, '127.0.0.1', () => socket.write(text, 'latin1'));
    let seen = '';
    socket.on('data', (data) => (seen += data.toString('latin1')));
    socket.on('error', refuse);
    socket.on('close', () => settle(seen));
  });
}

/** One answer, with none of a visitor's lines in it and as much content as it says. */
function expectWhole(answer: string): { status: number; head: string[] } {
  const end = answer.indexOf('\r\n\r\n');
  const head = answer.slice(0, end).split(/[\r\n]+/);
  expect(head[0]).toMatch(/^HTTP\/1\.1 \d{3}/);
  expect(head.filter((line) => /^(?:x-evil|set-cookie)/i.test(line))).toEqual([]);
  expect(head.slice(1).filter((line) => !/^[\w-]+:/.test(line))).toEqual([]);
  const lengths = head.filter((line) => /^content-length:/i.test(line));
  expect(lengths.length).toBeLessThan(2);
  if (lengths.length === 1) expect(Number(lengths[0]!.split(':')[1])).toBe(answer.length - end - 4);
  return { status: Number(answer.slice(9, 12)), head };
}

const evil = '%0d%0aX-Evil:%20yes%0d%0aSet-Cookie:%20evil=1%0d%0a%0d%0aevil';
/** Where a visitor may put it; with it in the path too, which is refused for that. */
const requests = (host: string, path: string): string[][] =>
  [
    evil,
    evil.replaceAll('%0d', ''),
    evil.replaceAll('%0a', ''),
    '%c4%8d%c4%8aX-Evil:1',
    '%e5%98%8a%e5%98%8dX-Evil:1',
  ].flatMap((text) =>
    [`${path}/a${text}`, path].map((target) => [
      `GET ${target}?q=${text}&${text}=1 HTTP/1.1`,
      `Host: ${host}`,
      `X-A: ${text}`,
      `Cookie: c=${text}`,
      `Content-Type: text/plain${text}`,
      `Referer: http://${host}/${text}`,
      `Origin: http://${host}${text}`,
    ]),
  );

const allowed = (
  'args content_type host is_args msec query_string remote_addr request_id request_method request_uri scheme ' +
  'server_protocol status time_iso8601 uri arg_q cookie_c http_x_a http_referer sent_http_content_type sent_http_x_origin'
).split(' ');

describe("a site's directives", () => {
  it.each([
    [
      'fields',
      allowed
        .map((name) => `add_header X-Own-${name.replaceAll('_', '-')} "a $${name} b" always;`)
        .join('\n'),
    ],
    ['an address in a status', 'return 302 "https://$host$uri";'],
    ['an address of variables', 'return 302 "$scheme://$host${uri}?$args#$http_x_a";'],
    ['a text', 'return 200 "$uri $arg_q $http_x_a";'],
    [
      'cookies and addresses',
      'proxy_cookie_path / "/$uri"; proxy_cookie_domain a.test "$arg_q"; proxy_redirect / "/$uri";',
    ],
    ['charsets', 'charset "$http_x_a"; override_charset on;'],
    ['times', 'expires "$arg_q";'],
    ['content', 'sub_filter answer "$uri"; sub_filter_types *;'],
  ])('end no line of an answer: %s', async (_about, snippet) => {
    const host = await serve({}, snippet);
    const path = origin.serve({
      'Cache-Control': 'max-age=60',
      'Content-Type': 'text/plain',
      Location: '/x',
      'X-Origin': 'o',
    });
    for (const lines of requests(host, path))
      for (let count = 0; count < 2; count++) expectWhole(await raw(lines));
  });

  it('are told the path with its escapes, which is what an address needs', async () => {
    const host = await serve({}, 'return 302 "https://new.example$uri$is_args$args";');
    const { head } = expectWhole(await raw([`GET /a%20b//%E4%BE%8B%3f%22'?q=%20 HTTP/1.1`, `Host: ${host}`]));
    expect(head).toContain("Location: https://new.example/a%20b/%E4%BE%8B%3F%22'?q=%20");
  });

  it('are asked once more of what an agent of an older version has left', async () => {
    const host = await serve({}, 'expires 1h;');
    const text = [
      'add_header "X-Path" "$uri";',
      'add_header "X-Braced" "${uri}";',
      'add_header "X-Accel-Redirect" "/x";',
      'add_header "Transfer_Encoding" "chunked";',
      'add_header "X-Stays" "yes";',
    ].join('\n');
    await edge.edge.direct([
      ...edge.edge.siteDirectives.filter(({ siteId }) => siteId !== sites),
      { siteId: sites, text, places: cachePlaces },
    ]);
    const { head } = expectWhole(await raw([`GET ${origin.serve({})}/%22%20X HTTP/1.1`, `Host: ${host}`]));
    expect(head).toContain('X-Stays: yes');
    expect(head.join('\n')).toMatch(/^X-Path: \/p\d+\/%22%20X$/m);
    expect(head.join('\n')).toMatch(/^X-Braced: \/p\d+\/%22%20X$/m);
    expect(head.join('\n')).not.toMatch(/accel|encoding/i);
  });
});

const rule = (
  name: string,
  value: string,
  action: HeaderRule['action'] = 'set',
  pattern = '',
): HeaderRule => ({
  action,
  name,
  pattern,
  value,
  enabled: true,
});

describe('rules for fields', () => {
  it.each(['content_length', 'Content_Length', 'transfer_encoding', 'x_accel_redirect', 'x_breakwater'])(
    'frame no answer under a name with underscores: %s',
    async (name) => {
      const rules = [rule(name, '3')];
      const id = (sites += 1);
      const site = makeSite({
        id,
        domains: [`split${id}.test`],
        origins: [{ address: '127.0.0.1', http_port: origin.port }],
        rewrite: {},
      });
      // As a document from before the name was refused has it.
      site.content_rewrite = { ...site.content_rewrite!, request_headers: rules, response_headers: rules };
      await edge.applySites(site);
      let asked: string[] = [];
      const path = origin.serve((request) => {
        asked = request.rawHeaders;
        return { body: 'eight ch' };
      });
      const { head } = expectWhole(await raw([`GET ${path} HTTP/1.1`, `Host: split${id}.test`]));
      expect(head.filter((line) => line.endsWith(': 3'))).toEqual([]);
      expect(asked.includes('3')).toBe(false);
    },
  );

  it('end no line with what a visitor wrote', async () => {
    const variables = ['host', 'scheme', 'method', 'path', 'query', 'uri', 'client_ip', 'request_id'];
    const rules = variables.map((name) => ({
      action: 'set' as const,
      name: `X-Own-${name.replaceAll('_', '-')}`,
      value: `a \${${name}} b`,
    }));
    const host = await serve({
      rewrite: {
        request_headers: rules,
        response_headers: [
          ...rules,
          { action: 'replace', name: 'X-Origin', pattern: 'o(.*)', value: '${path}$1' },
        ],
      },
    });
    let asked: string[] = [];
    const path = origin.serve((request) => {
      asked = request.rawHeaders;
      return { headers: { 'X-Origin': 'origin' } };
    });
    const statuses = new Set<number>();
    for (const lines of requests(host, path)) {
      asked = [];
      const { status } = expectWhole(await raw(lines));
      expect(asked.filter((text) => /^x-evil/i.test(text))).toEqual([]);
      expect(asked.length > 16 || status === 400).toBe(true);
      statuses.add(status);
    }
    expect(statuses.has(200)).toBe(true);
  });
});

const always = { enabled: true, status: 301 as const, port: 443, only_domains: [], except_domains: [] };

describe('what the edge answers itself', () => {
  it.each<[string, Partial<SiteInput>]>([
    [
      'a redirect by pattern',
      { rewrite: { redirects: [{ type: 'regex', from: '^/([\\s\\S]*)$', to: '/to/$1?x=$1' }] } },
    ],
    [
      'a redirect by folder',
      { rewrite: { redirects: [{ type: 'prefix', from: '/', to: 'https://b.example/${path}' }] } },
    ],
    ['HTTPS', { tls: { force_https: always } }],
    [
      'an error page',
      { advanced: { error_pages: [{ statuses: ['4xx'], source: 'redirect', redirect_url: '/e' }] } },
    ],
    [
      'an error page of its own',
      { advanced: { error_pages: [{ statuses: ['4xx'], body: '{{host}} {{client_ip}}' }] } },
    ],
    ['maintenance', { advanced: { maintenance: { enabled: true, body: '{{host}}' } } }],
    ['a page for who is kept out', { access: { otherwise: 'deny' } }],
    [
      'a wrong referer',
      { referer: { enabled: true, action: 'redirect', redirect_url: 'https://a.example/x' } },
    ],
    [
      'fields of CORS',
      {
        access: {
          cors: { enabled: true, origins: ['http://*.test', 'https://a.example'], credentials: true },
        },
      },
    ],
    [
      'a rewritten address',
      { rewrite: { url_rewrites: [{ type: 'regex', from: '^/([\\s\\S]*)$', to: '/p0/$1' }] } },
    ],
  ])('has no line of a visitor: %s', async (_about, more) => {
    const host = await serve(more);
    for (const lines of requests(host, '/none')) expectWhole(await raw(lines));
    const preflight = ['Access-Control-Request-Method: GET', `Access-Control-Request-Headers: x-a, ${evil}`];
    for (const [, ...fields] of requests(host, '/none'))
      expectWhole(await raw([`OPTIONS /${evil} HTTP/1.1`, ...fields, ...preflight]));
  });
});

/** RFC 9113 §4.1, with fields as literals that no table holds (RFC 7541 §6.2.2). */
function frame(type: number, flags: number, stream: number, payload: Buffer): Buffer {
  const head = Buffer.alloc(9);
  head.writeUIntBE(payload.length, 0, 3);
  head.writeUInt8(type, 3);
  head.writeUInt8(flags, 4);
  head.writeUInt32BE(stream, 5);
  return Buffer.concat([head, payload]);
}
const greeting = Buffer.from('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n');
function frameTypes(bytes: Buffer): number[] {
  const types: number[] = [];
  for (let at = 0; at + 9 <= bytes.length; at += 9 + bytes.readUIntBE(at, 3))
    types.push(bytes.readUInt8(at + 3));
  return types;
}
const literal = (text: string) => Buffer.concat([Buffer.from([text.length]), Buffer.from(text, 'latin1')]);
const fieldOf = ([name, value]: [string, string]) =>
  Buffer.concat([Buffer.from([0]), literal(name), literal(value)]);

describe('HTTP/2', () => {
  it.each<[string, [string, string][]]>([
    ['a value', [['x-a', 'a\r\nX-Evil: yes']]],
    ['a value with a line feed', [['x-a', 'a\nX-Evil: yes']]],
    ['a name', [['x-a: b\r\nx-evil', 'yes']]],
    ['a path', [[':path', '/\r\nX-Evil: yes']]],
    ['a path with a space', [[':path', '/ HTTP/1.1\r\nX-Evil: yes\r\n']]],
    ['a host', [[':authority', 'a.test\r\nX-Evil: yes']]],
    ['a method', [[':method', 'GET / HTTP/1.1\r\nX-Evil: yes\r\n']]],
    ['a cookie', [['cookie', 'a=1\r\nX-Evil: yes']]],
  ])('brings no line in %s', async (_about, fields) => {
    const host = await serve({}, 'add_header X-A "$http_x_a $request_uri $cookie_a" always;');
    const before = origin.count();
    const all: Record<string, string> = {
      ':method': 'GET',
      ':scheme': 'https',
      ':path': '/',
      ':authority': host,
    };
    for (const [name, value] of fields) all[name] = value;
    const block = Buffer.concat(Object.entries(all).map(fieldOf));
    await new Promise<void>((settle, refuse) => {
      const socket = connectTls(
        {
          port: edge.httpsPort,
          host: '127.0.0.1',
          servername: host,
          ALPNProtocols: ['h2'],
          rejectUnauthorized: false,
        },
        () => socket.write(Buffer.concat([greeting, frame(4, 0, 0, Buffer.alloc(0)), frame(1, 5, 1, block)])),
      );
      let seen = Buffer.alloc(0);
      socket.on('data', (data: Buffer) => {
        seen = Buffer.concat([seen, data]);
        // An answer, the end of the stream, or of the connection.
        if (frameTypes(seen).some((type) => [1, 3, 7].includes(type))) socket.destroy();
      });
      // nginx resets a connection of which it has not read all, and ends one when a reload meets its handshake.
      socket.on('error', (error: NodeJS.ErrnoException) => {
        if (error.code !== 'ECONNRESET' && error.code !== 'EPIPE') refuse(error);
      });
      socket.on('close', () => settle());
    });
    expect(origin.count()).toBe(before);
  });
});
