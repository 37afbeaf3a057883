import type { DnsExpected } from '@breakwater/contract';
import { sql } from 'drizzle-orm';
import type { Db } from '../../db/database.ts';
import { integers, rowsOf, texts } from '../../delivery/queryable.ts';
import { eachItem } from '../../each-item.ts';
import { runSoon } from '../../jobs/schedule-run.ts';
import { recordEvent } from '../../events/record-event.ts';
import type { Services } from '../../services.ts';
import { readSiteSetting } from '../setting/setting.store.ts';
import { makeResolver } from '../../dns-resolver.ts';
import { checkDomain, isRight, plainIpv6, type DnsCheck, cnameOf } from './dns-check.ts';
import {
  isContested,
  lockClaims,
  followsProof,
  proofStatus,
  settleDomains,
  type Proof,
  type Reasons,
} from '../site-claim/site-claim.service.ts';
import {
  lockSiteIfThere,
  publishSite,
  siteSubject,
  siteTask,
  toPublished,
  systemAuthor,
  type RevisionAuthor,
  type SiteWriter,
} from '../site-publish/site-publish.service.ts';
import { commitChange } from '../site-config/site-config.service.ts';

/** Checks of domains against the DNS: when, how many at once, and what follows from them. */

/** A domain of a site: another customer may wait for the same name. */
export interface ClaimedName {
  domain: string;
  site_id: number;
}
type FoundChecks = ReadonlyMap<ClaimedName, DnsCheck>;
interface DueDomain extends ClaimedName {
  /** Before the check, and before somebody asked for it. */
  proof: Proof;
  token: string;
}

const atOnce = 32;
/** A person waits for this; what is not done by then is left to the job. */
const patienceMilliseconds = 12_000;
const perRun = 2000;
/** What is not begun by then is left to the next run. */
const runMilliseconds = 300_000;

/** Minutes between two checks by themselves: soon at first, every hour in the end. */
const intervalMinutes = [1, 1, 2, 5, 10, 20, 30, 60];

/** The job: what is due, and what no longer has to wait because the platform stopped asking. */
export async function runDueChecks(services: Services, stopping?: AbortSignal): Promise<number> {
  const { site_check: asks } = await readSiteSetting(services.db);
  if (!asks) await releaseWaiting(services);
  const due = await rowsOf<DueDomain>(
    services.db,
    sql`SELECT domain, site_id, proof, token FROM site_domain
        WHERE next_check_at <= now() ORDER BY next_check_at LIMIT ${perRun}`,
  );
  const over = AbortSignal.timeout(runMilliseconds);
  return due.length - (await checkAll(services, due, stopping ? AbortSignal.any([over, stopping]) : over));
}

/** Checks these now, for somebody who waits. Those left over are due at once. Returns how many are left. */
export async function checkNow(services: Services, names: readonly ClaimedName[]): Promise<number> {
  const { check_hours: hours } = await readSiteSetting(services.db);
  const [domains, siteIds] = [names.map((name) => name.domain), names.map((name) => name.site_id)];
  const asked = await rowsOf<DueDomain>(
    services.db,
    // Asking again gives no more time to be served without a proof.
    sql`UPDATE site_domain d SET checks = 0, next_check_at = now(),
          check_until = CASE WHEN d.was_served THEN d.check_until ELSE now() + make_interval(hours => ${hours}) END,
          proof = CASE WHEN d.proof = 'failed' THEN 'waiting' ELSE d.proof END
        FROM (SELECT s.domain, s.site_id, s.proof FROM site_domain s
              JOIN unnest(${texts(domains)}, ${integers(siteIds)}) AS n(domain, site_id)
                ON n.domain = s.domain AND n.site_id = s.site_id
              ORDER BY s.domain, s.site_id FOR UPDATE OF s) o
        WHERE o.domain = d.domain AND o.site_id = d.site_id RETURNING d.domain, d.site_id, o.proof, d.token`,
  );
  return checkAll(services, asked, AbortSignal.timeout(patienceMilliseconds));
}

