import { afterAll, beforeAll, expect, it, vi } from 'vitest';
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

function close(
  id: number,
  maintenance: NonNullable<NonNullable<SiteInput['advanced']>['maintenance']>,
  more: Partial<SiteInput> = {},
) {
  const origins = [{ address: '127.0.0.1', http_port: origin.port }];
  const domains = [`closed${id}.test`];
  return edge.applySites(makeSite({ id, domains, origins, advanced: { maintenance }, ...more }));
}

it('closes a site with 503 and says when to come back', async () => {
  await close(1, { enabled: true, retry_after_seconds: 120 });
  const answer = await edge.get('closed1.test', '/any');
  expect(answer.status).toBe(503);
  expect(answer.headers).toMatchObject({ 'retry-after': '120', 'cache-control': 'no-store' });
  expect(answer.body).toContain('This site is under maintenance');
  expect(origin.count()).toBe(0);
  await close(1, { enabled: false });
  expect((await edge.get('closed1.test', origin.serve({}))).status).toBe(200);
});

it('shows its own page, also to HEAD, before any error page of the site', async () => {
  await close(2, { enabled: true, body: '<p>{{host}} {{client_ip}}</p>' });
  const answer = await edge.get('closed2.test');
  expect([answer.status, answer.body]).toEqual([503, '<p>closed2.test 127.0.0.1</p>']);
  const head = await edge.get('closed2.test', '/', { method: 'HEAD' });
  expect([head.status, head.headers['content-length'], head.body]).toEqual([503, '29', '']);
});

it('lets through whom it is told to, and what was stored is not given to others', async () => {
  const path = origin.serve({ 'cache-control': 'max-age=60' });
  await close(3, { enabled: true, allowed_ips: ['192.0.2.0/24', '127.0.0.0/31'] });
  expect((await edge.get('closed3.test', path)).status).toBe(200);
  await close(3, { enabled: true, allowed_ips: ['127.0.0.2/31'] });
  expect((await edge.get('closed3.test', path)).status).toBe(503);
});

it('ends by itself', async () => {
  const until = new Date(Date.now() + 3000).toISOString();
  await close(4, { enabled: true, until });
  const path = origin.serve({});
  const closed = await edge.get('closed4.test', path);
  expect(closed.status).toBe(503);
  expect(Number(closed.headers['retry-after'])).toBeLessThanOrEqual(3);
  await vi.waitFor(async () => expect((await edge.get('closed4.test', path)).status).toBe(200), {
    timeout: 10_000,
    interval: 200,
  });
});

it('refuses a document whose page is no text', async () => {
  const broken = makeSite({
    id: 5,
    domains: ['broken.test'],
    origins: [{ address: '127.0.0.1' }],
    advanced: {},
  });
  broken.advanced_config!.maintenance.body = 7 as never;
  const [result] = await edge.applySites(broken);
  expect(result).toMatchObject({ status: 'refused', error: 'advanced_config.maintenance.body is no string' });
});
