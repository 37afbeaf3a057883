import { isInheritedSection, siteSections, type SiteSection, type SiteSnapshot } from '@breakwater/contract';
import type * as z from 'zod';
import type { Transaction } from '../../db/database.ts';
import { parseInput } from '../../plugins/validation.ts';
import { checkedOwn, effectiveSection, ownAfter, withSection } from '../../site-values.ts';
import { readAbove } from '../site-level/site-level.store.ts';
import { lockSite, siteWithin, type Author, type SiteWriter } from '../site-publish/site-publish.service.ts';
import { checkSections, checkUses, keepSecrets, sealSection } from '../site-section/site-section.service.ts';

interface DraftInput {
  section: SiteSection;
  value: unknown;
  own?: readonly string[] | undefined;
}

/** A site's configuration, and what it would be with a section as it was sent: judged as a save is, and not written. */
export async function draftOfSite(
  tx: Transaction,
  { secrets, config }: Pick<SiteWriter, 'secrets' | 'config'>,
  { scope, session }: Author,
  id: number,
  { section, value, own }: DraftInput,
) {
  const row = await lockSite(tx, siteWithin(scope, id));
  const today = row.site.config;
  const above = await readAbove(tx, { clientId: row.site.clientId, productId: row.productId });
  const schema = siteSections[section] as unknown as z.ZodType<SiteSnapshot[typeof section]>;
  const parsed = sealSection(section, parseInput(schema, value, 'value'), secrets);
  const inEffect = isInheritedSection(section)
    ? effectiveSection(section, today, above.layers)
    : today[section];
  const kept = keepSecrets(section, parsed, inEffect);
  const fields = checkedOwn(section, own) ?? ownAfter(today, section, kept, above.layers);
  const draft = withSection(today, section, kept, fields);
  const path = 'value';
  await checkSections({ tx, config, site: row.site, before: today, after: draft, path, changed: section });
  await checkUses(tx, row.site, today, draft, {
    isAdmin: session.kind === 'admin',
    path,
    section: draft[section],
  });
  return { row, today, draft };
}
