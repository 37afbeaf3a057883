import type { CertificateDocument } from '@breakwater/contract/edge-document';
import { certificateCovers } from '@breakwater/policy/http/host';
import * as ssl from 'ngx.ssl';
import * as clientHello from 'ngx.ssl.clienthello';
import * as ffi from 'ffi';
import { epoch as currentEpoch, isJa4Wanted } from '../documents/epoch.ts';
import { decodeJson } from '../lib/json.ts';
import { keepFingerprint, noteHello, offersSession } from './client-hello.ts';
import { staple } from './ocsp.ts';
import { entryOf, type HostEntry } from '../site/host.ts';
import * as store from '../documents/store.ts';
import { parsePair, type TlsPair } from './tls-pair.ts';
import { askForCertificate, connectionOf, demand, demandNothing } from './tls-settings.ts';

ffi.cdef('void SSL_set_cert_cb(void *connection, void *callback, void *argument);');

interface HeldCertificate {
  revision: number;
  /** Of the documents when the revision was last looked up. */
  epoch: number;
  domains: string[];
  pair: TlsPair;
}

/**
 * Certificates this worker has parsed, by id: parsing one takes longer than a handshake. When there are too many the
 * older half goes, of which those still asked for come back.
 */
const heldMax = 12_000;
let held: Record<string, HeldCertificate> = {};
let older: Record<string, HeldCertificate> = {};
let heldCount = 0;

/** The first words of a handshake: applies what the site of that name asks, before anything is agreed. */
export function greet(): void {
  const connection = connectionOf();
  if (connection === undefined) return;
  noteHello(connection);
  const asked = clientHello.get_client_hello_server_name();
  const entry = asked === undefined ? undefined : entryOf(asked.toLowerCase());
  const tls = entry?.site.tls;
  if (tls !== undefined) return demand(tls, connection);
  demandNothing(connection);
  if (entry !== undefined && !isJa4Wanted() && !offersSession(connection)) chooseNow(entry, connection);
}

/**
 * What most handshakes need is known at the hello already: the second call of Lua, for the certificate, costs 10 µs of 250. Where an answer of
 * the authority is stapled it is needed, for OpenSSL has not read by now whether the visitor wants one.
 */
function chooseNow(entry: HostEntry, connection: ffi.Pointer): void {
  const { list, stapled } = certificatesFor(entry);
  if (list.length === 0 || stapled !== undefined) return;
  show(list);
  ffi.C.SSL_set_cert_cb(connection, undefined, undefined);
}

/**
 * Chooses the certificate by the name the visitor asks for, the first that covers it for each kind of key; without one of
 * the site's, nginx keeps its default.
 */
export function chooseCertificate(): void {
  keepFingerprint();
  const asked = ssl.server_name();
  if (asked === undefined) return;
  const entry = entryOf(asked.toLowerCase());
  if (entry === undefined) return;
  const { tls } = entry.site;
  if (tls !== undefined) askForCertificate(tls);
  const chosen = certificatesFor(entry);
  if (chosen.list.length === 0) return;
  show(chosen.list);
  if (chosen.stapled !== undefined) staple(chosen.stapled);
}

/** What a host shows, as long as no document changes. */
export interface ChosenCertificates {
  epoch: number;
  list: { id: number; pair: TlsPair }[];
  /** The id of the one that is stapled. */
  stapled: string | undefined;
}

function certificatesFor(entry: HostEntry): ChosenCertificates {
  const epoch = currentEpoch();
  const known = entry.certificates;
  if (known !== undefined && known.epoch === epoch) return known;
  const chosen = findCertificates(entry, epoch);
  entry.certificates = chosen;
  return chosen;
}

function findCertificates({ site, host }: HostEntry, epoch: number): ChosenCertificates {
  const settings = site.document.certificate_settings;
  const list: ChosenCertificates['list'] = [];
  const kinds: Record<number, boolean> = {};
  for (const id of settings.certificate_ids) {
    const certificate = certificateOf(`${id}`);
    if (certificate === undefined || !covers(certificate, host)) continue;
    const { pair } = certificate;
    if (kinds[pair.keyType] === true) continue;
    kinds[pair.keyType] = true;
    list.push({ id, pair });
  }
  // Of two, OpenSSL chooses after this; the answer about one would be wrong for the other.
  const isStapled = list.length === 1 && settings.ocsp_stapling === true;
  return { epoch, list, stapled: isStapled ? `${list[0]!.id}` : undefined };
}

function show(list: ChosenCertificates['list']): void {
  ssl.clear_certs();
  for (const { id, pair } of list) {
    const [isCertSet, certProblem] = ssl.set_cert(pair.chain);
    const [isKeySet, keyProblem] = ssl.set_priv_key(pair.key);
    if (isCertSet === undefined || isKeySet === undefined)
      ngx.log(ngx.ERR, 'certificate ', id, ' cannot be used: ', certProblem ?? keyProblem ?? '');
  }
}

function covers(certificate: HeldCertificate, host: string): boolean {
  for (const domain of certificate.domains) if (certificateCovers(domain, host)) return true;
  return false;
}

function certificateOf(id: string): HeldCertificate | undefined {
  const epoch = currentEpoch();
  const known = held[id] ?? older[id];
  if (known !== undefined && known.epoch === epoch) {
    if (held[id] === undefined) hold(id, known);
    return known;
  }
  const revision = store.revisionOf('certificate', id);
  if (known !== undefined && known.revision === revision) {
    known.epoch = epoch;
    return known;
  }
  delete held[id];
  delete older[id];
  const body = store.bodyOf('certificate', id);
  if (body === undefined || revision === undefined) return undefined;
  const [decoded] = decodeJson(body);
  const document = decoded as CertificateDocument;
  const [pair] = parsePair(document.certificate, document.private_key);
  if (pair === undefined) return undefined;
  const certificate: HeldCertificate = { revision, epoch, domains: document.domains, pair };
  hold(id, certificate);
  return certificate;
}

function hold(id: string, certificate: HeldCertificate): void {
  if (heldCount >= heldMax) {
    older = held;
    held = {};
    heldCount = 0;
  }
  held[id] = certificate;
  heldCount += 1;
}
