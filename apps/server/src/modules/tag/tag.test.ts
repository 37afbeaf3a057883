import {
  makeCustomer,
  makeSite,
  startWorld,
  unique,
  type ApiClient,
  type Customer,
  type World,
} from '@breakwater/test-world';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';

let world: World;
let one: Customer;
let other: Customer;
beforeAll(async () => {
  world = await startWorld({ templateUrl: inject('templateUrl') });
  one = await makeCustomer(world);
  other = await makeCustomer(world);
});
afterAll(() => world.close());

const newTag = async (api: ApiClient, color: 'red' | 'blue' = 'blue') => {
  const name = unique('tag');
  const { id } = await api.get('createTag', { body: { name, color } });
  return { id, name, color };
};
const tagsOf = async (api: ApiClient, id: number) =>
  (await api.get('getSite', { params: { id } })).tags.map((tag) => tag.id);

describe('tags', () => {
  it('are created, changed and deleted; the sites that carried one stay', async () => {
    const tag = await newTag(one.api, 'red');
    const site = await makeSite(one.api);
    await one.api.get('tagSites', { body: { sites: { site_ids: [site.id] }, add: [tag.id] } });
    const name = unique('renamed');
    await one.api.get('updateTag', { params: { id: tag.id }, body: { name, color: 'blue', version: 1 } });
    const { list } = await one.api.get('listTags', { query: { name } });
    expect(list).toMatchObject([{ id: tag.id, name, color: 'blue', client_id: one.id, site_count: 1 }]);
    await one.api.get('removeTag', { params: { id: tag.id } });
    expect(await tagsOf(one.api, site.id)).toEqual([]);
    expect(await one.api.call('removeTag', { params: { id: tag.id } })).toMatchObject({ status: 404 });
  });

  it('have a name that is not empty, and unique with each owner', async () => {
    const { name } = await newTag(one.api);
    const refused = { status: 400, errors: [{ path: 'name' }] };
    expect(await one.api.call('createTag', { body: { name } })).toMatchObject(refused);
    expect(await one.api.call('createTag', { body: { name: ' ' } })).toMatchObject(refused);
    expect(await other.api.call('createTag', { body: { name } })).toMatchObject({ status: 200 });
    expect(await world.admin.call('createTag', { body: { name } })).toMatchObject({ status: 200 });
    expect(await world.admin.call('createTag', { body: { name } })).toMatchObject(refused);
  });

  it("keep the platform's and other customers' from a customer", async () => {
    const platform = await newTag(world.admin);
    const foreign = await newTag(other.api);
    const site = await makeSite(one.api);
    await world.admin.get('tagSites', { body: { sites: { site_ids: [site.id] }, add: [platform.id] } });
    expect(await tagsOf(world.admin, site.id)).toEqual([platform.id]);
    expect(await tagsOf(one.api, site.id)).toEqual([]);
    const { list } = await one.api.get('listTags', { query: { page_size: 200 } });
    expect(list.filter((tag) => tag.client_id !== one.id)).toEqual([]);
    for (const tag of [platform, foreign]) {
      const params = { id: tag.id };
      const put = { sites: { site_ids: [site.id] }, add: [tag.id] };
      expect(await one.api.call('tagSites', { body: put })).toMatchObject({
        status: 400,
        errors: [{ path: 'add.0' }],
      });
      expect(await one.api.call('removeTag', { params })).toMatchObject({ status: 404 });
      expect(await one.api.call('updateTag', { params, body: { name: 'stolen', version: 1 } })).toMatchObject(
        {
          status: 404,
        },
      );
    }
  });

  it("stand on no other customer's sites, not even when an administrator tries", async () => {
    const tag = await newTag(one.api);
    const foreign = await makeSite(other.api);
    const mine = await makeSite(one.api);
    const body = { sites: { site_ids: [mine.id, foreign.id] }, add: [tag.id] };
    expect(await world.admin.call('tagSites', { body })).toMatchObject({
      status: 400,
      errors: [{ path: 'add.0' }],
    });
    expect(await tagsOf(world.admin, mine.id)).toEqual([]);
    const reached = await one.api.get('tagSites', { body });
    const changed = [{ tag_id: tag.id, change: 'added', site_ids: [mine.id] }];
    expect(reached).toEqual({ site_count: 1, changed });
    expect(await tagsOf(world.admin, foreign.id)).toEqual([]);
  });

  it('are put on by one and taken off by another at once', async () => {
    const [first, second] = [await newTag(one.api), await newTag(one.api)];
    const site_ids: number[] = [];
    for (let count = 0; count < 5; count += 1) site_ids.push((await makeSite(one.api)).id);
    const swap = (api: typeof one.api, add: number, remove: number) =>
      api.call('tagSites', { body: { sites: { site_ids }, add: [add], remove: [remove] } });
    for (let round = 0; round < 10; round += 1) {
      await one.api.get('tagSites', { body: { sites: { site_ids }, add: [first.id, second.id] } });
      const answers = await Promise.all([
        swap(one.api, first.id, second.id),
        swap(one.api, second.id, first.id),
        swap(one.api, first.id, second.id),
      ]);
      expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
    }
  });

  it('are put on and taken off all sites of a filter at once, and found by', async () => {
    const [first, second] = [await newTag(one.api), await newTag(one.api)];
    const word = unique('batch');
    const sites = [];
    for (const part of ['a', 'b', 'c'])
      sites.push(await makeSite(one.api, { domain: `${part}.${word}.example.com` }));
    const filter = { domain_name: word };
    const counted = { filter, expected_total: 3 };
    const ids = sites.map(({ id }) => id);
    const put = await one.api.get('tagSites', { body: { sites: counted, add: [first.id, second.id] } });
    expect(put.site_count).toBe(3);
    const byTag = put.changed.toSorted((a, b) => a.tag_id - b.tag_id);
    expect(byTag.map(({ tag_id, change }) => [tag_id, change])).toEqual([
      [first.id, 'added'],
      [second.id, 'added'],
    ]);
    for (const { site_ids } of byTag) expect(site_ids.toSorted((a, b) => a - b)).toEqual(ids);
    await one.api.get('tagSites', {
      body: { sites: { site_ids: [sites[0]!.id] }, remove: [first.id] },
    });
    // What was so before is no change: taking it back leaves it.
    const again = { sites: counted, add: [first.id] };
    expect((await one.api.get('tagSites', { body: again })).changed).toEqual([
      { tag_id: first.id, change: 'added', site_ids: [ids[0]] },
    ]);
    const off = { sites: { site_ids: [ids[0]!] }, remove: [first.id] };
    expect((await one.api.get('tagSites', { body: off })).changed).toEqual([
      { tag_id: first.id, change: 'removed', site_ids: [ids[0]] },
    ]);
    const found = async (tags_id: number) =>
      (await one.api.get('listSites', { query: { tags_id } })).list.map((site) => site.id);
    expect(await found(first.id)).toEqual([sites[2]!.id, sites[1]!.id]);
    expect(await found(second.id)).toEqual([sites[2]!.id, sites[1]!.id, sites[0]!.id]);
  });

  it.each([
    ['neither ids nor a filter', {}],
    ['both', { site_ids: [1], filter: {} }],
    ['no ids', { site_ids: [] }],
    ['a filter without its count', { filter: {} }],
    ['an unknown filter', { filter: { colour: 'red' }, expected_total: 1 }],
  ])('refuse a selection of %s', async (_, sites) => {
    expect(await one.api.send('POST', '/prod-api/tags/batch_tags', { sites })).toMatchObject({
      status: 400,
      code: 40_000,
    });
  });
});
