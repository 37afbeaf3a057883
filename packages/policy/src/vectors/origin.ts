import type {
  BalanceMethod,
  Origin,
  OriginServerConfig,
} from '@breakwater/contract/site-config/origin-server-config';
import { choosePeer, hashText, makePeer, type Peer } from '../origin/balance.ts';
import {
  completeOriginConfig,
  originHost,
  originPort,
  originScheme,
  originServerName,
  retrySet,
} from '../origin/origin.ts';
import { isPrivateAddress } from '../address/private-address.ts';

/** The vectors of what concerns origins. */
export function runOriginVector(decision: string, input: Record<string, unknown>): unknown {
  if (decision === 'origin') return origin(input as never);
  if (decision === 'balance') return balance(input as never);
  if (decision === 'private-address') return { private: isPrivateAddress(input.address as string) };
  return undefined;
}

interface OriginCase {
  config: OriginServerConfig;
  tried: number[];
  down: number[];
  random: number;
  scheme: string;
  host: string;
  visitor_port?: number;
}

function origin(input: OriginCase): unknown {
  const config = completeOriginConfig(input.config);
  const peers: Peer[] = [];
  const tried: boolean[] = [];
  const down: boolean[] = [];
  const credits: number[] = [];
  for (const each of config.origins) {
    peers.push(makePeer(each, each.address));
    tried.push(false);
    down.push(false);
    credits.push(0);
  }
  for (const index of input.tried) tried[index] = true;
  for (const index of input.down) down[index] = true;
  const choice = { method: 'random' as const, random: input.random, hash: 0, credits };
  const chosen = choosePeer(peers, tried, down, choice);
  const scheme = originScheme(config, input.scheme);
  return {
    index: chosen ?? -1,
    scheme,
    port:
      chosen === undefined ? 0 : originPort(config, config.origins[chosen]!, scheme, input.visitor_port ?? 0),
    host: originHost(config, input.host),
    server_name: originServerName(config, input.host),
    retry_set: retrySet(config.retry_on),
  };
}

interface BalanceCase {
  method: BalanceMethod;
  /** Each: address, weight, and if others, state and max_conns. */
  origins: Origin[];
  tried: number[];
  down: number[];
  active?: number[];
  /** One request for each: what is hashed. */
  keys: string[];
}

function balance(input: BalanceCase): unknown {
  const peers: Peer[] = [];
  const tried: boolean[] = [];
  const down: boolean[] = [];
  const credits: number[] = [];
  for (const each of input.origins) {
    peers.push(makePeer(each, each.address));
    tried.push(false);
    down.push(false);
    credits.push(0);
  }
  for (const index of input.tried) tried[index] = true;
  for (const index of input.down) down[index] = true;
  const chosen: number[] = [];
  for (const key of input.keys) {
    const choice = { method: input.method, random: 0.5, hash: hashText(key), credits, active: input.active };
    chosen.push(choosePeer(peers, tried, down, choice) ?? -1);
  }
  return { chosen };
}
