import * as z from 'zod';
import { inputText, time } from '../common.ts';

/** What the detectors of attacks tell apart (docs/detection.md); each has a mode of its own. */
export const systemRuleGroups = [
  'sql',
  'xss',
  'command',
  'code',
  'traversal',
  'upload',
  'xxe',
  'ssrf',
  'deserialisation',
  'nosql',
  'ldap',
  'graphql',
  'scanner',
  'protocol',
  'known_vulnerability',
  'leak',
] as const;
export type SystemRuleGroup = (typeof systemRuleGroups)[number];

/**
 * `observe`: what is found stands in the log and is let through; `default`: what is told with certainty is blocked; `strict`:
 * also what is likely.
 */
export const systemRuleModes = ['off', 'observe', 'default', 'strict'] as const;
export type SystemRuleMode = (typeof systemRuleModes)[number];

/** What answers are searched for by the group `leak`; exceptions name a kind as their parameter. */
export const leakKinds = [
  'private_key',
  'credential',
  'source_code',
  'system_file',
  'config_file',
  'database_dump',
  'directory_listing',
  'database_error',
  'stack_trace',
] as const;
export type LeakKind = (typeof leakKinds)[number];

/** The detectors, as the log names what one found; some groups have several. */
export const systemRuleDetectors = [
  'sql',
  'html',
  'js',
  'shell',
  'path',
  'upload',
  'php',
  'template',
  'java',
  'log4j',
  'xxe',
  'nosql',
  'ldap',
  'graphql',
  'deserialisation',
  'ssrf',
  'scanner',
  'protocol',
  'known_vulnerability',
  'leak',
] as const;
export type SystemRuleDetector = (typeof systemRuleDetectors)[number];

/** The group that each detector is of. */
export const systemRuleGroupOf: Record<SystemRuleDetector, SystemRuleGroup> = {
  sql: 'sql',
  html: 'xss',
  js: 'xss',
  shell: 'command',
  path: 'traversal',
  upload: 'upload',
  php: 'code',
  template: 'code',
  java: 'code',
  log4j: 'code',
  xxe: 'xxe',
  nosql: 'nosql',
  ldap: 'ldap',
  graphql: 'graphql',
  deserialisation: 'deserialisation',
  ssrf: 'ssrf',
  scanner: 'scanner',
  protocol: 'protocol',
  known_vulnerability: 'known_vulnerability',
  leak: 'leak',
};

const parameter = inputText().trim().min(1).max(200);

/** The whole path, or with `*` at its end all that begins so. */
const exceptionPath = inputText()
  .trim()
  .max(500)
  .refine((text) => /^\/[^\s?#*]*\*?$/.test(text), { error: 'exception_path' });

/** What is not judged: whatever is given has to agree. */
export const systemRuleException = z
  .strictObject({
    path: exceptionPath.optional(),
    /** Of query, form or cookies; of JSON with the names above it (`user.name`); of a header its name in lower case; of known vulnerabilities the rule; of leaks their kind. */
    parameter: parameter.optional(),
    detector: z.enum(systemRuleDetectors).optional(),
    note: inputText().trim().max(200).default(''),
    /** Absent: for good. */
    until: time.optional(),
  })
  .check((context) => {
    const { path, parameter: name, detector } = context.value;
    if (path === undefined && name === undefined && detector === undefined)
      context.issues.push({
        code: 'custom',
        path: ['path'],
        message: 'exception_of_everything',
        input: undefined,
      });
  });
export type SystemRuleException = z.infer<typeof systemRuleException>;

/**
 * What a field is for: `search`: whole statements are searched for; `rich_text`: markup, of which only what runs is an attack;
 * `code`: program text; `opaque`: nothing in it is judged.
 */
export const systemRuleFieldTypes = ['search', 'rich_text', 'code', 'opaque'] as const;
export type SystemRuleFieldType = (typeof systemRuleFieldTypes)[number];

const mode = z.enum(systemRuleModes);

export const largeBodies = ['pass', 'judge', 'refuse'] as const;

/** The detectors of attacks on a site. */
export const usedSystemRule = z.strictObject({
  /** Of the groups that have none of their own, but for leaks (`systemRuleModeOf`). */
  mode: mode.default('off'),
  ...(Object.fromEntries(systemRuleGroups.map((group) => [group, mode.optional()])) as Record<
    SystemRuleGroup,
    z.ZodOptional<typeof mode>
  >),
  /** How much of a request's content is judged; what is longer, up to 1 MiB, is judged by its beginning. 0: content is not looked at. */
  body_bytes: z.int().min(0).max(131_072).default(65_536),
  /** Content of more than 1 MiB, or of unknown length: it goes on unseen, is judged by its beginning while it streams, or is refused. */
  large_bodies: z.enum(largeBodies).default('pass'),
  exceptions: z.array(systemRuleException).max(200).default([]),
  fields: z
    .array(z.strictObject({ parameter, type: z.enum(systemRuleFieldTypes) }))
    .max(200)
    .default([]),
});
export type UsedSystemRule = z.infer<typeof usedSystemRule>;

/** As it travels: times are seconds since 1970, and what is for people is left out. */
export const edgeSystemRule = usedSystemRule.extend({
  exceptions: z.array(
    z.strictObject({
      path: exceptionPath.optional(),
      parameter: parameter.optional(),
      detector: z.enum(systemRuleDetectors).optional(),
      until: z.int().optional(),
    }),
  ),
});
export type EdgeSystemRule = z.infer<typeof edgeSystemRule>;
