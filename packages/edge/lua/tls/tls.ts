import type { CertificateDocument } from '@breakwater/contract/edge-document';
import { certificateCovers } from '@breakwater/policy/http/host';
import * as ssl from 'ngx.ssl';
import * as clientHello from 'ngx.ssl.clienthello';
import { epoch as currentEpoch } from '../documents/epoch.ts';
import { decodeJson } from '../lib/json.ts';
import { keepFingerprint, noteHello } from './client-hello.ts';
import { staple } from './ocsp.ts';
import { entryOf } from '../site/host.ts';
import * as store from '../documents/store.ts';
import { parsePair, type TlsPair } from './tls-pair.ts';
import { askForCertificate, connectionOf, demand, demandNothing } from './tls-settings.ts';

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
  const tls = asked === undefined ? undefined : entryOf(asked.toLowerCase())?.site.tls;
  if (tls === undefined) demandNothing(connection);
  else demand(tls, connection);
}

/**
 * Chooses the certificate by the name the visitor asks for, the first that covers it for each kind of key; without one of
 * the site's, nginx keeps its default.
 */
export function chooseCertificate(): void {
  keepFingerprint();
  const asked = ssl.server_name();
  if (asked === undefined) return;
  const host = asked.toLowerCase();
  const entry = entryOf(host);
  if (entry === undefined) return;
  const { tls, document } = entry.site;
  const settings = document.certificate_settings;
  if (tls !== undefined) askForCertificate(tls);
  let first: number | undefined;
  let only: number | undefined;
  let second: Record<number, boolean> | undefined;
  for (const id of settings.certificate_ids) {
    const certificate = certificateOf(`${id}`);
    if (certificate === undefined || !covers(certificate, host)) continue;
    const { keyType } = certificate.pair;
    if (first === undefined) {
      first = keyType;
      only = id;
      ssl.clear_certs();
    } else {
      if (keyType === first || second?.[keyType] === true) continue;
      second ??= {};
      only = undefined;
      second[keyType] = true;
    }
    use(id, certificate.pair);
  }
  // Of two, OpenSSL chooses after this; the answer about one would be wrong for the other.
  if (only !== undefined && settings.ocsp_stapling === true) staple(`${only}`);
}

function use(id: number, pair: TlsPair): void {
  const [isCertSet, certProblem] = ssl.set_cert(pair.chain);
  const [isKeySet, keyProblem] = ssl.set_priv_key(pair.key);
  if (isCertSet === undefined || isKeySet === undefined)
    ngx.log(ngx.ERR, 'certificate ', id, ' cannot be used: ', certProblem ?? keyProblem ?? '');
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
