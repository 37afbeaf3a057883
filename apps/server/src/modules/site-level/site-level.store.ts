import {
  askedSections,
  inheritedFields,
  isAskedSection,
  type AskedSection,
  type InheritedSection,
  type LevelName,
  type LevelRef,
  type LevelSection,
  type ValueSource,
} from '@breakwater/contract';
import { layerOfField, type Layer } from '@breakwater/policy/site/levels';
import { and, desc, eq, or, sql, type SQL } from 'drizzle-orm';
import { notFound } from '../../api-error.ts';
import type { Db } from '../../db/database.ts';
import { client, product, siteLevel, siteLevelRevision } from '../../db/schema.ts';
import { iso, isoOrNull, listPage, pageOf } from '../../db/page.ts';
import { summariseDeliveries } from '../../delivery/delivery-state.ts';
import { rowsOf, texts } from '../../delivery/queryable.ts';
import {
  askedOf,
  emptyValues,
  inheritedSection,
  effectiveSection,
  layerOf,
  ownFields,
  storedForm,
  type LevelValues,
  type OwnValues,
} from '../../site-values.ts';
import { diffJson, type JsonValue } from '@breakwater/contract/json-diff';

export interface LevelRow {
  /** Absent before anything was set. */
  id?: number;
  version: number;
  values: LevelValues;
}

/** Whose sites a level is for, by name. Throws where there is no such product or customer. */
export async function nameOfLevel(db: Db, { level, target_id: id }: LevelRef): Promise<string> {
  if (level === 'global') {
    if (id !== 0) throw notFound();
    return '';
  }
  const table = level === 'product' ? product : client;
  const [row] = await db.select({ name: table.name }).from(table).where(eq(table.id, id));
  if (!row) throw notFound();
  return row.name;
}

export const levelKey = ({ level, target_id: id }: LevelRef): string =>
  level === 'global' ? level : `${level}-${id}`;

export const atLevel = ({ level, target_id: id }: LevelRef): SQL | undefined =>
  and(eq(siteLevel.level, level), eq(siteLevel.targetId, id));

export async function readLevel(db: Db, ref: LevelRef): Promise<LevelRow> {
  const [row] = await db.select().from(siteLevel).where(atLevel(ref));
  return row ?? { version: 0, values: emptyValues() };
}

/** Where a site, or a level, has from what it does not set itself; the nearest first. */
export interface Above {
  levels: LevelName[];
  layers: Layer[];
}

/** The nearest first. */
function refsAbove({ clientId, productId }: { clientId?: number; productId?: number }): LevelRef[] {
  const refs: LevelRef[] = [{ level: 'global', target_id: 0 }];
  if (productId !== undefined) refs.unshift({ level: 'product', target_id: productId });
  if (clientId !== undefined) refs.unshift({ level: 'client', target_id: clientId });
  return refs;
}

/** Those that set anything. */
async function readLevelRows(db: Db, refs: readonly LevelRef[]) {
  const rows = await db
    .select()
    .from(siteLevel)
    .where(or(...refs.map(atLevel)));
  return refs.flatMap(({ level }) => rows.find((row) => row.level === level) ?? []);
}

/** The levels above a site; above a level, those of which it is known which they are. */
export async function readAbove(db: Db, of: { clientId?: number; productId?: number }): Promise<Above> {
  const found = await readLevelRows(db, refsAbove(of));
  return { levels: found.map(({ level }) => level), layers: found.map(({ values }) => layerOf(values)) };
}

/** What stands above a level. Which product a customer's site has differs by site, so only the platform counts there. */
export async function readAboveLevel(db: Db, { level }: LevelRef): Promise<Above> {
  return level === 'global' ? { levels: [], layers: [] } : readAbove(db, {});
}

/** A section that is inherited from above: what is in effect, what is set here, and where the rest comes from. */
export function presentInherited<Section extends InheritedSection>(
  section: Section,
  values: OwnValues,
  { levels, layers }: Above,
) {
  const source = (field: string): ValueSource => levels[layerOfField(section, field, layers)] ?? 'built_in';
  return {
    value: effectiveSection(section, values, layers),
    own: ownFields(values, section),
    inherited: inheritedSection(section, layers) as Record<string, JsonValue>,
    inherited_from: Object.fromEntries(inheritedFields(section).map((field) => [field, source(field)])),
  };
}

/** A section of a level, as its form has it. */
export function presentLevelSection(section: LevelSection, values: LevelValues, above: Above) {
  if (!isAskedSection(section)) return presentInherited(section, values, above);
  const own = values[section] === undefined ? [] : Object.keys(askedSections[section].shape);
  const value = values[section] ?? askedSections[section].parse({});
  return { value, own, inherited: {}, inherited_from: {} };
}

