import {
  replayDaysMax,
  type LineColumn,
  type LevelRef,
  type ReplayAnswer,
  type ReplayInput,
} from '@breakwater/contract';
import { prepareKnown } from '@breakwater/policy/detect/known-rules';
import { planReplay, type ReplayPlan } from '@breakwater/policy/replay/replay';
import { and, count, eq, inArray, isNull, type SQL } from 'drizzle-orm';
import { invalid } from '../../api-error.ts';
import { order, site } from '../../db/schema.ts';
import { LogRangeError } from '../../logs/log-store.ts';
import { owned, type Scope } from '../../scope.ts';
import type { Services } from '../../services.ts';
import { editionOf, readRow } from '../known-vulnerability/known-vulnerability.service.ts';
import { readLogPrivacy } from '../setting/setting.store.ts';
import { draftOfSite } from '../site-config/site-config.service.ts';
import { documentOfLevel, draftOfLevel } from '../site-level/site-level.service.ts';
import type { Author } from '../site-publish/site-publish.service.ts';
import { present } from './replay-answer.ts';
import { Judge } from './replay-judge.ts';
import { makeRobots } from './replay-robots.ts';
import { effectiveSite, Levels, listsNamedBy, withLevel } from './replay-sites.ts';

/** A draft of a section over requests of the past. */

type Asked = Pick<ReplayInput, 'section' | 'start_time' | 'end_time'>;
type Documents = { id: number; today: Effective; draft: Effective };
type Effective = ReturnType<typeof effectiveSite>;

const linesMax = 2_000_000;
const groupsMax = 400_000;
const sitesMax = 50;
const pointsMax = 60;
const answerSeconds = 25;
const dayMs = 24 * 3_600_000;

export async function replaySite(
  services: Services,
  author: Author,
  id: number,
  input: ReplayInput,
  gone: AbortSignal,
): Promise<ReplayAnswer> {
  const found = await services.db.transaction((tx) => draftOfSite(tx, services, author, id, input));
  const { clientId, orderId } = found.row.site;
  const replayed = { id, clientId, orderId, productId: found.row.productId };
  const above = await new Levels(services.db).above(replayed);
  const documents = {
    id,
    today: effectiveSite(replayed, found.today, above),
    draft: effectiveSite(replayed, found.draft, above),
  };
  return replay(services, author.scope, input, [documents], 1, gone);
}

export async function replayLevel(
  services: Services,
  scope: Scope,
  ref: LevelRef,
  input: ReplayInput,
  gone: AbortSignal,
): Promise<ReplayAnswer> {
  const { db } = services;
  const found = await db.transaction((tx) => draftOfLevel(tx, ref, input));
  const draft = documentOfLevel(ref, found.draft);
  const { rows, sites } = await busiestSites(services, scope, ref, input, gone);
  const levels = new Levels(db);
  const documents = await Promise.all(
    rows.map(async ({ site: { id, clientId, orderId, config }, productId }): Promise<Documents> => {
      const replayed = { id, clientId, orderId, productId };
      const above = await levels.above(replayed);
      return {
        id,
        today: effectiveSite(replayed, config, above),
        draft: effectiveSite(replayed, config, withLevel(above, draft)),
      };
    }),
  );
  return replay(services, scope, input, documents, sites, gone);
}

