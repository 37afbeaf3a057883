import * as z from 'zod';
import { count, id, idParams, ipAddress, port, inputText, time } from './common.ts';
import { defineRoutes } from './define.ts';
import { decidedBy } from './rule-ref.ts';
import { documentKinds } from './edge-document.ts';
import { requestSteps, stepFacts, stepOutcomes, stepReasons } from './request-steps.ts';

/** What becomes of a request, step by step: as a node says, and as the stored configuration says. */

const traceText = inputText().max(16_384);
const headerName = inputText().regex(/^[A-Za-z0-9!#$%&'*+.^_`|~-]{1,200}$/, { error: 'rewrite_field_name' });
const headerValue = inputText()
  .max(8000)
  .regex(/^[^\r\n\0]*$/, { error: 'invalid' });
const explainMethod = inputText().regex(/^[A-Z]{1,20}$/, { error: 'invalid' });
/** As a visitor writes it; what a browser would encode comes encoded. */
const explainUrl = inputText()
  .trim()
  .max(8000)
  .regex(/^https?:\/\/[^\s/?#@\\]+(?:[/?][\x21-\x7e]*)?$/i, { error: 'explain_url' });

/** The fingerprint of a TLS client; empty: none. */
const explainJa4 = inputText()
  .trim()
  .toLowerCase()
  .regex(/^[0-9a-z_]*$/, { error: 'invalid' })
  .max(40);

/** A request as it is described to a node. `target` is path and query; `host` is in lower case, without a port. */
export const describedRequest = z.strictObject({
  method: inputText().max(64),
  scheme: z.enum(['http', 'https']),
  host: inputText().max(253),
  port,
  target: inputText().max(8000),
  headers: z.array(z.strictObject({ name: headerName, value: headerValue })).max(100),
  /** Whose connection it comes on. */
  address: inputText().max(45),
  /** Whose it was found to be, where that is known already: of a request in the log. */
  client_address: inputText().max(45).optional(),
  /** Absent: none, or of a request in the log nobody knows. */
  ja4: explainJa4.optional(),
  /** Seconds since 1970. */
  time: count,
});
export type ExplainedRequest = z.infer<typeof describedRequest>;

export const traceStep = z.strictObject({
  step: z.enum(requestSteps),
  outcome: z.enum(stepOutcomes),
  /** Absent too where a node of another release says what this one does not know. */
  reason: z.enum(stepReasons).optional().catch(undefined),
  /** Where the decisive value was set; absent: nothing was inherited here. */
  level: z.enum(['site', 'client', 'product', 'global', 'default']).optional(),
  /** A name can stand several times. `live`: known to a node only, at this moment. */
  facts: z
    .array(z.strictObject({ name: z.enum(stepFacts), value: traceText, live: z.boolean().optional() }))
    .max(5000),
});
export type TraceStep = z.infer<typeof traceStep>;

export const requestTrace = z.strictObject({
  /** Of the site's document; absent: there is none. */
  revision: z.int().optional(),
  /** Of the other documents that decide with it: levels, address lists, the table of places. */
  documents: z
    .array(z.strictObject({ kind: z.enum(documentKinds), key: z.string(), revision: z.int() }))
    .max(2000),
  steps: z.array(traceStep).max(requestSteps.length),
});
export type RequestTrace = z.infer<typeof requestTrace>;

/** Why a node's trace is not there: none serves the site now, or the one that was asked did not answer. */
export const nodeTraceProblems = ['no_node', 'away'] as const;
/** Why two traces differ: the node has other revisions of documents than are stored, or the cause is not known. */
export const traceDifferenceCauses = [
  'site_revision',
  'level_revision',
  'list_revision',
  'ip_data_revision',
  'known_vulnerability_revision',
  'unknown',
] as const;

export const explainAnswer = z.strictObject({
  request: describedRequest,
  node: z.strictObject({ id, name: z.string() }).nullable(),
  node_trace: requestTrace.nullable(),
  node_problem: z.enum(nodeTraceProblems).nullable(),
  model_trace: requestTrace,
  /** Steps at which the two say something else. */
  differing: z.array(z.enum(requestSteps)),
  causes: z.array(z.enum(traceDifferenceCauses)),
  /** What really happened, where a request of the log is explained. */
  logged: z
    .strictObject({
      request_id: z.string(),
      time: z.string(),
      status: z.int(),
      cache_status: z.string(),
      decision: z.string(),
      ...decidedBy,
      cache_reason: z.string(),
      origin_addr: z.string(),
    })
    .nullable(),
});
export type ExplainAnswer = z.infer<typeof explainAnswer>;

export const explainInput = z.strictObject({
  url: explainUrl,
  method: explainMethod.default('GET'),
  headers: z
    .array(z.strictObject({ name: headerName, value: headerValue }))
    .max(50)
    .default([]),
  address: ipAddress.default('192.0.2.1'),
  ja4: explainJa4.default(''),
  /** Absent: now. */
  time: time.optional(),
  /** Absent: the node of the site that spoke last. */
  node_id: id.optional(),
});

export const explainRoutes = defineRoutes({
  explainSite: {
    method: 'POST',
    path: '/prod-api/site/{id}/explain',
    cost: 'expensive',
    summary: 'Trace how a request is handled, step by step, on a node and by the stored configuration.',
    access: { kind: 'both', permission: 'site.read' },
    params: idParams,
    body: explainInput,
    unlogged: true,
    response: explainAnswer,
  },
  explainLoggedRequest: {
    method: 'POST',
    path: '/prod-api/site/{id}/explain_request',
    cost: 'expensive',
    summary: 'Trace a request of the access log, as far as the log holds its details.',
    access: { kind: 'both', permission: 'access_log.read' },
    params: idParams,
    body: z.strictObject({
      request_id: inputText().regex(/^[0-9a-f]{32}$/, { error: 'invalid' }),
      /** Absent: the node that answered it. */
      node_id: id.optional(),
    }),
    unlogged: true,
    response: explainAnswer,
  },
});
