import * as z from 'zod';
import { addressEntry } from '../address-entry.ts';
import { id, inputText } from '../common.ts';
import { condition } from '../condition.ts';
import { carriers, provinces } from '../ip-place.ts';
import { basicAuth } from './basic-auth.ts';
import { cors } from './cors.ts';
import { urlSigning } from './url-signing.ts';

export const accessActions = ['allow', 'deny'] as const;
export type AccessAction = (typeof accessActions)[number];

/** Those a visitor can send; what stands here is compared as it is written (RFC 9110 §9.1). */
export const accessMethods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'] as const;

/**
 * A path; with a slash at its end everything below it; `*` stands for any text. Where a match closes, what an origin may
 * read as this path matches too: other encodings, letter cases, dot segments (see docs/access.md).
 */
export const accessPath = inputText()
  .trim()
  // An extension alone is one of any path.
  .overwrite((text) => (text.startsWith('.') ? `*${text}` : text))
  .max(500)
  .refine((text) => /^[/*][^\s?#]*$/.test(text), { error: 'access_path' });
const paths = z.array(accessPath).max(100).default([]);

/** A word that the `User-Agent` contains in any letter case; `*` stands for any text. */
const agentWord = inputText().trim().min(1).max(200);

/** Fields left empty say nothing; of the others, each has to fit. Within one field any entry does. */
const accessRuleFields = z.strictObject({
  action: z.enum(accessActions),
  /** What it is for, in the customer's words. */
  note: inputText().trim().max(200).default(''),
  /** Addresses, networks and ranges. */
  addresses: z.array(addressEntry).max(1000).default([]),
  /** Lists of addresses, by their ids; with `addresses` one field. */
  address_lists: z.array(id).max(50).default([]),
  /** ISO 3166-1, two letters. */
  countries: z
    .array(
      inputText()
        .trim()
        .toUpperCase()
        .regex(/^[A-Z]{2}$/, { error: 'country_code' }),
    )
    .max(250)
    .default([]),
  provinces: z.array(z.enum(provinces)).max(provinces.length).default([]),
  carriers: z.array(z.enum(carriers)).max(carriers.length).default([]),
  agents: z.array(agentWord).max(100).default([]),
  /** Requests that say no `User-Agent` at all fit as well. */
  empty_agent: z.boolean().default(false),
  methods: z.array(z.enum(accessMethods)).max(accessMethods.length).default([]),
  /** None: all paths. */
  only_paths: paths,
  except_paths: paths,
  /** Absent: nothing more is asked. Where it cannot be decided, a rule that refuses fits and one that lets in does not. */
  condition: condition.optional(),
  enabled: z.boolean().default(true),
});

export const accessRule = accessRuleFields.check((context) => {
  const { action: _action, note: _note, enabled: _enabled, ...criteria } = context.value;
  const isBare = Object.values(criteria).every(
    (value) => value === undefined || value === false || (Array.isArray(value) && value.length === 0),
  );
  if (isBare)
    context.issues.push({
      code: 'custom',
      path: ['addresses'],
      message: 'access_rule_empty',
      input: context.value,
    });
});
export type AccessRule = z.infer<typeof accessRule>;

/** With these a refusal has a page. */
export const denyStatuses = [403, 401, 404, 410, 429, 451, 503] as const;

/** What who is refused gets, unless the site has an error page for the status. */
const denyAnswer = z.strictObject({
  status: z.literal(denyStatuses).default(403),
  /** HTML with the placeholders of error pages; empty: the edge's own page. */
  body: inputText().max(16_384).default(''),
});

/** Who may come in. The first rule that fits decides. */
export const accessControl = z.strictObject({
  rules: z.array(accessRule).max(200).default([]),
  /** Where no rule fits. */
  otherwise: z.enum(accessActions).default('allow'),
  deny: denyAnswer.prefault({}),
  /** Which paths ask for a signed link stands beside: none, all. */
  signing: urlSigning.prefault({}),
  signed_paths: paths,
  unsigned_paths: paths,
  basic_auth: basicAuth.prefault({}),
  /** Which paths ask for a name and a password: none, all. */
  auth_paths: paths,
  open_paths: paths,
  cors: cors.prefault({}),
});
export type AccessControl = z.infer<typeof accessControl>;
