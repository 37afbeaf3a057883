import { setTimeout as sleep } from 'node:timers/promises';
import { nodeApiRoutes, type NodeState } from '@breakwater/contract';
import { eq, sql } from 'drizzle-orm';
import { ApiError } from '../../api-error.ts';
import * as schema from '../../db/schema.ts';
import { acknowledge } from '../../delivery/acknowledge.ts';
import { storeAnswer } from '../../delivery/commands.ts';
import { sessionSeconds } from '../../delivery/node-sessions.ts';
import { openSession } from '../../delivery/node-signature.ts';
import { recordRefusals } from '../../delivery/refusal-events.ts';
import { passKeysOf, ticketKeysOf } from '../../delivery/ticket-keys.ts';
import { ensureAuthority, issueForNode } from '../../delivery/edge-authority.ts';
import { guardNodesOf, passOnShares } from '../../delivery/guard-shares.ts';
import { shieldOrderOf } from '../../delivery/shields.ts';
import { listNodeDocuments } from '../../delivery/documents.ts';
import { passOn } from '../../live/live-hub.ts';
import { LogGapError } from '../../logs/log-store.ts';
import { LogBatchError, unpackBatch } from '../../logs/unpack-batch.ts';
import { countForeignLines, foreignClaims } from './log-claims.ts';
import { implement } from '../../plugins/implement.ts';
import type { Services } from '../../services.ts';
import { recordTraffic } from '../flood/flood.service.ts';
import { addResourceSample } from '../node/node-resource.store.ts';
import { logShippingOf } from '../log-shipping/log-shipping.store.ts';
import { readLogPrivacy } from '../setting/setting.store.ts';
import { storeHealthReport } from '../origin-health/origin-health.service.ts';
import { listBanDocuments, reportBans } from '../site-reject/site-reject.service.ts';
import { recordRuleActs } from '../rule-act/rule-act.service.ts';
import { recordGuardSteps } from '../site-guard/site-guard.service.ts';
import { sampledShares, searchSamples, searchSubmissions } from '../site-violation/site-violation.service.ts';
import { siteRemovalsAcknowledged } from '../site/site.service.ts';

