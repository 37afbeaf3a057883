import type { IpDataDocument } from '@breakwater/contract';
import { readFile } from 'node:fs/promises';
import { countryFile, regionFile } from './ip-data-files.ts';
import { readIpRecord } from './ip-record.ts';
import { readIp2region } from './ip2region.ts';
import { readMmdb } from './mmdb.ts';

/** Files of the operator's, as bytes or where they lie; without one of a part what is shipped. */
export interface IpDataFiles {
  country?: Uint8Array | string;
  region?: Uint8Array;
  asn?: Uint8Array;
}

/** From here on, until the next one begins. */
interface Cut<Start, Value = string> {
  start: Start;
  value: Value;
}
interface Cuts<Value = string> {
  v4: Cut<number, Value>[];
  v6: Cut<bigint, Value>[];
}

export async function buildIpData(files: IpDataFiles): Promise<IpDataDocument> {
  const { country = countryFile(), region, asn } = files;
  const countries = cutsOf(
    typeof country === 'string' ? await readFile(country) : asBuffer(country),
    (value) => readIpRecord(value).country,
    '-',
  );
  if (countries.v4.length < 2) throw new Error('The file says nothing of IPv4 addresses.');
  const regions = region === undefined ? await shippedRegions() : regionsOf(asBuffer(region));
  const places = new Map<string, number>();
  const placeOf = (text: string): number => {
    const known = places.get(text) ?? places.size;
    places.set(text, known);
    return known;
  };
  const v4 = new Stretches(4, 2);
  merge(countries.v4, regions.v4, 0, (start, place) => v4.add(BigInt(start), placeOf(place)));
  const v6 = new Stretches(8, 2);
  merge(countries.v6, regions.v6, 0n, (start, place) => v6.add(start, placeOf(place)));
  if (places.size > 65_536) throw new Error('The file names too many places.');
  const document: IpDataDocument = {
    v4: v4.starts(),
    v4_places: v4.values(),
    v6: v6.starts(),
    v6_places: v6.values(),
    places: [...places.keys()],
  };
  if (asn !== undefined) Object.assign(document, networksOf(asBuffer(asn)));
  return document;
}

const asBuffer = (bytes: Uint8Array): Buffer => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);

function networksOf(file: Buffer): Pick<IpDataDocument, 'asn'> {
  const cuts = cutsOf(file, (value) => readIpRecord(value).asn, 0);
  const v4 = new Stretches(4, 4);
  for (const { start, value } of cuts.v4) v4.add(BigInt(start), value);
  const v6 = new Stretches(8, 4);
  for (const { start, value } of cuts.v6) v6.add(start, value);
  return {
    asn: { v4: v4.starts(), v4_numbers: v4.values(), v6: v6.starts(), v6_numbers: v6.values() },
  };
}

const regionsOf = (file: Buffer): Cuts =>
  cutsOf(
    file,
    (value) => {
      const { province, carrier } = readIpRecord(value);
      return `${province} ${carrier}`;
    },
    nowhere,
  );
const nowhere = '- -';

async function shippedRegions(): Promise<Cuts> {
  const v4: Cut<number>[] = [{ start: 0, value: nowhere }];
  for (const { first, last, province, carrier } of readIp2region(await readFile(regionFile()))) {
    if (v4.at(-1)!.start === first) v4.pop();
    v4.push({ start: first, value: `${province} ${carrier}` });
    if (last < 2 ** 32 - 1) v4.push({ start: last + 1, value: nowhere });
  }
  return { v4, v6: [{ start: 0n, value: nowhere }] };
}

const zeros = Buffer.alloc(12);

/** IPv6 by the first eight bytes: what is finer counts as what stands before it. */
function cutsOf<Value>(
  file: Buffer,
  valueOf: (record: Record<string, unknown>) => Value,
  unknown: Value,
): Cuts<Value> {
  const known = new Map<object, Value>();
  const cuts: Cuts<Value> = { v4: [], v6: [] };
  for (const { start, value: record } of readMmdb(file)) {
    let value = known.get(record);
    if (value === undefined) known.set(record, (value = valueOf(record)));
    if (start.subarray(0, 12).equals(zeros)) {
      if (cuts.v4.at(-1)?.value !== value) cuts.v4.push({ start: start.readUInt32BE(12), value });
    } else {
      const at = start.readBigUInt64BE(0);
      const last = cuts.v6.at(-1);
      if (last?.value !== value && last?.start !== at) cuts.v6.push({ start: at, value });
    }
  }
  if (cuts.v6[0]?.start !== 0n) cuts.v6.unshift({ start: 0n, value: unknown });
  return cuts;
}

/** Both lists as one: each stretch lies within one of both. */
function merge<Start extends number | bigint>(
  countries: readonly Cut<Start>[],
  regions: readonly Cut<Start>[],
  first: Start,
  add: (start: Start, place: string) => void,
): void {
  let country = '-';
  let region = nowhere;
  let [one, other] = [0, 0];
  while (one < countries.length || other < regions.length) {
    const a = countries[one];
    const b = regions[other];
    const at = a === undefined || (b !== undefined && b.start < a.start) ? b!.start : a.start;
    if (a?.start === at) [country, one] = [a.value, one + 1];
    if (b?.start === at) [region, other] = [b.value, other + 1];
    add(at < first ? first : at, `${country} ${region}`);
  }
}

/** The beginnings of stretches; one that says the same as the one before is part of it. */
class Stretches {
  readonly #width: 4 | 8;
  readonly #valueWidth: 2 | 4;
  readonly #starts: bigint[] = [];
  readonly #values: number[] = [];

  constructor(width: 4 | 8, valueWidth: 2 | 4) {
    this.#width = width;
    this.#valueWidth = valueWidth;
  }

  add(start: bigint, value: number): void {
    if (this.#values.at(-1) === value) return;
    this.#starts.push(start);
    this.#values.push(value);
    if (this.#starts.length > 2_000_000) throw new Error('The file has too many networks.');
  }

  starts(): string {
    const bytes = Buffer.alloc(this.#starts.length * this.#width);
    this.#starts.forEach((start, index) => {
      if (this.#width === 8) bytes.writeBigUInt64BE(start, index * 8);
      else bytes.writeUInt32BE(Number(start), index * 4);
    });
    return bytes.toString('base64');
  }

  values(): string {
    const bytes = Buffer.alloc(this.#values.length * this.#valueWidth);
    this.#values.forEach((value, index) =>
      bytes.writeUIntBE(value, index * this.#valueWidth, this.#valueWidth),
    );
    return bytes.toString('base64');
  }
}
