import {
  makeCustomer,
  makeNode,
  makeSite,
  saveSetting,
  startWorld,
  trySetting,
  unique,
  waitFor,
  type Customer,
  type Origin,
  type World,
} from '@breakwater/test-world';
import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { node } from '../../db/schema.ts';
import { searchSamples } from './search-samples.ts';
import { searchSubmissions } from './search-submissions.ts';

/** What visitors send through a real node, of which a share is searched. */

let world: World;
let customer: Customer;
let origin: Origin;
let site: { id: number; domain: string };

beforeAll(async () => {
  world = await startWorld({ templateUrl: inject('templateUrl'), edge: true });
  customer = await makeCustomer(world);
  nodeId = (await world.server.services.db.select().from(node))[0]!.id;
  origin = await world.startOrigin((request, response) => {
    request.resume();
    request.on('end', () => response.writeHead(request.url === '/refuses' ? 422 : 200).end('thanks'));
  });
  // Before a share is ordered, with which nodes are told of it.
  await saveSetting(world, 'LogPrivacy', { mask_arguments: ['nickname'] });
  await world.admin.get('createDomainNameBlacklistEntry', {
    body: { name: 'bad-link.example.com', kind: 'subdomains' },
  });
  const domain = `${unique('www')}.example.net`;
  site = await makeSite(world.admin, { port: origin.port, domain, orderId: customer.orderId });
  await waitFor('delivery', async () => {
    const { delivery } = await world.admin.get('getSite', { params: { id: site.id } });
    return delivery.status === 'applied' && delivery.nodes_total > 0;
  });
});
afterAll(() => world.close());

const found = async (query: object = {}) =>
  (await world.admin.get('listSiteViolations', { query: { site_id: site.id, page_size: 200, ...query } }))
    .list;
const set = (more: object = {}) =>
  saveSetting(world, 'HttpFilterSetting', {
    enabled: true,
    submitted_per_mille: 1000,
    categories: [{ name: 'words', action: 'offline', words: ['forbidden words', '赌博网站'] }],
    ...more,
  });
const submissionOf = (texts: (string | Buffer)[], more: object = {}) => ({
  site_id: site.id,
  url: `http://${site.domain}/said`,
  content: Buffer.concat(
    texts.flatMap((text, n) => [...(n > 0 ? [Buffer.of(0)] : []), Buffer.from(text)]),
  ).toString('base64'),
  ...more,
});
/** Before another one is made. */
let nodeId: number;
const search = async (submissions: ReturnType<typeof submissionOf>[], by?: number) =>
  searchSubmissions(world.server.services, by ?? nodeId, submissions);

