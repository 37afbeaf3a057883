import { gzipSync } from 'node:zlib';
import { ControlPlane } from '@breakwater/agent/delivery/control-plane';
import {
  makeCustomer,
  makeNode,
  makeSite,
  startWorld,
  type Customer,
  type World,
} from '@breakwater/test-world';
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { makeLine, toBytes } from '../../logs/test-lines.ts';

type Credentials = Awaited<ReturnType<typeof makeNode>>;

let world: World;
let customer: Customer;
let other: Customer;
let serving: Credentials;
let stranger: Credentials;
let site: { id: number };
beforeAll(async () => {
  world = await startWorld({ templateUrl: inject('templateUrl'), metricsToken: token });
  [customer, other] = await Promise.all([makeCustomer(world), makeCustomer(world)]);
  [serving, stranger] = [
    await makeNode(world, { ip: '192.0.2.11' }),
    await makeNode(world, { ip: '192.0.2.12' }),
  ];
  const { list } = await world.admin.get('listLineGroups', { query: { name: 'Default' } });
  await world.admin.get('bindNodes', { params: { id: list[0]!.id }, body: { add: [serving.id] } });
  site = await makeSite(customer.api);
});
afterAll(() => world.close());
const token = 'a token for the figures';

let files = 0;
/** Ships a line for each claim, as the node's agent does; answers of how many requests each customer is told then. */
async function ship(
  node: Credentials,
  ...claims: { site_id: number; client_id: number; order_id: number }[]
) {
  const ending = new AbortController();
  const credentials = { url: world.userUrl, appId: node.app_id, appSecret: node.app_secret };
  const lines = toBytes(
    claims.map((claim, at) => makeLine({ ...claim, request_id: `${files}${at}`.padStart(32, '0') })),
  );
  await new ControlPlane(credentials, ending.signal).shipLogs(`access.${files++}`, 0, gzipSync(lines));
  ending.abort();
}
const stored = async (clientId: number) => {
  const { logStore } = world.server.services;
  return (
    await logStore.search({ clients: 'all' }, { client_id: clientId }, { current_page: 1, page_size: 1 })
  ).total;
};
const refused = async ({ id }: Credentials) =>
  (await world.admin.get('getNode', { params: { id } })).log_lines_foreign;

describe('whose traffic log lines tell of', () => {
  it('is believed of a site that the node serves', async () => {
    const own = { site_id: site.id, client_id: customer.id, order_id: customer.orderId };
    await ship(serving, own, own, { site_id: 0, client_id: 0, order_id: 0 });
    expect(await stored(customer.id)).toBe(2);
    expect(await refused(serving)).toBe(0);
  });

  it('is not believed of a site of others, nor of another customer or order; it is counted', async () => {
    const before = await stored(customer.id);
    await ship(stranger, { site_id: site.id, client_id: customer.id, order_id: customer.orderId });
    await ship(
      serving,
      { site_id: site.id, client_id: other.id, order_id: other.orderId },
      { site_id: site.id, client_id: customer.id, order_id: other.orderId },
      { site_id: 0, client_id: other.id, order_id: other.orderId },
      { site_id: 999_999, client_id: other.id, order_id: other.orderId },
    );
    expect(await stored(customer.id)).toBe(before);
    expect(await stored(other.id)).toBe(0);
    expect([await refused(stranger), await refused(serving)]).toEqual([1, 4]);
    const answer = await fetch(`${world.adminUrl}/metrics`, {
      headers: { authorization: `Bearer ${token}` },
    });
    expect(await answer.text()).toMatch(
      /breakwater_node_log_foreign_lines_total\{node_id="\d+",node="[^"]+"\} 4/,
    );
  });

  it('is believed of what comes late: of a site that is gone, and of a line group that the node has left', async () => {
    const gone = await makeSite(customer.api);
    const claim = { site_id: gone.id, client_id: customer.id, order_id: customer.orderId };
    await world.admin.get('removeSiteForced', { params: { id: gone.id } });
    await world.server.services.db.execute(sql`DELETE FROM site WHERE id = ${gone.id}`);
    const { list } = await world.admin.get('listLineGroups', { query: { name: 'Default' } });
    await world.admin.get('bindNodes', { params: { id: list[0]!.id }, body: { remove: [serving.id] } });
    const before = await stored(customer.id);
    await ship(serving, claim, { ...claim, site_id: site.id });
    expect(await stored(customer.id)).toBe(before + 2);
    await ship(serving, { ...claim, client_id: other.id, order_id: other.orderId });
    expect(await stored(other.id)).toBe(0);
  });
});
