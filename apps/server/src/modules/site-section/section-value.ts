import {
  inheritedFields,
  isInheritedSection,
  siteSections,
  type SiteSection,
  type SiteSnapshot,
} from '@breakwater/contract';
import { parseInput } from '../../plugins/validation.ts';
import { storedSection, withSection } from '../../site-values.ts';
import { sectionOf } from './sections.ts';
import { besideSecrets, keepSecrets } from './site-secrets.ts';

/** A section of one site from a value that was not made for it: a batch, a copy or a file. */

export interface SectionPatch {
  section: SiteSection;
  value: unknown;
  /** Only these fields of the section; none: all of it. */
  fields: readonly string[];
}

/**
 * The snapshot with the section changed, judged by the contract as a whole, with the site's own secrets where the value
 * has none. What sites inherit and the value does not say is inherited. Throws `invalid_input` with paths under `value`.
 */
export function patchSection(before: SiteSnapshot, { section, value, fields }: SectionPatch): SiteSnapshot {
  const wanted = fields.length === 0 ? value : withFields(before, section, value as object, fields);
  return putSection(before, section, keepOwn(section, wanted, before));
}

/** The snapshot with a section as it is stored: fields that are absent are inherited, null sets one to nothing. */
export function putSection(
  before: SiteSnapshot,
  section: SiteSection,
  value: unknown,
  path = 'value',
): SiteSnapshot {
  if (!isInheritedSection(section) || typeof value !== 'object' || value === null)
    return { ...before, [section]: parseSection(section, value, path) };
  const inherited = inheritedFields(section);
  const set = Object.entries(value).filter(([field, one]) => one !== null || !inherited.includes(field));
  const missing = Object.entries(sectionOf(section).completedBy ?? {}).filter(([field]) => !(field in value));
  const parsed = parseSection(section, Object.fromEntries([...missing, ...set]), path);
  return withSection(before, section, parsed, Object.keys(value));
}

/** A section of a site as it is stored: what it inherits is left out. */
export const ownSection = (config: SiteSnapshot, section: SiteSection): Record<string, unknown> =>
  isInheritedSection(section) ? storedSection(config, section) : { ...config[section] };

/** What a value from elsewhere does not say, since it is the site's own: its secrets and ids. */
export function keepOwn(section: SiteSection, value: unknown, before: SiteSnapshot): unknown {
  const own = keepSecrets(section, value, before[section]);
  const ids = ownIds(section, before);
  return Object.keys(ids).length > 0 && typeof own === 'object' ? { ...ids, ...own } : own;
}

/** The ids that a section of a site has of what its customer has beside it. */
export function ownIds(section: SiteSection, { [section]: value }: SiteSnapshot): Record<string, unknown> {
  const ids = sectionOf(section).ids ?? [];
  return Object.fromEntries(Object.entries(value).filter(([field]) => ids.includes(field)));
}

/** A value from elsewhere, judged by the contract. Secrets in it are taken to be sealed. */
export function parseSection<Section extends SiteSection>(
  section: Section,
  value: unknown,
  path = 'value',
): SiteSnapshot[Section] {
  const judge = (beside: unknown) => parseInput(siteSections[section], beside, path);
  return besideSecrets(section, value, judge) as SiteSnapshot[Section];
}

/** What the site has, but these fields from the value; what that does not say is inherited, if it can be. */
function withFields(before: SiteSnapshot, section: SiteSection, value: object, fields: readonly string[]) {
  const left = inheritedFields(section).filter((field) => fields.includes(field) && !(field in value));
  const kept = Object.entries(ownSection(before, section)).filter(([field]) => !left.includes(field));
  const said = Object.entries(value).filter(([field]) => fields.includes(field));
  return Object.fromEntries([...kept, ...said]);
}
