import type { Place } from '@breakwater/policy/ip-data';
import { parseAddress } from '@breakwater/policy/ip';
import { readFile, stat } from 'node:fs/promises';
import type { Logger } from 'pino';
import { countryFile, countryOf, regionFile } from './ip-data-files.ts';
import { regionAt } from './ip2region.ts';
import { lookUp, openMmdb, type Mmdb } from './mmdb.ts';

const lookEveryMs = 10 * 60_000;
const nowhere: Place = { country: '', province: '', carrier: '' };

/**
 * Where addresses are, asked of the files themselves: for the log, which asks of few addresses at a time, that is less than
 * the table that nodes have. Nothing is read before the first question; a new file of the operator's is taken within ten minutes.
 */
export class PlaceFinder {
  readonly #ownCountries: string;
  readonly #log: Logger;
  #countries: Mmdb | undefined;
  #regions: Buffer | undefined;
  #stamp = '';
  #lookedAt = Number.NEGATIVE_INFINITY;

  constructor(ownCountries: string, log: Logger) {
    this.#ownCountries = ownCountries;
    this.#log = log;
  }

  /** To be awaited before a run of questions. Returns whether earlier answers may be out of date. */
  async refresh(now: number): Promise<boolean> {
    if (now - this.#lookedAt < lookEveryMs) return false;
    this.#lookedAt = now;
    this.#regions ??= await readFile(regionFile());
    const path = this.#ownCountries === '' ? countryFile() : this.#ownCountries;
    try {
      const { mtimeMs, size } = await stat(path);
      const stamp = `${mtimeMs} ${size}`;
      if (stamp === this.#stamp) return false;
      this.#countries = openMmdb(await readFile(path));
      this.#stamp = stamp;
      return true;
    } catch (error) {
      this.#log.error(
        { err: error, path },
        'the file of countries cannot be read; the log says the last known ones',
      );
      this.#countries ??= openMmdb(await readFile(countryFile()));
      return false;
    }
  }

  /** Fields nobody knows are empty, as all are of what is no address. */
  placeOf(text: string): Place {
    const address = parseAddress(text);
    if (!address || !this.#countries || !this.#regions) return nowhere;
    const country = countryOf(lookUp(this.#countries, address));
    if (address.length !== 4) return { ...nowhere, country: known(country) };
    const [a = 0, b = 0, c = 0, d = 0] = address;
    const region = regionAt(this.#regions, ((a * 256 + b) * 256 + c) * 256 + d);
    return {
      country: known(country),
      province: known(region?.province ?? '-'),
      carrier: known(region?.carrier ?? '-'),
    };
  }
}

const known = (part: string): string => (part === '-' ? '' : part);
