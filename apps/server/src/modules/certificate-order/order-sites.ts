import { certificateNamesMax, certificatesPerSite } from '@breakwater/contract';
import { and, inArray, lt, sql } from 'drizzle-orm';
import type { Transaction } from '../../db/database.ts';
import { certificate } from '../../db/schema.ts';
import { rowsOf } from '../../delivery/queryable.ts';
import { eachItem } from '../../each-item.ts';
import { systemActor } from '../../events/record-event.ts';
import type { Services } from '../../services.ts';
import { checkCertificates } from '../certificate/certificate.service.ts';
import { commitChange } from '../site-config/site-config.service.ts';
import { lockSiteIfThere, systemAuthor } from '../site-publish/site-publish.service.ts';
import { endingDays, uncoveredOf } from './automatic-wanted.ts';
import { addSteps, readOrderRow, type NewStep, type OrderRow } from './certificate-order.store.ts';
import { divideNames, furtherOrders, hasSameNames } from './order-division.ts';
import { provenNames, readProvenNames } from './order-names.ts';
import {
  addOrder,
  canProve,
  changeOrder,
  endOrder,
  isAtRest,
  lockOrdersOfSite,
  shareOf,
} from './site-orders.ts';

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
const seconds = 300;

/** Order `o` follows its site by what people asked for: it was made by them, or its site wants none by itself any more. */
const isFollowing = sql`o.site_id IS NOT NULL AND (NOT o.automatic OR o.basis = '') AND o.state NOT IN ('working', 'revoked')`;

/**
 * Orders of people whose site has other domains by now are due at once; what is under way for others is of no use. Answers for how many
 * sites that was looked at.
 */
export async function followSites(services: Pick<Services, 'db' | 'secrets' | 'log'>): Promise<number> {
  const rows = await rowsOf<{ site_id: number }>(
    services.db,
    sql`SELECT DISTINCT o.site_id FROM certificate_order o, LATERAL (
          SELECT ${provenNames(sql`o.site_id`, sql`o.challenge`)} AS names) w
        WHERE ${isFollowing} AND w.names IS NOT NULL AND (NOT o.domains <@ w.names
          OR (NOT o.automatic OR cardinality(o.domains) < ${certificateNamesMax})
            AND EXISTS (SELECT FROM unnest(w.names) AS u (name)
              WHERE NOT EXISTS (SELECT FROM certificate_order h WHERE h.site_id = o.site_id AND u.name = ANY(h.domains))))
        ORDER BY o.site_id LIMIT ${perRun}`,
  );
  const work = { log: services.log, about: 'certificates that follow a site', nameOf: Number, seconds };
  const ids = rows.map((row) => row.site_id);
  return eachItem(ids, work, (id) => followSite(services, id));
}

async function followSite({ db, secrets }: Pick<Services, 'db' | 'secrets'>, siteId: number): Promise<void> {
  await db.transaction(async (tx) => {
    const row = await lockSiteIfThere(tx, siteId);
    if (!row) return;
    const orders = await lockOrdersOfSite(tx, siteId);
    const names = await readProvenNames(tx, siteId, 'dns-01');
    const { shares, rest } = divideNames(names, orders.map(shareOf));
    const ended: OrderRow[] = [];
    for (const order of orders.filter((each) => isAtRest(each) && (!each.automatic || each.basis === ''))) {
      const share = shares.get(order.id)!;
      const isLeft = share.length === 0 && !order.domains.some((name) => names.includes(name));
      if (isLeft && orders.some(({ id }) => shares.get(id)!.length > 0)) ended.push(order);
      else if (share.length > 0 && !hasSameNames(share, order.domains)) await moveTo(tx, order, share);
    }
    await askFurther(tx, orders, rest);
    for (const order of ended) await endOrder(tx, { secrets }, row, order);
  });
}

async function moveTo(tx: Transaction, order: OrderRow, domains: string[]): Promise<void> {
  await changeOrder(tx, order, { domains }, true);
  await addSteps(tx, order.id, [{ kind: 'names_changed', facts: { names: domains.join(', ') } }]);
}

/** What no order has room for is asked for as somebody asked for the first; not what a certificate of the site covers already. */
async function askFurther(tx: Transaction, orders: OrderRow[], rest: readonly string[]): Promise<void> {
  const first = orders.find(({ automatic, state }) => !automatic && state !== 'revoked');
  if (!first) return;
  const { siteId, clientId, acmeAccountId, challenge, dnsAccountId, keyType, reuseKey } = first;
  if (siteId === null || clientId === null) return;
  const names = rest.filter((name) => canProve(first, name));
  const uncovered = names.length === 0 ? [] : await uncoveredOf(tx, siteId, names);
  for (const domains of furtherOrders(uncovered)) {
    const values = { siteId, clientId, acmeAccountId, challenge, dnsAccountId, keyType, reuseKey, domains };
    const steps: NewStep[] = [{ kind: 'names_changed', facts: { names: domains.join(', ') } }];
    await addOrder(tx, orders, values, { actor: systemActor, steps });
  }
}
