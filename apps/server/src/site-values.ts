import { isDeepStrictEqual } from 'node:util';
import type * as z from 'zod';
import {
  askedSectionNames,
  askedSections,
  completeOwn,
  inheritedFields,
  inheritedSections,
  inheritedUnits,
  isInheritedSection,
  secretPlaces,
  siteSections,
  siteSnapshot,
  type AskedSection,
  type InheritedSection,
  type SiteSection,
  type SiteSnapshot,
} from '@breakwater/contract';
import { mergeSection, type Layer } from '@breakwater/policy/site/levels';
import { ApiError, type FieldIssue } from './api-error.ts';
import { putBack, withoutSecrets } from './secret-values.ts';

/**
 * The values that a site or a level sets itself. In memory every section is whole, with the built-in default where a field
 * is inherited, and `own` says what is set here. As it is stored, what is not set here is left out, and null stands for
 * a field that is set to nothing.
 */
export type InheritedSections = Pick<SiteSnapshot, InheritedSection>;
export type OwnValues = InheritedSections & { own: string[] };
type Json = Record<string, unknown>;

const builtIn = Object.fromEntries(
  inheritedSections.map((section) => [section, siteSections[section].parse(undefined)]),
) as unknown as InheritedSections;

/** What a level says of the sections that are asked level by level; absent: nothing. */
export type AskedValues = { [Name in AskedSection]?: z.infer<(typeof askedSections)[Name]> };
export type LevelValues = OwnValues & AskedValues;

/** What of them is said. */
export const askedOf = (values: AskedValues): AskedValues =>
  Object.fromEntries(
    askedSectionNames.flatMap((section) =>
      values[section] === undefined ? [] : [[section, values[section]]],
    ),
  );

/** The values with what one of these sections is to say; as by default it says nothing. */
export function withAsked(before: LevelValues, section: AskedSection, value: object): LevelValues {
  const { [section]: _, ...rest } = before;
  const isDefault = isDeepStrictEqual(value, askedSections[section].parse({}));
  return (isDefault ? rest : { ...rest, [section]: value }) as LevelValues;
}

export const emptyValues = (): LevelValues => ({ ...structuredClone(builtIn), own: [] });

/** A section as it is stored. */
export function storedSection(values: OwnValues, section: InheritedSection): Json {
  const whole: Json = { ...values[section] };
  for (const field of inheritedFields(section))
    if (!values.own.includes(`${section}.${field}`)) delete whole[field];
    else if (whole[field] === undefined) whole[field] = null;
  return whole;
}

/** A snapshot, or a level's values, as they are stored and compared. */
export function storedForm(values: OwnValues): Json {
  const { own: _, ...stored }: Json = { ...values };
  for (const section of inheritedSections) stored[section] = storedSection(values, section);
  return stored;
}

export function snapshotOf(stored: Json): SiteSnapshot {
  const whole = filledIn(stored);
  const judged = siteSnapshot.safeParse(withoutSecrets(whole, siteSecrets)).data;
  // One that today's rules would refuse is given as it is: it can still be seen and mended.
  return judged ? putBack(judged, whole, siteSecrets) : (whole as unknown as SiteSnapshot);
}

/** Where a configuration has its secrets, which are sealed. */
export const siteSecrets = secretPlaces(siteSnapshot);

export function levelValuesOf(stored: Json): LevelValues {
  const { own, ...whole } = filledIn(stored);
  const parsed = inheritedSections.map((section) => [
    section,
    siteSections[section].safeParse(whole[section]).data ?? whole[section],
  ]);
  const asked = askedSectionNames.map((section) => [
    section,
    askedSections[section].safeParse(whole[section]).data,
  ]);
  return {
    ...(Object.fromEntries(parsed) as InheritedSections),
    ...askedOf(Object.fromEntries(asked) as AskedValues),
    own,
  };
}

