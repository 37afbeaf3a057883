import type { IpDataDocument } from '@breakwater/contract';
import { noteAskedData } from '@breakwater/policy/access/asked-data';
import { parseAddress } from '@breakwater/policy/address/ip';
import {
  asnIn,
  placeIn,
  readPlaces,
  type AsnTable,
  type IpTable,
  type Place,
} from '@breakwater/policy/address/ip-data';
import { eq, sql } from 'drizzle-orm';
import { ipData } from '../../db/schema.ts';
import type { Db, Transaction } from '../../db/database.ts';
import { publishToUsers } from '../../delivery/edge-use.ts';
import { groupsThatHave, storedText } from '../../delivery/publish.ts';
import type { NewTask } from '../../delivery/tasks.ts';
import type { Services } from '../../services.ts';
import { loadFiles, readSources, type Sources } from './ip-source.store.ts';
import { buildTable } from './ip-work.ts';

/** The table of places: built when the first site needs it, and sent where sites that need it are served. */

const only = 1;
const ipDataName = { kind: 'ip_data', key: 'ip' } as const;
type Needed = Pick<Services, 'db' | 'config' | 'log'>;

/** Whether rules of a site or a level ask where an address is. */
export const asksForPlaces = (values: object): boolean =>
  noteAskedData(values, { lists: {}, places: false }).places;

/** What a transaction is given up with that needs the table before there is one. */
class IpDataMissing extends Error {}

/**
 * Does something whose transactions may need the table. Building it takes seconds, in which nothing should be locked: so
 * the first transaction that needs it is given up, the table is built, and all is done anew.
 */
export async function withIpData<Result>(services: Needed, run: () => Promise<Result>): Promise<Result> {
  try {
    return await run();
  } catch (error) {
    if (!(error instanceof IpDataMissing)) throw error;
    await ensureTable(services);
    return run();
  }
}

/** The document with the table, for the first site or level that needs it. */
export async function ipDataBody(tx: Db) {
  const stored = await storedTable(tx);
  if (!stored) throw new IpDataMissing('The table of places is not built yet.');
  return { body: stored };
}

const storedTable = (tx: Db) => storedText(tx, sql`(SELECT body FROM ip_data WHERE id = ${only})`);

let building: Promise<void> | undefined;

async function ensureTable({ db, config, log }: Needed): Promise<void> {
  const rows = await db.select({ id: ipData.id }).from(ipData).where(eq(ipData.id, only));
  if (rows.length > 0) return;
  building ??= (async () => {
    const sources = await readSources(db, config.countryMmdb);
    const [document, stamp] = await buildSafely(db, sources, log);
    const body = JSON.stringify(document);
    // Another server may have built it meanwhile.
    await db.insert(ipData).values({ id: only, body, stamp }).onConflictDoNothing();
  })().finally(() => (building = undefined));
  await building;
}

/** With the environment's file where it can be read; the first table is not to fail for it. */
async function buildSafely(
  db: Db,
  sources: Sources,
  log: Services['log'],
): Promise<[document: IpDataDocument, stamp: string]> {
  try {
    return [await buildTable(await loadFiles(db, sources)), sources.stamp];
  } catch (error) {
    if (sources.countryPath === '') throw error;
    log.error({ err: error, path: sources.countryPath }, unreadable);
    const rest = { ...sources, countryPath: '' };
    return [await buildTable(await loadFiles(db, rest)), ''];
  }
}
const unreadable = 'the file of countries cannot be read; the last one stays in use';

/**
 * The job: builds the table anew where it is made of other files than are there now, such as a new one of the environment's.
 * What cannot be read changes nothing, and the log says why. Returns whether the table changed.
 */
export async function refreshIpData({ db, config, log }: Needed): Promise<boolean> {
  const [row] = await db.select({ stamp: ipData.stamp }).from(ipData).where(eq(ipData.id, only));
  // It is built when a site needs it.
  if (row === undefined) return false;
  const sources = await readSources(db, config.countryMmdb);
  if (sources.isMissing) {
    log.error({ path: config.countryMmdb }, unreadable);
    return false;
  }
  if (row.stamp === sources.stamp) return false;
  let body: IpDataDocument;
  try {
    body = await buildTable(await loadFiles(db, sources));
  } catch (error) {
    log.error({ err: error, path: config.countryMmdb }, unreadable);
    return false;
  }
  await db.transaction((tx) => replaceTable(tx, body, sources.stamp));
  return true;
}

/** Puts another table in the place of what there is, and sends it to the nodes that need one. */
export async function replaceTable(
  tx: Transaction,
  document: IpDataDocument,
  stamp: string,
  task?: NewTask,
): Promise<number | null> {
  const body = JSON.stringify(document);
  await tx
    .insert(ipData)
    .values({ id: only, body, stamp })
    .onConflictDoUpdate({ target: ipData.id, set: { body, stamp, builtAt: sql`now()` } });
  return publishToUsers(tx, {
    ...ipDataName,
    body: (await storedTable(tx))!,
    task,
  });
}

/** The table as it was read last: it is large, and changes seldom. */
let held: { stamp: string; table: IpTable; networks: AsnTable | undefined } | undefined;

export interface KnownOfAddress {
  /** Parts nobody knows are empty. */
  place: Place;
  asn: number | null;
}

/** Where an address is and whose, as nodes find it. */
export async function placeOfAddress(services: Needed, text: string): Promise<KnownOfAddress> {
  await ensureTable(services);
  const { db } = services;
  const [row] = await db.select({ stamp: ipData.stamp }).from(ipData).where(eq(ipData.id, only));
  if (held === undefined || held.stamp !== row?.stamp) {
    const document = (await readTable(db))!;
    held = { stamp: row?.stamp ?? '', table: tableOf(document), networks: networksOf(document) };
  }
  const address = parseAddress(text);
  const place = address && placeIn(held.table, address);
  return {
    place: place ?? { country: '', province: '', carrier: '' },
    asn: (address && held.networks && asnIn(held.networks, address)) ?? null,
  };
}

const bytesOf = (base64: string) => Buffer.from(base64, 'base64').toString('latin1');

/** Its texts of bytes as policy searches them. */
export function tableOf(document: IpDataDocument): IpTable {
  return {
    v4: bytesOf(document.v4),
    v4Places: bytesOf(document.v4_places),
    v6: bytesOf(document.v6),
    v6Places: bytesOf(document.v6_places),
    places: readPlaces(document.places),
  };
}

export function networksOf({ asn }: IpDataDocument): AsnTable | undefined {
  if (asn === undefined) return undefined;
  return {
    v4: bytesOf(asn.v4),
    v4Numbers: bytesOf(asn.v4_numbers),
    v6: bytesOf(asn.v6),
    v6Numbers: bytesOf(asn.v6_numbers),
  };
}

/** When the table was built, how large it is, and how many line groups have it; nothing where there is none. */
export async function describeTable(
  db: Db,
): Promise<{ built_at: string; bytes: number; line_groups: number } | null> {
  const [row] = await db
    .select({ builtAt: ipData.builtAt, bytes: sql<number>`octet_length(${ipData.body})` })
    .from(ipData)
    .where(eq(ipData.id, only));
  if (!row) return null;
  const groups = await groupsThatHave(db, ipDataName);
  return { built_at: row.builtAt.toISOString(), bytes: row.bytes, line_groups: groups.length };
}

async function readTable(db: Db): Promise<IpDataDocument | undefined> {
  const [row] = await db.select({ body: ipData.body }).from(ipData).where(eq(ipData.id, only));
  return row && (JSON.parse(row.body) as IpDataDocument);
}
