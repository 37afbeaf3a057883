import { readFileSync } from 'node:fs';
import { startWorld, waitFor, type World } from '@breakwater/test-world';
import { afterAll, beforeAll, expect, inject, it } from 'vitest';

let world: World;
beforeAll(async () => {
  world = await startWorld({ templateUrl: inject('templateUrl'), edge: true, worker: true });
});
afterAll(() => world.close());

it('turns a configuration of nginx with ten servers into sites that work', async () => {
  const origin = await world.startOrigin(({ url, headers }, response) =>
    response.setHeader('X-Powered-By', 'PHP').end([headers.host, url, headers['x-tenant']].join(' ').trim()),
  );
  const written = readFileSync(new URL('ten-servers.conf', import.meta.url), 'utf8');
  const text = written.replaceAll('PORT', String(origin.port));
  const { drafts } = await world.admin.get('readSiteDrafts', { body: { source: 'nginx', text } });
  expect(drafts).toHaveLength(10);
  const { id } = await world.admin.get('importSiteDrafts', {
    body: { drafts: drafts.map(({ domains, sections }) => ({ domains, sections })), online: true },
  });
  const isDone = async () => {
    const batch = await world.admin.get('getSiteBatch', { params: { id } });
    return batch.status === 'done';
  };
  await waitFor('the batch', isDone, 50);
  const lines = await world.admin.get('listSiteBatchLines', { params: { id }, query: {} });
  expect(lines.list.map(({ text: names, status, reason }) => `${names} ${status} ${reason ?? ''}`)).toEqual(
    drafts.map(({ domains }) => `${domains.join(', ')} done `),
  );
  await waitFor('the last of them in service', async () => {
    const { status } = await world.fetchEdge('git.ten.test', '/');
    return status === 200;
  });
  const see = async (host: string, path: string) => {
    const { status, body, headers } = await world.fetchEdge(host, path);
    return `${status} ${String(headers.location ?? body)}`;
  };
  expect({
    blog: await see('blog.ten.test', '/a?b=1'),
    shop: await see('shop.ten.test', '/'),
    www: await see('www.shop.ten.test', '/a?b=1'),
    wiki: await see('wiki.ten.test', '/wiki/start'),
    old: await see('x.wiki.ten.test', '/old'),
    api: await see('api.ten.test', '/users/7'),
    forum: await see('forum.ten.test', '/t/42'),
    intern: await see('intern.ten.test', '/'),
    files: await see('a.files.ten.test', '/x'),
    mail: await see('mail.ten.test', '/'),
    git: await see('git.ten.test', '/'),
  }).toEqual({
    blog: '200 blog.ten.test /a?b=1',
    shop: '200 shop.ten.test /',
    www: '301 http://shop.ten.test/a?b=1',
    wiki: '301 /page?title=start',
    old: '302 /new',
    api: '200 api.ten.test /v2/users/7 blue',
    forum: '200 forum.ten.test /topic.php?id=42',
    intern: '200 intern.ten.test /',
    files: '200 a.files.ten.test /x',
    mail: '200 mail.ten.test /',
    git: '200 inner.ten.test /',
  });
  const { headers } = await world.fetchEdge('shop.ten.test', '/');
  expect(headers['x-frame-options']).toBe('SAMEORIGIN');
  expect((await world.fetchEdge('api.ten.test', '/')).headers['x-powered-by']).toBeUndefined();
});

it('makes no site of a draft that tells nginx something itself, and keeps it from other customers', async () => {
  const sections = {
    origin_server_config: { origins: [{ address: '127.0.0.1' }] },
    advanced_config: { snippet: 'add_header X-A b;' },
  };
  const answer = await world.admin.call('importSiteDrafts', {
    body: { drafts: [{ domains: ['snippet.ten.test'], sections }] },
  });
  expect(answer).toMatchObject({
    status: 400,
    errors: [{ path: 'drafts.0.sections.advanced_config.snippet' }],
  });
});