/** What the levels of a site say of a section that is asked level by level, the highest first, as it is asked. */
export async function readAskedAbove<Section extends AskedSection>(
  db: Db,
  site: { clientId: number; productId: number },
  section: Section,
) {
  const rows = await readLevelRows(db, refsAbove(site));
  return rows.toReversed().flatMap(({ level, values }) => {
    const said = values[section] as NonNullable<LevelValues[Section]> | undefined;
    return said === undefined || said.rules.length === 0 ? [] : [{ level, ...said }];
  });
}

/** Sites of a level that are there, whatever they set themselves. */
const sitesOf = ({ level, target_id: id }: LevelRef): SQL => {
  if (level === 'global') return sql`s.removed_at IS NULL`;
  if (level === 'client') return sql`s.removed_at IS NULL AND s.client_id = ${id}`;
  return sql`s.removed_at IS NULL AND s.order_id IN (SELECT id FROM "order" WHERE product_id = ${id})`;
};

async function countSites(db: Db, ref: LevelRef): Promise<number> {
  const [row] = await rowsOf<{ total: number }>(
    db,
    sql`SELECT count(*)::int AS total FROM site s WHERE ${sitesOf(ref)}`,
  );
  return row!.total;
}

/**
 * Sites that have one of these fields from this level: all of its sites but those that set every one of them themselves
 * or have it from a nearer level. Those are found by indexes, so no configuration is read.
 */
export async function countTouched(db: Db, ref: LevelRef, paths: readonly string[]): Promise<number> {
  if (paths.length === 0) return 0;
  // Of times under attack the latest is meant, so one of a site's own keeps none of these from it.
  if (paths.includes('cc_guardian_rule.attack_until')) return countSites(db, ref);
  const fields = texts([...paths]);
  const nearer = ref.level === 'global' ? ['client', 'product'] : ref.level === 'product' ? ['client'] : [];
  const [row] = await rowsOf<{ kept: number }>(
    db,
    sql`WITH nearer AS (
          SELECT level, target_id, own FROM site_level WHERE level = ANY(${texts(nearer)}) AND own && ${fields}),
        candidate AS (
          SELECT id FROM site WHERE own && ${fields}
          UNION SELECT s.id FROM nearer n JOIN site s ON n.level = 'client' AND s.client_id = n.target_id
          UNION SELECT s.id FROM nearer n JOIN "order" o ON n.level = 'product' AND o.product_id = n.target_id
            JOIN site s ON s.order_id = o.id)
        SELECT count(*)::int AS kept
        FROM candidate JOIN site s USING (id) JOIN "order" o ON o.id = s.order_id
          LEFT JOIN nearer c ON c.level = 'client' AND c.target_id = s.client_id
          LEFT JOIN nearer p ON p.level = 'product' AND p.target_id = o.product_id
        WHERE ${sitesOf(ref)} AND ${fields} <@ (s.own || coalesce(c.own, '{}') || coalesce(p.own, '{}'))`,
  );
  return (await countSites(db, ref)) - row!.kept;
}

export async function presentLevel(db: Db, ref: LevelRef) {
  const name = await nameOfLevel(db, ref);
  const key = levelKey(ref);
  const [[row], sites, deliveries] = await Promise.all([
    db.select().from(siteLevel).where(atLevel(ref)),
    countSites(db, ref),
    summariseDeliveries(db, 'level', [key]),
  ]);
  return {
    ...ref,
    name,
    version: row?.version ?? 0,
    own: [
      ...(row?.own ?? []),
      ...Object.keys(askedOf(row?.values ?? {})).map((section) => `${section}.rules`),
    ],
    sites,
    delivery: deliveries.get(key)!,
    updated_at: isoOrNull(row?.updatedAt ?? null),
  };
}

export async function listLevelRevisions(
  db: Db,
  { current_page, page_size, ...ref }: LevelRef & { current_page: number; page_size: number },
) {
  await nameOfLevel(db, ref);
  const page = { current_page, page_size };
  const { id } = await readLevel(db, ref);
  if (id === undefined) return listPage(page, [], 0);
  const where = eq(siteLevelRevision.levelId, id);
  const { limit, offset } = pageOf(page);
  // One more than the page: what the oldest on it is compared with.
  const [rows, total] = await Promise.all([
    db
      .select()
      .from(siteLevelRevision)
      .where(where)
      .orderBy(desc(siteLevelRevision.version))
      .limit(limit + 1)
      .offset(offset),
    db.$count(siteLevelRevision, where),
  ]);
  const empty = storedForm(emptyValues());
  const list = rows.slice(0, limit).map((row, index) => ({
    id: row.id,
    version: row.version,
    section: row.section,
    author_name: row.authorName,
    created_at: iso(row.createdAt),
    diff: diffJson(rows[index + 1] ? storedForm(rows[index + 1]!.values) : empty, storedForm(row.values)),
  }));
  return listPage(page, list, total);
}
