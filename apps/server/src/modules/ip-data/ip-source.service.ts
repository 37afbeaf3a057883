import {
  ipDataParts,
  ipFileBytesMax,
  issueText,
  type CheckedIpFile,
  type IpDataPart,
  type IpDataPartInUse,
  type IssueMessage,
  type Language,
  type UploadedFile,
} from '@breakwater/contract';
import { and, eq, lte, sql } from 'drizzle-orm';
import { ApiError, invalid, notFound } from '../../api-error.ts';
import { ipFile, ipSource } from '../../db/schema.ts';
import type { Db } from '../../db/database.ts';
import type { NewTask } from '../../delivery/tasks.ts';
import { eachItem } from '../../each-item.ts';
import { changesOf, recordEvent, systemActor, type Actor } from '../../events/record-event.ts';
import { FetchProblem, fetchBytes } from '../../fetch-text.ts';
import type { Services } from '../../services.ts';
import { shippedVersions } from './ip-data-files.ts';
import type { UnpackedIpFile } from './ip-data-inspect.ts';
import { replaceTable } from './ip-data.service.ts';
import { dropUnusedFiles, loadFiles, readSources, sourcesFrom } from './ip-source.store.ts';
import { buildTable, inspectFile } from './ip-work.ts';

/** The operator's own files: checked, put in service part by part, fetched again, and given up for what is shipped. */

const fetchSeconds = 120;
/** There are three. */
const runSeconds = 3 * fetchSeconds;

export async function checkUpload(services: Services, file: UploadedFile): Promise<CheckedIpFile> {
  return keep(services.db, file.name, await inspect('file', await file.read()));
}

export async function checkUrl(services: Services, url: string): Promise<CheckedIpFile> {
  const fetched = await fetchFile(services, url);
  if ('issue' in fetched) throw invalid('url', fetched.issue);
  return keep(services.db, url.slice(0, 200), await inspect('url', fetched.bytes));
}

async function inspect(path: string, bytes: Uint8Array): Promise<UnpackedIpFile> {
  const file = await inspectFile(bytes).catch(() => undefined);
  if (!file) throw invalid(path, 'ip_file_format');
  if (file.report.parts.length === 0) throw invalid(path, 'ip_file_nothing');
  return file;
}

async function keep(db: Db, name: string, { content, report }: UnpackedIpFile): Promise<CheckedIpFile> {
  const [row] = await db.insert(ipFile).values({ name, content, report }).returning({ id: ipFile.id });
  return { file_id: row!.id, name, bytes: content.length, report };
}

async function fetchFile(
  { config }: Services,
  url: string,
): Promise<{ bytes: Buffer } | { issue: IssueMessage }> {
  try {
    const limits = { bytesMax: ipFileBytesMax, seconds: fetchSeconds, allowPrivate: config.privateOrigins };
    return { bytes: await fetchBytes(url, limits) };
  } catch (error) {
    return { issue: error instanceof FetchProblem ? error.issue : 'fetch_failed' };
  }
}

type SourceRow = typeof ipSource.$inferInsert;

/**
 * The answer names the task that follows the new table to the nodes; none where no node has one. Throws `stale_version` where
 * another file stands for the part than the one that it is to replace.
 */
export async function useFile(
  services: Services,
  part: IpDataPart,
  use: {
    file_id: number;
    replaces: number | null;
    attribution: string;
    url: string;
    interval_seconds: number;
  },
  actor: Actor,
): Promise<{ task_id: number | null }> {
  const [file] = await services.db
    .select({ report: ipFile.report })
    .from(ipFile)
    .where(eq(ipFile.id, use.file_id));
  if (!file) throw notFound();
  if (!file.report.parts.includes(part)) throw invalid('file_id', 'ip_file_part');
  const isFetched = use.url !== '';
  return replacePart(
    services,
    part,
    use.replaces,
    actor,
    {
      part,
      fileId: use.file_id,
      attribution: use.attribution,
      url: use.url,
      intervalSeconds: use.interval_seconds,
      fetchedAt: new Date(),
      triedAt: new Date(),
      lastError: '',
      nextFetchAt: isFetched ? new Date(Date.now() + use.interval_seconds * 1000) : null,
    },
    'updated',
  );
}

export async function removeFile(
  services: Services,
  part: IpDataPart,
  fileId: number,
  actor: Actor,
): Promise<void> {
  const rows = await services.db
    .select({ part: ipSource.part })
    .from(ipSource)
    .where(eq(ipSource.part, part));
  if (rows.length === 0) throw notFound();
  await replacePart(services, part, fileId, actor, null, 'removed');
}

const toldOf = (row: SourceRow | null) =>
  row === null
    ? {}
    : {
        changes: changesOf(undefined, {
          url: row.url,
          attribution: row.attribution,
          interval_seconds: row.intervalSeconds,
        }),
      };

/**
 * The table is built before the transaction; where another part has changed meanwhile, once more. Throws `stale_version` where
 * the file that is replaced stands for the part no more.
 */
