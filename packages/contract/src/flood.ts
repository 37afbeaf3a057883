import * as z from 'zod';
import { count, dateTime, id, idParams, listOf, listQuery, optionalIdText, optionalText } from './common.ts';
import { defineRoutes } from './define.ts';
import { kernelState, packetKinds } from './packet-kinds.ts';
import { defineSetting, settingReaders } from './setting.ts';

/**
 * Floods below HTTP: more packets come to one address of a node than a second may have. No site is named in such packets, so what the
 * platform tells is which sites the address carries, which of them it is likely about, and where they could be moved to.
 */

const perSecond = (max: number) => z.int().min(1).max(max);

/** From how much at one address of a node, a second, it is a flood. */
export const floodSetting = z.strictObject({
  enabled: z.boolean().default(true),
  /** TCP connections asked for. */
  syn: perSecond(1_000_000_000).default(10_000),
  /** UDP packets, those that others were made to send among them. */
  udp: perSecond(1_000_000_000).default(50_000),
  /** ICMP and whatever is neither TCP nor UDP. */
  stray: perSecond(1_000_000_000).default(10_000),
  packets: perSecond(1_000_000_000).default(300_000),
  megabits: perSecond(10_000_000).default(2000),
  /** It is over when there was for so long less than half of each. */
  quiet_minutes: z.int().min(1).max(1440).default(5),
});
export type FloodSetting = z.infer<typeof floodSetting>;

export const floodSettings = defineSetting('flood', {
  schema: floodSetting,
  initial: {},
  about: 'DDoS attacks: from how many packets a second on an IP of a node is attacked',
  readBy: settingReaders,
  permission: 'setting.waf',
});

export const floodStates = ['open', 'over'] as const;
export type FloodState = (typeof floodStates)[number];

/** Which threshold was passed first; of packets and megabits, what most of the packets were. */
export const flood = z.strictObject({
  id,
  node_id: id,
  node_name: z.string(),
  address: z.string(),
  kind: z.enum(packetKinds),
  state: z.enum(floodStates),
  started_at: dateTime,
  /** When there was last as much as a flood has. */
  seen_at: dateTime,
  ended_at: dateTime.nullable(),
  /** As the node last told while it was flooded, a second. */
  packets: count,
  bits: count,
  /** The most there was. */
  peak_packets: count,
  peak_bits: count,
  /** Packets a second of each kind at that time. */
  peak_mix: z.strictObject(Object.fromEntries(packetKinds.map((kind) => [kind, count])) as Mix),
  /** The node is silent since: a flood may have cut it off. Null while it reports. */
  silent_since: dateTime.nullable(),
});
type Mix = Record<(typeof packetKinds)[number], typeof count>;
export type Flood = z.infer<typeof flood>;

/** Why a site is likely what a flood is about, the strongest first. */
export const floodReasons = [
  /** The DNS leads a domain of it to this very address. */
  'points_here',
  /** It is attacked by requests as well, at this node. */
  'attacked',
  /** Its line group has all nodes that are flooded now, which are several. */
  'common',
  /** It was added in the week before: what is attacked elsewhere moves. */
  'new',
  /** It has more than a tenth of the node's requests. */
  'busy',
] as const;
export type FloodReason = (typeof floodReasons)[number];

export const floodSuspect = z.strictObject({
  site_id: id,
  /** The first domain of the site; empty where there is none. */
  site_name: z.string(),
  client_id: id,
  client_name: z.string(),
  order_id: id,
  order_no: z.string(),
  line_group_id: id,
  line_group_name: z.string(),
  reasons: z.array(z.enum(floodReasons)),
  /** At the node, from an hour before it began to an hour after; null where the site is not among those with the most. */
  requests: count.nullable(),
  /** Attack requests (blocked or observed) in that time. */
  attack_requests: count,
  created_at: dateTime,
});
export type FloodSuspect = z.infer<typeof floodSuspect>;

/** Where sites could be moved to. */
export const floodRefuge = z.strictObject({
  id,
  name: z.string(),
  nodes: z.int(),
  site_count: z.int(),
  /** Of its nodes; the first of many. */
  addresses: z.array(z.string()).max(20),
});
export type FloodRefuge = z.infer<typeof floodRefuge>;

