/** Reads what a MaxMind DB says of every network in it (https://maxmind.github.io/MaxMind-DB/). */

export interface MmdbNetwork {
  /** The first address, 16 bytes; IPv4 in the last four. */
  start: Buffer;
  value: Record<string, unknown>;
}

const metadataMark = Buffer.from('\xab\xcd\xefMaxMind.com', 'latin1');

class Decoder {
  readonly #data: Buffer;
  readonly #base: number;

  constructor(data: Buffer, base: number) {
    this.#data = data;
    this.#base = base;
  }

  /** The value at a place, and where what follows it starts. */
  read(at: number): [value: unknown, next: number] {
    const control = this.#data.readUInt8(at);
    let type = control >> 5;
    let next = at + 1;
    if (type === 1) return this.#pointer(control, next);
    if (type === 0) type = 7 + this.#data.readUInt8(next++);
    let size = control & 31;
    if (size > 28) {
      const bytes = size - 28;
      size = [29, 285, 65_821][bytes - 1]! + this.#data.readUIntBE(next, bytes);
      next += bytes;
    }
    return this.#value(type, size, next);
  }

  #pointer(control: number, at: number): [unknown, number] {
    const bytes = ((control >> 3) & 3) + 1;
    const high = bytes === 4 ? 0 : (control & 7) * 2 ** (8 * bytes);
    const offset = high + this.#data.readUIntBE(at, bytes) + [0, 2048, 526_336, 0][bytes - 1]!;
    return [this.read(this.#base + offset)[0], at + bytes];
  }

  #value(type: number, size: number, at: number): [unknown, number] {
    if (type === 7) return this.#map(size, at);
    if (type === 11) return this.#array(size, at);
    if (type === 14) return [size === 1, at];
    const bytes = this.#data.subarray(at, at + size);
    if (type === 2) return [bytes.toString('utf8'), at + size];
    // 64 bits too, as far as a number holds them.
    if (type === 9 && size <= 6) return [size === 0 ? 0 : bytes.readUIntBE(0, size), at + size];
    if (type === 5 || type === 6) return [size === 0 ? 0 : bytes.readUIntBE(0, size), at + size];
    return [undefined, at + size];
  }

  #map(size: number, at: number): [unknown, number] {
    const map: Record<string, unknown> = {};
    let next = at;
    for (let index = 0; index < size; index++) {
      const [name, after] = this.read(next);
      [map[String(name)], next] = this.read(after);
    }
    return [map, next];
  }

  #array(size: number, at: number): [unknown, number] {
    const list: unknown[] = [];
    let next = at;
    for (let index = 0; index < size; index++) {
      const [value, after] = this.read(next);
      list.push(value);
      next = after;
    }
    return [list, next];
  }
}

interface Metadata {
  node_count: number;
  record_size: number;
  ip_version: number;
  database_type: string;
  description: string;
  /** Seconds since 1970; 0: it does not say. */
  build_epoch: number;
}

/** A file that was opened. */
export interface Mmdb {
  file: Buffer;
  count: number;
  size: 24 | 28 | 32;
  dataStart: number;
  decoder: Decoder;
  bitsMax: 32 | 128;
  metadata: Metadata;
}

/** Fails where it is no such file. */
export function openMmdb(file: Buffer): Mmdb {
  const mark = file.lastIndexOf(metadataMark);
  if (mark < 0) throw new Error('This is no MaxMind DB.');
  const start = mark + metadataMark.length;
  const metadata = metadataOf(new Decoder(file, start).read(start)[0]);
  const { node_count: count, record_size: size } = metadata;
  if (size !== 24 && size !== 28 && size !== 32)
    throw new Error('This MaxMind DB has records of an unknown size.');
  const dataStart = (count * size) / 4 + 16;
  if (count < 1 || dataStart > mark) throw new Error('This MaxMind DB is not whole.');
  const bitsMax = metadata.ip_version === 4 ? 32 : 128;
  return { file, count, size, dataStart, decoder: new Decoder(file, dataStart), bitsMax, metadata };
}

