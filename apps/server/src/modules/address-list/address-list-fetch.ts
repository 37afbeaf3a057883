import { issueText } from '@breakwater/contract';
import { and, eq, lte, sql } from 'drizzle-orm';
import { ApiError, notFound } from '../../api-error.ts';
import type { Db, Transaction } from '../../db/database.ts';
import { addressList } from '../../db/schema.ts';
import { eachItem } from '../../each-item.ts';
import { fetchText } from '../../fetch-text.ts';
import { changesOf, recordEvent, systemActor, type Actor } from '../../events/record-event.ts';
import type { Scope } from '../../scope.ts';
import type { Services } from '../../services.ts';
import type { PackedList } from './address-list-lines.ts';
import { linesOfJson } from './address-list-json.ts';
import { packList } from './address-list-pack.ts';
import { entriesLimit, otherEntries } from './address-list-limits.ts';
import { listTask, publishAddressList } from './address-list.service.ts';
import { within } from './address-list.store.ts';

/** Lists that come from a URL. What cannot be read changes nothing: the last good copy stays with the nodes. */

const fetchBytesMax = 16 * 1024 * 1024;
const fetchSeconds = 30;
const perRun = 50;
const atOnce = 10;
/** All of a run, should each take its time: it ends before it is due again a few times. */
const runSeconds = 200;

interface Refreshed {
  entry_count: number;
  last_error: string;
  task_id: number | null;
}

export async function refreshNow(
  services: Services,
  scope: Scope,
  id: number,
  actor: Actor,
): Promise<Refreshed> {
  const [row] = await services.db
    .select({ url: addressList.url, source: addressList.source })
    .from(addressList)
    .where(and(eq(addressList.id, id), within(scope)));
  if (!row) throw notFound();
  if (row.source !== 'url') throw new ApiError('invalid_input', [{ path: 'source', issue: 'not_an_option' }]);
  return refresh(services, id, row.url, actor);
}

/** The job: what is due. */
export async function refreshDueLists(services: Services): Promise<number> {
  const due = await services.db
    .select({ id: addressList.id, url: addressList.url })
    .from(addressList)
    .where(and(eq(addressList.source, 'url'), lte(addressList.nextFetchAt, sql`now()`)))
    .orderBy(addressList.nextFetchAt)
    .limit(perRun);
  const work = {
    log: services.log,
    about: 'refresh of an address list',
    nameOf: ({ id }: { id: number }) => id,
    seconds: runSeconds,
    atOnce,
  };
  return eachItem(due, work, async ({ id, url }) => {
    try {
      await refresh(services, id, url, systemActor);
    } catch (error) {
      await postpone(services.db, id, url);
      throw error;
    }
  });
}

/** What could not be stored is not the first in every run. */
async function postpone(db: Db, id: number, url: string): Promise<void> {
  await db
    .update(addressList)
    .set({
      triedAt: sql`now()`,
      nextFetchAt: sql`now() + make_interval(secs => ${addressList.intervalSeconds})`,
    })
    .where(and(eq(addressList.id, id), eq(addressList.url, url)));
}

async function refresh(services: Services, id: number, url: string, actor: Actor): Promise<Refreshed> {
  const fetched = await readList(services, url);
  return services.db.transaction(async (tx) => {
    // Whoever changed the URL meanwhile has a fetch of their own.
    const same = and(eq(addressList.id, id), eq(addressList.url, url));
    const read = await withinLimit(tx, id, fetched);
    const times = {
      triedAt: sql`now()`,
      nextFetchAt: sql`now() + make_interval(secs => ${addressList.intervalSeconds})`,
    };
    const digest = sql<string>`md5(${addressList.v4} || ' ' || ${addressList.v6})`;
    const { name, clientId, entryCount, lastError } = addressList;
    const [before] = await tx
      .select({ name, clientId, entryCount, digest })
      .from(addressList)
      .where(same)
      .for('update');
    const [row] = await tx
      .update(addressList)
      .set(
        'error' in read
          ? { ...times, lastError: read.error }
          : { ...times, ...read.packed, fetchedAt: sql`now()`, lastError: '' },
      )
      .where(same)
      .returning({ entryCount, lastError, digest });
    if (!row) throw notFound();
    if ('error' in read) return { entry_count: row.entryCount, last_error: row.lastError, task_id: null };
    if (before && before.digest !== row.digest)
      await recordEvent(tx, {
        kind: 'refreshed',
        subject: { kind: 'address_list', id, name: before.name },
        clientId: before.clientId,
        actor,
        data: { changes: changesOf({ entry_count: before.entryCount }, { entry_count: row.entryCount }) },
      });
    const taskId = await publishAddressList(tx, id, await listTask(tx, id, actor.name));
    return { entry_count: row.entryCount, last_error: row.lastError, task_id: taskId };
  });
}

type Read = { packed: PackedList } | { error: string };

async function withinLimit(tx: Transaction, id: number, read: Read): Promise<Read> {
  if ('error' in read) return read;
  const limit = await entriesLimit(tx, id);
  if (limit === null || (await otherEntries(tx, id)) + read.packed.entryCount <= limit) return read;
  return { error: issueText(`address_list_entries:${limit}`, 'en')! };
}

async function readList(services: Services, url: string): Promise<Read> {
  try {
    const content = await fetchText(url, {
      bytesMax: fetchBytesMax,
      seconds: fetchSeconds,
      allowPrivate: services.config.privateOrigins,
    });
    const packed = await packList(linesOfJson(content) ?? content);
    if ('problem' in packed) return { error: issueText(packed.problem, 'en')! };
    if (packed.entryCount === 0) return { error: 'The file contains no IP addresses.' };
    return { packed };
  } catch (error) {
    return { error: (error as Error).message.slice(0, 500) };
  }
}
