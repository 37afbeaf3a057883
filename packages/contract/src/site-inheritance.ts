import * as z from 'zod';
import { inputText } from './common.ts';
import { levelNames } from './edge-document.ts';
import { levelAccess } from './site-config/level-access.ts';
import { matcherRuleSection } from './site-config/matcher-rule.ts';
import { siteSections, type SiteSection } from './site-config.ts';

/**
 * What sites inherit: global → product → client → site. A site sets a field itself, or has it from the nearest level
 * that does. See docs/levels.md.
 */

/** Sections of which sites inherit. Origins, domains, ports and health checks are a site's own. */
export const inheritedSections = [
  'cache_rule',
  'speed_optimize',
  'certificate_settings',
  'advanced_config',
  'security',
  'real_ip',
  'block_referer',
  'content_rewrite',
  'cc_guardian_rule',
  'browser_verify_rule',
  'used_system_rule',
] as const satisfies SiteSection[];
export type InheritedSection = (typeof inheritedSections)[number];

/** Sections with rules that are not inherited but asked level by level, as a level has each. */
export const askedSections = { access_control: levelAccess, matcher_rule: matcherRuleSection };
export type AskedSection = keyof typeof askedSections;
export const askedSectionNames = ['access_control', 'matcher_rule'] as const satisfies AskedSection[];
export const isAskedSection = (section: string): section is AskedSection =>
  Object.hasOwn(askedSections, section);

/** What levels set. */
export const levelSections = [...inheritedSections, ...askedSectionNames] as const;
export type LevelSection = (typeof levelSections)[number];

/** Fields of these sections that are a site's own all the same. */
const ownFields = new Set([
  'cache_rule.development_until',
  'certificate_settings.certificate_ids',
  'advanced_config.maintenance',
  'advanced_config.snippet',
]);

/** Fields that say something only together are set, and inherited, together. */
const together = [
  [
    'certificate_settings.min_version',
    'certificate_settings.max_version',
    'certificate_settings.cipher_level',
  ],
  [
    'real_ip.mode',
    'real_ip.headers',
    'real_ip.depth',
    'real_ip.preset',
    'real_ip.trusted',
    'real_ip.address_lists',
  ],
  ['block_referer.action', 'block_referer.status', 'block_referer.redirect_url'],
];

export const isInheritedSection = (section: string): section is InheritedSection =>
  (inheritedSections as readonly string[]).includes(section);

/** The fields of a section that sites inherit. */
export function inheritedFields(section: SiteSection): string[] {
  if (!isInheritedSection(section)) return [];
  const fields = Object.keys(siteSections[section].unwrap().shape);
  return fields.filter((field) => !ownFields.has(`${section}.${field}`));
}

/** The fields of a section that sites inherit, each with those it goes together with. */
export function inheritedUnits(section: SiteSection): string[][] {
  const units = together.filter(([path]) => path!.startsWith(`${section}.`));
  const inUnits = units.map((unit) => unit.map((path) => path.slice(section.length + 1)));
  const alone = inheritedFields(section).filter((field) => !inUnits.flat().includes(field));
  return [...inUnits, ...alone.map((field) => [field])];
}

/** Paths (`security.rate`) in order and without those that are none, each with the fields it goes together with. */
export function completeOwn(paths: Iterable<string>): string[] {
  const known = new Set(
    inheritedSections.flatMap((section) => inheritedFields(section).map((field) => `${section}.${field}`)),
  );
  const wanted = new Set([...paths].filter((path) => known.has(path)));
  for (const group of together)
    if (group.some((path) => wanted.has(path))) for (const path of group) wanted.add(path);
  return [...wanted].toSorted();
}

export const valueSources = [...levelNames, 'built_in'] as const;
export type ValueSource = (typeof valueSources)[number];

/** What a read of an inherited section says besides its effective value. */
export const inheritance = {
  /** Fields that are set here. */
  own: z.array(z.string()),
  /** The section as it were if nothing of it was set here. */
  inherited: z.record(z.string(), z.json()),
  /** For each field that can be inherited, the level that `inherited` has it from. */
  inherited_from: z.record(z.string(), z.enum(valueSources)),
};
/**
 * What a write may say: the fields that are set here, the others are inherited. Absent: a field stays as it was, set here
 * or inherited, while its value does; one that is changed is set here, or inherited where that gives the value sent.
 */
export const ownInput = z.array(inputText().max(100)).max(100).optional();
