import { certificateNamesMax, type CertificateChallenge } from '@breakwater/contract';
import { eq } from 'drizzle-orm';
import type { Resolver } from 'node:dns/promises';
import { ApiError } from '../../api-error.ts';
import type { Transaction } from '../../db/database.ts';
import { acmeAccount } from '../../db/schema.ts';
import { eachItem } from '../../each-item.ts';
import { systemActor } from '../../events/record-event.ts';
import { ProviderProblem } from '../../providers/define-provider.ts';
import type { Services } from '../../services.ts';
import { dnsClientOf } from '../dns-account/dns-account.service.ts';
import { lockSiteIfThere } from '../site-publish/site-publish.service.ts';
import { keptNames, releaseUnwanted, sitesToPlan, wantedNames, type WantedSite } from './automatic-wanted.ts';
import { addSteps, type NewStep, type OrderRow } from './certificate-order.store.ts';
import { placeRecords } from './dns-challenge.ts';
import { divideNames, furtherOrders, hasSameNames } from './order-division.ts';
import { OrderProblem } from './order-problem.ts';
import { platformResolver } from './preflight.ts';
import { addOrder, changeOrder, endOrder, isAtRest, lockOrdersOfSite, shareOf } from './site-orders.ts';

/**
 * Orders that the platform makes for sites that want a certificate and lack one. They wait for their turn, so that any number of
 * sites may come to want one at once: how many are under way is `certificate-order.service.ts`'s.
 */

const perPage = 200;
const seconds = 600;