function metadataOf(read: unknown): Metadata {
  const map = (typeof read === 'object' && read !== null ? read : {}) as Record<string, unknown>;
  const number = (name: string) => (typeof map[name] === 'number' ? map[name] : 0);
  const descriptions = (map['description'] ?? {}) as Record<string, unknown>;
  const [description] = [descriptions['en'], ...Object.values(descriptions)];
  return {
    node_count: number('node_count'),
    record_size: number('record_size'),
    ip_version: number('ip_version'),
    database_type: typeof map['database_type'] === 'string' ? map['database_type'].slice(0, 200) : '',
    description: typeof description === 'string' ? description.slice(0, 500) : '',
    build_epoch: numberOf64(map['build_epoch']),
  };
}

const numberOf64 = (value: unknown): number => (typeof value === 'number' && value < 2 ** 42 ? value : 0);

/** What the file says of an address of 4 or 16 bytes; nothing where it says nothing. */
export function lookUp(
  { file, count, size, dataStart, decoder, bitsMax }: Mmdb,
  address: readonly number[],
): Record<string, unknown> {
  if (address.length === 16 && bitsMax === 32) return {};
  // IPv4 addresses stand below 96 zeros in a tree of IPv6.
  const zeros = bitsMax === 128 && address.length === 4 ? 96 : 0;
  let record = 0;
  for (let depth = 0; record < count && depth < zeros + address.length * 8; depth++) {
    const bit = depth - zeros;
    const side = bit < 0 ? 0 : ((((address[bit >> 3] ?? 0) >> (7 - (bit & 7))) & 1) as 0 | 1);
    record = recordAt(file, record, side, size);
  }
  if (record <= count) return {};
  const value = decoder.read(record - count - 16 + dataStart)[0];
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
}

/** All networks of a file with their values, in the order of addresses. Fails where it is no such file. */
export function* readMmdb(bytes: Buffer): Generator<MmdbNetwork> {
  const { file, count, size, dataStart, decoder, bitsMax } = openMmdb(bytes);
  const known = new Map<number, Record<string, unknown>>();
  const nothing: Record<string, unknown> = {};
  const offset = 128 - bitsMax;
  // Some files lead other networks, as those of 6to4, to the tree of IPv4 once more: that is left out.
  const ofV4 = bitsMax === 128 ? recordBelow(file, count, size, 96) : -1;
  // An entry is a node and the bits that lead to it; the left one is taken off the stack first.
  const stack: { record: number; depth: number; address: Buffer }[] = [
    { record: 0, depth: 0, address: Buffer.alloc(16) },
  ];
  let seen = 0;
  for (let entry = stack.pop(); entry; entry = stack.pop()) {
    // A tree has two entries below each node, and some files share branches; one that runs in circles would never end.
    if (seen++ > count * 8) throw new Error('The tree of this MaxMind DB runs in circles.');
    const { record, depth, address } = entry;
    const isRepeated = record === ofV4 && depth > 0 && !(depth === 96 && address.every((byte) => byte === 0));
    if (isRepeated || record === count) yield { start: address, value: nothing };
    else if (record > count) {
      let value = known.get(record);
      if (value === undefined) {
        const read = decoder.read(record - count - 16 + dataStart)[0];
        value = typeof read === 'object' && read !== null ? (read as Record<string, unknown>) : nothing;
        known.set(record, value);
      }
      yield { start: address, value };
    } else if (depth < bitsMax) {
      const right = Buffer.from(address);
      const bit = offset + depth;
      right[bit >> 3]! |= 128 >> (bit & 7);
      stack.push({ record: recordAt(file, record, 1, size), depth: depth + 1, address: right });
      stack.push({ record: recordAt(file, record, 0, size), depth: depth + 1, address });
    }
  }
}

/** The record that so many zeros lead to; -1 where the tree ends before. */
function recordBelow(file: Buffer, count: number, size: 24 | 28 | 32, zeros: number): number {
  let record = 0;
  for (let depth = 0; depth < zeros; depth++) {
    if (record >= count) return -1;
    record = recordAt(file, record, 0, size);
  }
  return record < count ? record : -1;
}

function recordAt(file: Buffer, node: number, side: 0 | 1, size: 24 | 28 | 32): number {
  const at = (node * size) / 4;
  if (size === 24) return file.readUIntBE(at + 3 * side, 3);
  if (size === 32) return file.readUInt32BE(at + 4 * side);
  const middle = file.readUInt8(at + 3);
  const high = side === 0 ? middle >> 4 : middle & 15;
  return high * 2 ** 24 + file.readUIntBE(at + 4 * side, 3);
}