/** The domains of one site that are due, and what was found of them. */
interface DueSite {
  id: number;
  unchecked: number;
  checks: [DueDomain, DnsCheck][];
}

/** Returns how many were not begun when the signal came. */
async function checkAll(services: Services, due: readonly DueDomain[], signal: AbortSignal): Promise<number> {
  if (due.length === 0) return 0;
  const { dns_servers: servers } = await readSiteSetting(services.db);
  const sites = new Map<number, DueSite>();
  for (const [id, domains] of Map.groupBy(due, (row) => row.site_id))
    sites.set(id, { id, unchecked: domains.length, checks: [] });
  const expected = await readExpected(services.db, [...sites.keys()]);
  const resolver = makeResolver(servers);
  const waiting = [...due];
  const over = aborted(signal);
  // One site after the other: they would wait for each other's names in any case, and each would hold a connection.
  let stored = Promise.resolve();
  const store = (site: DueSite) => {
    stored = stored.then(() => storeChecks(services, site));
    // It fails where it is waited for, in the end: until then nobody listens.
    stored.catch(() => undefined);
  };
  const work = async () => {
    for (let next = waiting.shift(); next; next = waiting.shift()) {
      const wanted = expected.get(next.site_id);
      if (!wanted) continue;
      const check = await Promise.race([checkDomain(resolver, next.domain, wanted, next.token), over]);
      if (!check) {
        waiting.push(next);
        return;
      }
      const site = sites.get(next.site_id)!;
      site.checks.push([next, check]);
      if (site.checks.length === site.unchecked) store(site);
    }
  };
  await Promise.all(Array.from({ length: Math.min(atOnce, due.length) }, work));
  resolver.cancel();
  for (const site of sites.values())
    if (site.checks.length > 0 && site.checks.length < site.unchecked) store(site);
  await stored;
  return waiting.length;
}

/**
 * Keeps what was found of a site, with what follows for names that are not given yet, in one transaction: a server that ends
 * in between leaves them due. A site that cannot be changed holds up no other.
 */
async function storeChecks(services: Services, { id, checks }: DueSite): Promise<void> {
  const { db, log } = services;
  const waits = checks.some(([{ proof }]) => proof !== 'given');
  try {
    let isNews = false;
    if (waits) isNews = await settleProof(services, id, { checks: new Map(checks) });
    else for (const [name, check] of checks) isNews = (await storeCheck(db, name, check)) || isNews;
    // A certificate waits for names that come to be proven, or to point here.
    if (isNews) await runSoon(db, ['certificate-sites']);
  } catch (err) {
    log.error({ err, site: id }, 'check of the domains of a site');
    await postpone(db, id);
  }
}

/** Behind the others that are due. */
async function postpone(db: Db, siteId: number): Promise<void> {
  await db.execute(
    sql`UPDATE site_domain SET next_check_at = now() + interval '1 minute'
        WHERE site_id = ${siteId} AND next_check_at <= now()`,
  );
}

function aborted(signal: AbortSignal): Promise<undefined> {
  return new Promise((resolve) => signal.addEventListener('abort', () => resolve(undefined), { once: true }));
}

/** What the DNS is to say of the domains of these sites. */
export async function readExpected(db: Db, siteIds: readonly number[]): Promise<Map<number, DnsExpected>> {
  const [{ cname_domain: cnameDomain }, rows] = await Promise.all([
    readSiteSetting(db),
    rowsOf<{ id: number; cname_label: string; addresses: string[] }>(
      db,
      sql`SELECT s.id, s.cname_label, ARRAY(
            SELECT i.ip FROM node_ip i JOIN node n ON n.id = i.node_id AND n.enabled
              JOIN node_line_group l ON l.node_id = n.id
            WHERE l.line_group_id = s.line_group_id AND i.enabled ORDER BY i.id) AS addresses
          FROM site s WHERE s.id = ANY(${integers(siteIds)})`,
    ),
  ]);
  return new Map(
    rows.map((row) => [
      row.id,
      {
        cname: cnameOf(row.cname_label, cnameDomain),
        addresses: row.addresses.map((ip) => (ip.includes(':') ? plainIpv6(ip) : ip)),
      },
    ]),
  );
}

