import { siteSections, type SiteSection, type SiteSnapshot } from '@breakwater/contract';
import { parseInput } from '../../plugins/validation.ts';
import { keepSecrets } from './site-secrets.ts';

/** A section of one site from a value that was not made for it: a batch, a copy or a file. */

export interface SectionPatch {
  section: SiteSection;
  value: unknown;
  /** Only these fields of the section; none: all of it. */
  fields: readonly string[];
}

/**
 * The snapshot with the section changed, judged by the contract as a whole, with the site's own secrets where the value
 * has none. Throws `invalid_input` with paths under `value`.
 */
export function patchSection(before: SiteSnapshot, { section, value, fields }: SectionPatch): SiteSnapshot {
  const wanted = fields.length === 0 ? value : { ...before[section], ...picked(value, fields) };
  return { ...before, [section]: parseSection(section, keepOwn(section, wanted, before)) };
}

/** What a value from elsewhere does not say, since it is the site's own: its secrets and its certificates. */
export function keepOwn(section: SiteSection, value: unknown, before: SiteSnapshot): unknown {
  const own = keepSecrets(value, before[section]);
  if (section !== 'certificate_settings' || typeof own !== 'object') return own;
  return { certificate_ids: before.certificate_settings.certificate_ids, ...own };
}

export function parseSection<Section extends SiteSection>(
  section: Section,
  value: unknown,
  path = 'value',
): SiteSnapshot[Section] {
  return parseInput(siteSections[section], value, path) as SiteSnapshot[Section];
}

function picked(value: unknown, fields: readonly string[]): Record<string, unknown> {
  const whole = value as Record<string, unknown>;
  return Object.fromEntries(fields.flatMap((field) => (field in whole ? [[field, whole[field]]] : [])));
}