/** With the built-in default where nothing is set, and with what is set by name. */
function filledIn(stored: Json): Json & { own: string[] } {
  const whole: Json = { ...stored };
  const own: string[] = [];
  for (const section of inheritedSections) {
    const fields = (stored[section] ?? {}) as Json;
    const filled: Json = { ...builtIn[section] };
    for (const [field, value] of Object.entries(fields)) {
      own.push(`${section}.${field}`);
      if (value === null) delete filled[field];
      else filled[field] = value;
    }
    whole[section] = filled;
  }
  return { ...whole, own: completeOwn(own) };
}

/** The values with one section as given; `fields` of it are set here, the others are inherited. */
export function withSection<Values extends OwnValues>(
  values: Values,
  section: SiteSection,
  value: object,
  fields: Iterable<string>,
): Values {
  if (!isInheritedSection(section)) return { ...values, [section]: value };
  const others = values.own.filter((path) => !path.startsWith(`${section}.`));
  const own = completeOwn([...others, ...[...fields].map((field) => `${section}.${field}`)]);
  const settled: Json = { ...value };
  const byDefault = builtIn[section] as Json;
  for (const field of inheritedFields(section)) {
    if (own.includes(`${section}.${field}`)) continue;
    if (byDefault[field] === undefined) delete settled[field];
    else settled[field] = byDefault[field];
  }
  return { ...values, [section]: settled, own };
}

/** The fields of a section that are set here. */
export function ownFields({ own }: Pick<OwnValues, 'own'>, section: string): string[] {
  return own.flatMap((path) => (path.startsWith(`${section}.`) ? [path.slice(section.length + 1)] : []));
}

/** What of a section the values say, for a merge: without what is inherited. */
export function layerOf(values: OwnValues): Layer {
  const unset: string[] = [];
  const layer: Layer = { unset };
  for (const section of inheritedSections) {
    const fields = ownFields(values, section);
    const whole = values[section] as Json;
    const set = fields.filter((field) => whole[field] !== undefined);
    if (set.length > 0) layer[section] = Object.fromEntries(set.map((field) => [field, whole[field]]));
    for (const field of fields) if (whole[field] === undefined) unset.push(`${section}.${field}`);
  }
  return layer;
}

/** A section as the layers have it, the nearest first, by the code that decides at the edge. */
export function inheritedSection<Section extends InheritedSection>(
  section: Section,
  layers: readonly Layer[],
): SiteSnapshot[Section] {
  const merged = mergeSection(section, layers, builtIn[section] as Json);
  return (merged ?? builtIn[section]) as unknown as SiteSnapshot[Section];
}

/** A section in effect: what can be inherited as the layers have it, the rest as it is here. */
export function effectiveSection<Section extends InheritedSection>(
  section: Section,
  values: OwnValues,
  above: readonly Layer[],
): SiteSnapshot[Section] {
  const shared = inheritedFields(section);
  const alone = Object.entries(values[section]).filter(([field]) => !shared.includes(field));
  return { ...inheritedSection(section, [layerOf(values), ...above]), ...Object.fromEntries(alone) };
}

/** What a caller says is set here. Throws `invalid_input` for what cannot be. */
export function checkedOwn(
  section: SiteSection,
  own: readonly string[] | undefined,
): readonly string[] | undefined {
  const known = inheritedFields(section);
  const fields = (own ?? []).flatMap((field, index): FieldIssue[] =>
    known.includes(field) ? [] : [{ path: `own.${index}`, issue: 'not_an_option' }],
  );
  if (fields.length > 0) throw new ApiError('invalid_input', fields);
  return own;
}

/**
 * Which fields of a section are set here after a write that does not say so: what is sent as it is in effect stays set or
 * inherited; what is sent otherwise is set, unless it is just what would be inherited.
 */
export function ownAfter(
  values: OwnValues,
  section: SiteSection,
  sent: object,
  above: readonly Layer[],
): string[] {
  if (!isInheritedSection(section)) return [];
  const before = effectiveSection(section, values, above);
  const inherited = inheritedSection(section, above);
  const own = ownFields(values, section);
  const same = (unit: string[], other: object) =>
    unit.every((field) => isDeepStrictEqual((sent as Json)[field], (other as Json)[field]));
  return inheritedUnits(section)
    .filter((unit) => (same(unit, before) ? own.includes(unit[0]!) : !same(unit, inherited)))
    .flat();
}
