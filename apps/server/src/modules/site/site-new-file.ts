import { siteSectionNames, type SiteFile } from '@breakwater/contract';
import { and, eq } from 'drizzle-orm';
import { invalid } from '../../api-error.ts';
import type { Transaction } from '../../db/database.ts';
import { order } from '../../db/schema.ts';
import { owned, type Scope } from '../../scope.ts';
import type { Services } from '../../services.ts';
import {
  atFilePaths,
  changeSite,
  checkNames,
  snippetInFile,
  snippetOf,
  tryIn,
  withParts,
} from '../site-config/site-config.service.ts';
import type { Author, SiteWriter } from '../site-publish/site-publish.service.ts';
import { parseSection } from '../site-section/site-section.service.ts';
import { insertSite, publishNew } from './site-create.ts';
import { orderOfNewSite } from './site-order.ts';

/** New sites from files. */

interface NewFromFile {
  file: SiteFile;
  order_id?: number | undefined;
  status?: 'online' | 'offline';
}

/** Offline unless it is said otherwise: in one transaction it is made with its domains and origins and gets all that the file
 * holds. */
export async function importNewSite(
  services: SiteWriter,
  author: Author,
  { file, order_id: orderId, status = 'offline' }: NewFromFile,
): Promise<{ id: number; task_id: number | null }> {
  if (file.domains === undefined) throw invalid('file.domains', 'required');
  const { domains } = file;
  checkNames(file);
  const path = 'file.sections.origin_server_config';
  const { origins } = parseSection('origin_server_config', file.sections['origin_server_config'], path);
  const make = async (tx: Transaction) => {
    const writer = { ...services, db: tx };
    const made = await insertSite(tx, writer, author, {
      domains,
      origin: origins[0]!.address,
      origin_port: origins[0]!.http_port,
      origin_protocol: 'http',
      other_origins: [],
      order_id: orderId,
    });
    const parts = siteSectionNames.filter((name) => name in file.sections);
    const saved = await changeSite(writer, author, made.id, {
      section: 'import',
      task: 'site_create',
      path: 'file.sections',
      apply: (before) => ({ ...withParts(before, file, parts), status }),
    });
    // A file that says nothing new has changed nothing.
    const isPublished = saved.version > 1;
    return { id: made.id, task_id: isPublished ? saved.task_id : await publishNew(tx, writer, author, made) };
  };
  return atFilePaths(file, () => services.db.transaction(make));
}

/** Before a site is made from a file. */
export async function trySnippetOfNewSite(
  services: Services,
  scope: Scope,
  { file, order_id: orderId }: { file: SiteFile; order_id?: number | undefined },
): Promise<void> {
  const snippet = snippetOf(file.sections['advanced_config']);
  if (snippet === '') return;
  const lineGroupId = await lineGroupOfNewSite(services, scope, orderId);
  if (lineGroupId !== undefined) await tryIn(services, lineGroupId, newSiteId, snippet, snippetInFile);
}

/** No site has it. */
const newSiteId = 0;

async function lineGroupOfNewSite({ db }: Services, scope: Scope, wanted: number | undefined) {
  return db.transaction(async (tx) => {
    const id = await orderOfNewSite(tx, scope, wanted);
    if (id === undefined) return undefined;
    const owner = owned(order, scope);
    const [row] = await tx
      .select({ lineGroupId: order.lineGroupId })
      .from(order)
      .where(and(eq(order.id, id), owner));
    return row?.lineGroupId;
  });
}
