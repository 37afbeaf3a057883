import type { Place } from '@breakwater/policy/address/ip-data';
import { parseAddress } from '@breakwater/policy/address/ip';
import { readFile } from 'node:fs/promises';
import type { Logger } from 'pino';
import { countryFile, regionFile } from './ip-data-files.ts';
import { readIpRecord } from './ip-record.ts';
import type { PlaceFiles, Sources } from './ip-source.store.ts';
import { regionAt } from './ip2region.ts';
import { lookUp, openMmdb, type Mmdb } from './mmdb.ts';

const lookEveryMs = 60_000;
const nowhere: Located = { country: '', province: '', carrier: '', asn: 0 };

/** With the number of the network; 0: nobody knows. */
type Located = Place & { asn: number };

/** What is asked: a file each, and of provinces also what is shipped, which has a form of its own. */
interface Opened {
  countries: Mmdb;
  regions: Mmdb | Buffer;
  networks?: Mmdb;
}

/**
 * Where addresses are, asked of the files themselves: for the log, which asks of few addresses at a time, that is less than
 * the table that nodes have. Nothing is read before the first question; other files are taken within a minute.
 */
export class PlaceFinder {
  readonly #files: PlaceFiles;
  readonly #log: Logger;
  #opened: Opened | undefined;
  #stamp = '';
  #lookedAt = Number.NEGATIVE_INFINITY;

  constructor(files: PlaceFiles, log: Logger) {
    this.#files = files;
    this.#log = log;
  }

  /** To be awaited before a run of questions. Returns whether earlier answers may be out of date. */
  async refresh(now: number): Promise<boolean> {
    if (now - this.#lookedAt < lookEveryMs) return false;
    this.#lookedAt = now;
    try {
      const sources = await this.#files.read();
      // A file that is gone changes nothing.
      if (sources.stamp === this.#stamp || (sources.isMissing && this.#opened)) return false;
      this.#opened = await this.#open(sources);
      this.#stamp = sources.stamp;
      return true;
    } catch (error) {
      this.#log.error({ err: error }, 'the files of places cannot be read; the log says the last known ones');
      this.#opened ??= await shippedFiles();
      return false;
    }
  }

  async #open(sources: Sources): Promise<Opened> {
    const { country, region, asn } = await this.#files.load(sources);
    const shipped = await shippedFiles();
    return {
      countries:
        country === undefined
          ? shipped.countries
          : openMmdb(typeof country === 'string' ? await readFile(country) : Buffer.from(country)),
      regions: region === undefined ? shipped.regions : openMmdb(Buffer.from(region)),
      ...(asn === undefined ? {} : { networks: openMmdb(Buffer.from(asn)) }),
    };
  }

  /** Fields nobody knows are empty, as all are of what is no address. */
  placeOf(text: string): Located {
    const address = parseAddress(text);
    if (!address || !this.#opened) return nowhere;
    const { countries, regions, networks } = this.#opened;
    const { country } = readIpRecord(lookUp(countries, address));
    const { province = '-', carrier = '-' } =
      (Buffer.isBuffer(regions) ? shippedRegion(regions, address) : readIpRecord(lookUp(regions, address))) ??
      {};
    const asn = networks === undefined ? 0 : readIpRecord(lookUp(networks, address)).asn;
    return { country: known(country), province: known(province), carrier: known(carrier), asn };
  }
}

async function shippedFiles(): Promise<Opened> {
  const [countries, regions] = await Promise.all([readFile(countryFile()), readFile(regionFile())]);
  return { countries: openMmdb(countries), regions };
}

/** Of IPv4 only. */
function shippedRegion(regions: Buffer, [a = 0, b = 0, c = 0, d = 0, ...rest]: readonly number[]) {
  return rest.length > 0 ? undefined : regionAt(regions, ((a * 256 + b) * 256 + c) * 256 + d);
}

const known = (part: string): string => (part === '-' ? '' : part);
