import { createHash } from 'node:crypto';
import {
  makeCustomer,
  makeSite,
  saveSetting,
  startWorld,
  unique,
  waitFor,
  type Customer,
  type Origin,
  type World,
} from '@breakwater/test-world';
import { and, eq } from 'drizzle-orm';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { edgeDocument, event, siteVisit } from '../../db/schema.ts';
import { visitSites } from './site-visit.service.ts';

/** Visits of real origins through a real node, and what nodes do with pages that are taken offline. */

let world: World;
let customer: Customer;
let origin: Origin;
const image = Buffer.from('an image that nobody may show');
const imageHash = createHash('sha256').update(image).digest('hex');
/** A picture, and what the site shows: a small copy of another format. */
let shown: Buffer;
let like: Buffer;
const listed = 'www.bad-link.example.com';
/** 网络赌博 in GBK. */
const gbk = Buffer.from([0xcd, 0xf8, 0xc2, 0xe7, 0xb6, 0xc4, 0xb2, 0xa9]);

beforeAll(async () => {
  world = await startWorld({ templateUrl: inject('templateUrl'), edge: true });
  customer = await makeCustomer(world);
  const squares = [40, 180, 300].map((left, index) => ({
    input: { create: { width: 90, height: 110, channels: 3 as const, background: '#114' } },
    left,
    top: 20 + index * 70,
  }));
  shown = await sharp({ create: { width: 400, height: 300, channels: 3, background: '#eec' } })
    .composite(squares)
    .png()
    .toBuffer();
  like = await sharp(shown).resize(160, 120).jpeg({ quality: 50 }).toBuffer();
  origin = await world.startOrigin(({ url = '' }, response) => {
    const html = (body: string | Buffer, charset = 'utf-8') =>
      response.writeHead(200, { 'content-type': `text/html; charset=${charset}` }).end(body);
    if (url === '/')
      return html(
        `<h1>Home</h1><a href="/gbk.html">a</a><a href="/show?id=5">b</a><a href="/moved">m</a><img src="/bad.png"><img src="/like.jpg">
         <a href="https://${listed}/x">link</a><a href="http://169.254.169.254/latest">metadata</a><a href="/endless">e</a>`,
      );
    if (url === '/gbk.html') return html(gbk, 'gbk');
    if (url.startsWith('/show')) return html('<p>代开各类<b>发</b>票</p>');
    if (url === '/bad.png') return response.writeHead(200, { 'content-type': 'image/png' }).end(image);
    if (url === '/like.jpg') return response.writeHead(200, { 'content-type': 'image/jpeg' }).end(like);
    if (url === '/moved') return response.writeHead(302, { location: 'http://127.0.0.1:1/elsewhere' }).end();
    if (url === '/endless')
      return response.writeHead(200, { 'content-type': 'text/html' }).end('x'.repeat(3_000_000));
    return response.writeHead(404).end();
  });
  await world.admin.get('createDomainNameBlacklistEntry', {
    body: { name: 'bad-link.example.com', kind: 'subdomains' },
  });
});
afterAll(() => world.close());

const db = () => world.server.services.db;
const category = (more: object) => ({ name: 'gambling', action: 'watch', ...more });
const set = (categories: object[], more: object = {}) =>
  saveSetting(world, 'HttpFilterSetting', { enabled: true, pages_per_second: 50, categories, ...more });
const visitAll = (signal = new AbortController().signal) => visitSites(world.server.services, signal);
const found = async (site_id: number, api = world.admin) =>
  (await api.get('listSiteViolations', { query: { site_id, page_size: 200 } })).list;
const applied = (id: number) =>
  waitFor('delivery', async () => {
    const { delivery } = await world.admin.get('getSite', { params: { id } });
    return delivery.status === 'applied' && delivery.nodes_total > 0;
  });
