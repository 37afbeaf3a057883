import { fillPath, routes, type RouteName, type RouteSpec } from '@breakwater/contract';
import { makeCustomer, makeSite, startWorld, type Customer, type World } from '@breakwater/test-world';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import * as z from 'zod';

/** What no caller should send: the right class of answer, in an envelope, and never a 500. */

let world: World;
let customer: Customer;
beforeAll(async () => {
  world = await startWorld({ templateUrl: inject('templateUrl') });
  customer = await makeCustomer(world);
});
afterAll(() => world.close());

const specs = Object.entries(routes) as [RouteName, RouteSpec][];
/** Of forms with files tells `plugins/files.test.ts`. */
const isForm = ({ body, transport }: RouteSpec) => body !== undefined && transport === 'file';
const writes = specs.filter(([, spec]) => spec.body && spec.access.kind !== 'node' && !isForm(spec));
/** A body of several kinds is told first which kind it may be. */
const isOneKind = ({ body }: RouteSpec) => !(body instanceof z.ZodDiscriminatedUnion);

/** What a route wants in its query before it looks at the body. */
const wanted: Record<string, string> = { site_id: '1', level: 'global', section: 'cache_rule' };
const pathOf = (spec: RouteSpec) => {
  const { shape = { site_id: true } } = (spec.query ?? {}) as { shape?: Record<string, unknown> };
  const query = Object.entries(wanted).filter(([name]) => name in shape);
  return `${fillPath(spec.path, { id: 1, part: 'country' })}?${new URLSearchParams(query).toString()}`;
};
const sender = (spec: RouteSpec) =>
  spec.access.kind === 'public' && spec.access.on === 'user' ? customer.api : world.admin;

describe.each(writes)('%s', (_name, spec) => {
  it('answers 413 to more than it takes', async () => {
    const body = { name: 'x'.repeat(Math.max(1024 * 1024, spec.bodyBytesMax ?? 0)) };
    const answer = await sender(spec).send(spec.method, pathOf(spec), body);
    expect(answer).toMatchObject({ status: 413, code: 41_300 });
  });
});

describe.each(writes)('%s', (_name, spec) => {
  it.each([
    ['broken JSON', '{"name":'],
    ['nothing', ''],
    ['a list', '[]'],
    ['text', '"text"'],
    ['null', 'null'],
    ['a NUL', '{"name":"a\\u0000b"}'],
    ['a poisoned prototype', '{"__proto__":{"admin":true}}'],
    ['lists without end', '['.repeat(30_000) + ']'.repeat(30_000)],
    ['objects without end', '{"name":'.repeat(7000) + '1' + '}'.repeat(7000)],
  ])('answers 400 to %s', async (_, body) => {
    const headers = { 'content-type': 'application/json' };
    const answer = await sender(spec).send(spec.method, pathOf(spec), body, headers);
    expect(answer.status).toBe(400);
    expect([40_000, 40_001]).toContain(answer.code);
  });

  it('answers 415 to another kind of body', async () => {
    const answer = await sender(spec).send(spec.method, pathOf(spec), 'a=b', { 'content-type': 'text/xml' });
    expect(answer).toMatchObject({ status: 415, code: 41_500 });
  });

  it.runIf(isOneKind(spec))('names unknown fields', async () => {
    const answer = await sender(spec).send(spec.method, pathOf(spec), { surprise: 1 });
    expect(answer).toMatchObject({ status: 400, code: 40_000 });
    expect(answer.errors.map((error) => error.path)).toContain('surprise');
  });
});

const byId = specs.filter(([, spec]) => spec.path.includes('{id}') && !isForm(spec));
describe.each(byId)('%s', (_name, spec) => {
  it.each([['abc'], ['0'], ['-1'], ['1.5'], ['99999999999999999999'], ['%00'], ["1'--"]])(
    'answers 400 to the id %s',
    async (id) => {
      const answer = await world.admin.send(
        spec.method,
        spec.path.replace('{id}', id),
        spec.body ? {} : undefined,
      );
      expect(answer).toMatchObject({ status: 400 });
    },
  );
});

describe('ids that do not exist', () => {
  it('are 404 in a path and a field error in a body', async () => {
    const params = { id: 999_999 };
    expect(await world.admin.call('getArea', { params })).toMatchObject({ status: 404, code: 40_400 });
    expect(await world.admin.call('removeNode', { params })).toMatchObject({ status: 404 });
    const body = { name: 'x', area_id: 999_999, ip: '192.0.2.1' };
    expect(await world.admin.call('createNode', { body })).toMatchObject({
      status: 400,
      errors: [{ path: 'area_id' }],
    });
    const order = { client_id: 999_999, product_id: 1, cycle: 'month' as const };
    expect(await world.admin.call('createOrder', { body: order })).toMatchObject({
      status: 400,
      errors: [{ path: 'client_id' }],
    });
    const binding = await world.admin.call('bindNodes', { params: { id: 1 }, body: { add: [999_999] } });
    expect(binding).toMatchObject({ status: 400, errors: [{ path: 'add' }] });
  });

  it("are a field error for another customer's certificate too", async () => {
    const site = await makeSite(customer.api);
    const answer = await customer.api.call('updateCertificateSettings', {
      query: { site_id: site.id },
      body: { version: 1, value: { certificate_ids: [999_999] } },
    });
    expect(answer).toMatchObject({ status: 400, errors: [{ path: 'value.certificate_ids.0' }] });
  });
});

describe('what is no route', () => {
  it('is a 404 in an envelope, and the console for a browser', async () => {
    expect(await world.admin.send('GET', '/prod-api/nothing')).toMatchObject({ status: 404, code: 40_400 });
    expect(await world.admin.send('POST', '/prod-api/area/1', {})).toMatchObject({ status: 404 });
    expect(await world.admin.send('GET', '/missing.js')).toMatchObject({ status: 404 });
  });

  it('shows no stack trace and no version', async () => {
    const response = await fetch(`${world.adminUrl}/prod-api/area/%E0%A4%A`);
    expect(response.status).toBe(400);
    expect(await response.text()).not.toMatch(/at |node_modules|fastify/i);
    expect(response.headers.get('x-powered-by')).toBeNull();
  });
});

describe('JSON within a text', () => {
  it.each(['npm', 'goedge'])('of %s is refused where it is nested without end', async (source) => {
    const deep = '['.repeat(50_000) + ']'.repeat(50_000);
    const text = `[{"domain_names":{"a":${deep}},"serverNames":{"a":${deep}}}]`;
    const answer = await world.admin.send('POST', '/prod-api/site_batch/draft', { source, text });
    expect(answer).toMatchObject({ status: 400, code: 40_000, errors: [{ path: 'text' }] });
  });
});
