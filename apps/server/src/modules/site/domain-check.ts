import type { DnsExpected, domainProofs } from '@breakwater/contract';
import { sql } from 'drizzle-orm';
import type { Db } from '../../db/database.ts';
import { siteDomain } from '../../db/schema.ts';
import { integers, rowsOf, texts } from '../../delivery/queryable.ts';
import type { Services } from '../../services.ts';
import { readSiteSetting } from '../setting/setting.store.ts';
import { makeResolver } from '../../dns-resolver.ts';
import { checkDomain, plainIpv6, proves, type DnsCheck } from './dns-check.ts';
import { followsProof, proofStatus } from './site-proof.ts';
import { lockSiteIfThere, publishSite, siteTask, toPublished } from './site-publish.ts';
import { cnameOf } from './site.rules.ts';
import { commitChange, systemAuthor } from './site-write.ts';

/** Checks of domains against the DNS: when, how many at once, and what follows from them. */

interface DueDomain {
  domain: string;
  site_id: number;
  /** Before the check, and before somebody asked for it. */
  proof: Proof;
}
type Proof = (typeof domainProofs)[number];

const atOnce = 32;
/** A person waits for this; what is not done by then is left to the job. */
const patienceMilliseconds = 12_000;
const perRun = 2000;

/** Minutes between two checks by themselves: soon at first, every hour in the end. */
const intervalMinutes = [1, 1, 2, 5, 10, 20, 30, 60];

/** The job: what is due, and what no longer has to wait because the platform stopped asking. */
export async function runDueChecks(services: Services): Promise<number> {
  const { site_check: asks } = await readSiteSetting(services.db);
  if (!asks) await releaseWaiting(services);
  const due = await rowsOf<DueDomain>(
    services.db,
    sql`SELECT domain, site_id, proof FROM site_domain WHERE next_check_at <= now() ORDER BY next_check_at LIMIT ${perRun}`,
  );
  await checkAll(services, due);
  return due.length;
}

/** Checks these now, for somebody who waits. Those left over are due at once. Returns how many are left. */
export async function checkNow(services: Services, domains: readonly string[]): Promise<number> {
  const { check_hours: hours } = await readSiteSetting(services.db);
  const asked = await rowsOf<DueDomain>(
    services.db,
    sql`UPDATE site_domain d SET checks = 0, next_check_at = now(), check_until = now() + make_interval(hours => ${hours}),
          proof = CASE WHEN d.proof = 'failed' THEN 'waiting' ELSE d.proof END
        FROM (SELECT domain, proof FROM site_domain WHERE domain = ANY(${texts(domains)}) ORDER BY domain FOR UPDATE) o
        WHERE o.domain = d.domain RETURNING d.domain, d.site_id, o.proof`,
  );
  return checkAll(services, asked, AbortSignal.timeout(patienceMilliseconds));
}

/** Returns how many were not begun when the signal came. */
async function checkAll(
  services: Services,
  due: readonly DueDomain[],
  signal?: AbortSignal,
): Promise<number> {
  if (due.length === 0) return 0;
  const { dns_servers: servers } = await readSiteSetting(services.db);
  const siteIds = [...new Set(due.map((row) => row.site_id))];
  const expected = await readExpected(services.db, siteIds);
  const resolver = makeResolver(servers);
  const waiting = [...due];
  const over = aborted(signal);
  // Those that had failed wait again, whatever comes of this check.
  const changed = new Set(due.filter((row) => row.proof === 'failed').map((row) => row.site_id));
  const work = async () => {
    for (let next = waiting.shift(); next; next = waiting.shift()) {
      const wanted = expected.get(next.site_id);
      if (!wanted) continue;
      const check = await Promise.race([checkDomain(resolver, next.domain, wanted), over]);
      if (!check) {
        waiting.push(next);
        return;
      }
      const proof = await storeCheck(services.db, next, check);
      if (proof !== next.proof) changed.add(next.site_id);
    }
  };
  await Promise.all(Array.from({ length: Math.min(atOnce, due.length) }, work));
  resolver.cancel();
  for (const id of changed) await settleProof(services, id);
  return waiting.length;
}

