import { certificateNamesMax, type DomainCertificateState } from '@breakwater/contract';
import { certificateCovers } from '@breakwater/policy/http/host';
import { asc, eq, inArray } from 'drizzle-orm';
import { notFound } from '../../api-error.ts';
import type { Db } from '../../db/database.ts';
import { iso, isoOrNull } from '../../db/page.ts';
import { acmeAccount, certificate, certificateOrder, site, siteDomain } from '../../db/schema.ts';
import type { Scope } from '../../scope.ts';
import { siteWithin } from '../site-publish/site-publish.service.ts';
import { absentVerdicts, isAutomatic } from './automatic-wanted.ts';
import type { OrderRow } from './certificate-order.store.ts';

/** The certificate of each domain of a site, or why it has none. */

interface Known {
  automatic: boolean;
  hasAccount: boolean;
  /** Each for a part of its domains. */
  orders: readonly OrderRow[];
}

export async function readSiteCertificates(db: Db, scope: Scope, siteId: number) {
  const [found] = await db.select().from(site).where(siteWithin(scope, siteId));
  if (!found || found.removedAt !== null) throw notFound();
  const { certificate_ids: ids } = found.config.certificate_settings;
  const [domains, certificates, orders, automatic, accounts] = await Promise.all([
    db
      .select({ domain: siteDomain.domain, proof: siteDomain.proof, verdict: siteDomain.verdict })
      .from(siteDomain)
      .where(eq(siteDomain.siteId, siteId))
      .orderBy(asc(siteDomain.position)),
    db
      .select({
        id: certificate.id,
        name: certificate.name,
        domains: certificate.domains,
        notAfter: certificate.notAfter,
      })
      .from(certificate)
      .where(inArray(certificate.id, ids)),
    db
      .select()
      .from(certificateOrder)
      .where(eq(certificateOrder.siteId, siteId))
      .orderBy(certificateOrder.part),
    isAutomatic(db, siteId),
    db.$count(acmeAccount, eq(acmeAccount.enabled, true)),
  ]);
  const inOrder = ids.flatMap((id) => certificates.find((each) => each.id === id) ?? []);
  const known = { automatic, hasAccount: accounts > 0, orders };
  const list = domains.map(({ domain, proof, verdict }) => {
    const covering = inOrder.filter((each) => each.domains.some((name) => certificateCovers(name, domain)));
    const live = covering.find(({ notAfter }) => notAfter.getTime() > Date.now());
    const shown = live ?? covering[0];
    const seen = {
      isProven: proof === 'given',
      isAbsent: verdict !== null && absentVerdicts.includes(verdict),
      hasExpired: shown !== undefined,
    };
    return {
      domain,
      state: live ? ('covered' as const) : whyNot(domain, seen, known),
      certificate_id: shown?.id ?? null,
      certificate_name: shown?.name ?? null,
      not_after: shown ? iso(shown.notAfter) : null,
      order_id: orders.find((order) => order.domains.includes(domain))?.id ?? null,
    };
  });
  return { automatic, orders: orders.map(presentOrder), list };
}

function whyNot(
  domain: string,
  { isProven, isAbsent, hasExpired }: { isProven: boolean; isAbsent: boolean; hasExpired: boolean },
  { automatic, hasAccount, orders }: Known,
): DomainCertificateState {
  if (!isProven) return 'unproven';
  const own = orders.find((order) => order.domains.includes(domain));
  if (own) return own.state === 'failed' || own.state === 'revoked' ? 'failed' : 'issuing';
  if (domain.startsWith('*.') && (automatic || orders.length > 0)) return 'wildcard';
  if (orders.some((order) => order.automatic) && isAbsent) return 'absent';
  // Where people asked for them, or the site does, what they have no room for gets one more.
  if (automatic || orders.some((order) => !order.automatic)) return hasAccount ? 'queued' : 'no_account';
  if (orders.length > 0)
    return orders.every((order) => order.domains.length >= certificateNamesMax) ? 'beyond' : 'queued';
  return hasExpired ? 'expired' : 'none';
}

const presentOrder = (order: OrderRow) => ({
  id: order.id,
  name: order.name,
  automatic: order.automatic,
  state: order.state,
  problem: order.problem,
  problem_detail: order.problemDetail,
  domain_count: order.domains.length,
  next_at: isoOrNull(order.nextAt),
});
