import * as z from 'zod';
import {
  chosenIds,
  created,
  dateTime,
  id,
  idParams,
  inputText,
  listOf,
  listQuery,
  nothing,
  optionalIdText,
  version,
} from './common.ts';
import { defineRoutes } from './define.ts';
import { decidedBy, notedBy } from './rule-ref.ts';

/** A request that somebody says was taken for an attack and is none: reported from a line of the log, handled by operators. */
export const falseAlarmStates = ['open', 'handled'] as const;
export type FalseAlarmState = (typeof falseAlarmStates)[number];

/** What was done: an exception made, the rule changed, nothing since it was an attack, or something else. */
export const falseAlarmOutcomes = ['exception', 'rule_changed', 'attack', 'other'] as const;
export type FalseAlarmOutcome = (typeof falseAlarmOutcomes)[number];

/** What of the line is kept, since lines end: as it was logged, so masked as the log is. */
export const falseAlarmLine = z.strictObject({
  time: dateTime,
  host: z.string(),
  method: z.string(),
  request_uri: z.string(),
  remote_addr: z.string(),
  user_agent: z.string(),
  status: z.int(),
  decision: z.string(),
  waf: z.string(),
  waf_part: z.string(),
});
export type FalseAlarmLine = z.infer<typeof falseAlarmLine>;

const note = inputText().trim().max(1000);

export const falseAlarm = z.strictObject({
  id,
  version,
  client_id: id,
  site_id: id,
  /** The first domain of the site; empty where there is none. */
  site_name: z.string(),
  request_id: z.string(),
  line: falseAlarmLine,
  ...decidedBy,
  ...notedBy,
  /** In the words of who reported it. */
  note: z.string(),
  /** Empty for what customers are not told: who works for the platform. */
  reported_by: z.string(),
  state: z.enum(falseAlarmStates),
  /** Null while it is open. */
  outcome: z.enum(falseAlarmOutcomes).nullable(),
  answer: z.string(),
  handled_by: z.string(),
  handled_at: dateTime.nullable(),
  created_at: dateTime,
});
export type FalseAlarm = z.infer<typeof falseAlarm>;

export const falseAlarmInput = z.strictObject({
  site_id: id,
  /** Of a request that protection refused or observed. */
  request_id: inputText()
    .trim()
    .toLowerCase()
    .regex(/^[0-9a-f]{32}$/, { error: 'invalid' }),
  note: note.default(''),
});
export type FalseAlarmInput = z.input<typeof falseAlarmInput>;

export const falseAlarmAnswer = z.strictObject({
  outcome: z.enum(falseAlarmOutcomes),
  /** The customer reads it. */
  answer: note.default(''),
});

export const falseAlarmRoutes = defineRoutes({
  listFalseAlarms: {
    method: 'GET',
    path: '/prod-api/false_alarm',
    summary: 'List reported false alarms, newest first. Customers see those of their own sites.',
    access: { kind: 'both', permission: 'false_alarm.read' },
    query: listQuery({
      ids: chosenIds,
      state: z.enum(falseAlarmStates).optional(),
      site_id: optionalIdText,
      client_id: optionalIdText,
    }),
    response: listOf(falseAlarm),
  },
  reportFalseAlarm: {
    method: 'POST',
    path: '/prod-api/false_alarm',
    summary:
      'Report a logged request as a false alarm. What is needed of its log entry is copied. Reporting it again gives the first report, with the note added to it.',
    access: { kind: 'both', permission: 'false_alarm.create' },
    body: falseAlarmInput,
    response: created,
  },
  handleFalseAlarm: {
    method: 'POST',
    path: '/prod-api/false_alarm/{id}/handle',
    summary:
      'Mark a false alarm as handled, with what was done. Send the version it is based on; it is refused (`stale_version`) if a note or an outcome was added since.',
    access: { kind: 'admin', permission: 'false_alarm.handle' },
    params: idParams,
    body: falseAlarmAnswer.extend({ version }),
    response: nothing,
  },
});