/** Of a level, those with the most requests; and how many it has. */
async function busiestSites(
  { db, logStore }: Services,
  scope: Scope,
  ref: LevelRef,
  input: Asked,
  gone: AbortSignal,
) {
  const ofLevel = and(owned(site, scope), sitesOf(ref));
  const orders =
    ref.level === 'product'
      ? await db.select({ id: order.id }).from(order).where(eq(order.productId, ref.target_id))
      : undefined;
  checkRange(input);
  const { ranks } = await logStore.rank(
    scope,
    'cdn',
    'top_sites',
    {
      start_time: input.start_time,
      end_time: input.end_time,
      top: sitesMax,
      top_type: 'request',
      ...(ref.level === 'client' ? { client_id: ref.target_id } : {}),
      ...(orders === undefined ? {} : { order_ids: orders.map((each) => each.id) }),
    },
    gone,
  );
  const ids = ranks.map(({ name }) => Number(name));
  const [rows, [counted]] = await Promise.all([
    db
      .select({ site, productId: order.productId })
      .from(site)
      .innerJoin(order, eq(order.id, site.orderId))
      .where(and(inArray(site.id, ids), ofLevel)),
    db
      .select({ sites: count() })
      .from(site)
      .innerJoin(order, eq(order.id, site.orderId))
      .where(and(isNull(site.removedAt), ofLevel)),
  ]);
  return { rows, sites: counted?.sites ?? 0 };
}

function sitesOf({ level, target_id: id }: LevelRef): SQL | undefined {
  if (level === 'client') return eq(site.clientId, id);
  return level === 'product' ? eq(order.productId, id) : undefined;
}

function checkRange({ start_time, end_time }: Asked): { start: number; end: number } {
  const [start, end] = [Date.parse(start_time), Date.parse(end_time)];
  if (start >= end)
    throw new LogRangeError('range_reversed', 'The start of the range must be before its end');
  if (end - start > replayDaysMax * dayMs) throw invalid('start_time', `range_too_long:${replayDaysMax}`);
  return { start, end };
}

async function replay(
  services: Services,
  scope: Scope,
  asked: Asked,
  documents: readonly Documents[],
  sitesTotal: number,
  gone: AbortSignal,
): Promise<ReplayAnswer> {
  const { db, logStore } = services;
  const { start, end } = checkRange(asked);
  const { mask_arguments: masked } = await readLogPrivacy(db);
  const lookups = await listsNamedBy(
    db,
    documents.flatMap(({ today, draft }) => [today, draft]),
  );
  const plans = new Map(documents.map((each) => [each.id, planOf(each, asked, masked)]));
  const sampleRates = new Map(documents.map(({ id, today }) => [id, logOf(today).sample_rate ?? 1]));
  const robots = makeRobots(db);
  const signal = AbortSignal.any([gone, AbortSignal.timeout(answerSeconds * 1000)]);
  const known = prepareKnown(editionOf(await readRow(db)).edition.rules);
  const judge = new Judge({ plans, lookups, sampleRates, robots, known, signal });
  const step = Math.max(60_000, Math.ceil((end - start) / pointsMax / 60_000) * 60_000);
  const question = {
    start,
    end,
    sites: [...plans.keys()],
    columns: columnsOf([...plans.values()]),
    linesMax,
    groupsMax,
    step,
  };
  const tally = await logStore.replay(scope, question, judge, signal);
  return {
    start_time: new Date(start).toISOString(),
    end_time: new Date(end).toISOString(),
    sites: documents.length,
    sites_total: Math.max(sitesTotal, documents.length),
    sample_rate: Math.max(1, ...sampleRates.values()),
    ...(await present(db, scope, judge, tally, robots)),
  };
}

const logOf = (document: Effective): Partial<NonNullable<Effective['advanced_config']>['access_log']> =>
  document.advanced_config?.access_log ?? {};

function planOf({ today, draft }: Documents, { section }: Asked, masked: readonly string[]): ReplayPlan {
  const { referer = true, user_agent = true, query = true } = logOf(today);
  const log = { referer, user_agent, query, masked };
  return planReplay(section, today, draft, log, Math.floor(Date.now() / 1000));
}

/** What any of them reads. A whole target holds its path, and minutes hold quarters. */
function columnsOf(plans: readonly ReplayPlan[]): LineColumn[] {
  const all = new Set<LineColumn>(['refused_by', 'own_target']);
  for (const { reads } of plans)
    for (const column of Object.keys(reads.columns)) all.add(column as LineColumn);
  if (all.has('request_uri')) all.delete('path');
  if (all.has('minute')) all.delete('quarter');
  return [...all];
}
