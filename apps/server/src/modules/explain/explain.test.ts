import type { ExplainAnswer, RequestStep } from '@breakwater/contract';
import { makeCustomer, makeSite, startWorld, type Customer, type World } from '@breakwater/test-world';
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';

let world: World;
let customer: Customer;
let site: Awaited<ReturnType<typeof makeSite>>;

beforeAll(async () => {
  world = await startWorld({ templateUrl: inject('templateUrl') });
  customer = await makeCustomer(world);
  site = await makeSite(world.admin, { orderId: customer.orderId });
});
afterAll(() => world.close());

const stepOf = ({ model_trace: { steps } }: ExplainAnswer, name: RequestStep) =>
  steps.find(({ step }) => step === name)!;
const explain = (url: string, body = {}) =>
  world.admin.get('explainSite', { params: { id: site.id }, body: { url, ...body } });
const path = (id: number) => `/prod-api/site/${id}/explain`;

describe('explaining a request', () => {
  it('says what the stored configuration makes of it, and that no node answered', async () => {
    const answer = await explain(`http://${site.domain}/a//b?c=%20d`, { method: 'HEAD' });
    expect(answer.request).toMatchObject({
      method: 'HEAD',
      scheme: 'http',
      host: site.domain,
      port: 80,
      target: '/a//b?c=%20d',
    });
    // An agent of an earlier release would refuse what it does not know.
    expect(answer.request).not.toHaveProperty('ja4');
    expect(answer).toMatchObject({ node_trace: null, node_problem: 'away', differing: [], logged: null });
    expect(stepOf(answer, 'site')).toMatchObject({ outcome: 'passed', reason: 'found' });
    expect(stepOf(answer, 'cache_key').facts[0]!.value).toBe(`${site.id} http://${site.domain}/a//b?c=%20d`);
    expect(answer.model_trace.revision).toBeGreaterThan(0);
  });

  it('follows what is saved, with text in any script', async () => {
    const own = await makeSite(world.admin, { orderId: customer.orderId });
    const { version, value } = await world.admin.get('getAccessControl', { query: { site_id: own.id } });
    await world.admin.get('updateAccessControl', {
      query: { site_id: own.id },
      body: {
        version,
        value: { ...value, rules: [{ action: 'deny', only_paths: ['/文件/'], note: '内部' }] },
      },
    });
    const answer = await world.admin.get('explainSite', {
      params: { id: own.id },
      body: { url: `http://${own.domain}/%E6%96%87%E4%BB%B6/a` },
    });
    expect(stepOf(answer, 'access_control')).toMatchObject({
      outcome: 'stopped',
      facts: [
        { name: 'rule', value: '1' },
        { name: 'note', value: '内部' },
        { name: 'status', value: '403' },
      ],
    });
  });

  it('tells a customer nothing of the site of another', async () => {
    const other = await makeCustomer(world);
    const foreign = await makeSite(other.api);
    const body = { url: `http://${foreign.domain}/` };
    expect(await customer.api.send('POST', path(foreign.id), body)).toMatchObject({ status: 404 });
    const answer = await customer.api.get('explainSite', { params: { id: site.id }, body });
    expect(answer.model_trace.steps[0]).toEqual({
      step: 'site',
      outcome: 'stopped',
      reason: 'other_site',
      facts: [],
    });
    expect(JSON.stringify(answer.model_trace)).not.toContain(foreign.domain);
    expect(await world.anonymous.send('POST', path(site.id), body)).toMatchObject({ status: 401 });
  });

  it('finds the more exact of two sites, as a node does', async () => {
    const wild = await makeSite(customer.api, { domain: `*.${site.domain}` });
    const answer = (host: string) =>
      world.admin.get('explainSite', { params: { id: wild.id }, body: { url: `https://${host}:8443/` } });
    expect(stepOf(await answer(`a.${site.domain}`), 'site').facts[0]!.value).toBe(`*.${site.domain}`);
    expect(stepOf(await answer(site.domain), 'site').reason).toBe('other_site');
    expect(stepOf(await answer(`a.${site.domain}`), 'listen_port')).toMatchObject({ reason: 'other_port' });
  });

  it.each([
    ['ftp://a.example/'],
    ['a.example/'],
    ['http://user@a.example/'],
    ['http://a.example/a b'],
    ['http://a.example/\u4e2d'],
    ['http://a..b:99999/'],
  ])('refuses %s', async (url) => {
    expect(await world.admin.send('POST', path(site.id), { url })).toMatchObject({
      status: 400,
      errors: [{ path: 'url' }],
    });
  });

  it('refuses fields that could not be sent, and a node that does not serve the site', async () => {
    const url = `http://${site.domain}/`;
    const send = (body: object) => world.admin.send('POST', path(site.id), { url, ...body });
    expect(await send({ headers: [{ name: 'X-A', value: 'a\r\nX-B: b' }] })).toMatchObject({ status: 400 });
    expect(await send({ headers: [{ name: 'X A', value: 'a' }] })).toMatchObject({ status: 400 });
    expect(await send({ address: 'nowhere' })).toMatchObject({ status: 400 });
    expect(await send({ node_id: 999_999 })).toMatchObject({ status: 400, errors: [{ path: 'node_id' }] });
  });

  it('leaves no question behind and no record in the operation log', async () => {
    await explain(`http://${site.domain}/`);
    const { db } = world.server.services;
    const left = await db.execute(sql`SELECT count(*)::int AS count FROM node_command`);
    expect(left.rows[0]).toEqual({ count: 0 });
    const { list } = await world.admin.get('listOperationLogs', { query: { page_size: 200 } });
    expect(list.filter(({ path: called }) => called?.includes('explain'))).toEqual([]);
  });

  it('knows no request that the log does not have', async () => {
    const answer = await world.admin.send('POST', `/prod-api/site/${site.id}/explain_request`, {
      request_id: '0'.repeat(32),
    });
    expect(answer).toMatchObject({ status: 404 });
  });
});
