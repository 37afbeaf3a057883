import * as z from 'zod';
import { addressEntry } from '../address-entry.ts';
import { id, inputText } from '../common.ts';
import { condition } from '../condition.ts';
import { accessPath } from './access-control.ts';

/** What browsers are asked for, about in the order of what it costs a visitor. */
export const verifyKinds = [
  'cookie',
  'javascript',
  'delay',
  'proof_of_work',
  'click',
  'slide',
  'rotate',
  'image',
  'external',
] as const;
export type VerifyKind = (typeof verifyKinds)[number];

/**
 * Of the kind `external`: whether a browser may solve the node's own work in its place. `vendor_down`: only while the node
 * itself cannot reach the vendor; who cannot load the vendor's script then stays outside.
 */
export const externalFallbacks = ['always', 'vendor_down'] as const;
export type ExternalFallback = (typeof externalFallbacks)[number];

export const verifyStatuses = [403, 503] as const;

const paths = z.array(accessPath).max(100).default([]);

/**
 * Visitors are let through whose browser has solved a task, which the node makes and checks itself, but for the kind `external`;
 * see docs/browser-verification.md.
 */
export const browserVerifyRule = z.strictObject({
  enabled: z.boolean().default(false),
  kind: z.enum(verifyKinds).default('javascript'),
  /** Whose challenge the kind `external` shows; rules of other stages that ask for one have it, too. */
  captcha_account_id: id.optional(),
  external_fallback: z.enum(externalFallbacks).default('always'),
  /** None: all paths. */
  only_paths: paths,
  except_paths: paths,
  /** Absent: everybody is asked. */
  condition: condition.optional(),
  /** Nobody of these is asked. */
  exempt_addresses: z.array(addressEntry).max(1000).default([]),
  address_lists: z.array(id).max(50).default([]),
  exempt_robots: z.boolean().default(true),
  /** Of the page; programs get 403 and JSON. */
  status: z.literal(verifyStatuses).default(403),
  /** Leading zero bits of a hash that is looked for. One more doubles the work. */
  difficulty: z.int().min(8).max(22).default(15),
  /** Of the page that waits. */
  delay_seconds: z.int().min(3).max(30).default(5),
  /** How long who has passed is not asked again, and for how many requests on a node; absent: any number. */
  pass_seconds: z.int().min(60).max(43_200).default(3600),
  pass_requests: z.int().min(10).max(10_000_000).optional(),
  /** A pass is good for addresses that have so many bits in common with the one that got it. */
  address_bits_v4: z.int().min(8).max(32).default(24),
  address_bits_v6: z.int().min(16).max(128).default(56),
  /** A pass is good for connections of a TLS client with the same ciphers as the one that got it. */
  bind_tls: z.boolean().default(false),
  /** Refuses browsers that show marks of automation. */
  strict: z.boolean().default(false),
  /** After so many wrong answers of an address within ten minutes no more are taken for a while. */
  wrong_answers_max: z.int().min(3).max(1000).default(20),
  /** Empty: the edge's own words, in the visitor's language. */
  title: inputText().trim().max(100).default(''),
  text: inputText().trim().max(500).default(''),
  /** Of the mark and the buttons. */
  color: inputText()
    .trim()
    .toLowerCase()
    .regex(/^#[0-9a-f]{6}$/, { error: 'color' })
    .default('#1d6fd8'),
});
export type BrowserVerifyRule = z.infer<typeof browserVerifyRule>;
