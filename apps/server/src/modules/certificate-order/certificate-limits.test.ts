import { unique } from '@breakwater/test-world';
import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { acmeAccount, acmeUsage, certificateOrder } from '../../db/schema.ts';
import { readOrderRow } from './certificate-order.store.ts';
import { storeFailure } from './order-issue.ts';
import { takeRoom } from './order-limits.ts';
import { OrderProblem } from './order-problem.ts';
import { OrderWorld } from './test-orders.ts';

/** What an authority allows is counted before it is asked. */

let w: OrderWorld;
beforeAll(async () => {
  w = await OrderWorld.start(inject('templateUrl'));
});
afterAll(() => w?.close());

const hour = 3_600_000;
/** An account whose limits are out of the way but those that are named. */
const account = (limits: object) =>
  w.makeAccount({
    limit_domain_certificates: 0,
    limit_orders: 0,
    limit_failures: 0,
    limit_duplicates: 0,
    ...limits,
  });
const orderBy = async (id: number) => (await w.order(w.one, { acme_account_id: id })).data.id;
const lift = async (id: number) => {
  const { version, ...value } = await w.world.admin.get('getAcmeAccount', { params: { id } });
  const { name, directory, directory_url, directory_ca, terms_agreed } = value;
  const none = { limit_domain_certificates: 0, limit_orders: 0, limit_failures: 0, limit_duplicates: 0 };
  const body = { version, name, directory, directory_url, directory_ca, terms_agreed, ...none };
  await w.world.admin.get('updateAcmeAccount', { params: { id }, body });
};
const rowOf = async (id: number) => (await w.db.select().from(acmeAccount).where(eq(acmeAccount.id, id)))[0]!;

describe('an order that would pass a limit', () => {
  it('of a registered domain waits without having asked, says until when, and goes on when the limit is lifted', async () => {
    const id = await account({ limit_domain_certificates: 1 });
    const first = await orderBy(id);
    await w.reached(first, 'valid');
    const second = await orderBy(id);
    const found = await w.reached(second, 'waiting');
    expect(found).toMatchObject({
      problem: 'limit_reached',
      problem_detail: 'example.com: 1 / 168 h',
      failures: 0,
    });
    const left = Date.parse(found.next_at!) - Date.now();
    expect(left).toBeGreaterThan(167.9 * hour);
    expect(left).toBeLessThanOrEqual(168 * hour);
    const steps = await w.stepsOf(second);
    expect(steps.map(({ kind }) => kind)).toEqual(['asked', 'started', 'limited']);
    expect(steps.at(-1)!.facts).toEqual({
      limit: 'domain_certificates',
      subject: 'example.com',
      most: '1',
      at: found.next_at,
    });
    await lift(id);
    await w.run(second);
    expect(await w.reached(second, 'valid')).toMatchObject({ problem: null });
  });

  it('for the same names keeps the certificate that there is', async () => {
    const id = await account({ limit_duplicates: 1 });
    const first = await orderBy(id);
    const { certificate_id: kept } = await w.reached(first, 'valid');
    await w.run(first);
    expect(await w.reached(first, 'waiting')).toMatchObject({
      problem: 'limit_reached',
      certificate_id: kept,
    });
  });

  it('of the account’s orders is one of two that come at once', async () => {
    const id = await account({ limit_orders: 1 });
    const ids = await Promise.all([orderBy(id), orderBy(id)]);
    const rows = ids.map(async (each) => (await readOrderRow(w.db, each))!);
    const at = await rowOf(id);
    await w.db.update(certificateOrder).set({ nextAt: null }).where(eq(certificateOrder.acmeAccountId, id));
    // The worker may have come before: whichever it was, one has the place.
    const asked = await Promise.allSettled(rows.map(async (row) => takeRoom(w.db, await row, at)));
    expect(asked.filter(({ status }) => status === 'rejected').length).toBeGreaterThanOrEqual(1);
    expect(await w.db.$count(acmeUsage, eq(acmeUsage.subject, String(id)))).toBe(1);
  });

  it('after validations that failed waits for that name alone', async () => {
    const id = await account({ limit_failures: 1 });
    const first = await orderBy(id);
    const { domains } = await w.reached(first, 'valid');
    await w.db.transaction(async (tx) => {
      const set = { operationId: 1, orderAccountId: id };
      await tx.update(certificateOrder).set(set).where(eq(certificateOrder.id, first));
      const problem = new OrderProblem('validation_failed', '', { names: domains });
      await storeFailure(tx, (await readOrderRow(tx, first))!, problem, false);
    });
    await w.run(first);
    const found = await w.reached(first, 'waiting');
    expect(found.problem_detail).toBe(`${domains[0]}: 1 / 1 h`);
    expect(Date.parse(found.next_at!) - Date.now()).toBeLessThanOrEqual(hour);
    await w.reached(await orderBy(id), 'valid');
  });

  it('goes to another account where none was named', async () => {
    const full = await account({ limit_domain_certificates: 1, priority: 1, name: unique('full') });
    const { data } = await w.order(w.one);
    await w.reached(data.id, 'valid');
    const kinds = (await w.stepsOf(data.id)).map(({ kind, problem }) => problem ?? kind);
    expect(kinds.slice(0, 4)).toEqual(['asked', 'started', 'limit_reached', 'started']);
    await w.world.admin.get('removeAcmeAccount', { params: { id: full } });
  });
});

it('an order without a certificate gives its room back, one with it does not', async () => {
  const id = await account({ limit_domain_certificates: 1000 });
  const order = await orderBy(id);
  await w.reached(order, 'valid');
  const row = (await readOrderRow(w.db, order))!;
  const used = () => w.db.$count(acmeUsage, eq(acmeUsage.kind, 'domain_certificates'));
  const before = await used();
  await takeRoom(w.db, row, await rowOf(id));
  expect(await used()).toBe(before + 1);
  await w.db.transaction(async (tx) => {
    const set = { operationId: 1, orderAccountId: id };
    await tx.update(certificateOrder).set(set).where(eq(certificateOrder.id, order));
    await storeFailure(tx, (await readOrderRow(tx, order))!, new OrderProblem('order_expired'), false);
  });
  expect(await used()).toBe(before);
});
