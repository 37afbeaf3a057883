import { isIPv4 } from 'node:net';
import { parseAddress } from '@breakwater/policy/address/ip';

type Value = string | number | { [name: string]: Value } | Value[];

/** Writes a MaxMind DB (https://maxmind.github.io/MaxMind-DB/) of these networks, such as `192.0.2.0/24`. */
export function makeMmdb(
  networks: Readonly<Record<string, Value>>,
  metadata: { database_type?: string; description?: string; build_epoch?: number } = {},
): Buffer {
  const tree = new Tree();
  const data: Buffer[] = [];
  let length = 0;
  for (const [network, value] of Object.entries(networks)) {
    const encoded = encode(value);
    tree.add(network, length);
    data.push(encoded);
    length += encoded.length;
  }
  const about = encode({
    node_count: tree.size,
    record_size: 32,
    ip_version: 6,
    binary_format_major_version: 2,
    binary_format_minor_version: 0,
    database_type: metadata.database_type ?? 'Test',
    description: { en: metadata.description ?? 'for tests' },
    build_epoch: metadata.build_epoch ?? 1_780_000_000,
    languages: ['en'],
  });
  const mark = Buffer.from('\xab\xcd\xefMaxMind.com', 'latin1');
  return Buffer.concat([tree.bytes(), Buffer.alloc(16), ...data, mark, about]);
}

/** Of IPv6, with IPv4 below 96 zeros. A record is a node, nothing, or where a value stands. */
class Tree {
  readonly #nodes: [Entry, Entry][] = [[undefined, undefined]];

  get size(): number {
    return this.#nodes.length;
  }

  add(network: string, at: number): void {
    const [text = '', prefix = ''] = network.split('/');
    const address = parseAddress(text)!;
    const bytes = isIPv4(text) ? [...Array.from({ length: 12 }, () => 0), ...address] : address;
    const depth = Number(prefix) + (isIPv4(text) ? 96 : 0);
    let node = this.#nodes[0]!;
    for (let bit = 0; bit < depth; bit++) {
      const side = ((bytes[bit >> 3]! >> (7 - (bit & 7))) & 1) as 0 | 1;
      if (bit === depth - 1) {
        node[side] = { at };
        return;
      }
      if (typeof node[side] !== 'number') node[side] = this.#nodes.push([undefined, undefined]) - 1;
      node = this.#nodes[node[side]]!;
    }
  }

  bytes(): Buffer {
    const bytes = Buffer.alloc(this.size * 8);
    this.#nodes.forEach((sides, index) => {
      for (const side of [0, 1] as const)
        bytes.writeUInt32BE(this.#record(sides[side]), index * 8 + side * 4);
    });
    return bytes;
  }

  #record(entry: Entry): number {
    if (entry === undefined) return this.size;
    return typeof entry === 'number' ? entry : this.size + 16 + entry.at;
  }
}
type Entry = number | { at: number } | undefined;

function encode(value: Value): Buffer {
  if (typeof value === 'string')
    return Buffer.concat([head(2, Buffer.byteLength(value)), Buffer.from(value)]);
  if (typeof value === 'number') {
    const bytes = Buffer.alloc(4);
    bytes.writeUInt32BE(value);
    return Buffer.concat([head(6, 4), bytes]);
  }
  if (Array.isArray(value)) return Buffer.concat([head(11, value.length), ...value.map(encode)]);
  const entries = Object.entries(value);
  return Buffer.concat([
    head(7, entries.length),
    ...entries.flatMap(([name, each]) => [encode(name), encode(each)]),
  ]);
}

/** The type and the size of what follows. */
function head(type: number, size: number): Buffer {
  const low = size < 29 ? size : 29;
  const bytes = type > 7 ? [low, type - 7] : [(type << 5) | low];
  return Buffer.from(size < 29 ? bytes : [...bytes, size - 29]);
}
