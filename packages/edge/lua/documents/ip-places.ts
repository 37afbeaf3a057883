import type { IpDataDocument } from '@breakwater/contract/edge-document';
import { parseAddress, type Address } from '@breakwater/policy/address/ip';
import {
  asnIn,
  placeIn,
  readPlaces,
  type AsnTable,
  type IpTable,
  type Place,
} from '@breakwater/policy/address/ip-data';
import { epoch as currentEpoch } from './epoch.ts';
import { decodeJson } from '../lib/json.ts';
import * as store from './store.ts';

/** The table of places as this worker holds it, once one of its rules has asked for it. */

let epoch = -1;
let revision: number | undefined;
let table: IpTable | undefined;
/** Read when a rule asks for it: most rules ask for places. */
let networks: AsnTable | 'none' | undefined;
/** Of the address that was asked for last: a request's conditions ask for one. */
let lastText = '';
let lastPlace: Place | undefined;

/** Nothing where the table has not come yet, or does not know. */
export function placeOf(address: Address): Place | undefined {
  renewIfNew();
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

/** The number of an address's network; nothing where the table has none, or does not know. */
export function asnOf(address: Address): number | undefined {
  renewIfNew();
  networks ??= readNetworks();
  return networks === 'none' ? undefined : asnIn(networks, address);
}

export function asnOfText(text: string): number | undefined {
  const address = parseAddress(text);
  return address === undefined ? undefined : asnOf(address);
}

function renewIfNew(): void {
  const now = currentEpoch();
  if (now === epoch) return;
  epoch = now;
  lastText = '';
  renew();
}

function renew(): void {
  const current = store.revisionOf('ip_data', 'ip');
  if (current === revision) return;
  revision = current;
  const body = current === undefined ? undefined : store.bodyOf('ip_data', 'ip');
  table = body === undefined ? undefined : read(body);
  networks = undefined;
}

function readNetworks(): AsnTable | 'none' {
  const body = store.bodyOf('ip_data', 'ip');
  const asn = body === undefined ? undefined : documentOf(body).asn;
  if (asn === undefined) return 'none';
  return {
    v4: ngx.decode_base64(asn.v4)!,
    v4Numbers: ngx.decode_base64(asn.v4_numbers)!,
    v6: ngx.decode_base64(asn.v6)!,
    v6Numbers: ngx.decode_base64(asn.v6_numbers)!,
  };
}

function documentOf(body: string): IpDataDocument {
  const [decoded] = decodeJson(body);
  return decoded as IpDataDocument;
}

function read(body: string): IpTable {
  const document = documentOf(body);
  return {
    v4: ngx.decode_base64(document.v4)!,
    v4Places: ngx.decode_base64(document.v4_places)!,
    v6: ngx.decode_base64(document.v6)!,
    v6Places: ngx.decode_base64(document.v6_places)!,
    places: readPlaces(document.places),
  };
}
