import type { IpDataDocument } from '@breakwater/contract';
import { readFile } from 'node:fs/promises';
import { countryFile, countryOf, regionFile } from './ip-data-files.ts';
import { readIp2region, type ChineseStretch } from './ip2region.ts';
import { readMmdb } from './mmdb.ts';

/** With no file of the operator's the countries that the product ships. */
export async function buildIpData(ownCountries: string): Promise<IpDataDocument> {
  const [countries, regions] = await Promise.all([
    readFile(ownCountries === '' ? countryFile() : ownCountries),
    readFile(regionFile()),
  ]);
  const table = new Table();
  const v4: { start: number; country: string }[] = [];
  for (const { start, value } of readMmdb(countries)) {
    const country = countryOf(value);
    if (isIpv4(start)) v4.push({ start: start.readUInt32BE(12), country });
    else table.addV6(start.subarray(0, 8), `${country} - -`);
  }
  if (v4.length < 2) throw new Error('The file says nothing of IPv4 addresses.');
  mergeV4(table, v4, [...readIp2region(regions)]);
  return table.document();
}

const zeros = Buffer.alloc(12);
const isIpv4 = (address: Buffer): boolean => address.subarray(0, 12).equals(zeros);

/** Both lists cut into stretches, of which each lies within one entry of both. */
function mergeV4(
  table: Table,
  countries: readonly { start: number; country: string }[],
  regions: readonly ChineseStretch[],
): void {
  let region = 0;
  countries.forEach(({ start, country }, index) => {
    const last = (countries[index + 1]?.start ?? 2 ** 32) - 1;
    let at = start;
    while (at <= last) {
      while (region < regions.length && regions[region]!.last < at) region += 1;
      const next = regions[region];
      if (next === undefined || next.first > last) {
        table.addV4(at, `${country} - -`);
        break;
      }
      if (next.first > at) table.addV4(at, `${country} - -`);
      table.addV4(Math.max(at, next.first), `${country} ${next.province} ${next.carrier}`);
      at = Math.min(last, next.last) + 1;
    }
  });
}

class Table {
  readonly #places = new Map<string, number>();
  readonly #v4 = new Stretches(4);
  readonly #v6 = new Stretches(8);

  addV4(start: number, place: string): void {
    const bytes = Buffer.alloc(4);
    bytes.writeUInt32BE(start);
    this.#v4.add(bytes, this.#numberOf(place));
  }

  addV6(start: Buffer, place: string): void {
    this.#v6.add(start, this.#numberOf(place));
  }

  document(): IpDataDocument {
    if (this.#places.size > 65_536) throw new Error('The file names too many places.');
    return {
      v4: this.#v4.starts(),
      v4_places: this.#v4.places(),
      v6: this.#v6.starts(),
      v6_places: this.#v6.places(),
      places: [...this.#places.keys()],
    };
  }

  #numberOf(place: string): number {
    const known = this.#places.get(place);
    if (known !== undefined) return known;
    this.#places.set(place, this.#places.size);
    return this.#places.size - 1;
  }
}

/** The beginnings of stretches; one that says the same as the one before is part of it. */
class Stretches {
  readonly #width: number;
  readonly #starts: Buffer[] = [];
  readonly #places: number[] = [];

  constructor(width: number) {
    this.#width = width;
  }

  add(start: Buffer, place: number): void {
    if (this.#places.at(-1) === place) return;
    const before = this.#starts.at(-1);
    // What is finer than the bytes that are kept counts as what stands before it.
    if (before?.equals(start) === true) return;
    this.#starts.push(Buffer.from(start.subarray(0, this.#width)));
    this.#places.push(place);
  }

  starts(): string {
    return Buffer.concat(this.#starts).toString('base64');
  }

  places(): string {
    const bytes = Buffer.alloc(this.#places.length * 2);
    this.#places.forEach((place, index) => bytes.writeUInt16BE(place, index * 2));
    return bytes.toString('base64');
  }
}