function aborted(signal: AbortSignal | undefined): Promise<undefined> {
  return new Promise((resolve) =>
    signal?.addEventListener('abort', () => resolve(undefined), { once: true }),
  );
}

/** What the DNS is to say of the domains of these sites. */
export async function readExpected(db: Db, siteIds: readonly number[]): Promise<Map<number, DnsExpected>> {
  const [{ cname_domain: cnameDomain }, rows] = await Promise.all([
    readSiteSetting(db),
    rowsOf<{ id: number; cname_label: string; proof_token: string; addresses: string[] }>(
      db,
      sql`SELECT s.id, s.cname_label, s.proof_token, ARRAY(
            SELECT i.ip FROM node_ip i JOIN node n ON n.id = i.node_id AND n.enabled
              JOIN node_line_group l ON l.node_id = n.id
            WHERE l.line_group_id = o.line_group_id AND i.enabled ORDER BY i.id) AS addresses
          FROM site s JOIN "order" o ON o.id = s.order_id WHERE s.id = ANY(${integers(siteIds)})`,
    ),
  ]);
  return new Map(
    rows.map((row) => [
      row.id,
      {
        cname: cnameOf(row.cname_label, cnameDomain),
        addresses: row.addresses.map((ip) => (ip.includes(':') ? plainIpv6(ip) : ip)),
        txt_value: row.proof_token,
      },
    ]),
  );
}

/** Keeps what was seen, and says when to look again: not any more once it is right or its time is over. */
async function storeCheck(
  db: Db,
  { domain, site_id: siteId, proof }: DueDomain,
  { verdict, seen }: DnsCheck,
): Promise<Proof> {
  const proven = proves(verdict);
  const next = sql`now() + make_interval(mins => (${integers(intervalMinutes)})[least(checks + 1, ${intervalMinutes.length})])`;
  const [row] = await rowsOf<{ proof: Proof }>(
    db,
    sql`UPDATE site_domain SET verdict = ${verdict}, seen = ${JSON.stringify(seen)}::jsonb, checked_at = now(),
          checks = checks + 1,
          proof = CASE WHEN proof = 'given' OR ${proven} THEN 'given' WHEN check_until <= now() THEN 'failed' ELSE proof END,
          next_check_at = CASE WHEN ${proven} OR check_until IS NULL OR check_until <= now() THEN NULL ELSE ${next} END
        WHERE domain = ${domain} AND site_id = ${siteId} RETURNING proof`,
  );
  // It may have left the site meanwhile.
  return row?.proof ?? proof;
}

/** Opens what the DNS has proven, and closes the wait of what it has not: the site's status and its document follow. */
async function settleProof(services: Services, siteId: number): Promise<void> {
  await services.db.transaction(async (tx) => {
    const row = await lockSiteIfThere(tx, siteId);
    if (!row) return;
    const before = row.site.config;
    const status = followsProof(before.status) ? await proofStatus(tx, siteId) : before.status;
    if (status !== before.status) {
      await commitChange(tx, services, row, { ...before, status }, 'status', systemAuthor);
      return;
    }
    const published = toPublished(row);
    await publishSite(tx, services.secrets, published, siteTask('site_update', published, systemAuthor));
  });
}

/** The platform asks for no proof any more: who still waited for it is served. */
async function releaseWaiting(services: Services): Promise<void> {
  const released = await services.db
    .update(siteDomain)
    .set({ proof: 'given' })
    .where(sql`${siteDomain.proof} <> 'given'`)
    .returning({ siteId: siteDomain.siteId });
  for (const id of new Set(released.map((row) => row.siteId))) await settleProof(services, id);
}
