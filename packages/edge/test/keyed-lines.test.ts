import { once } from 'node:events';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startScriptedOrigin, type ScriptedOrigin } from './scripted-origin.ts';
import { makeSite, TestEdge, type SiteInput } from './support.ts';

/** Fields that come in several lines, where a rule keeps answers apart by them: whatever an origin makes of the lines, nobody else gets it. */

let edge: TestEdge;
let origin: ScriptedOrigin;
let sites = 0;

beforeAll(async () => {
  edge = await TestEdge.start();
  origin = await startScriptedOrigin();
});
afterAll(async () => {
  await edge.close();
  await origin.close();
});

async function serve(rule: Partial<NonNullable<SiteInput['rules']>[number]>): Promise<string> {
  sites += 1;
  const domains = [`lines${sites}.test`];
  const rules = [{ type: 'all' as const, ttl_seconds: 600, ...rule }];
  const origins = [{ address: '127.0.0.1', http_port: origin.port }];
  const [result] = await edge.applySites(makeSite({ id: sites, domains, origins, rules }));
  expect(result).toMatchObject({ status: 'applied' });
  return domains[0]!;
}

/** The lines of a field as they came. */
const linesOf = (raw: readonly string[], name: string): string[] =>
  raw.filter((_, index) => raw[index - 1]?.toLowerCase() === name && index % 2 === 1);

/** Status, state and body of the answer to these lines, sent as they are. */
async function ask(host: string, path: string, ...lines: string[]): Promise<[string, string]> {
  const socket = connect(edge.httpPort, '127.0.0.1');
  await once(socket, 'connect');
  socket.write([`GET ${path} HTTP/1.1`, `Host: ${host}`, ...lines, 'Connection: close', '', ''].join('\r\n'));
  const answer = await text(socket);
  const state = /^x-cache: (\w+)/im.exec(answer)?.[1] ?? '';
  return [`${answer.slice(9, 12)} ${state}`, /\r\n\r\n(?:[0-9a-f]+\r\n)?(.*)/.exec(answer)?.[1] ?? ''];
}

/** Each of them twice, in turn: whoever asks alike gets what they got, and nobody gets another's. */
async function expectApart(host: string, path: string, requests: readonly string[][]): Promise<void> {
  const first: string[] = [];
  for (const lines of requests) {
    const [state, body] = await ask(host, path, ...lines);
    expect([lines, state]).toEqual([lines, '200 MISS']);
    first.push(body);
  }
  for (const [index, lines] of requests.entries())
    expect([lines, ...(await ask(host, path, ...lines))]).toEqual([lines, '200 HIT', first[index]]);
}

const language = (...values: string[]) => values.map((value) => `Accept-Language: ${value}`);
const cookie = (...values: string[]) => values.map((value) => `Cookie: ${value}`);

describe('a keyed header', () => {
  it('in two lines is neither its first, nor its last, nor the two as one list, nor the two in another order', async () => {
    const host = await serve({ key_headers: ['accept-language'] });
    const path = origin.serve(({ rawHeaders }) => ({
      body: JSON.stringify(linesOf(rawHeaders, 'accept-language')),
    }));
    const all = [['zh', 'en'], ['zh'], ['en'], ['zh, en'], ['zh,en'], ['en', 'zh'], ['zh', ''], []];
    await expectApart(
      host,
      path,
      all.map((values) => language(...values)),
    );
    // The origin is asked as the visitor asked, so that the key is of what it reads.
    expect((await ask(host, path, ...language('zh', 'en')))[1]).toBe('["zh","en"]');
  });

  it('tells two fields apart from one whose value looks like both', async () => {
    const host = await serve({ key_headers: ['x-a', 'x-b'] });
    const path = origin.serve({});
    await expectApart(host, path, [
      ['X-A: 1', 'X-B: 2'],
      ['X-A: 1', 'X-A: 2'],
      ['X-A: 1 x-b=1:2'],
      ['X-B: 1', 'X-B: 2'],
      ['X-A: 2', 'X-B: 1'],
    ]);
  });
});

describe('a line of a keyed header', () => {
  it('is never a field of the request that goes on from it', async () => {
    const host = await serve({ key_headers: ['accept-language'] });
    const path = origin.serve(({ headers }) => ({ body: JSON.stringify(headers) }));
    for (const evil of ['X-Real-IP: 192.0.2.66', 'X-Forwarded-For: 192.0.2.66', 'X-Own: 192.0.2.66']) {
      const [state, body] = await ask(host, path, ...language('zh', evil));
      expect([evil, state]).toEqual([evil, '200 MISS']);
      const { 'accept-language': heard, ...others } = JSON.parse(body) as Record<string, string>;
      expect(heard).toBe(`zh, ${evil}`);
      expect(Object.values(others).join(' ')).not.toContain('192.0.2.66');
      expect(others['x-real-ip']).toBe('127.0.0.1');
    }
  });
});

describe('a keyed cookie', () => {
  const find = (field: string) => [...field.matchAll(/(?:^|; )lang=([^;]*)/g)].map(([, value]) => value!);
  /** As origins read them: the first line alone, the last alone, or all of them, and of two values either. */
  const readings: [string, (lines: string[]) => string | undefined][] = [
    ['the first line', (lines) => find(lines[0] ?? '')[0]],
    ['the last line', (lines) => find(lines.at(-1) ?? '')[0]],
    ['all lines', (lines) => find(lines.join('; '))[0]],
    ['all lines, from the end', (lines) => find(lines.join('; ')).at(-1)],
  ];

  it.each(readings)('is what the origin finds in %s', async (_, read) => {
    const host = await serve({ key_cookies: ['lang'] });
    // Each of these comes first to a path, so that what comes of it would be kept for the plain ones.
    for (const odd of [
      ['other=1', 'lang=zh'],
      ['lang=en', 'other=1'],
      ['lang=zh', 'lang=en'],
      ['lang=en; lang=zh'],
    ]) {
      const path = origin.serve(({ rawHeaders }) => ({
        body: read(linesOf(rawHeaders, 'cookie')) ?? 'none',
      }));
      await ask(host, path, ...cookie(...odd));
      for (const [values, found] of [
        [['lang=zh'], 'zh'],
        [['lang=en'], 'en'],
        [['other=1'], 'none'],
        [[], 'none'],
      ] as const)
        expect([odd, values, (await ask(host, path, ...cookie(...values)))[1]]).toEqual([odd, values, found]);
    }
  });
});
