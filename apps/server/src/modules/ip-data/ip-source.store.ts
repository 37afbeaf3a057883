import { ipDataParts, type IpDataPart } from '@breakwater/contract';
import { and, eq, lt, notInArray, sql } from 'drizzle-orm';
import { stat } from 'node:fs/promises';
import { ipFile, ipSource } from '../../db/schema.ts';
import type { Db } from '../../db/database.ts';
import type { IpDataFiles } from './ip-data-build.ts';
import { shippedVersions } from './ip-data-files.ts';

/** Where each part of the data comes from: a file of the operator's in the database, one of the environment, what is shipped. */

export interface Sources {
  /** By part: the operator's file. */
  files: Partial<Record<IpDataPart, number>>;
  /** A file of countries that the environment names; empty: none, or one that is not there. */
  countryPath: string;
  /** The environment names a file of countries that is not there, and nothing else stands for it. */
  isMissing: boolean;
  /** Another text when any of it is another. */
  stamp: string;
}

export async function readSources(db: Db, countryMmdb: string): Promise<Sources> {
  const rows = await db.select({ part: ipSource.part, fileId: ipSource.fileId }).from(ipSource);
  const files = Object.fromEntries(rows.map(({ part, fileId }) => [part, fileId]));
  return sourcesFrom(files, countryMmdb);
}

export async function sourcesFrom(files: Sources['files'], countryMmdb: string): Promise<Sources> {
  const stampOfFile = countryMmdb === '' ? undefined : await stampOf(countryMmdb);
  const versions = shippedVersions();
  const shipped = { country: stampOfFile ?? versions.country, region: versions.region, asn: '-' };
  const stamps = ipDataParts.map((part) =>
    files[part] === undefined ? shipped[part] : `file ${files[part]}`,
  );
  return {
    files,
    countryPath: stampOfFile === undefined || files.country !== undefined ? '' : countryMmdb,
    isMissing: countryMmdb !== '' && stampOfFile === undefined && files.country === undefined,
    stamp: stamps.join(', '),
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

/** For who asks again and again. */
export interface PlaceFiles {
  read: () => Promise<Sources>;
  load: (sources: Sources) => Promise<IpDataFiles>;
}
export const placeFilesOf = (db: Db, countryMmdb: string): PlaceFiles => ({
  read: () => readSources(db, countryMmdb),
  load: (sources) => loadFiles(db, sources),
});

export async function loadFiles(db: Db, { files, countryPath }: Sources): Promise<IpDataFiles> {
  const loaded: IpDataFiles = countryPath === '' ? {} : { country: countryPath };
  for (const part of ipDataParts) {
    const id = files[part];
    if (id === undefined) continue;
    const [row] = await db.select({ content: ipFile.content }).from(ipFile).where(eq(ipFile.id, id));
    if (row) loaded[part] = row.content;
  }
  return loaded;
}

export async function dropUnusedFiles(db: Db): Promise<void> {
  await db
    .delete(ipFile)
    .where(
      and(
        lt(ipFile.createdAt, sql`now() - interval '1 day'`),
        notInArray(ipFile.id, db.select({ id: ipSource.fileId }).from(ipSource)),
      ),
    );
}
