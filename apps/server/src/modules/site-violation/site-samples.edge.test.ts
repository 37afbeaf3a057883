import {
  makeCustomer,
  makeNode,
  makeSite,
  saveSetting,
  startWorld,
  unique,
  waitFor,
  type Customer,
  type Origin,
  type World,
} from '@breakwater/test-world';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { node } from '../../db/schema.ts';
import { searchSamples } from './search-samples.ts';

/** Answers that visitors get through a real node, of which a share is searched. */

let world: World;
let customer: Customer;
let origin: Origin;
let site: { id: number; domain: string };
const listed = 'www.bad-link.example.com';
const packed = gzipSync(`<p>the forbidden words</p><a href="https://${listed}/">x</a>`);

beforeAll(async () => {
  world = await startWorld({ templateUrl: inject('templateUrl'), edge: true });
  customer = await makeCustomer(world);
  nodeId = (await world.server.services.db.select().from(node))[0]!.id;
  origin = await world.startOrigin((_request, response) =>
    response.writeHead(200, { 'content-type': 'text/html', 'content-encoding': 'gzip' }).end(packed),
  );
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

const found = async (site_id = site.id) =>
  (await world.admin.get('listSiteViolations', { query: { site_id, page_size: 200 } })).list;
const set = (more: object) =>
  saveSetting(world, 'HttpFilterSetting', {
    enabled: true,
    sample_per_mille: 1000,
    categories: [{ name: 'words', action: 'watch', words: ['forbidden words'] }],
    ...more,
  });
const sampleOf = (more: object = {}) => ({
  site_id: site.id,
  url: `http://${site.domain}/said`,
  content_type: 'text/html',
  encoding: '',
  content: Buffer.from('<p>forbidden words</p>').toString('base64'),
  ...more,
});
/** Before another one is made. */
let nodeId: number;
const search = async (samples: ReturnType<typeof sampleOf>[], by?: number) =>
  searchSamples(world.server.services, by ?? nodeId, samples);

describe('what visitors are sent', () => {
  it('is not asked for where monitoring is off, or samples nothing', async () => {
    for (const more of [{ enabled: false }, { sample_per_mille: 0 }]) {
      await set(more);
      expect(await search([sampleOf()])).toBe(0);
    }
  });

  it('is taken of a node for sites that it serves, under their names, and of what can be read', async () => {
    await set({});
    const other = await makeSite(customer.api);
    const elsewhere = await makeNode(world, { ip: '203.0.113.7' });
    expect(await search([sampleOf()], elsewhere.id)).toBe(0);
    const bad = [
      { url: `http://${other.domain}/x` },
      { url: 'http://169.254.169.254/latest' },
      { url: `http://${site.domain}:81/x` },
      { url: `ftp://${site.domain}/x` },
      { url: 'nothing' },
      { encoding: 'gzip' },
      { encoding: 'rot13' },
      // Unpacked it would be larger than what is looked through.
      { encoding: 'gzip', content: gzipSync(Buffer.alloc(8 * 1024 * 1024)).toString('base64') },
      { site_id: 2_000_000_000 },
    ];
    expect(await search(bad.map(sampleOf))).toBe(0);
    // Its end is missing, as of each that is long.
    const cut = gzipSync(`<p>forbidden words</p>${'so on '.repeat(9000)}`);
    const content = cut.subarray(0, cut.length - 12).toString('base64');
    const url = `http://${site.domain}/cut`;
    expect(await search([sampleOf({ url, encoding: 'gzip', content })])).toBe(1);
    expect((await found()).map(({ request_uri }) => request_uri)).toContain('/cut');
  });

  it('is searched one batch at a time: what comes meanwhile is dropped', async () => {
    await set({});
    // While what the node itself samples is searched, neither is.
    await expect
      .poll(async () => (await Promise.all([search([sampleOf()]), search([sampleOf()])])).toSorted())
      .toEqual([0, 1]);
  });

  it('is told by nodes alone', async () => {
    const body = { samples: [sampleOf()] };
    for (const api of [world.anonymous, world.admin, customer.api])
      expect((await api.call('nodeSamples', { body } as never)).status).toBeGreaterThanOrEqual(400);
  });

  // The last: what its visits leave is searched for a while.
  it('is searched, packed or not, though nothing leads there', async () => {
    await set({});
    const there = async () => (await found()).filter(({ request_uri }) => request_uri === '/unlinked?page=7');
    await waitFor('what is in the page', async () => {
      await world.fetchEdge(site.domain, '/unlinked?page=7');
      return (await there()).length === 2;
    });
    expect(await there()).toEqual(
      expect.arrayContaining([
        expect.objectContaining({
          host: site.domain,
          kind: 'word',
          word: 'forbidden words',
          excerpt: expect.stringContaining('the forbidden words'),
        }),
        expect.objectContaining({ kind: 'link', word: listed }),
      ]),
    );
  });
});