async function served() {
  const domain = `${unique('www')}.example.net`;
  const site = await makeSite(world.admin, { port: origin.port, domain, orderId: customer.orderId });
  await applied(site.id);
  return site;
}
const visit = async (id: number) => {
  await waitFor('the visit', async () => {
    await world.admin.get('visitSite', { body: { site_id: id } });
    await visitAll();
    const [row] = await db().select().from(siteVisit).where(eq(siteVisit.siteId, id));
    return row?.lastAt !== null && row!.nextAt > new Date(Date.now() + 3_600_000);
  });
};
const statusOf = async (domain: string, path: string) => (await world.fetchEdge(domain, path)).status;
const became = (domain: string, path: string, status: number) =>
  waitFor(`${path} to be ${status}`, async () => (await statusOf(domain, path)) === status);

describe('a visit', () => {
  it('does nothing while it is off', async () => {
    await saveSetting(world, 'HttpFilterSetting', {
      enabled: false,
      categories: [category({ words: ['赌博'] })],
    });
    expect(await visitAll()).toBe(0);
  });

  it('finds words, patterns, images and links, in any charset, with their evidence, each once', async () => {
    const site = await served();
    await set([category({ words: ['赌博'], patterns: ['代开*发票'], content_hashes: [imageHash] })]);
    await visit(site.id);
    const rows = await found(site.id);
    const of = (kind: string) => rows.filter((row) => row.kind === kind);
    expect(of('word')).toMatchObject([
      {
        request_uri: '/gbk.html',
        host: site.domain,
        word: '赌博',
        category: 'gambling',
        excerpt: '网络赌博',
        state: 'open',
      },
    ]);
    expect(of('word')[0]!.content_hash).toBe(createHash('sha256').update(gbk).digest('hex'));
    expect(of('pattern')).toMatchObject([
      { request_uri: '/show?id=5', word: '代开*发票', action: 'recorded' },
    ]);
    expect(of('hash')).toMatchObject([{ request_uri: '/bad.png', word: imageHash }]);
    expect(of('link')).toMatchObject([{ request_uri: '/', word: listed, category: '' }]);
    // Wherever pages lead, only nodes are asked, and the beginning of what is large is read.
    expect(origin.requests.map(({ url }) => url)).toContain('/endless');
    expect(origin.requests.every(({ headers }) => headers.host === site.domain)).toBe(true);
    await visit(site.id);
    const again = await found(site.id);
    expect(again.map(({ id }) => id)).toEqual(expect.arrayContaining(rows.map(({ id }) => id)));
    const named = again.map(({ request_uri: uri, kind, word }) => `${kind} ${uri} ${word}`);
    expect(new Set(named).size).toBe(named.length);
    expect((await world.admin.get('getHttpFilterState', {})).visited).toBeGreaterThan(0);
  });

  it('finds pictures that look like one that was shown to it', async () => {
    const site = await served();
    const { hash } = await world.admin.get('hashImage', { body: { image: shown.toString('base64') } });
    await set([category({ image_hashes: [hash] })], { blacklisted_links: 'off' });
    await visit(site.id);
    expect(await found(site.id)).toMatchObject([
      {
        kind: 'image',
        request_uri: '/like.jpg',
        word: hash,
        excerpt: expect.stringMatching(/^[0-9a-f]{16} \(\d \/ 64\)$/),
        content_hash: createHash('sha256').update(like).digest('hex'),
      },
    ]);
    await set([category({ image_hashes: ['0f0f0f0f0f0f0f0f'] })], { blacklisted_links: 'off' });
    const other = await served();
    await visit(other.id);
    expect(await found(other.id)).toEqual([]);
  });

  it('that was killed is done again, and what it found before stands once', async () => {
    const site = await served();
    await set([category({ words: ['赌博'] })], { blacklisted_links: 'off' });
    await world.admin.get('visitSite', { body: { site_id: site.id } });
    const stop = new AbortController();
    const running = visitAll(stop.signal);
    stop.abort();
    await running;
    const [row] = await db().select().from(siteVisit).where(eq(siteVisit.siteId, site.id));
    expect(row!.lastAt).toBeNull();
    await visit(site.id);
    expect(await found(site.id)).toHaveLength(1);
  });

  it('looks for what a market forbids in its line groups alone', async () => {
    const site = await served();
    const { id: elsewhere } = await world.admin.get('createLineGroup', { body: { name: unique('market') } });
    await set([category({ words: ['赌博'], line_group_ids: [elsewhere] })], { blacklisted_links: 'off' });
    await visit(site.id);
    expect(await found(site.id)).toEqual([]);
  });

  it('tells as an event where the setting says so', async () => {
    const site = await served();
    await set([category({ words: ['赌博'], action: 'tell' })], { blacklisted_links: 'off' });
    await visit(site.id);
    const told = () =>
      db()
        .select()
        .from(event)
        .where(and(eq(event.kind, 'violation_found'), eq(event.subjectId, site.id)));
    expect(await told()).toMatchObject([{ clientId: customer.id, data: { facts: { word: '赌博' } } }]);
    await visit(site.id);
    expect(await told()).toHaveLength(1);
  });
});

