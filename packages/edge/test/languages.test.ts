import { afterAll, beforeAll, expect, it } from 'vitest';
import { makeSite, startOrigin, TestEdge, type SiteInput, type TestOrigin } from './support.ts';

/** An origin that answers in the visitor's language, and browsers that each send a list of their own. */

let edge: TestEdge;
let origin: TestOrigin;
let sites = 0;

beforeAll(async () => {
  edge = await TestEdge.start();
  origin = await startOrigin(({ headers }, answer) => {
    answer.setHeader('Vary', 'Accept-Language');
    answer.setHeader('Cache-Control', 'max-age=600');
    answer.end(`asked for ${headers['accept-language'] ?? 'any'}`);
  });
});
afterAll(async () => {
  await edge.close();
  await origin.close();
});

async function serve(settings: Partial<SiteInput>): Promise<string> {
  const id = (sites += 1);
  const domains = [`site${id}.test`];
  const origins = [{ address: '127.0.0.1', http_port: origin.port }];
  await edge.applySites(makeSite({ id, domains, origins, ...settings }));
  return domains[0]!;
}

async function ask(host: string, list: string | string[]) {
  const { headers, body } = await edge.get(host, '/', { headers: { 'accept-language': list } });
  return [headers['x-cache'], body];
}

const lists = ['zh-CN,zh;q=0.9,en;q=0.8', 'zh-TW,zh-CN;q=0.9', 'fr,zh-CN;q=0.5,en;q=0.4'];

it('are kept once for each language that the site has', async () => {
  const host = await serve({ cache: { languages: ['en', 'zh-CN'] } });
  expect(await ask(host, lists[0]!)).toEqual(['MISS', 'asked for zh-CN']);
  for (const list of lists) expect(await ask(host, list)).toEqual(['HIT', 'asked for zh-CN']);
  expect(await ask(host, 'en-GB,en;q=0.9')).toEqual(['MISS', 'asked for en']);
  expect(await ask(host, 'de,en-US;q=0.7')).toEqual(['HIT', 'asked for en']);
  expect(await ask(host, 'fr')).toEqual(['MISS', 'asked for any']);
  expect(await ask(host, 'ja,it;q=0.9')).toEqual(['HIT', 'asked for any']);
});

it('are told by the first line alone, and no other reaches the origin', async () => {
  const host = await serve({ cache: { languages: ['en', 'zh-CN'] } });
  expect(await ask(host, ['en', 'zh-CN, fr'])).toEqual(['MISS', 'asked for en']);
});

it('are in the key of a rule that keeps them apart', async () => {
  const rules: SiteInput['rules'] = [
    { type: 'all', action: 'cache', ttl_seconds: 60, key_headers: ['accept-language'] },
  ];
  const host = await serve({ rules, cache: { languages: ['en', 'zh-CN'] } });
  expect(await ask(host, lists[0]!)).toEqual(['MISS', 'asked for zh-CN']);
  expect(await ask(host, lists[1]!)).toEqual(['HIT', 'asked for zh-CN']);
});

it('are as visitors send them where the site says nothing', async () => {
  const host = await serve({});
  for (const list of lists) expect(await ask(host, list)).toEqual(['MISS', `asked for ${list}`]);
});
