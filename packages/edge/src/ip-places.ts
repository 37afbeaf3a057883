import type { IpDataDocument } from '@breakwater/contract/edge-document';
import { parseAddress, type Address } from '@breakwater/policy/ip';
import { placeIn, readPlaces, type IpTable, type Place } from '@breakwater/policy/ip-data';
import { epoch as currentEpoch } from './epoch.ts';
import { decodeJson } from './json.ts';
import * as store from './store.ts';

/** The table of places as this worker holds it, once one of its rules has asked for it. */

let epoch = -1;
let revision: number | undefined;
let table: IpTable | undefined;
/** Of the address that was asked for last: a request's conditions ask for one. */
let lastText = '';
let lastPlace: Place | undefined;

/** Nothing where the table has not come yet, or does not know. */
export function placeOf(address: Address): Place | undefined {
  const now = currentEpoch();
  if (now !== epoch) {
    epoch = now;
    lastText = '';
    renew();
  }
  return table === undefined ? undefined : placeIn(table, address);
}

/** The same of an address as text. */
export function placeOfText(text: string): Place | undefined {
  if (text === lastText && currentEpoch() === epoch) return lastPlace;
  const address = parseAddress(text);
  lastPlace = address === undefined ? undefined : placeOf(address);
  lastText = text;
  return lastPlace;
}

function renew(): void {
  const current = store.revisionOf('ip_data', 'ip');
  if (current === revision) return;
  revision = current;
  const body = current === undefined ? undefined : store.bodyOf('ip_data', 'ip');
  table = body === undefined ? undefined : read(body);
}

function read(body: string): IpTable {
  const [decoded] = decodeJson(body);
  const document = decoded as IpDataDocument;
  return {
    v4: ngx.decode_base64(document.v4)!,
    v4Places: ngx.decode_base64(document.v4_places)!,
    v6: ngx.decode_base64(document.v6)!,
    v6Places: ngx.decode_base64(document.v6_places)!,
    places: readPlaces(document.places),
  };
}
