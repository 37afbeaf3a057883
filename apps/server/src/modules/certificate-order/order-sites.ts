import { certificatesPerSite } from '@breakwater/contract';
import { and, inArray, lt, sql } from 'drizzle-orm';
import type { Db, Transaction } from '../../db/database.ts';
import { certificate } from '../../db/schema.ts';
import { rowsOf } from '../../delivery/queryable.ts';
import type { Services } from '../../services.ts';
import { checkCertificates } from '../certificate/certificate.service.ts';
import { commitChange } from '../site-config/site-config.service.ts';
import { lockSiteIfThere, systemAuthor } from '../site-publish/site-publish.service.ts';
import { endingDays } from './automatic-wanted.ts';
import { addSteps, readOrderRow } from './certificate-order.store.ts';
import { provenNames } from './order-names.ts';

/** Certificates that follow the domains of a site: obtained anew when those change, and used by it. */

/** Uses the certificate for its site, behind those that it has, but before those that end. Of one that does so already, nothing. */
export async function bindCertificate({ db, secrets }: Pick<Services, 'db' | 'secrets'>, orderId: number) {
  const order = await readOrderRow(db, orderId);
  if (order === undefined || order.siteId === null || order.certificateId === null) return;
  const { siteId, certificateId } = order;
  await db.transaction(async (tx) => {
    const row = await lockSiteIfThere(tx, siteId);
    if (!row) return;
    const before = row.site.config;
    const { certificate_ids: ids } = before.certificate_settings;
    if (ids.includes(certificateId)) return;
    if (ids.length >= certificatesPerSite) {
      await addSteps(tx, orderId, [{ kind: 'not_bound', facts: { most: String(certificatesPerSite) } }]);
      return;
    }
    const next = await withCertificate(tx, ids, certificateId);
    await checkCertificates(tx, row.site, next, 'certificate_ids');
    const settings = { ...before.certificate_settings, certificate_ids: next };
    await addSteps(tx, orderId, [{ kind: 'bound', facts: { site: before.domains[0] ?? '' } }]);
    await commitChange(
      tx,
      { secrets },
      row,
      { ...before, certificate_settings: settings },
      'certificate_settings',
      systemAuthor,
    );
  });
}

/** Nodes serve the first that covers a name. */
async function withCertificate(tx: Transaction, ids: readonly number[], id: number): Promise<number[]> {
  const ending = await tx
    .select({ id: certificate.id })
    .from(certificate)
    .where(
      and(
        inArray(certificate.id, [...ids]),
        lt(certificate.notAfter, sql`now() + make_interval(days => ${endingDays})`),
      ),
    );
  const first = ids.findIndex((each) => ending.some((row) => row.id === each));
  return ids.toSpliced(first < 0 ? ids.length : first, 0, id);
}

const perRun = 200;

/** Orders of people whose site has other domains by now are due at once; what is under way for others is of no use. Answers how many. */
export async function followSites(db: Db): Promise<number> {
  const rows = await rowsOf<{ id: number }>(
    db,
    sql`WITH changed AS (
          SELECT o.id, w.names FROM certificate_order o, LATERAL (
            SELECT ${provenNames(sql`o.site_id`, sql`o.challenge`)} AS names) w
          WHERE o.site_id IS NOT NULL AND (NOT o.automatic OR o.basis = '') AND o.state NOT IN ('working', 'revoked') AND w.names IS NOT NULL
            AND w.names <> o.domains LIMIT ${perRun}),
        moved AS (
          UPDATE certificate_order o SET domains = c.names, next_at = now(), renew_at = now(), failures = 0,
            order_url = '', order_key = NULL, order_account_id = NULL, phase = ''
          FROM changed c WHERE o.id = c.id AND o.state NOT IN ('working', 'revoked') RETURNING o.id, o.domains)
        INSERT INTO certificate_step (order_id, kind, facts)
        SELECT id, 'names_changed', jsonb_build_object('names', array_to_string(domains, ', ')) FROM moved
        RETURNING order_id AS id`,
  );
  return rows.length;
}