/**
 * Keeps what was seen, and says when to look again: not any more once it is right or its time is over. Answers whether the verdict is
 * another one than before.
 */
async function storeCheck(
  db: Db,
  { domain, site_id: siteId }: ClaimedName,
  { verdict, seen }: DnsCheck,
): Promise<boolean> {
  const next = sql`now() + make_interval(mins => (${integers(intervalMinutes)})[least(d.checks + 1, ${intervalMinutes.length})])`;
  const [stored] = await rowsOf<{ changed: boolean }>(
    db,
    sql`UPDATE site_domain d SET verdict = ${verdict}, seen = ${JSON.stringify(seen)}::jsonb, checked_at = now(),
          checks = d.checks + 1,
          next_check_at = CASE WHEN d.proof = 'given' AND ${isRight(verdict)} OR d.check_until IS NULL OR d.check_until <= now()
            THEN NULL ELSE ${next} END
        FROM (SELECT verdict FROM site_domain WHERE domain = ${domain} AND site_id = ${siteId} FOR UPDATE) before
        WHERE d.domain = ${domain} AND d.site_id = ${siteId} RETURNING before.verdict IS DISTINCT FROM d.verdict AS changed`,
  );
  return stored?.changed === true;
}

/**
 * Gives a site what is proven, and closes the wait of what is not: its status and its document follow, and those of sites
 * that lose a name by it. Answers whether a name was given, or a check saw something else than the one before.
 */
export async function settleProof(
  services: SiteWriter,
  siteId: number,
  { checks = new Map(), ...reasons }: Omit<Reasons, 'evidence'> & { checks?: FoundChecks },
  author: RevisionAuthor = systemAuthor,
): Promise<boolean> {
  const { lost: losers, isNews } = await services.db.transaction(async (tx) => {
    const row = await lockSiteIfThere(tx, siteId);
    if (!row) return { lost: [], isNews: false };
    await lockClaims(tx);
    let changed = false;
    for (const [name, check] of checks) changed = (await storeCheck(tx, name, check)) || changed;
    const evidence = new Map([...checks].map(([{ domain }, check]) => [domain, check.evidence]));
    const { given, lost } = await settleDomains(tx, row.site, { ...reasons, evidence });
    if (reasons.granted !== undefined)
      await recordEvent(tx, {
        kind: 'domain_granted',
        subject: siteSubject(toPublished(row)),
        clientId: row.site.clientId,
        actor: author,
        data: { facts: { domain: reasons.granted } },
      });
    const before = row.site.config;
    const status = followsProof(before.status) ? await proofStatus(tx, siteId) : before.status;
    if (status !== before.status)
      await commitChange(tx, services, row, { ...before, status }, 'status', author);
    else {
      const published = toPublished(row);
      await publishSite(tx, services.secrets, published, siteTask('site_update', published, author));
    }
    return { lost, isNews: changed || given > 0 };
  });
  // On nodes the newer document has the name already: this tells the console and the site that lost it.
  for (const id of new Set(losers)) await settleProof(services, id, {});
  return isNews;
}

/** The platform asks for no proof any more: who still waited for it is served, where no name of another overlaps. */
async function releaseWaiting(services: Services): Promise<void> {
  const rows = await rowsOf<{ site_id: number }>(
    services.db,
    sql`SELECT d.site_id FROM site_domain d JOIN site s ON s.id = d.site_id
        WHERE d.proof <> 'given' AND NOT ${isContested(sql`d`, sql`s.client_id`)}
        GROUP BY d.site_id ORDER BY min(d.claimed_at), d.site_id`,
  );
  const work = {
    log: services.log,
    about: 'release of a site that waited for its proof',
    nameOf: ({ site_id: id }: { site_id: number }) => id,
    seconds: runMilliseconds / 1000,
  };
  await eachItem(rows, work, ({ site_id: id }) => settleProof(services, id, { unopposed: true }));
}
