import {
  askedSectionNames,
  askedSections,
  inheritedFields,
  isAskedSection,
  type LevelSection,
  type LevelRef,
  type SiteLevelRevision,
} from '@breakwater/contract';
import { and, eq } from 'drizzle-orm';
import type * as z from 'zod';
import { ApiError, notFound } from '../../api-error.ts';
import type { Db, Transaction } from '../../db/database.ts';
import { siteLevel, siteLevelRevision as revisionTable } from '../../db/schema.ts';
import { recordEvent } from '../../events/record-event.ts';
import { diffJson } from '@breakwater/contract/json-diff';
import type { AdminSession } from '../../plugins/session.ts';
import {
  checkedOwn,
  ownAfter,
  storedForm,
  withAsked,
  withSection,
  type LevelValues,
} from '../../site-values.ts';
import type { NewTask } from '../../delivery/tasks.ts';
import { checkCaptchaOfLevel } from '../captcha-account/captcha-account.service.ts';
import { checkListsOfLevel, listsOf } from '../address-list/address-list.service.ts';
import type { Services } from '../../services.ts';
import { parseInput } from '../../plugins/validation.ts';
import {
  checkAutoAccounts,
  checkValues,
  dnsAccountsOfLevel,
  documentsUsedBy,
  maskDiff,
  parseSection,
} from '../site-section/site-section.service.ts';
import { lockLevels, publishLevel, unpublishLevel } from './site-level-publish.ts';
import {
  atLevel,
  countTouched,
  nameOfLevel,
  readAboveLevel,
  readLevel,
  type LevelRow,
} from './site-level.store.ts';

/** Changes of what sites inherit: one transaction with a revision, one document and the task that follows it. */

export interface SectionInput {
  section: LevelSection;
  value: unknown;
  /** The fields that are set here; absent: see `ownAfter`. */
  own?: readonly string[] | undefined;
}

/** The level's values with a section as it was sent. Throws `invalid_input` with paths under `value`. */
export async function applySection(
  db: Db,
  ref: LevelRef,
  before: LevelValues,
  { section, value, own }: SectionInput,
): Promise<LevelValues> {
  if (isAskedSection(section))
    return withAsked(
      before,
      section,
      parseInput(askedSections[section] as z.ZodType<object>, value, 'value'),
    );
  const parsed = parseSection(section, value);
  const { layers } = await readAboveLevel(db, ref);
  const fields = checkedOwn(section, own) ?? ownAfter(before, section, parsed, layers);
  // What is a site's own is no level's, whatever was sent.
  const common = { ...before[section], ...picked(parsed, inheritedFields(section)) };
  return withSection(before, section, common, fields);
}

const picked = (value: object, fields: readonly string[]) =>
  Object.fromEntries(Object.entries(value).filter(([field]) => fields.includes(field)));

/** How many sites the change from one to the other touches, and in which fields. */
export async function touchedBy(db: Db, ref: LevelRef, before: LevelValues, after: LevelValues) {
  const fields = changedPaths(before, after);
  const diff = maskDiff(diffJson(storedForm(before), storedForm(after)));
  return { fields, sites: await countTouched(db, ref, fields), diff };
}

const askedPaths = askedSectionNames.flatMap((section) =>
  Object.keys(askedSections[section].shape).map((field) => `${section}.${field}`),
);

/** Fields that the level says something else of, or nothing any more, or only now. */
function changedPaths(before: LevelValues, after: LevelValues): string[] {
  const [one, other] = [storedForm(before), storedForm(after)] as Record<string, Record<string, unknown>>[];
  return [...new Set([...before.own, ...after.own, ...askedPaths])]
    .filter((path) => {
      const [section = '', field = ''] = path.split('.');
      const [was, is] = [one![section], other![section]];
      return JSON.stringify(was?.[field]) !== JSON.stringify(is?.[field]);
    })
    .toSorted();
}

