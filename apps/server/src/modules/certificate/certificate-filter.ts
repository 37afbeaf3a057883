import { certificateSoonDays, type CertificateStatus } from '@breakwater/contract';
import { and, eq, gt, isNull, lte, or, sql, type SQL } from 'drizzle-orm';
import { among, contains, containsDomain } from '../../db/page.ts';
import { certificate } from '../../db/schema.ts';
import { owned, type Scope } from '../../scope.ts';

/** Which certificates a list or a removal is about. */

export interface CertificateFilter {
  name?: string | undefined;
  domain?: string | undefined;
  keyword?: string | undefined;
  group_name?: string | undefined;
  status?: CertificateStatus | undefined;
  used?: 'yes' | 'no' | undefined;
  ids?: number[] | undefined;
  client_id?: number | undefined;
  owner?: 'platform' | undefined;
}

const domainText = sql`array_to_string(${certificate.domains}, ' ')`;
const isUsed = sql`EXISTS (SELECT FROM edge_use u
  WHERE u.dep_kind = 'certificate' AND u.dep_key = ${certificate.id}::text)`;

const now = sql`now()`;
const soon = sql`now() + make_interval(days => ${certificateSoonDays})`;
const statusIs: Record<CertificateStatus, SQL | undefined> = {
  valid: gt(certificate.notAfter, soon),
  expires_soon: and(gt(certificate.notAfter, now), lte(certificate.notAfter, soon)),
  expired: lte(certificate.notAfter, now),
};

export const whereCertificates = (scope: Scope, filter: CertificateFilter): SQL | undefined =>
  and(
    owned(certificate, scope),
    contains(certificate.name, filter.name),
    containsDomain(domainText, filter.domain),
    or(
      contains(certificate.name, filter.keyword),
      contains(certificate.groupName, filter.keyword),
      containsDomain(domainText, filter.keyword),
    ),
    filter.group_name ? eq(certificate.groupName, filter.group_name) : undefined,
    filter.status && statusIs[filter.status],
    filter.used && (filter.used === 'yes' ? isUsed : sql`NOT ${isUsed}`),
    among(certificate.id, filter.ids),
    filter.client_id ? eq(certificate.clientId, filter.client_id) : undefined,
    filter.owner && isNull(certificate.clientId),
  );

const soonMs = certificateSoonDays * 86_400_000;

export function statusOf(notAfter: Date): CertificateStatus {
  const left = notAfter.getTime() - Date.now();
  if (left <= 0) return 'expired';
  return left <= soonMs ? 'expires_soon' : 'valid';
}
