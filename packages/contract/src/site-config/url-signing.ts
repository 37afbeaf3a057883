import * as z from 'zod';
import { inputText } from '../common.ts';
import { secretField } from '../secret.ts';

/** How the signature stands in a link: as the Chinese clouds number the ways. */
export const signingTypes = ['A', 'B', 'C'] as const;
export type SigningType = (typeof signingTypes)[number];

const signingSecret = () => inputText().regex(/^(?:[!-~]{6,128}|)$/, { error: 'signing_secret' });

/** Links that are good for a while, and for the path that was signed only: see `docs/access.md`. */
export const urlSigning = z.strictObject({
  enabled: z.boolean().default(false),
  type: z.enum(signingTypes).default('A'),
  ...secretField('secret', signingSecret()),
  /** The one before: links that were signed with it are good still. */
  ...secretField('previous_secret', signingSecret()),
  /** From the time that stands in the link. */
  valid_seconds: z.int().min(1).max(31_536_000).default(1800),
  /** Of type A: the argument that holds the signature. */
  argument: inputText()
    .regex(/^[A-Za-z0-9_-]{1,50}$/, { error: 'signing_argument' })
    .default('auth_key'),
});
export type UrlSigning = z.infer<typeof urlSigning>;