describe('a page offline', () => {
  it('is answered with 451 however it is written, and no other page is; lifted, it is served again', async () => {
    const site = await served();
    await set([category({ patterns: ['代开*发票'] })], { blacklisted_links: 'off' });
    await visit(site.id);
    const [violation] = await found(site.id);
    const decide = async (decision: 'offline' | 'lift') => {
      const { version } = (await found(site.id))[0]!;
      return world.admin.get('decideSiteViolation', {
        params: { id: violation!.id },
        body: { version, decision, note: 'no invoices here' },
      });
    };
    const { task_id: taskId } = await decide('offline');
    expect(taskId).not.toBeNull();
    await became(site.domain, '/show?id=5', 451);
    for (const path of ['/show?x=1&id=5', '/%73how?id=5', '//show?id=5', '/SHOW?id=5'])
      expect([path, await statusOf(site.domain, path)]).toEqual([path, 451]);
    for (const path of ['/show?id=6', '/show', '/', '/gbk.html'])
      expect([path, await statusOf(site.domain, path)]).toEqual([path, 200]);
    await applied(site.id);
    expect(await found(site.id, customer.api)).toMatchObject([
      {
        action: 'blocked',
        state: 'confirmed',
        note: 'no invoices here',
        decided_by: '',
        delivery: { status: 'applied' },
      },
    ]);
    const [document] = await db()
      .select({ body: edgeDocument.body })
      .from(edgeDocument)
      .where(and(eq(edgeDocument.kind, 'site'), eq(edgeDocument.key, String(site.id))));
    expect(JSON.parse(document!.body!)).toMatchObject({
      offline_pages: [`${site.domain}/show?id=5`],
      needs: expect.arrayContaining(['section.offline_pages']),
    });
    // A change of the site keeps it offline.
    await world.admin.get('updateSiteDomains', {
      params: { id: site.id },
      body: { version: 1, domains: [site.domain, `m.${site.domain}`] },
    });
    await became(`m.${site.domain}`, '/show?id=5', 200);
    expect(await statusOf(site.domain, '/show?id=5')).toBe(451);
    await decide('lift');
    await became(site.domain, '/show?id=5', 200);
  });

  it('at once where the setting says so; dismissed, it is back and is not taken again', async () => {
    const site = await served();
    await set([category({ words: ['赌博'], action: 'offline' })], { blacklisted_links: 'off' });
    await visit(site.id);
    await became(site.domain, '/gbk.html', 451);
    const [violation] = await found(site.id);
    expect(violation).toMatchObject({ action: 'blocked', state: 'open' });
    await world.admin.get('decideSiteViolation', {
      params: { id: violation!.id },
      body: { version: violation!.version, decision: 'dismiss' },
    });
    await became(site.domain, '/gbk.html', 200);
    await visit(site.id);
    expect(await found(site.id)).toMatchObject([{ action: 'recorded', state: 'dismissed' }]);
    expect(await statusOf(site.domain, '/gbk.html')).toBe(200);
  });
});
