import type { AddressListDocument } from '@breakwater/contract/edge-document';
import { isInSet, type AddressSet } from '@breakwater/policy/address/address-set';
import type { Address } from '@breakwater/policy/address/ip';
import { epoch as currentEpoch } from './epoch.ts';
import { decodeJson } from '../lib/json.ts';
import * as store from './store.ts';

/** The address lists that this worker has been asked for: 8 bytes a range of IPv4, 32 one of IPv6. */

interface Held {
  epoch: number;
  revision: number;
  set: AddressSet;
}

const held: Record<number, Held> = {};

/** Whether a list names an address; one that is not here names none. */
export function isListed(list: number, address: Address): boolean {
  const set = setOf(list);
  return set !== undefined && isInSet(address, set);
}

function setOf(list: number): AddressSet | undefined {
  const epoch = currentEpoch();
  const known = held[list];
  if (known !== undefined && known.epoch === epoch) return known.set;
  const key = `${list}`;
  const revision = store.revisionOf('address_list', key);
  if (known !== undefined && known.revision === revision) {
    known.epoch = epoch;
    return known.set;
  }
  const body = revision === undefined ? undefined : store.bodyOf('address_list', key);
  if (revision === undefined || body === undefined) {
    delete held[list];
    return undefined;
  }
  const [document] = decodeJson(body);
  const { v4, v6 } = document as AddressListDocument;
  const set = { v4: ngx.decode_base64(v4)!, v6: ngx.decode_base64(v6)! };
  held[list] = { epoch, revision, set };
  return set;
}
