import {
  hideSecrets,
  secretPlaces,
  siteSections,
  siteSnapshot,
  type Shown,
  type SiteSection,
  type SiteSnapshot,
} from '@breakwater/contract';
import { diffJson, type DiffEntry } from '@breakwater/contract/json-diff';
import * as inValue from '../../secret-values.ts';
import type { Secrets } from '../../secrets.ts';
import { storedForm } from '../../site-values.ts';
import { sectionOf } from './sections.ts';

/** Secrets of a configuration, where the contract says that they are. They are sealed in memory and in tables. */

const everyPlace = secretPlaces(siteSnapshot);
const placesOf = (section: SiteSection) => secretPlaces(siteSections[section]);

/** What changed in values of which the contract says where secrets are, without saying what a secret was or is. */
export const maskDiff = (entries: readonly DiffEntry[]): DiffEntry[] => inValue.maskDiff(entries, everyPlace);

/**
 * What differs between two configurations, without saying what a secret was or is; undefined is before the first. Secrets are
 * compared as nodes get them: sealed, the same text looks different each time (after a change of keys, for one).
 */
export function configDiff(
  before: SiteSnapshot | undefined,
  after: SiteSnapshot,
  secrets: Secrets,
): DiffEntry[] {
  const comparable = (config: SiteSnapshot) => storedForm(openSecrets(config, secrets));
  return maskDiff(diffJson(before ? comparable(before) : {}, comparable(after)));
}

/** The value of a section without its secrets; their paths, from the section's name on, are added to `leftOut`. */
export const withoutSecrets = <Value>(section: SiteSection, value: Value, leftOut?: string[]): Value =>
  inValue.withoutSecrets(value, placesOf(section), leftOut, section);

/** Sections by their names, without their secrets. */
export const withoutAnySecrets = (sections: Record<string, unknown>): Record<string, unknown> =>
  inValue.withoutSecrets(sections, everyPlace);

/** The value of a section as it is answered. */
export const presentSection = <Section extends SiteSection>(
  section: Section,
  value: SiteSnapshot[Section],
): Shown<SiteSnapshot[Section]> => hideSecrets(siteSections[section], value);

/** The value of a section, sealed, with the secrets of what stood there before where it has none of its own. */
export const keepSecrets = <Value>(section: SiteSection, value: Value, before: unknown): Value =>
  inValue.keepSecrets(value, before, placesOf(section));

/** The value of a section as it was sent, as it is kept: what is only compared is hashed, and all secrets are sealed. */
export function sealSection<Section extends SiteSection>(
  section: Section,
  value: SiteSnapshot[Section],
  secrets: Secrets,
): SiteSnapshot[Section] {
  const kept = sectionOf(section).keep?.(value) ?? value;
  return inValue.sealValue(kept as SiteSnapshot[Section], placesOf(section), secrets);
}

/** What of a value stands beside its secrets is judged by the contract; the secrets, which are sealed, go along. */
export function besideSecrets<Value>(
  section: SiteSection,
  value: unknown,
  judge: (value: unknown) => Value,
): Value {
  const places = placesOf(section);
  return inValue.putBack(judge(inValue.withoutSecrets(value, places)), value, places);
}

/** As nodes need it. */
export const openSecrets = (config: SiteSnapshot, secrets: Secrets): SiteSnapshot =>
  inValue.openValue(config, everyPlace, secrets);

/** Its document is kept encrypted. */
export const holdsSecrets = (config: SiteSnapshot): boolean => inValue.holdsSecrets(config, everyPlace);
