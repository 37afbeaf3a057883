import type { CertificateDocument } from '@breakwater/contract/edge-document';
import { certificateCovers } from '@breakwater/policy/host';
import * as ssl from 'ngx.ssl';
import { decodeJson } from './json.ts';
import { entryOf } from './site.ts';
import * as store from './store.ts';
import { parsePair, type TlsPair } from './tls-pair.ts';

interface HeldCertificate {
  revision: number;
  domains: string[];
  pair: TlsPair;
}

/** Certificates this worker has parsed, by id. */
const held: Record<string, HeldCertificate> = {};

/** Chooses the certificate by the name the visitor asks for; without one of the site's, nginx keeps its default. */
export function chooseCertificate(): void {
  const asked = ssl.server_name();
  if (asked === undefined) return;
  const host = asked.toLowerCase();
  const entry = entryOf(host);
  if (entry === undefined) return;
  for (const id of entry.site.document.certificate_settings.certificate_ids) {
    const certificate = certificateOf(`${id}`);
    if (certificate !== undefined && covers(certificate, host)) {
      ssl.clear_certs();
      const [isCertSet, certProblem] = ssl.set_cert(certificate.pair.chain);
      const [isKeySet, keyProblem] = ssl.set_priv_key(certificate.pair.key);
      if (isCertSet === undefined || isKeySet === undefined)
        ngx.log(ngx.ERR, 'certificate ', id, ' cannot be used: ', certProblem ?? keyProblem ?? '');
      return;
    }
  }
}

function covers(certificate: HeldCertificate, host: string): boolean {
  for (const domain of certificate.domains) if (certificateCovers(domain, host)) return true;
  return false;
}

function certificateOf(id: string): HeldCertificate | undefined {
  const revision = store.revisionOf('certificate', id);
  const known = held[id];
  if (known !== undefined && known.revision === revision) return known;
  delete held[id];
  const body = store.bodyOf('certificate', id);
  if (body === undefined || revision === undefined) return undefined;
  const [decoded] = decodeJson(body);
  const document = decoded as CertificateDocument;
  const [pair] = parsePair(document.certificate, document.private_key);
  if (pair === undefined) return undefined;
  const certificate: HeldCertificate = { revision, domains: document.domains, pair };
  held[id] = certificate;
  return certificate;
}
