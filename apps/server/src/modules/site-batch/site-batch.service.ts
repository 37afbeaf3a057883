import { allows, type SiteBatchInput, type SiteSection, type SiteSelection } from '@breakwater/contract';
import { sql } from 'drizzle-orm';
import { ApiError, invalid } from '../../api-error.ts';
import type { Transaction } from '../../db/database.ts';
import { integers, rowsOf } from '../../delivery/queryable.ts';
import { cancelOperation, retryItems } from '../../jobs/operation.store.ts';
import { holderOf, type Session } from '../../plugins/session.ts';
import type { Scope } from '../../scope.ts';
import type { Services } from '../../services.ts';
import { siteIdsOf } from '../site/site.service.ts';
import { readConfig } from '../site-config/site-config.store.ts';
import { ownSection, withoutAnySecrets } from '../site-section/site-section.service.ts';
import { accessOf } from './site-batch-author.ts';
import { batchKind, getBatch, insertBatch, type NewLine } from './site-batch.store.ts';

/** Starting batches. What they do is checked line by line when they run. */

interface Author {
  session: Session;
  scope: Scope;
}

/** Many new sites, one a line. Empty lines are passed over and count in the numbering. */
export function startCreation(
  services: Services,
  author: Author,
  { lines, order_id: orderId }: { lines: readonly string[]; order_id?: number | undefined },
): Promise<number> {
  const filled = lines.flatMap((text, index): NewLine[] =>
    text.trim() === '' ? [] : [{ position: index + 1, text: text.trim(), siteId: null }],
  );
  const input: SiteBatchInput = { kind: 'create', ...(orderId === undefined ? {} : { order_id: orderId }) };
  return services.db.transaction((tx) => insertBatch(tx, author.scope, author.session, input, filled));
}

/** Sites of drafts that were read from another system. */
export function startImport(
  services: Services,
  author: Author,
  { drafts, online, order_id: orderId }: Omit<Extract<SiteBatchInput, { kind: 'import' }>, 'kind'>,
): Promise<number> {
  drafts.forEach(({ sections }, index) => {
    const advanced = sections['advanced_config'] as Record<string, unknown> | undefined;
    // A node has to try these first, one site at a time.
    if (advanced !== undefined && 'snippet' in advanced)
      throw invalid(`drafts.${index}.sections.advanced_config.snippet`, 'unknown_field');
  });
  const lines = drafts.map(({ domains }, index) => ({
    position: index + 1,
    text: domains.join(', '),
    siteId: null,
  }));
  const order = orderId === undefined ? {} : { order_id: orderId };
  // Nothing that is imported brings secrets, and what is kept of it until then holds none.
  const kept = drafts.map((draft) => ({ ...draft, sections: withoutAnySecrets(draft.sections) }));
  const input: SiteBatchInput = { kind: 'import', online, drafts: kept, ...order };
  return services.db.transaction((tx) => insertBatch(tx, author.scope, author.session, input, lines));
}

/** One change of many sites. */
export function startChange(
  services: Services,
  author: Author,
  selection: SiteSelection,
  input: SiteBatchInput,
): Promise<number> {
  return services.db.transaction(async (tx) => {
    const ids = await siteIdsOf(tx, author.scope, selection);
    const rows = await rowsOf<{ id: number; domain: string | null }>(
      tx,
      sql`SELECT i.id, d.domain FROM unnest(${integers(ids)}) WITH ORDINALITY AS i(id, place)
          LEFT JOIN site_domain d ON d.site_id = i.id AND d.position = 0 ORDER BY i.place`,
    );
    const lines = rows.map(({ id, domain }, index) => ({
      position: index + 1,
      text: domain ?? `#${id}`,
      siteId: id,
    }));
    return insertBatch(tx, author.scope, author.session, input, lines);
  });
}

/** Uploaded certificates for sites, in the transaction that brought them. Null where there is none to bind. */
export async function startBinding(
  tx: Transaction,
  { session, scope }: Author,
  bindings: readonly { siteId: number; domain: string; certificateIds: number[] }[],
): Promise<number | null> {
  if (bindings.length === 0) return null;
  const input: SiteBatchInput = {
    kind: 'certificates',
    bindings: Object.fromEntries(bindings.map(({ siteId, certificateIds }) => [siteId, certificateIds])),
  };
  const lines = bindings.map(({ siteId, domain }, index) => ({ position: index + 1, text: domain, siteId }));
  return insertBatch(tx, scope, session, input, lines);
}

/** One section of a site, or some fields of it, for others. Secrets go along within the same customer only. */
export async function copySection(
  services: Services,
  author: Author,
  siteId: number,
  { section, fields, sites }: { section: SiteSection; fields: readonly string[]; sites: SiteSelection },
): Promise<number> {
  const { config, clientId } = await readConfig(services.db, author.scope, siteId);
  return startChange(services, author, sites, {
    kind: 'section',
    section,
    value: ownSection(config, section),
    fields: [...fields],
    copied_from_client: clientId,
  });
}

/** Throws `forbidden` for whoever could not start such a batch. Answers how many lines are done again. */
export function retryBatch({ db }: Services, { session, scope }: Author, id: number): Promise<number> {
  return db.transaction(async (tx) => {
    const kind = await batchKind(tx, scope, id);
    if (!allows(accessOf[kind], holderOf(session))) throw new ApiError('forbidden');
    return retryItems(tx, id);
  });
}

/** Lines that wait are not done any more; one that is being done ends as it can. */
export function cancelBatch({ db }: Services, { scope }: Author, id: number) {
  return db.transaction(async (tx) => {
    await batchKind(tx, scope, id);
    await cancelOperation(tx, id);
    return getBatch(tx, scope, id);
  });
}
