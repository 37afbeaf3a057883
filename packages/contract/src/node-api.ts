import * as z from 'zod';
import { ruleAct, ruleActsMax } from './rule-act.ts';
import { guardShare, guardSharesMax, guardStepReport, guardStepsMax } from './site-guard.ts';
import { banSeconds, isNetworkOfBans, rejectScopes } from './ban-network.ts';
import { count, id, ipOrCidr, json, port, inputText } from './common.ts';
import { defineRoutes } from './define.ts';
import { addressesToldMax, addressTraffic, kernelState } from './packet-kinds.ts';
import { nodeCommandId, nodeCommandKind } from './node-command.ts';
import { liveReport, liveWatch, liveWatchesMax } from './live.ts';
import { logShippingOrder, logShippingState } from './log-shipping.ts';
import { deliveredEnvelope, documentEnvelope, documentResult } from './edge-document.ts';
import { healthReport } from './origin-health.ts';
import { secret } from './secret.ts';
import { certificateRequest, shieldOrder, shieldState } from './shield.ts';

/**
 * What an agent says to the control plane. Every request is signed:
 *
 *     Authorization: BW1-HMAC-SHA256 app_id=<16>, time=<unix seconds>, nonce=<32 hex>, signature=<64 hex>
 *
 * where signature = HMAC-SHA256(app_secret, METHOD \n path?query \n time \n nonce \n SHA-256(body) in hex), in hex.
 * A time more than `signatureWindowSeconds` away, a nonce seen within the window, or a wrong signature is refused.
 *
 * Within a session (`nodeSession`) it may be signed in a second form, which costs the control plane no row:
 *
 *     Authorization: BW2-HMAC-SHA256 session=<32 hex>, count=<from 1>, signature=<64 hex>
 *
 * where signature = HMAC-SHA256(HMAC-SHA256(app_secret, "BW2 session" \n session), METHOD \n path?query \n count \n SHA-256(body)
 * in hex), in hex. A count that was used, or that 1024 others overtook, is refused, and so is a session that the server process
 * does not know: it was opened at another one, or is over. Then the first form is right, as it always is.
 *
 * Either side may be of a newer release. So no shape here is strict: a field that one does not know is dropped, where a refusal
 * would keep a whole page of documents from a node, or its report from the control plane.
 */
export const signatureWindowSeconds = 300;

/**
 * Small documents that come with the news of them: all that changed for the node after `since`, up to the event's revision. A node that has
 * applied everything up to `since` need not pull; any other does, as one does that knows no such pages.
 */
export const pushedPage = z.object({
  generation: z.int(),
  since: z.int(),
  documents: z.array(deliveredEnvelope),
});

/** `revision`: something changed, pull. `resync`: what belongs to the node changed, pull from 0. `ping` keeps the line. */
export const nodeEvent = z.discriminatedUnion('type', [
  z.object({ type: z.literal('hello'), revision: z.int(), generation: z.int() }),
  z.object({ type: z.literal('revision'), revision: z.int(), page: pushedPage.optional() }),
  z.object({ type: z.literal('resync'), generation: z.int() }),
  z.object({ type: z.literal('ping') }),
  /** Nodes are many: what all would do at once, each does after a part of this, at random. */
  z.object({ type: z.literal('pace'), spread_milliseconds: z.int().min(0).max(60_000) }),
  /** Answered with `nodeAnswer`, under the same id. */
  z.object({
    type: z.literal('command'),
    id: nodeCommandId,
    kind: nodeCommandKind,
    payload: z.json(),
  }),
  /** Visitors whom the other nodes counted, too: see `nodeGuardShares`. */
  z.object({ type: z.literal('guard'), shares: z.array(guardShare).min(1).max(guardSharesMax) }),
  /** Somebody watches: count these for `liveWatchSeconds`, and tell each second with `nodeLive`. */
  z.object({ type: z.literal('watch'), watches: z.array(liveWatch).min(1).max(liveWatchesMax) }),
]);
export type NodeEvent = z.infer<typeof nodeEvent>;

export const nodeDocuments = z.object({
  /** Grows when the set of line groups changes; a caller with another one is answered as if `since` were 0. */
  generation: z.int(),
  /** The list starts from nothing: what it does not name, by its end, is no longer the node's. */
  reset: z.boolean(),
  documents: z.array(deliveredEnvelope),
  /** Pass as `since` next time. */
  next_since: z.int(),
  has_more: z.boolean(),
  /** A node that had not come so far may have missed refreshes of the cache, which are no longer told. */
  refreshes_gone: z.int(),
});