describe('what visitors send', () => {
  it('is not asked for where monitoring is off, or no share is set; a share has its bounds', async () => {
    const said = submissionOf(['forbidden words']);
    for (const more of [{ enabled: false }, { submitted_per_mille: 0, sample_per_mille: 1000 }]) {
      await set(more);
      expect(await search([said])).toBe(0);
    }
    for (const submitted_per_mille of [-1, 1001, 1.5])
      expect(await trySetting(world, 'HttpFilterSetting', { submitted_per_mille })).toMatchObject({
        status: 400,
        errors: [{ path: 'value.submitted_per_mille' }],
      });
  });

  it('is taken of a node for sites that it serves, under their names', async () => {
    await set();
    const foreign = await makeSite(customer.api);
    const elsewhere = await makeNode(world, { ip: '203.0.113.7' });
    const texts = ['forbidden words'];
    expect(await search([submissionOf(texts)], elsewhere.id)).toBe(0);
    const bad = [
      { url: `http://${foreign.domain}/x` },
      { url: `http://${site.domain}:81/x` },
      { url: 'nothing' },
      { site_id: 2_000_000_000 },
    ];
    expect(await search(bad.map((more) => submissionOf(texts, more)))).toBe(0);
    expect(await found()).toEqual([]);
  });

  it('is found however it is written: encoded, in markup, behind markup, with a stray byte, as a link', async () => {
    await set();
    const gbk = Buffer.from('b6c4b2a9cdf8d5be', 'hex');
    const said: Record<string, (string | Buffer)[]> = {
      '/utf8': ['13800000000', '这是赌博网站啊', 'end'],
      '/gbk': ['title', gbk],
      '/stray': [Buffer.concat([Buffer.of(0xff), Buffer.from('赌博网站')])],
      '/beside': [Buffer.of(0xff, 0xfe), '赌博网站'],
      '/markup': ['<p>赌博<b>网站</b></p>'],
      '/behind': ['a < b 赌博网站'],
      '/script': ['<script>赌博网站'],
      '/charset': ['<meta charset=utf-16>赌博网站'],
      '/nothing': ['赌博', '网站'],
      '/plain': ['see https://www.bad-link.example.com/x, or [url=http://m.bad-link.example.com]b[/url]'],
      '/anchor': ['<a href="//www.bad-link.example.com">x</a>'],
    };
    const all = Object.entries(said).map(([path, texts]) =>
      submissionOf(texts, { url: `http://${site.domain}${path}` }),
    );
    expect(await search(all)).toBe(all.length);
    const rows = await found();
    const pathsOf = (kind: string) =>
      rows
        .filter((row) => row.kind === kind)
        .map(({ request_uri: uri }) => uri)
        .toSorted();
    expect(pathsOf('word')).toEqual([
      '/behind',
      '/beside',
      '/charset',
      '/gbk',
      '/markup',
      '/script',
      '/stray',
      '/utf8',
    ]);
    expect(pathsOf('link')).toEqual(['/anchor', '/plain', '/plain']);
    const utf8 = rows.find(({ request_uri: uri }) => uri === '/utf8')!;
    expect(utf8).toMatchObject({
      source: 'submitted',
      action: 'recorded',
      excerpt: '这是赌博网站啊',
    });
    expect(utf8.content_hash).toBe(
      createHash('sha256').update('13800000000\0这是赌博网站啊\0end').digest('hex'),
    );
  });

  it('is searched one batch at a time, beside samples of answers', async () => {
    await set({ sample_per_mille: 1000 });
    const sample = {
      site_id: site.id,
      url: `http://${site.domain}/a`,
      content_type: 'text/html',
      encoding: '',
      content: '',
    };
    await expect
      .poll(async () => {
        const counts = await Promise.all([
          search([submissionOf(['a'])]),
          search([submissionOf(['a'])]),
          searchSamples(world.server.services, nodeId, [sample]),
        ]);
        return [counts[0] + counts[1], counts[2]];
      })
      .toEqual([1, 1]);
  });

  it('is told by nodes alone', async () => {
    const body = { submissions: [submissionOf(['forbidden words'])] };
    for (const api of [world.anonymous, world.admin, customer.api])
      expect((await api.call('nodeSubmissions', { body } as never)).status).toBeGreaterThanOrEqual(400);
  });

  // The last: what its requests leave is searched for a while.
  it('is searched on its way, without passwords and what the origin refused, and the visitor notices nothing', async () => {
    await set();
    const send = (path: string, type: string, body: string) =>
      world.fetchEdge(site.domain, path, { method: 'POST', headers: { 'content-type': type }, body });
    const form = 'application/x-www-form-urlencoded';
    const part = (name: string, value: string, more = '') =>
      `--b\r\nContent-Disposition: form-data; name="${name}"${more}\r\n\r\n${value}\r\n`;
    const sent: [string, string, string][] = [
      ['/only-listed', form, 'user[nickname]=forbidden+words&text=hello'],
      ['/only-a-password', form, 'password=forbidden+words&text=hello'],
      [
        '/only-a-file',
        'multipart/form-data; boundary=b',
        `${part('f', 'forbidden words', '; filename="x"')}--b--\r\n`,
      ],
      ['/refuses', form, 'text=forbidden+words'],
      ['/form?key=of-the-visitor', form, 'text=the+forbidden+words+here&password=p1'],
      ['/json', 'application/json', '{"post":{"text":"the forbidden words"},"password":"forbidden words"}'],
      ['/multipart', 'multipart/form-data; boundary=b', `${part('text', 'the forbidden words')}--b--\r\n`],
    ];
    const there = async () =>
      (await found({ word: 'forbidden words' })).map(({ request_uri: uri }) => uri).toSorted();
    await waitFor('what was sent', async () => {
      for (const [path, type, body] of sent) {
        const answer = await send(path, type, body);
        expect([answer.status, answer.body]).toEqual([path === '/refuses' ? 422 : 200, 'thanks']);
      }
      return (await there()).length === 3;
    });
    expect(await there()).toEqual(['/form', '/json', '/multipart']);
    const rows = await found({ word: 'forbidden words' });
    expect(rows.map(({ source, action }) => `${source} ${action}`)).toEqual(
      Array(3).fill('submitted recorded'),
    );
    expect(JSON.stringify(rows)).not.toMatch(/p1|of-the-visitor/);
    // It is taken for what it is, not for a page that is to be taken offline.
    expect((await send('/form', form, 'text=hello')).status).toBe(200);
    await saveSetting(world, 'HttpFilterSetting', { enabled: true, categories: [] });
  });
});
