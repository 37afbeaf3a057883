import { certificatesPerSite } from '@breakwater/contract';
import { sql } from 'drizzle-orm';
import type { Db } from '../../db/database.ts';
import { rowsOf } from '../../delivery/queryable.ts';
import type { Services } from '../../services.ts';
import { checkCertificates } from '../certificate/certificate.service.ts';
import { commitChange } from '../site-config/site-config.service.ts';
import { lockSiteIfThere, systemAuthor } from '../site-publish/site-publish.service.ts';
import { addSteps, readOrderRow } from './certificate-order.store.ts';
import { provenNames } from './order-names.ts';

/** Certificates that follow the domains of a site: obtained anew when those change, and used by it. */

/** Uses the certificate for its site, behind those that it has. Of one that does so already, nothing. */
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
    const next = [...ids, certificateId];
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

const perRun = 200;

/** Orders whose site has other domains by now are due at once. Answers how many. */
export async function followSites(db: Db): Promise<number> {
  const rows = await rowsOf<{ id: number }>(
    db,
    sql`WITH changed AS (
          SELECT o.id, w.names FROM certificate_order o, LATERAL (SELECT ${provenNames(sql`o.site_id`)} AS names) w
          WHERE o.site_id IS NOT NULL AND o.state NOT IN ('working', 'revoked') AND w.names IS NOT NULL
            AND w.names <> o.domains LIMIT ${perRun}),
        moved AS (
          UPDATE certificate_order o SET domains = c.names, next_at = now(), renew_at = now(), failures = 0
          FROM changed c WHERE o.id = c.id AND o.state NOT IN ('working', 'revoked') RETURNING o.id, o.domains)
        INSERT INTO certificate_step (order_id, kind, facts)
        SELECT id, 'names_changed', jsonb_build_object('names', array_to_string(domains, ', ')) FROM moved
        RETURNING order_id AS id`,
  );
  return rows.length;
}
