import type { ShieldGroup } from '@breakwater/contract/shield';
import { makePeer, type Peer } from '@breakwater/policy/origin/balance';
import { decodeJson, encodeJson } from '../lib/json.ts';
import * as store from '../documents/store.ts';

/** The shields of this node's line groups, as the agent tells them. */
export interface Shields {
  isGlobal: boolean;
  /** This node is one of them. */
  isShield: boolean;
  peers: Peer[];
  ports: number[];
  /** What their certificates are of. */
  names: string[];
  /** Nodes that may ask this one. */
  members: Record<number, boolean>;
  /** Another with every change: a connection that is kept is never taken for one to another node. */
  version: number;
}

const documents = ngx.shared.edge_documents;
let byGroup: Record<number, Shields> = {};
let heldVersion = -1;
let isPrepared = false;

/** `isThere`: nginx has a certificate to ask shields with. */
export function setShields(isThere: boolean): void {
  isPrepared = isThere;
}

export function putShields(groups: ShieldGroup[]): string | undefined {
  const [isKept] = documents.safe_set('shields', encodeJson(groups));
  if (!isKept) return "the node's memory for documents is full";
  documents.incr('shields_version', 1, 0);
  return undefined;
}

/** Nothing: no node stands between this one and the site's origins. */
export function shieldsOf(siteKey: string): Shields | undefined {
  if (!isPrepared) return undefined;
  const version = (documents.get('shields_version') as number | undefined) ?? 0;
  if (version !== heldVersion) load(version);
  if (next(byGroup)[0] === undefined) return undefined;
  const group = store.lineGroupOf(siteKey);
  return group === undefined ? undefined : byGroup[group];
}

/** Whether this node may have to say what keeps answers apart beside the target. */
export function hasShields(): boolean {
  return isPrepared;
}

export const nameOfNode = (id: number): string => `node-${id}.shield.internal`;

/** How soon a shield that failed is asked again. */
const restSeconds = 10;

function load(version: number): void {
  heldVersion = version;
  byGroup = {};
  const text = documents.get('shields') as string | undefined;
  const [groups] = text === undefined ? [undefined] : decodeJson(text);
  for (const group of (groups ?? []) as ShieldGroup[]) byGroup[group.line_group_id] = ready(group, version);
}

function ready(group: ShieldGroup, version: number): Shields {
  const shields: Shields = {
    isGlobal: group.mode === 'global',
    isShield: group.is_shield,
    peers: [],
    ports: [],
    names: [],
    members: {},
    version,
  };
  for (const { node_id: id, ip, port } of group.shields) {
    const origin = {
      address: nameOfNode(id),
      http_port: port,
      https_port: port,
      weight: 1,
      state: 'primary' as const,
      max_fails: 1,
      fail_timeout_seconds: restSeconds,
      max_conns: 0,
    };
    shields.peers.push(makePeer(origin, ip));
    shields.ports.push(port);
    shields.names.push(nameOfNode(id));
  }
  for (const id of group.members) shields.members[id] = true;
  return shields;
}