/** A node's clock that is this near to the control plane's is left alone. */
export const clockToleranceSeconds = 2;

/** Sums of these stay finite. */
const measured = z.number().min(0).max(1e15);

/** How a node keeps bans. */
export const nodeBansState = z.object({
  /** Bytes of its memory for them that are free, of how many. */
  memory_free: count,
  memory_size: count,
  /** Bans that were not kept since nginx started, for that memory was full. */
  lost: count,
  /** Whether packets are dropped: `off` while no ban asks for it, else why not. */
  kernel: kernelState,
});

/** How a node keeps the counters of CC guard; `lost`: how many went before their time, for the memory was full. */
export const nodeGuardState = z.object({ memory_free: count, memory_size: count, lost: count });

/** What a rule had turned away at a node, on its way to all others. */
export const madeBan = z.object({
  scope: z.enum(rejectScopes),
  site_id: id,
  client_id: id,
  address: ipOrCidr.refine(isNetworkOfBans, { error: 'ban_network' }),
  seconds: banSeconds,
  decision: inputText().max(200),
  request_id: inputText().max(64),
  kernel: z.boolean().default(false),
  /** How long it has stood at the node already: the agent, or the way to the control plane, may have been down. */
  age_seconds: count.default(0),
});
export type MadeBan = z.infer<typeof madeBan>;

/** What a node says of itself every few seconds. Shares are 0 to 1, sizes bytes. */
export const nodeState = z.object({
  version: inputText().max(50),
  nginx_version: inputText().max(50).default(''),
  nginx_running: z.boolean(),
  /** Whether this nginx has brotli; without it sites that compress give gzip. */
  brotli: z.boolean().default(false),
  instance_id: inputText().max(64).default(''),
  uptime_seconds: measured,
  cpu_share: z.number().min(0).max(1),
  memory_total: count,
  memory_used: count,
  disk_total: count,
  disk_used: count,
  processors: count.default(0),
  /** How many programs ran or wanted to, the mean of a minute. */
  load: measured.default(0),
  /** Bytes a second since the last report, of all interfaces to other machines. */
  network_in: measured.default(0),
  network_out: measured.default(0),
  connections: count.default(0),
  documents: count.default(0),
  http_ports: z.array(port).max(50).default([]),
  https_ports: z.array(port).max(50).default([]),
  /** Open for those sites that ask for them, of either protocol. */
  extra_ports: z.array(port).max(65_535).default([]),
  ipv6: z.boolean().default(false),
  /** Whether this nginx has HTTP/3. */
  http3: z.boolean().default(false),
  /** Bytes of access log not yet acknowledged. */
  log_backlog: count.default(0),
  /** Bytes of access log given up since the agent started, because the backlog reached its limit. */
  log_dropped: count.default(0),
  /** Lines of nginx's own errors since the agent started. */
  error_log_lines: count.default(0),
  /** How far the node's clock is ahead of the control plane's, negative where it is behind; 0 within the tolerance. */
  clock_ahead_seconds: z.number().min(-1e12).max(1e12).default(0),
  /** Of lines that go to the operator's own receiver; absent while none do. */
  log_shipping: logShippingState.optional(),
  /** Absent while nginx does not run. */
  bans: nodeBansState.optional(),
  guard: nodeGuardState.optional(),
  /** Absent where the agent knows of no shields: such a node is told of none, and is none. */
  shield: shieldState.optional(),
  /** Whether packets are counted by the address they come to. Absent where the agent cannot. */
  packet_counts: kernelState.optional(),
});
export type NodeState = z.infer<typeof nodeState>;

export const nodeReport = nodeState.extend({
  /** What came to addresses of the node in the seconds before; absent while that is not counted. */
  addresses: z.array(addressTraffic).max(addressesToldMax).optional(),
});
export type NodeReport = z.infer<typeof nodeReport>;

/** The beginning of an answer that a visitor got. */
export const answerSample = z.object({
  site_id: id,
  url: inputText().max(8192),
  content_type: inputText().max(500),
  /** `Content-Encoding`. */
  encoding: inputText().max(100),
  /** In base64; 64 KiB at most. */
  content: inputText().max(88_000),
});
export type AnswerSample = z.infer<typeof answerSample>;