/** Makes the orders that are missing, and lets those that are there follow their sites. Answers for how many sites. */
export async function runAutomaticOrders(services: Services, signal: AbortSignal): Promise<number> {
  const { db, log } = services;
  await releaseUnwanted(db);
  if ((await db.$count(acmeAccount, eq(acmeAccount.enabled, true))) === 0) return 0;
  const resolver = await platformResolver(services);
  const work = { log, about: 'certificates of a site', nameOf: (site: WantedSite) => site.site_id, seconds };
  let done = 0;
  try {
    for (let after = 0, page: WantedSite[] = []; ; after = page.at(-1)!.site_id) {
      signal.throwIfAborted();
      page = await sitesToPlan(db, after, perPage);
      done += await eachItem(page, work, (site) => planSite(services, resolver, site));
      if (page.length < perPage) return done;
    }
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
}

/**
 * Wildcards are proven by DNS, and then everything is; without a place for the records they are left out. So are domains that do
 * not point here, for the sake of the others, unless they are `kept`.
 */
async function planOf(
  services: Services,
  resolver: Resolver,
  site: WantedSite,
  kept: readonly string[],
): Promise<Plan> {
  const { names, dns_account_id: dnsAccountId } = site;
  const wild = names.filter((name) => name.startsWith('*.'));
  let detail = '';
  if (wild.length > 0 && dnsAccountId !== null) {
    const problem = await dnsProblem(services, resolver, dnsAccountId, names);
    if (problem === undefined)
      return { domains: names, challenge: 'dns-01', dnsAccountId, left: undefined, absent: [] };
    detail = problem;
  }
  const left = wild.length === 0 ? undefined : { names: wild, detail };
  const plain = names.filter((name) => !wild.includes(name));
  const here = plain.filter((name) => kept.includes(name) || !site.absent.includes(name));
  // Where none is here, the try says of the first what keeps it from being.
  const domains = here.length === 0 ? plain : here;
  const absent = plain.filter((name) => !domains.includes(name));
  return { domains, challenge: 'http-01', dnsAccountId: null, left, absent };
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

/** What a plan makes of each order. An account that could not prove wildcards is asked again later: its zones change unseen here. */
const columnsOf = ({ challenge, dnsAccountId, left }: Plan, site: WantedSite) => ({
  challenge,
  dnsAccountId,
  acmeAccountId: site.acme_account_id,
  basis: site.basis,
  replanAt: left && site.dns_account_id !== null ? new Date(Date.now() + replanMinutes * 60_000) : null,
});

function stepsOf({ left, absent }: Plan): NewStep[] {
  const steps: NewStep[] = [];
  if (left)
    steps.push({ kind: 'wildcards_left', detail: left.detail, facts: { names: left.names.join(', ') } });
  if (absent.length > 0) steps.push({ kind: 'names_absent', facts: { names: absent.join(', ') } });
  return steps;
}

/** Divides what a site wants among its orders; of two servers that come at once the second finds it done. */
async function planSite(services: Services, resolver: Resolver, site: WantedSite): Promise<void> {
  const { db } = services;
  const plan = await planOf(services, resolver, site, await keptNames(db, site.site_id));
  await db.transaction(async (tx) => {
    const row = await lockSiteIfThere(tx, site.site_id);
    if (!row) return;
    // Of older domains nothing is made: whoever changed them has this done once more.
    const names = await wantedNames(tx, site.site_id);
    if (!hasSameNames(names, site.names)) return;
    const orders = await lockOrdersOfSite(tx, site.site_id);
    const { shares, rest } = divideNames(
      plan.domains,
      // Those that are planned here are proven from now on as the plan says.
      orders.map((order) => shareOf(order.automatic ? { ...order, challenge: plan.challenge } : order)),
    );
    const ended: OrderRow[] = [];
    // Those that people made follow the site in another way (`order-sites.ts`).
    for (const order of orders.filter((each) => each.automatic && isAtRest(each))) {
      const share = shares.get(order.id)!;
      if (isLeft(order, share, site, plan)) ended.push(order);
      else await follow(tx, order, share, site, plan);
    }
    await makeFurther(tx, orders, rest, site, plan);
    for (const order of ended) await endOrder(tx, services, row, order);
  });
}

/** Nothing of it is the site's any more, while others have its names. Where none has any, it stays, and its next try says so. */
const isLeft = ({ domains }: OrderRow, share: readonly string[], site: WantedSite, plan: Plan): boolean =>
  share.length === 0 && plan.domains.length > 0 && !domains.some((name) => site.names.includes(name));

async function follow(
  tx: Transaction,
  order: OrderRow,
  share: string[],
  site: WantedSite,
  plan: Plan,
): Promise<void> {
  const columns = columnsOf(plan, site);
  const domains = share.length === 0 ? order.domains : share;
  const isOther = !hasSameNames(domains, order.domains) || plan.challenge !== order.challenge;
  const isOtherAccount = columns.acmeAccountId !== order.acmeAccountId && order.state !== 'valid';
  await changeOrder(tx, order, { ...columns, domains }, isOther || isOtherAccount);
  if (!isOther) return;
  const steps = [{ kind: 'names_changed' as const, facts: { names: domains.join(', ') } }];
  await addSteps(tx, order.id, [...steps, ...stepsOf(plan)]);
}

/** What none has room for; of names that a certificate of the site covers already, none is made for them alone. */
async function makeFurther(
  tx: Transaction,
  orders: OrderRow[],
  rest: readonly string[],
  site: WantedSite,
  plan: Plan,
): Promise<void> {
  const isUncovered = (name: string) => site.uncovered.includes(name);
  const sorted = [...rest.filter(isUncovered), ...rest.filter((name) => !isUncovered(name))];
  // Where one is enough, it has them in the order of the site.
  const parts = furtherOrders(rest.length <= certificateNamesMax ? rest : sorted);
  for (const domains of parts.filter((part) => part.some(isUncovered))) {
    const values = {
      ...columnsOf(plan, site),
      domains,
      clientId: site.client_id,
      siteId: site.site_id,
      reuseKey: false,
      automatic: true,
    };
    const steps: NewStep[] = [{ kind: 'asked_automatically' }, ...stepsOf(plan)];
    await addOrder(tx, orders, values, { actor: systemActor, steps });
  }
}
