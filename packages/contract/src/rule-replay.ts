import * as z from 'zod';
import { count, idParams, inputText, integerMax, json, time } from './common.ts';
import { defineRoutes } from './define.ts';
import { levelNames } from './edge-document.ts';
import { ownInput } from './site-inheritance.ts';

/** What a change of protection would have done with requests of the past: docs/replay.md. */

/** Sections whose rules can be run over the access log. */
export const replaySections = [
  'access_control',
  'block_referer',
  'matcher_rule',
  'browser_verify_rule',
  'used_system_rule',
] as const;
export type ReplaySection = (typeof replaySections)[number];
export const isReplaySection = (section: string): section is ReplaySection =>
  (replaySections as readonly string[]).includes(section);

/**
 * What becomes of a request at the section: `pass` no rule ends it, `observe` the same but a rule that only observes fitted,
 * `allow` a rule lets it past what follows, `other` it never gets there, `unknown` the log does not tell enough.
 */
export const replayOutcomes = [
  'pass',
  'allow',
  'observe',
  'challenge',
  'redirect',
  'limit',
  'block',
  'other',
  'unknown',
] as const;
export type ReplayOutcome = (typeof replayOutcomes)[number];
/** With these the visitor does not get what was asked for. */
export const stoppingOutcomes = [
  'challenge',
  'redirect',
  'limit',
  'block',
] as const satisfies ReplayOutcome[];

/** By which requests are told apart: columns of the access log, and what is worked out from them. */
export const lineColumns = [
  'method',
  'scheme',
  'host',
  'protocol',
  'path',
  'request_uri',
  'remote_addr',
  'raw_remote_addr',
  'remote_port',
  'referer',
  'user_agent',
  'tls_version',
  'ja4',
  'country',
  'province',
  'carrier',
  'asn',
  'robot_addr',
  'quarter',
  'minute',
  'node_id',
  'refused_by',
  'own_target',
  'attack_noted',
  'answer_status',
  'answer_cache',
] as const;
export type LineColumn = (typeof lineColumns)[number];

export const replayDimensions = ['country', 'path', 'client', 'site', 'user_agent', 'address'] as const;
export type ReplayDimension = (typeof replayDimensions)[number];

/** The longest stretch of the past that is read at once. */
export const replayDaysMax = 31;
export const replayTopMax = 10;

const outcome = z.enum(replayOutcomes);
const text = z.string();

/** Of the requests that are stopped by the draft, those that are today, and those that are not. */
const stops = {
  /** Stopped by the draft. */
  stopped: count,
  /** Of these, let through today. */
  newly: count,
  /** Stopped today, and not by the draft. */
  freed: count,
};

export const replayAnswer = z.strictObject({
  start_time: text,
  end_time: text,
  /** Lines of the stretch, and how many of them were read: where there are too many, those of some visitors. */
  total: count,
  read: count,
  /** One in so many requests is in the log, by the site's own setting. */
  sample_rate: z.int(),
  outcomes: z.array(z.strictObject({ outcome, today: count, draft: count })),
  ...stops,
  changes: z.array(z.strictObject({ from: outcome, to: outcome, requests: count })),
  /** Rules of the draft that decided: `3`, `global 2`, or what the section calls its own. */
  rules: z.array(z.strictObject({ rule: text, outcome, requests: count })),
  /** Parts of requests that the draft asks for and no line holds, with the requests that are not decided for it. */
  unknown: z.array(z.strictObject({ part: text, requests: count })),
  by: z.array(
    z.strictObject({
      dimension: z.enum(replayDimensions),
      list: z.array(z.strictObject({ value: text, name: text, ...stops })),
    }),
  ),
  /** Search engine bots among them, by their user agents; `verified` where their address proves it. */
  robots: z.array(
    z.strictObject({ robot: text, state: z.enum(['verified', 'false', 'unknown']), requests: count }),
  ),
  series: z.array(
    z.strictObject({ time: text, requests: count, stopped: count, newly: count, freed: count }),
  ),
  samples: z.array(
    z.strictObject({
      from: outcome,
      to: outcome,
      request_id: text,
      time: text,
      site_id: z.int(),
      method: text,
      host: text,
      request_uri: text,
      remote_addr: text,
      country: text,
      user_agent: text,
      status: z.int(),
    }),
  ),
  /** Visitors who seem to be good among those newly stopped. */
  good: z.strictObject({
    /** Requests of bots whose address proves them. */
    verified_robots: count,
    /** Requests that a rule of access lets in by name. */
    allowed: count,
    /** Addresses with `clean_requests_min` requests and more, none of which failed or was stopped. */
    clean_visitors: count,
    /** Their requests. */
    clean_requests: count,
  }),
  /** Sites whose lines were read; the rest of a level's have less traffic. */
  sites: z.int(),
  sites_total: z.int(),
});
export type ReplayAnswer = z.infer<typeof replayAnswer>;

/** A visitor with fewer requests is told from a bad one by nothing. */
export const cleanRequestsMin = 20;

const stretch = { start_time: time, end_time: time };
const draft = { value: z.record(inputText(), json), own: ownInput, ...stretch };
const bodyBytesMax = 2 * 1024 * 1024;

export const ruleReplayRoutes = defineRoutes({
  replaySiteSection: {
    method: 'POST',
    path: '/prod-api/site/{id}/rule_replay',
    cost: 'expensive',
    summary: 'Run a draft of a protection section over logged requests of a site, beside what is in force.',
    access: { kind: 'both', permission: 'access_log.read' },
    params: idParams,
    body: z.strictObject({ section: z.enum(replaySections), ...draft }),
    bodyBytesMax,
    unlogged: true,
    response: replayAnswer,
  },
  replayLevelSection: {
    method: 'POST',
    path: '/prod-api/site_level/rule_replay',
    cost: 'expensive',
    summary: 'Run a draft of a protection section of a level over logged requests of its busiest sites.',
    access: { kind: 'admin', permission: 'access_log.read' },
    body: z.strictObject({
      level: z.enum(levelNames),
      target_id: z.int().min(0).max(integerMax).default(0),
      section: z.enum(replaySections),
      ...draft,
    }),
    bodyBytesMax,
    unlogged: true,
    response: replayAnswer,
  },
});
export type ReplayInput = z.infer<(typeof ruleReplayRoutes)['replaySiteSection']['body']>;
