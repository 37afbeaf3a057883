import type { ConditionFieldName } from '@breakwater/contract/condition-fields';
import type { Address } from '../address/ip.ts';
import type { Place } from '../address/ip-data.ts';
import type { RobotOfAddress } from '../access/search-robots.ts';

/** What lies outside a request: asked for only by the rules that need it. */
export interface AddressLookups {
  isListed: (this: void, list: number, address: Address) => boolean;
  placeOf: (this: void, address: Address) => Place | undefined;
  /** The number of the address's network. */
  asnOf?: (this: void, address: Address) => number | undefined;
  /** Of an address as text; absent where nobody can say. */
  robotOf?: (this: void, address: string) => RobotOfAddress;
}

/** What a condition asks of where an address is; nothing where nobody knows, or for another field. */
export function placeFact(field: ConditionFieldName, place: Place | undefined): string | undefined {
  if (place === undefined) return undefined;
  let known = '';
  if (field === 'country') known = place.country;
  else if (field === 'province') known = place.province;
  else if (field === 'carrier') known = place.carrier;
  return known === '' ? undefined : known;
}

export const isPlaceField = (field: ConditionFieldName): boolean =>
  field === 'country' || field === 'province' || field === 'carrier';
