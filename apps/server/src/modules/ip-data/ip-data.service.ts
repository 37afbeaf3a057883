import type { IpDataDocument } from '@breakwater/contract';
import { noteAskedData } from '@breakwater/policy/asked-data';
import { parseAddress } from '@breakwater/policy/ip';
import { placeIn, readPlaces, type IpTable, type Place } from '@breakwater/policy/ip-data';
import { eq, sql } from 'drizzle-orm';
import { stat } from 'node:fs/promises';
import { Worker } from 'node:worker_threads';
import { ipData } from '../../db/access-schema.ts';
import type { Db } from '../../db/database.ts';
import { publishDocument } from '../../delivery/publish.ts';
import { rowsOf, type Queryable } from '../../delivery/queryable.ts';
import type { NewTask } from '../../delivery/tasks.ts';
import type { Services } from '../../services.ts';

/** The table of places: built when the first site needs it, sent where sites that need it are served, and stays there. */

const only = 1;
const shippedStamp = 'shipped';

/** Whether rules of a site or a level ask where an address is. */
export const asksForPlaces = (values: object): boolean =>
  noteAskedData(values, { lists: {}, places: false }).places;

let building: Promise<IpDataDocument> | undefined;

/**
 * To be called before the transaction of a change whose values may ask for places: building the table takes seconds, in
 * which nothing should be locked.
 */
export async function prepareIpData(db: Db, values: object): Promise<void> {
  if (!asksForPlaces(values)) return;
  const rows = await db.select({ id: ipData.id }).from(ipData).where(eq(ipData.id, only));
  if (rows.length > 0) return;
  building ??= build('').finally(() => (building = undefined));
  const body = JSON.stringify(await building);
  // The operator's file may have come meanwhile.
  await db.insert(ipData).values({ id: only, body, stamp: shippedStamp }).onConflictDoNothing();
}

/** In the transaction of the site or the level that needs it; built there only for what `prepareIpData` did not see. */
export async function publishIpData(
  tx: Db,
  lineGroupIds: readonly number[],
  task: NewTask | { id: number },
): Promise<number | null> {
  const groups = await groupsWithIpData(tx);
  const all = [...new Set([...groups, ...lineGroupIds])];
  if (all.length === groups.length) return null;
  const body = (await readIpData(tx)) ?? (await store(tx, await build(''), shippedStamp));
  const { taskId } = await publishDocument(tx, {
    kind: 'ip_data',
    key: 'ip',
    lineGroupIds: all,
    body,
    task,
  });
  return taskId;
}

/**
 * The job: takes the operator's file when it is new. One that cannot be read changes nothing, and the log says why.
 * Returns whether the table changed.
 */
export async function refreshIpData({ db, config, log }: Services): Promise<boolean> {
  const path = config.countryMmdb;
  const stamp = path === '' ? shippedStamp : await stampOf(path);
  if (stamp === undefined) {
    log.error({ path }, 'the file of countries cannot be read; the last one stays in use');
    return false;
  }
  const [row] = await db.select({ stamp: ipData.stamp }).from(ipData).where(eq(ipData.id, only));
  // Without a file of the operator's the table is built when a site needs it.
  if (row === undefined ? path === '' : row.stamp === stamp) return false;
  let body: IpDataDocument;
  try {
    body = await build(path);
  } catch (error) {
    log.error({ err: error, path }, 'the file of countries cannot be read; the last one stays in use');
    return false;
  }
  await db.transaction(async (tx) => {
    await store(tx, body, stamp);
    const lineGroupIds = await groupsWithIpData(tx);
    if (lineGroupIds.length > 0)
      await publishDocument(tx, { kind: 'ip_data', key: 'ip', lineGroupIds, body });
  });
  return true;
}

/** The table as it was read last: it is large, and changes seldom. */
let held: { stamp: string; table: IpTable } | undefined;

/** Where an address is, as nodes find it; parts nobody knows are empty. */
export async function placeOfAddress(db: Db, text: string): Promise<Place> {
  const [row] = await db.select({ stamp: ipData.stamp }).from(ipData).where(eq(ipData.id, only));
  const stamp = row?.stamp ?? shippedStamp;
  if (held?.stamp !== stamp) {
    const document = (await readIpData(db)) ?? (await store(db, await build(''), shippedStamp));
    held = { stamp, table: tableOf(document) };
  }
  const address = parseAddress(text);
  const place = address && placeIn(held.table, address);
  return place ?? { country: '', province: '', carrier: '' };
}

/** Its texts of bytes as policy searches them. */
export function tableOf(document: IpDataDocument): IpTable {
  const bytes = (base64: string) => Buffer.from(base64, 'base64').toString('latin1');
  return {
    v4: bytes(document.v4),
    v4Places: bytes(document.v4_places),
    v6: bytes(document.v6),
    v6Places: bytes(document.v6_places),
    places: readPlaces(document.places),
  };
}

async function stampOf(path: string): Promise<string | undefined> {
  try {
    const { mtimeMs, size } = await stat(path);
    return `${path} ${size} ${Math.floor(mtimeMs)}`;
  } catch {
    return undefined;
  }
}

async function readIpData(db: Db): Promise<IpDataDocument | undefined> {
  const [row] = await db.select({ body: ipData.body }).from(ipData).where(eq(ipData.id, only));
  return row && (JSON.parse(row.body) as IpDataDocument);
}

async function store(db: Db, document: IpDataDocument, stamp: string): Promise<IpDataDocument> {
  const body = JSON.stringify(document);
  await db
    .insert(ipData)
    .values({ id: only, body, stamp })
    .onConflictDoUpdate({ target: ipData.id, set: { body, stamp, builtAt: sql`now()` } });
  return document;
}

async function groupsWithIpData(tx: Queryable): Promise<number[]> {
  const rows = await rowsOf<{ id: number }>(
    tx,
    sql`SELECT line_group_id AS id FROM edge_document WHERE kind = 'ip_data' AND key = 'ip' AND NOT deleted
        ORDER BY line_group_id`,
  );
  return rows.map(({ id }) => id);
}

function build(path: string): Promise<IpDataDocument> {
  return new Promise((resolve, reject) => {
    const worker = new Worker(new URL('./ip-data-worker.ts', import.meta.url), { workerData: path });
    worker.once('message', resolve);
    worker.once('error', reject);
    worker.once('exit', (code) => reject(new Error(`The table could not be built (${code}).`)));
  });
}