/** What a visitor wrote into a request that the origin took. */
export const submission = z.object({
  site_id: id,
  /** Without its query. */
  url: inputText().max(8192),
  /** In base64: the texts of fields, 64 KiB at most, with a zero byte between them. */
  content: inputText().max(92_000),
});
export type Submission = z.infer<typeof submission>;

/** Of samples, and of submissions, in one call. */
export const samplesMax = 20;

/** A batch of access-log lines: `offset` is where its first byte stands in the uncompressed file. */
export const logBatchQuery = z.object({
  file: inputText().regex(/^[A-Za-z0-9._-]{1,100}$/),
  offset: z.coerce.number().pipe(count),
});
export const logBatchBytesMax = 8 * 1024 * 1024;

export const nodeApiRoutes = defineRoutes({
  nodeEvents: {
    method: 'GET',
    path: '/node-api/events',
    summary: 'Stream of server-sent events that an agent keeps open to learn of new revisions.',
    access: { kind: 'node' },
    response: nodeEvent,
    transport: 'stream',
  },
  nodeSession: {
    method: 'POST',
    path: '/node-api/session',
    summary: 'Open a short session for further calls. The request is signed in the first form.',
    access: { kind: 'node' },
    response: z.object({ session: z.string().regex(/^[0-9a-f]{32}$/), seconds: z.int() }),
  },
  nodeDocuments: {
    method: 'GET',
    path: '/node-api/documents',
    summary: 'List the documents of the node after a revision, oldest first, at most 500 at a time.',
    access: { kind: 'node' },
    query: z.object({
      since: z.coerce.number().pipe(count),
      generation: z.coerce.number().pipe(count),
    }),
    response: nodeDocuments,
  },
  nodeAcknowledge: {
    method: 'POST',
    path: '/node-api/acks',
    summary: 'Report the result of each document on the node: applied, or rejected with a reason.',
    access: { kind: 'node' },
    body: z.object({
      results: z.array(documentResult).min(1).max(500),
      /** They came with events, and the node has judged all up to this revision. */
      pushed: z.object({ generation: count, until: count }).optional(),
    }),
    response: z.object({
      accepted: z.int(),
      /** Whether documents of the node are all judged up to what `pushed` says: it may ask from there. Else it asks from where it was. */
      reached: z.boolean().optional(),
    }),
    bodyBytesMax: 4 * 1024 * 1024,
  },
  nodeAnswer: {
    method: 'POST',
    path: '/node-api/command_answers',
    summary: 'Report the answer of the node to a command. It is ignored if nobody waits for it any more.',
    access: { kind: 'node' },
    body: z.object({ id: nodeCommandId, answer: json }),
    bodyBytesMax: 4 * 1024 * 1024,
    response: z.object({}),
  },
  nodeReport: {
    method: 'POST',
    path: '/node-api/state',
    summary: 'Report the state of the node, every few seconds.',
    access: { kind: 'node' },
    body: nodeReport,
    /** What links are signed with that nodes answer themselves. */
    response: z.object({
      link_key: secret(z.string()).optional(),
      /** What TLS tickets are sealed with, in base64, the one that encrypts first. Absent where the control plane is older. */
      ticket_keys: secret(z.array(z.string())).optional(),
      /** What browsers' passes are signed with, in hexadecimal, the one that signs first. Absent where the control plane is older. */
      pass_keys: secret(z.array(z.string())).optional(),
      /** Absent where the control plane is older: those of `logPrivacyDefault`. */
      mask_arguments: z.array(z.string()).optional(),
      /** The control plane's clock, in milliseconds since 1970. */
      time: z.int().optional(),
      /** Absent where the control plane is older: what was said before stays. */
      log_shipping: logShippingOrder.optional(),
      /** Absent where the control plane or the node knows of no shields. */
      shield: shieldOrder.optional(),
      /** How many nodes, this one among them, count together for CC protection. Absent where the control plane is older: each by itself. */
      guard_nodes: z.int().optional(),
      /** How many of a thousand answers are told. Absent where the control plane is older. */
      sample_per_mille: z.int().min(0).max(1000).optional(),
      /** And of requests by which visitors send text. */
      submitted_per_mille: z.int().min(0).max(1000).optional(),
      /** Whether packets are to be counted by address. Absent where the control plane is older: they are not. */
      count_packets: z.boolean().optional(),
    }),
  },
  nodeShieldCertificate: {
    method: 'POST',
    path: '/node-api/shield_certificate',
    summary: 'Issue the certificate by which other nodes know the node.',
    access: { kind: 'node' },
    body: z.object({ request: certificateRequest }),
    response: z.object({ certificate: z.string(), authority: z.string() }),
  },
  nodeHealth: {
    method: 'POST',
    path: '/node-api/health',
    summary: "What the node's checks say of origins: changes at once, the rest now and then.",
    access: { kind: 'node' },
    body: healthReport,
    response: z.object({ accepted: z.int() }),
    bodyBytesMax: 1024 * 1024,
  },
  nodeBans: {
    method: 'POST',
    path: '/node-api/bans',
    summary: 'Report IPs that rules had blocked at the node. Those already blocked are not blocked twice.',
    access: { kind: 'node' },
    body: z.object({ bans: z.array(madeBan).min(1).max(500) }),
    response: z.object({ accepted: z.int() }),
    bodyBytesMax: 1024 * 1024,
  },
  nodeGuardSteps: {
    method: 'POST',
    path: '/node-api/guard_steps',
    summary:
      'Report where CC protection stepped up or down by itself. What was reported before is not recorded twice.',
    access: { kind: 'node' },
    body: z.object({
      /** The run of nginx that they are of. */
      instance_id: inputText().max(100),
      steps: z.array(guardStepReport).min(1).max(guardStepsMax),
    }),
    response: z.object({ accepted: z.int() }),
    bodyBytesMax: 1024 * 1024,
  },
  nodeRuleActs: {
    method: 'POST',
    path: '/node-api/rule_acts',
    summary: 'Report what custom rules put on address lists and what they notify of. Reports may come twice.',
    access: { kind: 'node' },
    body: z.object({ acts: z.array(ruleAct).min(1).max(ruleActsMax) }),
    response: z.object({ accepted: z.int() }),
    bodyBytesMax: 1024 * 1024,
  },
  nodeGuardShares: {
    method: 'POST',
    path: '/node-api/guard_shares',
    summary:
      'Report visitors who use up much of a threshold of CC protection, for the other nodes of their line groups.',
    access: { kind: 'node' },
    body: z.object({ shares: z.array(guardShare).min(1).max(guardSharesMax) }),
    response: z.object({ accepted: z.int() }),
  },
  nodeSamples: {
    method: 'POST',
    path: '/node-api/samples',
    summary: 'Send the beginning of some answers, to be searched for violations and then dropped.',
    access: { kind: 'node' },
    body: z.object({ samples: z.array(answerSample).min(1).max(samplesMax) }),
    response: z.object({ searched: z.int() }),
    bodyBytesMax: 2 * 1024 * 1024,
  },
  nodeSubmissions: {
    method: 'POST',
    path: '/node-api/submissions',
    summary: 'Send texts that visitors sent to sites, to be searched for violations and then dropped.',
    access: { kind: 'node' },
    body: z.object({ submissions: z.array(submission).min(1).max(samplesMax) }),
    response: z.object({ searched: z.int() }),
    bodyBytesMax: 2 * 1024 * 1024,
  },
  nodeBanDocuments: {
    method: 'GET',
    path: '/node-api/ban_documents',
    summary: 'List the documents of all IPs that are blocked now, by key, for a node that is about to start.',
    access: { kind: 'node' },
    query: z.object({ after: inputText().max(300).default('') }),
    response: z.object({ documents: z.array(documentEnvelope), has_more: z.boolean() }),
  },
  nodeLive: {
    method: 'POST',
    path: '/node-api/live',
    summary: 'Report the live figures of the last seconds, while they are asked for.',
    access: { kind: 'node' },
    body: liveReport,
    response: z.object({}),
    bodyBytesMax: 1024 * 1024,
  },
  nodeLogPosition: {
    method: 'GET',
    path: '/node-api/logs',
    summary: 'Get the stored position of an access-log file.',
    access: { kind: 'node' },
    query: z.object({ file: logBatchQuery.shape.file }),
    response: z.object({ offset: z.int() }),
  },
  nodeLogs: {
    method: 'POST',
    path: '/node-api/logs',
    summary:
      'Send a gzip batch of access-log lines. Lines before the stored position are skipped; a gap is rejected.',
    access: { kind: 'node' },
    query: logBatchQuery,
    response: z.object({ offset: z.int() }),
    bodyBytesMax: logBatchBytesMax,
    transport: 'raw',
  },
});
