import {
  makeCustomer,
  makeSite,
  startWorld,
  unique,
  type Customer,
  type World,
} from '@breakwater/test-world';
import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, inject, it } from 'vitest';
import { edgeDocument, order } from '../../db/schema.ts';
import { settleSuspensions } from './site-status.ts';

let world: World;
let customer: Customer;
beforeAll(async () => {
  world = await startWorld({ templateUrl: inject('templateUrl') });
});
beforeEach(async () => {
  customer = await makeCustomer(world);
});
afterAll(() => world.close());

const read = (id: number) => customer.api.get('getSite', { params: { id } });
/** Online at once: what a customer adds would wait for the DNS. */
const madeByOperator = () => makeSite(world.admin, { orderId: customer.orderId });
type To = 'online' | 'offline' | 'suspended';
async function set(api: World['admin'], id: number, status: To, note?: string) {
  const { version } = await read(id);
  return api.call('updateSiteStatus', {
    params: { id },
    body: { version, status, ...(note ? { note } : {}) },
  });
}
const setOrder = (values: Partial<typeof order.$inferInsert>) =>
  world.server.services.db.update(order).set(values).where(eq(order.id, customer.orderId));
const expire = () => setOrder({ endAt: new Date(Date.now() - 1000) });
const renew = () => setOrder({ endAt: new Date(Date.now() + 60_000) });
const settle = () => settleSuspensions(world.server.services);
async function documentOf(id: number) {
  const rows = await world.server.services.db
    .select()
    .from(edgeDocument)
    .where(eq(edgeDocument.key, String(id)));
  return JSON.parse(rows.find((row) => row.kind === 'site')!.body) as Record<string, unknown>;
}

describe('suspending', () => {
  it('is the platform’s, and says why to the customer, the nodes and the history', async () => {
    const { id } = await makeSite(customer.api);
    expect(await set(customer.api, id, 'suspended')).toMatchObject({ status: 403 });
    expect(await set(world.admin, id, 'suspended', 'Phishing reported')).toMatchObject({ status: 200 });
    expect(await read(id)).toMatchObject({
      status: 'suspended',
      status_reason: 'operator',
      status_note: 'Phishing reported',
    });
    expect(await documentOf(id)).toMatchObject({ status: 'suspended', status_reason: 'operator' });
    const { list } = await customer.api.get('listSiteRevisions', { params: { id }, query: {} });
    expect(list[0]).toMatchObject({ section: 'status', author_type: 'admin', author_name: '' });
    expect(list[0]!.diff).toContainEqual({ path: 'status_note', before: '', after: 'Phishing reported' });

    expect(await set(customer.api, id, 'online')).toMatchObject({ status: 403 });
    expect(await set(world.admin, id, 'online')).toMatchObject({ status: 200 });
    expect(await read(id)).toMatchObject({ status: 'online', status_reason: 'none', status_note: '' });
    expect(await documentOf(id)).not.toHaveProperty('status_reason');
  });

  it('is not undone by a rollback', async () => {
    const { id } = await makeSite(customer.api);
    await set(world.admin, id, 'suspended', 'Why');
    const params = { id };
    const { list } = await customer.api.get('listSiteRevisions', { params, query: {} });
    const body = { version: 2, revision_id: list.find(({ version }) => version === 1)!.id };
    await customer.api.get('rollbackSite', { params, body });
    expect(await read(id)).toMatchObject({ status: 'suspended', status_note: 'Why' });
  });
});

describe('suspensions by cause', () => {
  it('come with the end of an order and go with its renewal, each in the history', async () => {
    const { id } = await madeByOperator();
    await expire();
    await settle();
    expect(await read(id)).toMatchObject({ status: 'suspended', status_reason: 'order_expired' });
    expect(await documentOf(id)).toMatchObject({ status_reason: 'order_expired' });
    await renew();
    await settle();
    expect(await read(id)).toMatchObject({ status: 'online', status_reason: 'none' });
    const { list } = await customer.api.get('listSiteRevisions', { params: { id }, query: {} });
    expect(list.map(({ section, author_type }) => `${section} by ${author_type}`)).toEqual([
      'status by system',
      'status by system',
      'site by admin',
    ]);
  });

  it('leave a site that was offline offline', async () => {
    const { id } = await makeSite(customer.api);
    await set(customer.api, id, 'offline');
    await expire();
    await settle();
    expect((await read(id)).status).toBe('suspended');
    await renew();
    await settle();
    expect((await read(id)).status).toBe('offline');
  });

  it('change their reason with the cause, and end with the last', async () => {
    const { id } = await madeByOperator();
    await expire();
    await settle();
    await setOrder({ status: 'suspended' });
    await settle();
    expect((await read(id)).status_reason).toBe('order_suspended');
    await setOrder({ status: 'active' });
    await renew();
    await settle();
    expect((await read(id)).status).toBe('online');
  });

  it('cannot be lifted by hand while the cause stands', async () => {
    const { id } = await makeSite(customer.api);
    await expire();
    await settle();
    expect(await set(world.admin, id, 'online')).toMatchObject({ status: 409, code: 40913 });
    expect((await read(id)).status).toBe('suspended');
  });

  it('leave an operator’s suspension alone', async () => {
    const { id } = await makeSite(customer.api);
    await set(world.admin, id, 'suspended', 'Abuse');
    await expire();
    await settle();
    await renew();
    await settle();
    expect(await read(id)).toMatchObject({ status: 'suspended', status_reason: 'operator' });
  });

  it('follow at once when a customer is disabled, and when enabled again', async () => {
    const { id } = await makeSite(customer.api);
    const params = { id: customer.id };
    const { name, email, version } = await world.admin.get('getClient', { params });
    const seen = async () => (await world.admin.get('getSite', { params: { id } })).status_reason;
    await world.admin.get('updateClient', { params, body: { name, email, status: 'disabled', version } });
    expect(await seen()).toBe('client_disabled');
    await world.admin.get('updateClient', {
      params,
      body: { name, email, status: 'active', version: version + 1 },
    });
    expect(await seen()).toBe('none');
  });

  it('touch nobody else', async () => {
    const other = await makeSite(world.admin, { domain: `${unique('other')}.example.com` });
    await makeSite(customer.api);
    await expire();
    expect(await settle()).toBe(1);
    expect(await settle()).toBe(0);
    expect((await world.admin.get('getSite', { params: { id: other.id } })).status).toBe('online');
  });
});

describe('an older version', () => {
  it('is refused, as with every change', async () => {
    const { id } = await makeSite(customer.api);
    const answer = await customer.api.call('updateSiteStatus', {
      params: { id },
      body: { version: 7, status: 'offline' },
    });
    expect(answer).toMatchObject({ status: 409, code: 40901 });
  });
});
