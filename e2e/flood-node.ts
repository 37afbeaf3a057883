import { ControlPlane } from '@breakwater/agent/delivery/control-plane';
import type { AddressTraffic } from '@breakwater/contract';
import { makeNode, makeNodeState, type World } from '@breakwater/test-world';
import { recordTraffic } from '../apps/server/src/modules/flood/flood.service.ts';

/** So many packets a second of kinds, each of 125 bytes, to an address. */
export function trafficTo(address: string, packets: Partial<AddressTraffic['packets']>): AddressTraffic {
  const kinds = { syn: 0, tcp: 0, reflected: 0, udp: 0, icmp: 0, other: 0, ...packets };
  return { address, packets: kinds, bytes: Object.values(kinds).reduce((sum, each) => sum + each, 0) * 125 };
}

/** An attack on an address of a node that began a quarter of an hour ago and goes on. Returns its id. */
export async function flood(
  { server, admin }: World,
  node: { id: number; name: string },
  address: string,
): Promise<number> {
  for (let minute = 20; minute >= 0; minute--) {
    const kinds = minute > 15 ? { tcp: 900, udp: 40 } : { syn: 80_000 - minute * 3000, tcp: 1100, udp: 900 };
    const at = new Date(Date.now() - minute * 60_000);
    await recordTraffic(server.services.db, node, [trafficTo(address, kinds)], at);
  }
  const { list } = await admin.get('listFloods', { query: { node_id: node.id } });
  return list[0]!.id;
}

/** A new node of the first line group that tells of itself, and an attack on it. */
export async function floodNode(world: World, input: { name: string; ip: string }) {
  const node = await makeNode(world, input);
  const { list } = await world.admin.get('listLineGroups', { query: {} });
  await world.admin.get('bindNodes', { params: { id: list[0]!.id }, body: { add: [node.id] } });
  const credentials = { url: world.userUrl, appId: node.app_id, appSecret: node.app_secret };
  await new ControlPlane(credentials, new AbortController().signal).report(
    makeNodeState({ packet_counts: 'on' }),
  );
  return { id: await flood(world, { id: node.id, name: input.name }, input.ip), nodeId: node.id };
}
