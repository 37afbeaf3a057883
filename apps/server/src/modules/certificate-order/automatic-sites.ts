import { certificateNamesMax, type CertificateChallenge } from '@breakwater/contract';
import { eq, notInArray, and, sql } from 'drizzle-orm';
import type { Resolver } from 'node:dns/promises';
import { ApiError } from '../../api-error.ts';
import { acmeAccount, certificateOrder } from '../../db/schema.ts';
import { eachItem } from '../../each-item.ts';
import { recordEvent, systemActor } from '../../events/record-event.ts';
import { ProviderProblem } from '../../providers/define-provider.ts';
import type { Services } from '../../services.ts';
import { dnsClientOf } from '../dns-account/dns-account.service.ts';
import {
  releaseUnwanted,
  sitesToPlanAnew,
  sitesWithout,
  type PlannedSite,
  type WantedSite,
} from './automatic-wanted.ts';
import { addSteps, type NewStep } from './certificate-order.store.ts';
import { placeRecords } from './dns-challenge.ts';
import { OrderProblem } from './order-problem.ts';
import { platformResolver } from './preflight.ts';

/**
 * Orders that the platform makes for sites that want a certificate and lack one. They wait for their turn, so that any number of
 * sites may come to want one at once: how many are under way is `certificate-order.service.ts`'s.
 */

const perPage = 200;
const seconds = 600;

/** Makes the orders that are missing, and lets those that are there follow their sites. Answers how many of both. */
export async function runAutomaticOrders(services: Services, signal: AbortSignal): Promise<number> {
  const { db, log } = services;
  await releaseUnwanted(db);
  if ((await db.$count(acmeAccount, eq(acmeAccount.enabled, true))) === 0) return 0;
  const resolver = await platformResolver(services);
  const work = { log, about: 'certificate of a site', nameOf: (site: WantedSite) => site.site_id, seconds };
  let done = 0;
  try {
    for (let after = 0, page: WantedSite[] = []; ; after = page.at(-1)!.site_id) {
      signal.throwIfAborted();
      page = await sitesWithout(db, after, perPage);
      done += await eachItem(page, work, (site) => makeOrder(services, resolver, site));
      if (page.length < perPage) break;
    }
    signal.throwIfAborted();
    const changed = await sitesToPlanAnew(db, perPage);
    return done + (await eachItem(changed, work, (site) => planAnew(services, resolver, site)));
  } finally {
    resolver.cancel();
  }
}

interface Plan {
  domains: string[];
  challenge: CertificateChallenge;
  dnsAccountId: number | null;
  /** Wildcards that are left out, with what the DNS account says of them. */
  left: { names: string[]; detail: string } | undefined;
  /** Domains that HTTP cannot prove yet, for they do not point here. */
  absent: string[];
  /** More than one certificate takes. */
  beyond: string[];
}

/**
 * Wildcards are proven by DNS, and then everything is; without a place for the records they are left out. So are domains that do
 * not point here, for the sake of the others, unless they are `kept`.
 */
async function planOf(
  services: Services,
  resolver: Resolver,
  site: WantedSite,
  kept: readonly string[] = [],
): Promise<Plan> {
  const { names, dns_account_id: dnsAccountId } = site;
  const wild = names.filter((name) => name.startsWith('*.'));
  const most = (domains: string[]) => ({
    domains: domains.slice(0, certificateNamesMax),
    beyond: domains.slice(certificateNamesMax),
  });
  let detail = '';
  if (wild.length > 0 && dnsAccountId !== null) {
    const problem = await dnsProblem(services, resolver, dnsAccountId, names);
    if (problem === undefined)
      return { ...most(names), challenge: 'dns-01', dnsAccountId, left: undefined, absent: [] };
    detail = problem;
  }
  const left = wild.length === 0 ? undefined : { names: wild, detail };
  const plain = names.filter((name) => !wild.includes(name));
  const here = plain.filter((name) => kept.includes(name) || !site.absent.includes(name));
  // Where none is here, the try says of the first what keeps it from being.
  const domains = here.length === 0 ? plain : here;
  const absent = plain.filter((name) => !domains.includes(name));
  return { ...most(domains), challenge: 'http-01', dnsAccountId: null, left, absent };
}