/** What agents call; every call is signed by its node. */
export const nodeApi = implement(nodeApiRoutes, {
  nodeEvents: async ({ services: { hub }, node, reply }) => {
    if (!hub) throw new ApiError('unavailable');
    reply.hijack();
    await hub.attach(node.id, reply.raw);
    return { type: 'ping' as const };
  },

  nodeSession: async ({ services: { nodeSessions }, request }) => {
    const session = openSession(nodeSessions, request);
    if (!session) throw new ApiError('node_signature');
    return { session: session.id, seconds: sessionSeconds };
  },

  nodeDocuments: ({ services: { db, secrets }, node, query }) =>
    db.transaction((tx) => listNodeDocuments(tx, node.id, query, (body) => secrets.decrypt(body))),

  nodeAcknowledge: ({ services: { db }, node, body: { results, pushed } }) =>
    db.transaction(async (tx) => {
      await recordRefusals(tx, node, results);
      const { accepted, reached } = await acknowledge(tx, node.id, results, pushed);
      await siteRemovalsAcknowledged(tx, results);
      return { accepted, ...(pushed ? { reached } : {}) };
    }),

  nodeAnswer: async ({ services: { db }, node, body }) => {
    await storeAnswer(db, node.id, body);
    return {};
  },

  nodeReport: async ({ services, node, body }) => {
    const { addresses, ...state } = body;
    await storeState(services, node.id, state);
    const { db, secrets } = services;
    const count_packets = await recordTraffic(db, node, addresses);
    const privacy = await readLogPrivacy(db);
    const log_shipping = await logShippingOf(db, secrets, node.id);
    const ticket_keys = await ticketKeysOf(db, secrets, node.id);
    const shield = await shieldOrderOf(db, secrets, node.id, state);
    const pass_keys = await passKeysOf(db, secrets, node.id);
    const guard_nodes = await guardNodesOf(db, node.id);
    const shares = await sampledShares(db);
    const told = {
      link_key: secrets.linkKey,
      ticket_keys,
      pass_keys,
      ...privacy,
      log_shipping,
      guard_nodes,
      count_packets,
    };
    return { ...told, ...shares, ...(shield ? { shield } : {}), time: Date.now() };
  },

  nodeShieldCertificate: async ({ services: { db, secrets }, node, body }) => {
    const authority = await ensureAuthority(db, secrets);
    const certificate = await issueForNode(authority, node.id, body.request);
    return { certificate, authority: authority.certificate };
  },

  nodeHealth: async ({ services: { db }, node, body }) => ({
    accepted: await db.transaction((tx) => storeHealthReport(tx, node.id, body)),
  }),

  nodeBans: async ({ services: { db }, node, body }) => ({
    accepted: await reportBans(db, node.id, body.bans),
  }),

  nodeGuardSteps: async ({ services: { db }, node, body }) => ({
    accepted: await recordGuardSteps(db, node, body.instance_id, body.steps),
  }),

  nodeRuleActs: async ({ services: { db }, node, body }) => ({
    accepted: await recordRuleActs(db, node, body.acts),
  }),

  nodeGuardShares: async ({ services: { db }, node, body }) => ({
    accepted: await passOnShares(db, node.id, body.shares),
  }),

  nodeSamples: async ({ services, node, body }) => ({
    searched: await searchSamples(services, node.id, body.samples),
  }),

  nodeSubmissions: async ({ services, node, body }) => ({
    searched: await searchSubmissions(services, node.id, body.submissions),
  }),

  nodeBanDocuments: ({ services: { db }, node, query }) => listBanDocuments(db, node.id, query.after),

  nodeLive: async ({ services: { db }, node, body }) => {
    await passOn(db, node.id, body);
    return {};
  },

  nodeLogPosition: async ({ services: { logStore }, node, query }) => ({
    offset: await logStore.position(node.id, query.file),
  }),

  nodeLogs: async ({ services, node, query, request }) => ({
    offset: await ingestBatch(services, { nodeId: node.id, ...query }, request.rawBody ?? Buffer.alloc(0)),
  }),
});

const unwrittenMilliseconds = 5000;

/** A log store that hangs must not make nodes look lost. */
const coveredMilliseconds = 2000;

async function storeState({ db, logStore, log }: Services, nodeId: number, state: NodeState): Promise<void> {
  await db
    .update(schema.node)
    .set({ state, statusTime: sql`now()`, updatedAt: sql`${schema.node.updatedAt}` })
    .where(eq(schema.node.id, nodeId));
  await addResourceSample(db, nodeId, state, new Date());
  // Nothing left to ship: what the node served is stored, but for what nginx has not yet written out.
  if (state.log_backlog !== 0) return;
  const told = logStore
    .covered(nodeId, new Date(Date.now() - unwrittenMilliseconds))
    .catch((err: unknown) => {
      log.warn({ err, nodeId }, 'log store: not told that the node has shipped all');
    });
  await Promise.race([told, sleep(coveredMilliseconds, undefined, { ref: false })]);
}

async function ingestBatch(
  { db, logStore, log }: Services,
  batch: { nodeId: number; file: string; offset: number },
  body: Buffer,
): Promise<number> {
  try {
    const { offset, broken, foreign, reason } = await logStore.ingest({
      ...batch,
      lines: await unpackBatch(body),
      foreign: (claims) => foreignClaims(db, batch.nodeId, claims),
    });
    if (foreign > 0) {
      await countForeignLines(db, batch.nodeId, foreign);
      log.warn(
        { ...batch, foreign },
        'access log: lines of sites that the node does not serve were not taken',
      );
    }
    if (broken > 0)
      log.warn(
        { ...batch, broken, ...(reason === undefined ? {} : { reason }) },
        'access log: lines that cannot be read were skipped',
      );
    return offset;
  } catch (error) {
    if (error instanceof LogGapError) throw new ApiError('log_position');
    if (error instanceof LogBatchError) throw new ApiError('malformed_body');
    throw error;
  }
}