async function replacePart(
  services: Services,
  part: IpDataPart,
  replaced: number | null,
  actor: Actor,
  row: SourceRow | null,
  kind: 'updated' | 'refreshed' | 'removed',
): Promise<{ task_id: number | null }> {
  const { db, config } = services;
  for (let tries = 0; tries < 3; tries++) {
    const before = await readSources(db, config.countryMmdb);
    const { [part]: former = null, ...others } = before.files;
    if (former !== replaced) throw new ApiError('stale_version');
    const files = row === null ? others : { ...others, [part]: row.fileId };
    const next = await sourcesFrom(files, config.countryMmdb);
    const document = await buildTable(await loadFiles(db, next)).catch((error: unknown) => {
      services.log.warn({ err: error, part }, 'no table can be made of a file');
      throw invalid('file_id', 'ip_file_unusable');
    });
    const done = await db.transaction(async (tx) => {
      await tx.execute(sql`LOCK TABLE ip_source IN SHARE ROW EXCLUSIVE MODE`);
      if ((await readSources(tx, config.countryMmdb)).stamp !== before.stamp) return undefined;
      await tx.delete(ipSource).where(eq(ipSource.part, part));
      if (row !== null) await tx.insert(ipSource).values(row);
      await dropUnusedFiles(tx);
      await recordEvent(tx, { kind, subject: { kind: 'ip_data', name: part }, actor, data: toldOf(row) });
      return { task_id: await replaceTable(tx, document, next.stamp, taskOf(part, actor.name)) };
    });
    if (done) return done;
  }
  throw new ApiError('conflict');
}

const taskOf = (part: IpDataPart, by: string): NewTask => ({
  type: 'ip_data_update',
  title: part,
  objectKind: 'ip_data',
  objectId: 1,
  createdBy: by,
});

/**
 * Fetches a part from its URL. What cannot be read changes nothing: the last good copy stays. So does what somebody puts in
 * service while it is being fetched.
 */
export async function refreshFile(
  services: Services,
  part: IpDataPart,
  actor: Actor,
): Promise<{ issue: string; task_id: number | null }> {
  const { db } = services;
  const [row] = await db.select().from(ipSource).where(eq(ipSource.part, part));
  if (!row || row.url === '') throw notFound();
  const nextFetchAt = new Date(Date.now() + row.intervalSeconds * 1000);
  try {
    const fetched = await fetchFile(services, row.url);
    if ('issue' in fetched) throw invalid('url', fetched.issue);
    const file = await inspect('url', fetched.bytes);
    if (!file.report.parts.includes(part)) throw invalid('url', 'ip_file_part');
    const { file_id: fileId } = await keep(db, row.url.slice(0, 200), file);
    const now = new Date();
    const times = { fetchedAt: now, triedAt: now, nextFetchAt };
    const { task_id: taskId } = await replacePart(
      services,
      part,
      row.fileId,
      actor,
      {
        ...row,
        ...times,
        fileId,
        lastError: '',
      },
      'refreshed',
    );
    return { issue: '', task_id: taskId };
  } catch (error) {
    if (!(error instanceof ApiError) || error.fields.length === 0) throw error;
    const { issue } = error.fields[0]!;
    await db
      .update(ipSource)
      .set({ triedAt: new Date(), nextFetchAt, lastError: issue })
      .where(and(eq(ipSource.part, part), eq(ipSource.fileId, row.fileId)));
    return { issue, task_id: null };
  }
}

/** The job: what is due; and files that were checked and never used go. */
export async function refreshDueFiles(services: Services): Promise<number> {
  await dropUnusedFiles(services.db);
  const due = await services.db
    .select({ part: ipSource.part })
    .from(ipSource)
    .where(lte(ipSource.nextFetchAt, sql`now()`));
  const work = {
    log: services.log,
    about: 'refresh of a file of places',
    nameOf: ({ part }: { part: string }) => part,
    seconds: runSeconds,
  };
  return eachItem(due, work, ({ part }) => refreshFile(services, part, systemActor));
}

const shippedNames = () => {
  const { country, region } = shippedVersions();
  return {
    country: { name: `IPtoASN ${country}`, attribution: 'IPtoASN (https://iptoasn.com), PDDL 1.0' },
    region: { name: `ip2region ${region}`, attribution: 'ip2region (Lion Li), Apache License 2.0' },
    asn: { name: '', attribution: '' },
  };
};

export async function partsInUse({ db, config }: Services, language: Language): Promise<IpDataPartInUse[]> {
  const rows = await db
    .select({ source: ipSource, name: ipFile.name, report: ipFile.report })
    .from(ipSource)
    .innerJoin(ipFile, eq(ipFile.id, ipSource.fileId));
  const { countryPath } = await readSources(db, config.countryMmdb);
  const shipped = shippedNames();
  return ipDataParts.map((part) => {
    const row = rows.find(({ source }) => source.part === part);
    if (!row) {
      const isOwn = part === 'country' && countryPath !== '';
      const source = isOwn ? 'environment' : part === 'asn' ? 'none' : 'shipped';
      return {
        ...notFetched,
        part,
        source,
        ...(isOwn ? { name: countryPath, attribution: '' } : shipped[part]),
      };
    }
    const { source, name, report } = row;
    return {
      part,
      file_id: source.fileId,
      source: source.url === '' ? ('file' as const) : ('url' as const),
      name,
      attribution: source.attribution,
      url: source.url,
      interval_seconds: source.url === '' ? null : source.intervalSeconds,
      report,
      fetched_at: source.fetchedAt?.toISOString() ?? null,
      tried_at: source.triedAt?.toISOString() ?? null,
      last_error: sayIssue(source.lastError, language),
    };
  });
}

export const sayIssue = (issue: string, language: Language): string => issueText(issue, language) ?? issue;

const notFetched = {
  file_id: null,
  url: '',
  interval_seconds: null,
  report: null,
  fetched_at: null,
  tried_at: null,
  last_error: '',
};