export const floodSuspectsMax = 20;
/** How long figures by address are kept. */
export const addressMinutesKeptHours = 48;

export const floodIsolation = z.strictObject({
  /** Sites that the address carries: those of the line groups that its node serves. */
  sites: count,
  /** Of these, those that the DNS leads to this very address. */
  sites_pointing: count,
  /** False: the log store did not answer, and requests are not told. */
  requests_known: z.boolean(),
  line_groups: z.array(
    z.strictObject({ id, name: z.string(), sites: count, nodes: z.int(), nodes_flooded: z.int() }),
  ),
  /** The likeliest first. */
  suspects: z.array(floodSuspect).max(floodSuspectsMax),
  /** Line groups without a node that is flooded, the fewest sites first. */
  refuges: z.array(floodRefuge).max(20),
  /** Other addresses of the node, which are not flooded. */
  other_addresses: z.array(z.string()),
});
export type FloodIsolation = z.infer<typeof floodIsolation>;

export const floodCoverage = z.strictObject({
  /** Whether packets are to be counted; the rest is of nodes that are switched on and have reported. */
  enabled: z.boolean(),
  nodes: count,
  not_counting: count,
  /** The first of those; `state` is null where the agent is too old for it. */
  list: z.array(z.strictObject({ id, name: z.string(), state: kernelState.nullable() })).max(20),
});
export type FloodCoverage = z.infer<typeof floodCoverage>;

/** A minute of one address; nothing stands for minutes of which the node told nothing. */
export const addressMinute = z.strictObject({
  time: dateTime,
  /** Means of a second. */
  bits: z.number(),
  packets: z.strictObject(
    Object.fromEntries(packetKinds.map((kind) => [kind, z.number()])) as Record<
      (typeof packetKinds)[number],
      z.ZodNumber
    >,
  ),
});
export type AddressMinute = z.infer<typeof addressMinute>;

export const nodeAddress = z.strictObject({
  address: z.string(),
  /** Means of a second, in the last minute of which the node told; `peak_packets` of the hour. */
  packets: z.number(),
  bits: z.number(),
  peak_packets: z.number(),
  flood_id: id.nullable(),
});
export type NodeAddress = z.infer<typeof nodeAddress>;

export const floodRoutes = defineRoutes({
  listFloods: {
    method: 'GET',
    path: '/prod-api/flood',
    summary: 'List DDoS attacks below HTTP on IPs of nodes, newest first.',
    access: { kind: 'admin', permission: 'node.read' },
    query: listQuery({
      state: z.enum(floodStates).optional(),
      node_id: optionalIdText,
      /** Part of it. */
      address: optionalText,
    }),
    response: listOf(flood),
  },
  getFlood: {
    method: 'GET',
    path: '/prod-api/flood/{id}',
    summary: 'Get a DDoS attack.',
    access: { kind: 'admin', permission: 'node.read' },
    params: idParams,
    response: flood,
  },
  getFloodCoverage: {
    method: 'GET',
    path: '/prod-api/flood/coverage',
    summary: 'Get how many nodes do not count packets, so that attacks on them are not seen.',
    access: { kind: 'admin', permission: 'node.read' },
    response: floodCoverage,
  },
  getFloodIsolation: {
    method: 'GET',
    path: '/prod-api/flood/{id}/isolation',
    summary:
      'Get which sites an attacked IP carries, which of them is likely the target, and where they could be moved to.',
    access: { kind: 'admin', permission: 'node.read' },
    params: idParams,
    response: floodIsolation,
  },
  getFloodTraffic: {
    method: 'GET',
    path: '/prod-api/flood/{id}/traffic',
    summary:
      'Get what came to an attacked IP by the minute, from half an hour before the attack until half an hour after.',
    access: { kind: 'admin', permission: 'node.read' },
    params: idParams,
    response: z.strictObject({ minutes: z.array(addressMinute) }),
  },
  getNodeAddresses: {
    method: 'GET',
    path: '/prod-api/node/{id}/address_traffic',
    summary: 'Get what came to each IP of a node in the last hour, the most packets first.',
    access: { kind: 'admin', permission: 'node.read' },
    params: idParams,
    response: z.strictObject({ list: z.array(nodeAddress) }),
  },
  getFloodSetting: floodSettings.read,
  updateFloodSetting: floodSettings.write,
});
