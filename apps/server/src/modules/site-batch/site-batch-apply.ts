import {
  certificatesPerSite,
  siteBatchLineText,
  type SiteBatchInput,
  type SiteFile,
} from '@breakwater/contract';
import { eq } from 'drizzle-orm';
import { invalid, notFound } from '../../api-error.ts';
import { site } from '../../db/schema.ts';
import type { Item, Outcome } from '../../jobs/define-job.ts';
import { parseInput } from '../../plugins/validation.ts';
import { bindingOf, readSiteCertificates } from '../certificate/certificate.service.ts';
import {
  createSite,
  importNewSite,
  removeSite,
  removeSiteForced,
  setSiteStatus,
} from '../site/site.service.ts';
import { changeSite } from '../site-config/site-config.service.ts';
import { forceSync, lockSite, siteWithin, type SiteWriter } from '../site-publish/site-publish.service.ts';
import { patchSection, withoutSecrets } from '../site-section/site-section.service.ts';
import type { BatchAuthor } from './site-batch-author.ts';
import { siteIdOf } from './site-batch.store.ts';

interface LineWork {
  input: SiteBatchInput;
  line: Item;
  author: BatchAuthor;
}

/** Does what one line of a batch asks for, in the caller's transaction. Throws what makes it fail. */
export async function applyLine(writer: SiteWriter, { input, line, author }: LineWork): Promise<Outcome> {
  if (input.kind === 'create') {
    const { id } = await createSite(writer, author, {
      ...parseInput(siteBatchLineText, line.title),
      order_id: input.order_id,
    });
    return { state: 'done', key: String(id) };
  }
  if (input.kind === 'import') {
    const draft = input.drafts[(line.position ?? 0) - 1];
    if (draft === undefined) throw notFound();
    const file: SiteFile = { format: 'breakwater-site', format_version: 1, left_out: [], ...draft };
    const { order_id, online } = input;
    const status = online ? 'online' : 'offline';
    const { id } = await importNewSite(writer, author, { file, order_id, status });
    return { state: 'done', key: String(id) };
  }
  const siteId = siteIdOf(line);
  if (siteId === null) throw notFound();
  if (input.kind === 'remove') await removeSite(writer, author, siteId);
  else if (input.kind === 'remove_forced') await removeSiteForced(writer, author, siteId);
  else if (input.kind === 'sync') await forceSync(writer, author, siteId);
  else if (input.kind === 'status') {
    const saved = await setSiteStatus(writer, author, siteId, { status: input.status, note: '' });
    return { state: saved.task_id === null ? 'unchanged' : 'done' };
  } else if (input.kind === 'certificates') {
    return { state: await bindCertificates(writer, author, siteId, input.bindings[siteId] ?? []) };
  } else return { state: await change(writer, author, siteId, input) };
  return { state: 'done' };
}

async function change(
  writer: SiteWriter,
  author: BatchAuthor,
  id: number,
  input: Extract<SiteBatchInput, { kind: 'section' }>,
): Promise<Outcome['state']> {
  const [owner] = await writer.db.select({ clientId: site.clientId }).from(site).where(eq(site.id, id));
  let changed = true;
  await changeSite(writer, author, id, {
    section: input.section,
    path: 'value',
    apply: (before) => {
      const after = patchSection(before, {
        ...input,
        value:
          input.copied_from_client === owner?.clientId
            ? input.value
            : withoutSecrets(input.section, input.value),
      });
      changed = JSON.stringify(before) !== JSON.stringify(after);
      return after;
    },
  });
  return changed ? 'done' : 'unchanged';
}

/** Puts certificates among those of a site, each in the place of what it replaces there by now. */
async function bindCertificates(
  writer: SiteWriter,
  author: BatchAuthor,
  id: number,
  certificateIds: readonly number[],
): Promise<Outcome['state']> {
  return writer.db.transaction(async (tx) => {
    const { site: row } = await lockSite(tx, siteWithin(author.scope, id));
    const { domains, certificate_settings: settings } = row.config;
    const found = await readSiteCertificates(tx, [...settings.certificate_ids, ...certificateIds]);
    let bound = settings.certificate_ids.flatMap((each) => found.get(each) ?? []);
    for (const added of certificateIds) {
      const certificate = found.get(added);
      if (certificate === undefined) throw notFound();
      bound = bindingOf(domains, bound, certificate).after;
    }
    const ids = bound.map((each) => each.id);
    if (ids.length > certificatesPerSite)
      throw invalid('certificate_ids', `certificates_per_site:${certificatesPerSite}`);
    if (ids.join() === settings.certificate_ids.join()) return 'unchanged';
    await changeSite({ ...writer, db: tx }, author, id, {
      section: 'certificate_settings',
      path: 'value',
      apply: (before) => ({
        ...before,
        certificate_settings: { ...before.certificate_settings, certificate_ids: ids },
      }),
    });
    return 'done';
  });
}