export interface LevelChange {
  section: SiteLevelRevision['section'];
  version: number;
  apply: (tx: Transaction, before: LevelRow) => Promise<LevelValues>;
}

export async function changeLevel(
  { db, secrets }: Pick<Services, 'db' | 'secrets'>,
  session: AdminSession,
  ref: LevelRef,
  change: LevelChange,
): Promise<{ version: number; task_id: number | null }> {
  return db.transaction(async (tx) => {
    await lockLevels(tx);
    const name = await nameOfLevel(tx, ref);
    const before = await readLevel(tx, ref);
    if (change.version !== before.version) throw new ApiError('stale_version');
    const after = await change.apply(tx, before);
    if (changedPaths(before.values, after).length === 0) return { version: before.version, task_id: null };
    checkValues(before.values, after, 'value');
    const version = before.version + 1;
    await checkUses(tx, ref, before.values, after, change.section);
    const id = await store(tx, ref, version, after);
    await tx.insert(revisionTable).values({
      levelId: id,
      version,
      section: change.section,
      authorId: session.id,
      authorName: session.name,
      values: after,
    });
    await recordEvent(tx, {
      kind: change.section === 'rollback' ? 'rolled_back' : 'section_changed',
      subject: { kind: 'site_level', id, name },
      actor: session,
      data: {
        section: change.section,
        facts: { version },
        changes: maskDiff(diffJson(storedForm(before.values), storedForm(after))),
      },
    });
    const task: NewTask = {
      type: 'site_level_update',
      title: name === '' ? ref.level : name,
      objectKind: 'site_level',
      objectId: id,
      createdBy: session.name,
    };
    const level = { id, ref, values: after, uses: documentsUsedBy(after) };
    const taskId = await publishLevel(tx, secrets, level, task);
    return { version, task_id: taskId };
  });
}

export async function checkUses(
  tx: Transaction,
  ref: LevelRef,
  before: LevelValues,
  after: LevelValues,
  section: LevelChange['section'],
): Promise<void> {
  const changed = section === 'rollback' ? undefined : after[section];
  if (listsOf(before).join() !== listsOf(after).join())
    await checkListsOfLevel(tx, ref, before, after, changed);
  const [former, now] = [captchaOf(before), captchaOf(after)];
  if (former.join() !== now.join())
    await checkCaptchaOfLevel(tx, ref, { former, now, path: 'value.captcha_account_id' });
  const settings = [before.certificate_settings, after.certificate_settings] as const;
  await checkAutoAccounts(tx, settings, 'value', async () => dnsAccountsOfLevel(ref));
}

const captchaOf = ({ browser_verify_rule: rule }: LevelValues): number[] =>
  rule?.captcha_account_id === undefined ? [] : [rule.captcha_account_id];

async function store(tx: Transaction, ref: LevelRef, version: number, values: LevelValues): Promise<number> {
  const set = { version, values, own: values.own };
  const [row] = await tx
    .insert(siteLevel)
    .values({ level: ref.level, targetId: ref.target_id, ...set })
    .onConflictDoUpdate({
      target: [siteLevel.level, siteLevel.targetId],
      set: { ...set, updatedAt: new Date() },
    })
    .returning({ id: siteLevel.id });
  return row!.id;
}

/** What a level was after one of its revisions. */
export async function revisionValues(db: Db, ref: LevelRef, revisionId: number): Promise<LevelValues> {
  const [row] = await db
    .select({ values: revisionTable.values })
    .from(revisionTable)
    .innerJoin(siteLevel, eq(siteLevel.id, revisionTable.levelId))
    .where(and(atLevel(ref), eq(revisionTable.id, revisionId)));
  if (!row) throw notFound();
  return row.values;
}

/** To be called when a product or a customer, whose last site is gone, is deleted. */
export async function removeLevel(tx: Transaction, ref: LevelRef): Promise<void> {
  const rows = await tx.delete(siteLevel).where(atLevel(ref)).returning({ id: siteLevel.id });
  for (const { id } of rows) await unpublishLevel(tx, id, ref);
}
