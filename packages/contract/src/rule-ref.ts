import * as z from 'zod';
import { id } from './common.ts';
import { listsOfCondition, type ConditionGroup } from './condition.ts';
import { levelNames } from './edge-document.ts';
import { askedSectionNames } from './site-inheritance.ts';

/** Values of each list of a rule that an outline has at most: one more than are told, so that it is seen that there are more. */
export const outlineValuesMax = 5;
/** Characters of each text of an outline. */
export const outlineTextMax = 80;

/** What a rule does, as far as a line tells it. */
export const ruleOutline = z.strictObject({
  /** As its section has it, with the first values of its lists. */
  rule: z.record(z.string(), z.unknown()),
  /** Names of the address lists that it names, as far as the reader may know them; null of one that is deleted. */
  lists: z.array(z.strictObject({ id, name: z.string().nullable() })),
});
export type RuleOutline = z.infer<typeof ruleOutline>;

/** The ids of the address lists that a rule of either section names. */
export function listsOfRule(rule: {
  address_lists?: number[];
  condition?: ConditionGroup | undefined;
}): number[] {
  const { address_lists: lists = [], condition } = rule;
  return condition === undefined ? lists : [...lists, ...listsOfCondition(condition)];
}

/** Those whose rules are told of by their numbers. Rules of CC guard are inherited all together, those of the others level by level. */
const ruledSections = [...askedSectionNames, 'cc_guardian_rule'] as const;
export type RuledSection = (typeof ruledSections)[number];

/** The rule that refused a request, by what it was called then. */
export const ruleRef = z.strictObject({
  section: z.enum(ruledSections),
  /** Its note; empty where it has none. */
  name: z.string(),
  /** Of one without a name, what it did then. */
  outline: ruleOutline.optional(),
  /** Where it stands now, from 0; null once it was changed or is gone. */
  place: z.int().min(0).nullable(),
  /** Whose it is: the site's, or of a level that its sites inherit from, with the product or the customer. */
  level: z.enum(['site', ...levelNames]),
  target_id: z.int(),
});
export type RuleRef = z.infer<typeof ruleRef>;

/** Beside a decision: null where no rule of a number decided, or nobody knows it any more. */
export const decidedBy = { rule: ruleRef.nullable() };

/** Beside what protection noted of a request (`waf`): the same of each note. */
export const notedBy = { waf_rules: z.array(ruleRef.nullable()) };

/** What each note names: of `matcher_rule 3=block; used_system_rule sql=observe` that before its sign. */
export const namedInNotes = (waf: string): string[] =>
  waf === '' ? [] : waf.split('; ').map((note) => note.split('=')[0]!);

/** What refused requests, as rankings name it: the site, and the decision. */
export function refusalOf(name: string): { site_id: number; decision: string } {
  const [site = '', ...decision] = name.split(' ');
  return { site_id: Number(site), decision: decision.join(' ') };
}

/**
 * The rule of a number that a decision names: `access_control 2`, `matcher_rule global 2`; its place from 0. Whose the rules of CC guard are
 * no decision says.
 */
export function ruleOfDecision(
  decision: string,
): { section: RuledSection; level: RuleRef['level']; place: number } | undefined {
  const [, section = '', level = 'site', number] =
    /^([a-z_]+) (?:(global|product|client) )?([1-9]\d{0,3})$/.exec(decision) ?? [];
  const ruled = ruledSections.find((each) => each === section);
  if (number === undefined || ruled === undefined) return undefined;
  return { section: ruled, level: level as RuleRef['level'], place: Number(number) - 1 };
}
