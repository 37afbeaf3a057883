import type { DocumentResult, LevelDocument, SiteDocument } from '@breakwater/contract/edge-document';
import { errorPage } from '@breakwater/contract/site-config/advanced-config';
import { cacheRule } from '@breakwater/contract/site-config/cache-rule';
import { contentRewrite } from '@breakwater/contract/site-config/content-rewrite';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startScriptedOrigin, type ScriptedOrigin } from './scripted-origin.ts';
import { makeEnvelope, makeSite, TestEdge, type Answer } from './support.ts';

/** What sites inherit: from the platform, their product and their customer. */

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

const state = ({ headers }: Answer) => headers['x-cache'];
const unsaid = {};
const product = 40;

/** A site that sets nothing itself but what is given; of customer 1000 + id. */
async function serve(id: number, own: Partial<SiteDocument> = {}): Promise<string> {
  const host = `level${id}.test`;
  const origins = [{ address: '127.0.0.1', http_port: origin.port }];
  const { cache_rule: _, ...bare } = makeSite({ id, domains: [host], origins });
  const [result] = await edge.applySites({ ...bare, product_id: product, ...own });
  expect(result).toMatchObject({ status: 'applied' });
  return host;
}

async function put(document: LevelDocument): Promise<DocumentResult> {
  const key = document.target_id === undefined ? document.level : `${document.level}-${document.target_id}`;
  const envelope = makeEnvelope('level', key, edge.nextRevision(), document);
  const [result] = await edge.control<DocumentResult[]>('POST', '/documents', [envelope]);
  return result!;
}

const setGlobal = (document: Omit<LevelDocument, 'level'>) => put({ level: 'global', ...document });
const setProduct = (document: Omit<LevelDocument, 'level' | 'target_id'>) =>
  put({ level: 'product', target_id: product, ...document });
const setClient = (id: number, document: Omit<LevelDocument, 'level' | 'target_id'>) =>
  put({ level: 'client', target_id: id, ...document });
const keep = cacheRule.parse({ type: 'all', ttl_seconds: 600 });

