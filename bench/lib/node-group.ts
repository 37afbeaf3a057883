import { unique } from '../../packages/test-world/src/index.ts';
import type { ServerProcess } from './server-process.ts';

export interface NodeGroup {
  siteId: number;
  domain: string;
  nodes: { app_id: string; app_secret: string }[];
}

/** Nodes of a line group of their own, and a site there. */
export async function makeGroup({ admin }: ServerProcess, nodes: number, originPort = 9): Promise<NodeGroup> {
  const { id: areaId } = await admin.get('createArea', { body: { name: unique('area') } });
  const { id: lineGroupId } = await admin.get('createLineGroup', { body: { name: unique('group') } });
  const made: Awaited<ReturnType<typeof makeNode>>[] = [];
  const makeNode = (index: number) =>
    admin.get('createNode', {
      body: { name: unique('node'), area_id: areaId, ip: `10.${nodes >> 8}.${index >> 8}.${index & 255}` },
    });
  for (let index = 0; index < nodes; index++) made.push(await makeNode(index));
  await admin.get('bindNodes', { params: { id: lineGroupId }, body: { add: made.map(({ id }) => id) } });
  const email = `${unique('client')}@example.com`;
  const { id: clientId } = await admin.get('createClient', {
    body: { name: unique('client'), email, password: 'a long password' },
  });
  const { list } = await admin.get('listProducts', { query: {} });
  const { id: orderId } = await admin.get('createOrder', {
    body: { client_id: clientId, product_id: list[0]!.id, cycle: 'month' },
  });
  await admin.get('changeOrderLineGroup', {
    params: { id: orderId },
    body: { line_group_id: lineGroupId },
  });
  const domain = `${unique('site')}.example.com`;
  const { id: siteId } = await admin.get('createSite', {
    body: {
      domains: [domain],
      origin: '127.0.0.1',
      origin_port: originPort,
      order_id: orderId,
    },
  });
  return { siteId, domain, nodes: made };
}
