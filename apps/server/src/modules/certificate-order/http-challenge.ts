import { sql } from 'drizzle-orm';
import type { Db, Transaction } from '../../db/database.ts';
import { listDeliveries } from '../../delivery/delivery-state.ts';
import { publishDocument, removeDocument } from '../../delivery/publish.ts';
import { rowsOf } from '../../delivery/queryable.ts';
import { OrderProblem } from './order-problem.ts';

/** http-01 through every node: a document with the answers, which all of them confirm before the authority is told to look. */

export interface Answer {
  name: string;
  token: string;
  keyAuthorization: string;
}

/** As they are looked up: by host, then by token. */
export function answersByHost(answers: readonly Answer[]): Record<string, Record<string, string>> {
  const byHost: Record<string, Record<string, string>> = {};
  for (const { name, token, keyAuthorization } of answers) (byHost[name] ??= {})[token] = keyAuthorization;
  return byHost;
}

/** What the control plane itself answers for one of its names. */
export async function ownAnswer(db: Db, host: string, token: string): Promise<string | undefined> {
  const [row] = await rowsOf<{ answer: string }>(
    db,
    sql`SELECT answers -> ${host}::text ->> ${token}::text AS answer FROM certificate_order
        WHERE client_id IS NULL AND answers -> ${host}::text ->> ${token}::text IS NOT NULL LIMIT 1`,
  );
  return row?.answer;
}

/** Sends the answers to the nodes of these line groups; to those that have them already, nothing. */
export async function publishAnswers(
  tx: Transaction,
  orderId: number,
  answers: readonly Answer[],
  lineGroupIds: readonly number[],
): Promise<void> {
  await publishDocument(tx, {
    kind: 'acme_challenge',
    key: String(orderId),
    lineGroupIds,
    body: { order_id: orderId, answers: answersByHost(answers) },
  });
}

export const withdrawAnswers = (tx: Transaction, orderId: number) =>
  removeDocument(tx, { kind: 'acme_challenge', key: String(orderId) });

/** A node that says nothing is waited for so long, one that is heard of for longer. */
const awaySeconds = 30;
const onlineSeconds = 300;

export interface NodesReady {
  applied: number;
  /** Nodes that were not heard of, and are not waited for any more. */
  away: number;
}

/** Undefined while nodes are waited for. Fails where one refuses, where there is none, and where one takes too long. */
export async function nodesReady(
  db: Db,
  orderId: number,
  waitedSeconds: number,
): Promise<NodesReady | undefined> {
  const [document] = await listDeliveries(db, [{ kind: 'acme_challenge', key: String(orderId) }]);
  const nodes = document?.nodes ?? [];
  const refused = nodes.find(({ status }) => status === 'refused');
  if (refused) throw new OrderProblem('node_refused', refused.error ?? '');
  const applied = nodes.filter(({ status }) => status === 'applied').length;
  const late = nodes.filter(({ status, online }) => status === 'pending' && online).length;
  const away = nodes.length - applied - late;
  if (late > 0 && waitedSeconds > onlineSeconds)
    throw new OrderProblem('nodes_late', `${late} / ${nodes.length}`);
  if (late > 0 || (away > 0 && waitedSeconds < awaySeconds)) return undefined;
  if (applied === 0) throw new OrderProblem('no_nodes');
  return { applied, away };
}

/** Answers of orders that are gone, with their site or their certificate; and what says to nodes that answers are gone. */
export async function settleAnswers(db: Db): Promise<void> {
  await db.execute(
    sql`DELETE FROM edge_document WHERE kind = 'acme_challenge' AND deleted AND updated_at < now() - interval '7 days'`,
  );
  const left = await rowsOf<{ key: string }>(
    db,
    sql`SELECT DISTINCT d.key FROM edge_document d WHERE d.kind = 'acme_challenge' AND NOT d.deleted
          AND NOT EXISTS (SELECT FROM certificate_order o WHERE o.id::text = d.key) LIMIT 100`,
  );
  for (const { key } of left) await db.transaction((tx) => withdrawAnswers(tx, Number(key)));
}