describe('levels', () => {
  it('a change for all reaches a site whose document nobody touched, and leaves it when it is taken back', async () => {
    const host = await serve(1);
    const path = origin.serve({ 'Cache-Control': 'max-age=600' });
    await edge.get(host, path);
    expect(state(await edge.get(host, path))).toBe('HIT');
    expect(await setGlobal({ cache_settings: { cache_header: false } })).toMatchObject({ status: 'applied' });
    expect(state(await edge.get(host, path))).toBeUndefined();
    await setGlobal(unsaid);
    expect(state(await edge.get(host, path))).toBe('HIT');
  });

  it('what a site sets itself wins, until it returns to what it inherits', async () => {
    const host = await serve(2, { cache_settings: { cache_header: true } });
    const path = origin.serve({ 'Cache-Control': 'max-age=600' });
    await setGlobal({ cache_settings: { cache_header: false } });
    await edge.get(host, path);
    expect(state(await edge.get(host, path))).toBe('HIT');
    await serve(2);
    expect(state(await edge.get(host, path))).toBeUndefined();
    await setGlobal(unsaid);
  });

  it('the nearer level wins, each for its own sites', async () => {
    const [host, other] = [await serve(3), await serve(4)];
    const path = origin.serve({ 'Cache-Control': 'max-age=600' });
    for (const each of [host, other]) await edge.get(each, path);
    const states = async () => [state(await edge.get(host, path)), state(await edge.get(other, path))];
    await setProduct({ cache_settings: { cache_header: false } });
    expect(await states()).toEqual([undefined, undefined]);
    await setClient(1003, { cache_settings: { cache_header: true } });
    expect(await states()).toEqual(['HIT', undefined]);
    await setGlobal({ cache_settings: { cache_header: true } });
    expect(await states()).toEqual(['HIT', undefined]);
    await setProduct(unsaid);
    expect(await states()).toEqual(['HIT', 'HIT']);
    await setGlobal(unsaid);
    await setClient(1003, unsaid);
  });

  it('rules of the cache are inherited as one list', async () => {
    const host = await serve(5);
    const path = origin.serve({});
    await setGlobal({ cache_rule: [keep] });
    await edge.get(host, path);
    expect(state(await edge.get(host, path))).toBe('HIT');
    await setProduct({ cache_rule: [cacheRule.parse({ type: 'all', action: 'bypass' })] });
    expect(state(await edge.get(host, path))).toBe('BYPASS');
    await serve(5, { cache_rule: [] });
    const plain = origin.serve({});
    await edge.get(host, plain);
    expect(state(await edge.get(host, plain))).not.toBe('HIT');
    await setProduct(unsaid);
    await setGlobal(unsaid);
  });

  it('a section can come in part from each of them', async () => {
    const host = await serve(6, { advanced_config: { response_buffering: false } });
    await setGlobal({
      advanced_config: {
        error_pages: [errorPage.parse({ statuses: ['404'], body: 'nothing of that name' })],
      },
    });
    const path = origin.serve(() => ({ status: 404 }));
    expect((await edge.get(host, path)).body).toContain('nothing of that name');
    await setGlobal(unsaid);
  });

  it('a limit for all can be lifted for one customer', async () => {
    const host = await serve(7);
    const send = async () => (await edge.get(host, '/', { method: 'POST', body: 'x'.repeat(100) })).status;
    await setGlobal({ security: { body_bytes_max: 10 } });
    expect(await send()).toBe(413);
    await setClient(1007, { unset: ['security.body_bytes_max'] });
    expect(await send()).not.toBe(413);
    await setClient(1007, unsaid);
    expect(await send()).toBe(413);
    await setGlobal(unsaid);
  });

  it('redirects to HTTPS are inherited', async () => {
    const host = await serve(8);
    const forced = { enabled: true, status: 301 as const, port: 443, only_domains: [], except_domains: [] };
    await setGlobal({ certificate_settings: { force_https: forced } });
    expect((await edge.get(host)).status).toBe(301);
    await setGlobal(unsaid);
    expect((await edge.get(host)).status).not.toBe(301);
  });

  it('referers are inherited field by field, and a site can let everybody in', async () => {
    const host = await serve(11);
    const from = (referer: string) => edge.get(host, '/', { headers: { referer } });
    const statuses = async () => [
      (await from('https://a.test/')).status,
      (await from('https://b.test/')).status,
    ];
    const open = await statuses();
    await setGlobal({ block_referer: { enabled: true, allow: ['a.test'] } });
    expect(await statuses()).toEqual([open[0], 403]);
    await setClient(1011, {
      block_referer: { allow: ['b.test'], action: 'status', status: 404, redirect_url: '' },
    });
    expect(await statuses()).toEqual([404, open[1]]);
    await serve(11, { block_referer: { enabled: false } });
    expect(await statuses()).toEqual(open);
    // Whoever says that requests are refused need not be who says where they are sent.
    await serve(11, { block_referer: { action: 'redirect', status: 403, redirect_url: '' } });
    expect((await from('https://a.test/')).status).toBe(403);
    await setClient(1011, unsaid);
    await setGlobal(unsaid);
  });

  it('lists of rewriting are inherited each for itself', async () => {
    const host = await serve(12);
    const get = () => edge.get(host, '/old/x');
    const redirects = contentRewrite.parse({
      redirects: [{ type: 'prefix', from: '/old/', to: '/new/', status: 301 }],
    }).redirects;
    const tells = (value: string) =>
      contentRewrite.parse({ response_headers: [{ name: 'X-Level', value }] }).response_headers;
    await setGlobal({ content_rewrite: { redirects, response_headers: tells('global') } });
    expect((await get()).headers.location).toBe('/new/x');
    await serve(12, { content_rewrite: { redirects: [] } });
    expect((await get()).headers['x-level']).toBe('global');
    await setProduct({ content_rewrite: { response_headers: tells('product') } });
    expect((await get()).headers['x-level']).toBe('product');
    await serve(12, { content_rewrite: { redirects: [], response_headers: [] } });
    const plain = await get();
    expect([plain.headers.location, plain.headers['x-level']]).toEqual([undefined, undefined]);
    const bad = [{ ...redirects[0]!, type: 'regex' as const, from: '(' }];
    expect(await setGlobal({ content_rewrite: { redirects: bad } })).toMatchObject({ status: 'refused' });
    await setProduct(unsaid);
    await setGlobal(unsaid);
  });

  it('a level that cannot be served is refused, and the last good one stays', async () => {
    const host = await serve(9);
    const path = origin.serve({ 'Cache-Control': 'max-age=600' });
    await setGlobal({ cache_settings: { cache_header: false } });
    const bad = { type: 'regex', content: ['(unclosed'] } as const;
    expect(await setGlobal({ cache_rule: [{ ...keep, ...bad, content: ['(unclosed'] }] })).toMatchObject({
      status: 'refused',
      error: expect.stringMatching(/cache_rule\.0\.content\.0/) as string,
    });
    expect(await setGlobal({ security: { rate: 5 as never } })).toMatchObject({ status: 'refused' });
    await edge.get(host, path);
    expect(state(await edge.get(host, path))).toBeUndefined();
    expect(
      await edge.control('POST', '/documents', [
        makeEnvelope('level', 'client-8', edge.nextRevision(), { level: 'client', target_id: 9 }),
      ]),
    ).toMatchObject([{ status: 'refused' }]);
    await setGlobal(unsaid);
  });

  it('a site without a product, as older control planes sent them, inherits from the rest', async () => {
    const host = await serve(10);
    const { cache_rule: _, ...bare } = makeSite({
      id: 10,
      domains: [host],
      origins: [{ address: '127.0.0.1', http_port: origin.port }],
    });
    await edge.applySites(bare);
    const path = origin.serve({ 'Cache-Control': 'max-age=600' });
    await setProduct({ cache_settings: { cache_header: true } });
    await setGlobal({ cache_settings: { cache_header: false } });
    expect(state(await edge.get(host, path))).toBeUndefined();
    await setProduct(unsaid);
    await setGlobal(unsaid);
  });
});
