import {
  filingProviders,
  issueText,
  secretPlaces,
  type FilingSetting,
  type Language,
} from '@breakwater/contract';
import { and, asc, eq, lte } from 'drizzle-orm';
import { notFound } from '../../api-error.ts';
import type { Db } from '../../db/database.ts';
import { filing } from '../../db/schema.ts';
import { eachItem } from '../../each-item.ts';
import { recordEvent, systemActor } from '../../events/record-event.ts';
import { ProviderProblem } from '../../providers/define-provider.ts';
import type { FilingClient, FoundFiling } from '../../providers/filing/filing-providers.ts';
import { reachOf } from '../../providers/reach.ts';
import { providers } from '../../providers/registry.ts';
import { owned } from '../../scope.ts';
import { openValue } from '../../secret-values.ts';
import type { Services } from '../../services.ts';
import type { Author } from '../site-publish/site-publish.service.ts';
import { readFilingSetting } from '../setting/setting.store.ts';

/** Asking the provider about filing numbers. */

type Row = typeof filing.$inferSelect;

function clientOf({ config, secrets }: Services, { provider, url, secret }: FilingSetting): FilingClient {
  const places = secretPlaces(filingProviders[provider].params);
  const params = openValue({ url, secret }, places, secrets);
  return providers.filing[provider].make(params, { reach: reachOf(config, null) });
}

/** The number of a holder; of one of the holder's sites a hyphen and another number follow. */
const holderPart = (number: string): string => number.replace(/-\d+$/, '');
const tidy = (number: string): string => number.normalize('NFKC').replaceAll(/\s/g, '').toUpperCase();

/** A number of the holder alone is that of any of the holder's sites. */
function isSameNumber(one: string, other: string): boolean {
  const [a, b] = [tidy(one), tidy(other)];
  if (a === b) return true;
  return holderPart(a) === holderPart(b) && (a === holderPart(a) || b === holderPart(b));
}

const day = 86_400_000;
/** What was not there yet is looked for again so often, and whoever was away is asked again. */
const again = { rejected: day, failed: day / 24 };

function outcomeOf(row: Row, found: FoundFiling | null, recheckDays: number) {
  const isSame = found !== null && isSameNumber(row.number, found.number);
  const now = Date.now();
  return {
    state: isSame ? ('confirmed' as const) : ('rejected' as const),
    reason: isSame
      ? ('none' as const)
      : found === null
        ? ('not_found' as const)
        : ('number_differs' as const),
    holder: isSame ? found.holder.slice(0, 200) : '',
    foundNumber: isSame || found === null ? '' : tidy(found.number),
    checkedAt: new Date(now),
    lastError: '',
    nextCheckAt: new Date(now + (isSame ? recheckDays * day : again.rejected)),
  };
}

/** Keeps what the provider said. Of a number that was changed, or decided, meanwhile it says nothing. */
function keep(db: Db, row: Row, outcome: ReturnType<typeof outcomeOf>): Promise<void> {
  const { id, name, number, clientId, version } = row;
  const isNews = row.state !== outcome.state || row.reason !== outcome.reason;
  return db.transaction(async (tx) => {
    const kept = await tx
      .update(filing)
      .set({
        ...outcome,
        ...(isNews ? { note: '', decidedBy: '', decidedAt: outcome.checkedAt, version: version + 1 } : {}),
      })
      .where(and(eq(filing.id, id), eq(filing.version, version)))
      .returning({ id: filing.id });
    if (kept.length === 0 || !isNews) return;
    await recordEvent(tx, {
      kind: 'filing_decided',
      subject: { kind: 'filing', id, name },
      clientId,
      actor: systemActor,
      data: { facts: { number, state: outcome.state } },
    });
  });
}

/** A provider that cannot be asked changes nothing: what is confirmed stays so. */
async function ask(
  services: Services,
  find: NonNullable<FilingClient['find']>,
  row: Row,
  recheckDays: number,
): Promise<ProviderProblem | undefined> {
  try {
    await keep(services.db, row, outcomeOf(row, await find(row.name), recheckDays));
    return undefined;
  } catch (error) {
    if (!(error instanceof ProviderProblem)) throw error;
    await services.db
      .update(filing)
      .set({
        lastError: sentenceOf(error, 'en'),
        nextCheckAt: new Date(Date.now() + again.failed),
        updatedAt: row.updatedAt,
      })
      .where(and(eq(filing.id, row.id), eq(filing.version, row.version)));
    return error;
  }
}

const sentenceOf = ({ issue, detail }: ProviderProblem, language: Language): string =>
  (issueText(issue, language) ?? issue) + (detail === '' ? '' : ` (${detail})`);

/** Asks now, for somebody who waits. What an operator decided only operators ask about again. */
export async function checkFiling(
  services: Services,
  { session, scope }: Author,
  id: number,
  language: Language,
) {
  const where = and(eq(filing.id, id), owned(filing, scope));
  const [row] = await services.db.select().from(filing).where(where);
  if (!row) throw notFound();
  const setting = await readFilingSetting(services.db);
  const { find } = clientOf(services, setting);
  const isDecided = row.decidedBy !== '' && session.kind !== 'admin';
  if (!find || isDecided) return { state: row.state, message: issueText('filing_manual', language)! };
  const problem = await ask(services, find, row, setting.recheck_days);
  const [after] = await services.db.select({ state: filing.state }).from(filing).where(where);
  return { state: after?.state ?? row.state, message: problem ? sentenceOf(problem, language) : '' };
}

const perRun = 500;
const runSeconds = 120;
const atOnce = 4;

/** The job: those that are due. */
export async function askDue(services: Services): Promise<number> {
  const setting = await readFilingSetting(services.db);
  const { find } = clientOf(services, setting);
  if (!find) return 0;
  const due = await services.db
    .select()
    .from(filing)
    .where(lte(filing.nextCheckAt, new Date()))
    .orderBy(asc(filing.nextCheckAt))
    .limit(perRun);
  const work = {
    log: services.log,
    about: 'check of a filing number',
    nameOf: ({ id }: Row) => id,
    seconds: runSeconds,
    atOnce,
  };
  return eachItem(due, work, (row) => ask(services, find, row, setting.recheck_days));
}
