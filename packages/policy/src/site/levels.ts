import type { EffectiveSite, LevelDocument, SiteDocument } from '@breakwater/contract/edge-document';
import { sectionDefaults } from './section-defaults.ts';

/**
 * What one level says: its sections, each with the fields it sets. `unset` names fields (`security.connections`) that it
 * sets to nothing, which is not the same as to say nothing of them.
 */
export interface Layer {
  unset?: string[];
  [section: string]: unknown;
}
export type Section = Record<string, unknown>;

/**
 * One section out of layers, the nearest first: each field as the nearest layer has it that says anything of it, else as
 * by default. Nothing where no layer says anything of the section.
 */
export function mergeSection(
  name: string,
  layers: readonly Layer[],
  byDefault: Section,
): Section | undefined {
  let merged: Section | undefined;
  for (let index = layers.length - 1; index >= 0; index--) {
    const layer = layers[index]!;
    const fields = layer[name] as Section | undefined;
    if (fields !== undefined) {
      merged ??= { ...byDefault };
      for (const field in fields) merged[field] = fields[field];
    }
    if (layer.unset !== undefined)
      for (const path of layer.unset) {
        if (!path.startsWith(`${name}.`)) continue;
        merged ??= { ...byDefault };
        delete merged[path.substring(name.length + 1)];
      }
  }
  if (name === latestOf.section && merged !== undefined) {
    const latest = layers[layerOfField(name, latestOf.field, layers)]?.[name] as Section | undefined;
    if (latest !== undefined) merged[latestOf.field] = latest[latestOf.field];
  }
  return merged;
}

/** Of times until which a site is under attack the latest is meant: one that is over at the site hides none of the platform. */
const latestOf = { section: 'cc_guardian_rule', field: 'attack_until' };

/** The first that sets it to nothing ends it for what is below. */
function layerOfLatest(layers: readonly Layer[]): number {
  const { section, field } = latestOf;
  let found = -1;
  let latest = '';
  for (let index = 0; index < layers.length; index++) {
    const layer = layers[index]!;
    const time = (layer[section] as Section | undefined)?.[field] as string | undefined;
    if (time !== undefined && time > latest) {
      found = index;
      latest = time;
    }
    if (layer.unset !== undefined)
      for (const path of layer.unset) if (path === `${section}.${field}`) return found < 0 ? index : found;
  }
  return found;
}

/** Which layer a field's value comes from; -1: none, so it is as by default. */
export function layerOfField(name: string, field: string, layers: readonly Layer[]): number {
  if (name === latestOf.section && field === latestOf.field) return layerOfLatest(layers);
  for (let index = 0; index < layers.length; index++) {
    const layer = layers[index]!;
    const fields = layer[name] as Section | undefined;
    if (fields?.[field] !== undefined) return index;
    if (layer.unset !== undefined)
      for (const path of layer.unset) if (path === `${name}.${field}`) return index;
  }
  return -1;
}

/** What levels say of a section that is asked level by level, the highest first; those without rules say nothing. */
function askedOfLevels(
  levels: readonly LevelDocument[],
  section: 'access_control' | 'matcher_rule',
): Section[] {
  const asked: Section[] = [];
  for (let index = levels.length - 1; index >= 0; index--) {
    const level = levels[index]!;
    const said = level[section];
    if (said !== undefined && said.rules.length > 0) asked.push({ level: level.level, ...said });
  }
  return asked;
}

/** A site's document with what it inherits, the nearest level first. Sections nobody says anything of stay absent. */
export function mergeSite(site: SiteDocument, levels: readonly LevelDocument[]): EffectiveSite {
  const layers: Layer[] = [site as unknown as Layer];
  for (const level of levels) layers.push(level as unknown as Layer);
  const merged: Section = { ...(site as unknown as Section) };
  for (const name in sectionDefaults) merged[name] = mergeSection(name, layers, sectionDefaults[name]!);
  merged.certificate_settings ??= {};
  merged.cache_rule = undefined;
  for (const layer of layers) merged.cache_rule ??= layer.cache_rule;
  merged.cache_rule ??= [];
  const access = askedOfLevels(levels, 'access_control');
  if (access.length > 0) merged.access_levels = access;
  const matchers = askedOfLevels(levels, 'matcher_rule');
  if (matchers.length > 0) merged.matcher_levels = matchers;
  return merged as unknown as EffectiveSite;
}
