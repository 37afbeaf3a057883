import type { BalanceMethod, Origin } from '@breakwater/contract/site-config/origin-server-config';

/** One address that a request can be sent to: an origin given by name has one for each address of the name. */
export interface Peer {
  origin: Origin;
  ip: string;
  /** Tells it apart in hashes: it stays the same wherever in the list it stands. */
  seed: number;
  /** Where the site has its origins checked: what the agent calls this address (`checkedPlace`). */
  checked?: string;
}

/** By what a peer is chosen; lists have a value for each peer. */
export interface Choice {
  method: BalanceMethod;
  /** In [0, 1). */
  random: number;
  /** Of the visitor's address or of the request's. */
  hash: number;
  /** Whose turn it is: changed by every choice, and kept by the caller. */
  credits: number[];
  /** Requests under way; absent where nobody counts them. */
  active?: number[] | undefined;
}

export function makePeer(origin: Origin, ip: string): Peer {
  return { origin, ip, seed: mix(hashText(`${ip} ${origin.http_port} ${origin.https_port}`)) };
}

/**
 * The next peer for a request: among the primaries that are up, else the backups that are up, else, since an answer may
 * still be had, the primaries and backups that failed of late. Undefined when all were tried or have as much as they may.
 */
export function choosePeer(
  peers: Peer[],
  tried: boolean[],
  down: boolean[],
  choice: Choice,
): number | undefined {
  return (
    chooseFrom(peers, eligible(peers, tried, down, choice, 'primary', false), choice) ??
    chooseFrom(peers, eligible(peers, tried, down, choice, 'backup', false), choice) ??
    chooseFrom(peers, eligible(peers, tried, down, choice, 'primary', true), choice) ??
    chooseFrom(peers, eligible(peers, tried, down, choice, 'backup', true), choice)
  );
}

function eligible(
  peers: Peer[],
  tried: boolean[],
  down: boolean[],
  choice: Choice,
  state: string,
  isDown: boolean,
): number[] {
  const found: number[] = [];
  for (let index = 0; index < peers.length; index++) {
    const { origin } = peers[index]!;
    if (origin.state !== state || tried[index]! || down[index]! !== isDown) continue;
    const isFull = origin.max_conns > 0 && choice.active !== undefined;
    if (!isFull || choice.active![index]! < origin.max_conns) found.push(index);
  }
  return found;
}

function chooseFrom(peers: Peer[], among: number[], choice: Choice): number | undefined {
  if (among.length < 2) return among[0];
  if (choice.method === 'random') return atPlace(peers, among, choice.random);
  if (choice.method === 'url_hash') return atPlace(peers, among, mix(choice.hash) / two32);
  if (choice.method === 'ip_hash' || choice.method === 'consistent')
    return highest(peers, among, choice.hash);
  if (choice.method === 'least_conn' && choice.active !== undefined)
    return inTurn(peers, leastLoaded(peers, among, choice.active), choice.credits);
  return inTurn(peers, among, choice.credits);
}

/** Each has a stretch as long as its weight; `place` is where in all of them, in [0, 1). */
function atPlace(peers: Peer[], among: number[], place: number): number | undefined {
  let total = 0;
  for (const index of among) total += peers[index]!.origin.weight;
  let left = place * total;
  let last: number | undefined;
  for (const index of among) {
    last = index;
    left -= peers[index]!.origin.weight;
    if (left < 0) return index;
  }
  return last;
}

/** nginx's smooth weighted round robin: nobody has its turns in one go. */
function inTurn(peers: Peer[], among: number[], credits: number[]): number | undefined {
  let total = 0;
  let best: number | undefined;
  for (const index of among) {
    const { weight } = peers[index]!.origin;
    total += weight;
    credits[index] = credits[index]! + weight;
    if (best === undefined || credits[index]! > credits[best]!) best = index;
  }
  if (best !== undefined) credits[best] = credits[best]! - total;
  return best;
}

function leastLoaded(peers: Peer[], among: number[], active: number[]): number[] {
  let least = -1;
  let found: number[] = [];
  for (const index of among) {
    const load = active[index]! / peers[index]!.origin.weight;
    if (least >= 0 && load > least) continue;
    if (load !== least) found = [];
    least = load;
    found.push(index);
  }
  return found;
}

/**
 * Rendezvous hashing: every peer draws a number for the key, and the highest has it. A peer that comes takes its share
 * evenly from all, one that goes leaves its share evenly to all, and nothing else moves. `-weight / ln(u)` keeps to weights.
 */
function highest(peers: Peer[], among: number[], hash: number): number | undefined {
  let best: number | undefined;
  let bestScore = 0;
  for (const index of among) {
    const { origin, seed } = peers[index]!;
    const drawn = (mix(xor(hash, seed)) + 0.5) / two32;
    const score = -origin.weight / Math.log(drawn);
    if (best !== undefined && score <= bestScore) continue;
    best = index;
    bestScore = score;
  }
  return best;
}

const two32 = 4_294_967_296;

/** FNV-1a of a byte string, 32 bits. */
export function hashText(text: string): number {
  let hash = 2_166_136_261;
  for (let index = 0; index < text.length; index++)
    hash = multiply(xor(hash, text.charCodeAt(index)), 16_777_619);
  return hash;
}

/** The last step of MurmurHash3, after which keys that differ little have nothing in common. */
function mix(hash: number): number {
  let mixed = multiply(xor(hash, Math.floor(hash / 65_536)), 0x85_eb_ca_6b);
  mixed = multiply(xor(mixed, Math.floor(mixed / 8192)), 0xc2_b2_ae_35);
  return xor(mixed, Math.floor(mixed / 65_536));
}

/** Modulo 2^32, in parts that a double holds exactly. */
function multiply(one: number, other: number): number {
  const high = Math.floor(one / 65_536);
  return (((high * other) % 65_536) * 65_536 + (one % 65_536) * other) % two32;
}

/** Both languages answer with a signed number; it is wanted without. */
function xor(one: number, other: number): number {
  const signed = one ^ other;
  return signed < 0 ? signed + two32 : signed;
}
