import * as z from 'zod';
import { count, inputText } from './common.ts';
import { describedRequest, requestTrace } from './explain.ts';

/** Lists whose entries a node tells: of pages (or of other sitemaps), of pieces of a video. */
export const followKinds = ['sitemap', 'playlist'] as const;
export type FollowKind = (typeof followKinds)[number];
/** What a list has: content, more sitemaps, or what a playlist lists. */
export const linkKinds = ['content', 'sitemap', 'piece'] as const;
/** Of one answer. */
export const linksMax = 10_000;

/** What the control plane asks one node to do at once: the question, and what the node answers. */
export const nodeCommands = {
  /** Whether the node's nginx would take these directives for a site; nothing changes on the node. */
  try_snippet: {
    payload: z.strictObject({ site_id: z.int(), snippet: z.string() }),
    /** What nginx has against it; absent: nothing. */
    answer: z.strictObject({ refused: inputText().max(2000).optional() }),
  },
  /** What becomes of a request to a site, by what this node has in service. */
  explain: {
    payload: z.strictObject({ site_id: z.int(), request: describedRequest }),
    answer: requestTrace,
  },
  /** Sends one line to where the node's log lines go; what stood against it, or nothing. */
  test_log_shipping: {
    payload: z.strictObject({}),
    answer: z.strictObject({ error: inputText().max(500) }),
  },
  /** Which URLs of a site the node has stored, of those that match; it goes on from `after` for some seconds. */
  list_stored: {
    payload: z.strictObject({
      site_id: z.int(),
      pattern: z.string(),
      /** What the answer before said; empty: from the beginning. */
      after: z.string(),
      seconds: z.number(),
      most: z.int(),
    }),
    answer: z.strictObject({
      urls: z.array(inputText().max(4096)),
      /** Null at the end. */
      after: inputText().max(100).nullable(),
      /** How much of its cache it has looked through. */
      share: z.number().min(0).max(1),
    }),
  },
  /** Asks the node's own front, as visitors do; it begins no request after `seconds`, and what it did not come to is not in the answer. */
  visit: {
    payload: z.strictObject({
      requests: z.array(
        z.strictObject({
          url: z.string(),
          /** Absent: without the field; so the next. */
          accept_encoding: z.string().optional(),
          accept_language: z.string().optional(),
          /** Tells what the answer lists. */
          follow: z.enum(followKinds).optional(),
        }),
      ),
      concurrency: z.int(),
      /** Between the beginnings of two requests. */
      interval_milliseconds: z.number(),
      seconds: z.number(),
      /** For one request, with all of its content. */
      timeout_seconds: z.number(),
    }),
    answer: z.strictObject({
      results: z.array(
        z.strictObject({
          /** Which request. */
          index: z.int(),
          /** Null: there was no answer. */
          status: z.int().nullable(),
          bytes: count,
          milliseconds: count,
          /** `X-Cache`, where the site says it. */
          cache: inputText().max(100),
          /** `Age`; null without one. */
          age_seconds: count.nullable(),
          error: z.enum(['timed_out', 'failed']).nullable(),
          links: z.strictObject({ kind: z.enum(linkKinds), urls: z.array(inputText().max(4096)) }).optional(),
        }),
      ),
    }),
  },
} as const;
export type NodeCommandKind = keyof typeof nodeCommands;
export type NodeCommandPayload<Kind extends NodeCommandKind> = z.infer<
  (typeof nodeCommands)[Kind]['payload']
>;
export type NodeCommandAnswer<Kind extends NodeCommandKind> = z.infer<(typeof nodeCommands)[Kind]['answer']>;

export const nodeCommandId = inputText().regex(/^[0-9a-f]{32}$/);
export const nodeCommandKind = z.enum(Object.keys(nodeCommands) as [NodeCommandKind]);
