import type { IpDataDocument, SiteSnapshot } from '@breakwater/contract';
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

/** Whether rules of a site ask where an address is. */
export function asksForPlaces({ access_control: control }: SiteSnapshot): boolean {
  return control.rules.some(
    (rule) => rule.countries.length + rule.provinces.length + rule.carriers.length > 0,
  );
}

/** In the transaction of the site that needs it. */
export async function publishIpData(
  tx: Db,
  lineGroupId: number,
  task: NewTask | { id: number },
): Promise<number | null> {
  const groups = await groupsWithIpData(tx);
  if (groups.includes(lineGroupId)) return null;
  const body = (await readIpData(tx)) ?? (await store(tx, await build(''), shippedStamp));
  const { taskId } = await publishDocument(tx, {
    kind: 'ip_data',
    key: 'ip',
    lineGroupIds: [...groups, lineGroupId],
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