/** Why a DNS account cannot prove these names; undefined where it can. */
async function dnsProblem(
  services: Services,
  resolver: Resolver,
  dnsAccountId: number,
  names: readonly string[],
): Promise<string | undefined> {
  const wanted = names.map((name) => ({ name: name.replace(/^\*\./, ''), value: '' }));
  try {
    await placeRecords(await dnsClientOf(services, dnsAccountId), resolver, wanted);
    return undefined;
  } catch (error) {
    if (error instanceof OrderProblem) return error.detail;
    if (error instanceof ProviderProblem || error instanceof ApiError) return error.message;
    throw error;
  }
}

const replanMinutes = 60;

/** What a plan makes of the row. An account that could not prove wildcards is asked again later: its zones change unseen here. */
const columnsOf = ({ domains, challenge, dnsAccountId, left }: Plan, site: WantedSite) => ({
  domains,
  challenge,
  dnsAccountId,
  acmeAccountId: site.acme_account_id,
  basis: site.basis,
  replanAt:
    left && site.dns_account_id !== null ? sql`now() + make_interval(mins => ${replanMinutes})` : null,
});

function stepsOf({ left, absent, beyond }: Plan): NewStep[] {
  const steps: NewStep[] = [];
  if (left)
    steps.push({ kind: 'wildcards_left', detail: left.detail, facts: { names: left.names.join(', ') } });
  if (absent.length > 0) steps.push({ kind: 'names_absent', facts: { names: absent.join(', ') } });
  const most = String(certificateNamesMax);
  if (beyond.length > 0) steps.push({ kind: 'names_beyond', facts: { names: beyond.join(', '), most } });
  return steps;
}

/** Of two servers that come at once, one makes it. */
async function makeOrder(services: Services, resolver: Resolver, site: WantedSite): Promise<void> {
  const plan = await planOf(services, resolver, site);
  // What could be covered is.
  if (!plan.domains.some((name) => site.uncovered.includes(name))) return;
  await services.db.transaction(async (tx) => {
    const [made] = await tx
      .insert(certificateOrder)
      .values({
        ...columnsOf(plan, site),
        clientId: site.client_id,
        siteId: site.site_id,
        name: plan.domains[0]!,
        reuseKey: false,
        automatic: true,
        nextAt: sql`now()`,
      })
      .onConflictDoNothing({ target: certificateOrder.siteId })
      .returning();
    if (!made) return;
    const { id, name, clientId } = made;
    const subject = { kind: 'certificate_order', id, name } as const;
    await recordEvent(tx, { kind: 'created', subject, clientId, actor: systemActor });
    await addSteps(tx, id, [{ kind: 'asked_automatically' }, ...stepsOf(plan)]);
  });
}

/** What is under way at the authority for other names is of no use any more. */
const anew = { orderUrl: '', orderKey: null, orderAccountId: null, phase: '', failures: 0 };

async function planAnew(services: Services, resolver: Resolver, site: PlannedSite): Promise<void> {
  const plan = await planOf(services, resolver, site, site.kept);
  await services.db.transaction(async (tx) => {
    const [row] = await tx
      .select()
      .from(certificateOrder)
      .where(
        and(
          eq(certificateOrder.id, site.order_id),
          notInArray(certificateOrder.state, ['working', 'revoked']),
        ),
      )
      .for('update');
    if (!row) return;
    const columns = columnsOf(plan, site);
    // With no domain left that is the customer's, it stays as it is: its next try says so.
    const domains = plan.domains.length === 0 ? row.domains : plan.domains;
    const isOther = domains.join() !== row.domains.join() || plan.challenge !== row.challenge;
    const isOtherAccount = columns.acmeAccountId !== row.acmeAccountId && row.state !== 'valid';
    await tx
      .update(certificateOrder)
      .set({
        ...columns,
        domains,
        ...(isOther || isOtherAccount ? { ...anew, nextAt: sql`now()`, renewAt: sql`now()` } : {}),
      })
      .where(eq(certificateOrder.id, row.id));
    if (!isOther) return;
    const steps = [{ kind: 'names_changed' as const, facts: { names: domains.join(', ') } }];
    await addSteps(tx, row.id, [...steps, ...stepsOf(plan)]);
  });
}
