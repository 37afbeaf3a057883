import type { CertificateKey } from '@breakwater/contract';
import { certificateCovers } from '@breakwater/policy/http/host';
import { inArray, sql } from 'drizzle-orm';
import { X509Certificate } from 'node:crypto';
import { certificate } from '../../db/schema.ts';
import type { Db, Transaction } from '../../db/database.ts';
import { keyOf } from './certificate-chain.ts';

/** Where a certificate goes among those of a site, which serves for each name and kind of key the first that covers it. */

export interface SiteCertificate {
  id: number;
  name: string;
  domains: readonly string[];
  notAfter: Date;
  keyType: CertificateKey['key_type'];
  /** An order renews it. */
  isRenewed: boolean;
}

export interface Binding {
  /** Domains of the site that it covers. */
  covered: string[];
  /** Those of the site that serve these domains now to visitors with the same kind of key. */
  present: SiteCertificate[];
  /** What the site uses from then on. */
  after: SiteCertificate[];
  /** One of those that people uploaded ends later than it. */
  isOutlasted: boolean;
}

const coversAny = ({ domains }: Pick<SiteCertificate, 'domains'>, domain: string): boolean =>
  domains.some((name) => certificateCovers(name, domain));

/**
 * A certificate takes the place of those that it can do without: uploaded, of the same kind of key, ending no later, and covering nothing
 * that it does not. It goes before the others that cover what it does; what an order renews stays, to serve when this one has gone.
 */
export function bindingOf(
  siteDomains: readonly string[],
  before: readonly SiteCertificate[],
  added: SiteCertificate,
): Binding {
  const covered = siteDomains.filter((domain) => coversAny(added, domain));
  const others = before.filter(({ id }) => id !== added.id);
  const isRival = (one: SiteCertificate) =>
    one.keyType === added.keyType && covered.some((domain) => coversAny(one, domain));
  const present = others.filter(
    (one) =>
      isRival(one) &&
      covered.some((domain) => one === others.find((each) => isRival(each) && coversAny(each, domain))),
  );
  const endsLater = ({ notAfter }: SiteCertificate) => notAfter.getTime() > added.notAfter.getTime();
  const isDispensable = (one: SiteCertificate) =>
    isRival(one) &&
    !one.isRenewed &&
    !endsLater(one) &&
    siteDomains.every((domain) => !coversAny(one, domain) || coversAny(added, domain));
  const place = others.findIndex(isRival);
  const placed = others.toSpliced(place < 0 ? others.length : place, 0, added);
  return {
    covered,
    present,
    after: placed.filter((one) => one === added || !isDispensable(one)),
    isOutlasted: present.some((one) => !one.isRenewed && endsLater(one)),
  };
}

const isRenewed = sql<boolean>`EXISTS (SELECT FROM certificate_order o
  WHERE o.certificate_id = ${certificate.id} AND o.state <> 'revoked')`;

/** By their ids. */
export async function readSiteCertificates(
  db: Db | Transaction,
  ids: readonly number[],
): Promise<Map<number, SiteCertificate>> {
  const rows = await db
    .select({
      id: certificate.id,
      name: certificate.name,
      domains: certificate.domains,
      notAfter: certificate.notAfter,
      pem: certificate.certificate,
      isRenewed,
    })
    .from(certificate)
    .where(inArray(certificate.id, [...ids]));
  return new Map(
    rows.map(({ pem, ...row }) => [row.id, { ...row, keyType: keyOf(new X509Certificate(pem)).key_type }]),
  );
}
