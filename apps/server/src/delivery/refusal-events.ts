import { idText, type DocumentResult } from '@breakwater/contract';
import { inArray, sql } from 'drizzle-orm';
import type { Transaction } from '../db/database.ts';
import { site } from '../db/schema.ts';
import { recordEvents, type NewEvent } from '../events/record-event.ts';
import { bigints, rowsOf, texts } from './queryable.ts';

const namedMax = 20;
const errorMax = 500;

interface Refusal {
  kind: string;
  key: string;
  error: string;
}

/**
 * To be called before a node's acknowledgements are stored: what it refuses of its documents, and had not refused before, are
 * events of the node, and of the sites that the documents are of. What nginx said, and on which node, is no business of
 * customers: these events are the platform's.
 */
export async function recordRefusals(
  tx: Transaction,
  { id, name }: { id: number; name: string },
  results: readonly DocumentResult[],
): Promise<void> {
  const said = results.filter(({ status }) => status === 'refused');
  const refused = said.length === 0 ? [] : await newRefusals(tx, id, said);
  if (refused.length === 0) return;
  const actor = { kind: 'node', id, name } as const;
  const event = { kind: 'delivery_refused', actor } as const;
  const named = refused.slice(0, namedMax).map(({ kind, key, error }) => [`${kind}/${key}`, error] as const);
  const more = refused.length - named.length;
  await recordEvents(tx, [
    {
      ...event,
      subject: { kind: 'node', id, name },
      data: { facts: Object.fromEntries(named), ...(more > 0 ? { more } : {}) },
    },
    ...(await ofSites(tx, refused)).map((of): NewEvent => ({
      ...event,
      subject: { kind: 'site', id: of.id, name: of.name },
      data: { facts: { [name]: of.error } },
    })),
  ]);
}

function newRefusals(tx: Transaction, nodeId: number, said: readonly DocumentResult[]): Promise<Refusal[]> {
  return rowsOf<Refusal>(
    tx,
    sql`SELECT DISTINCT ON (r.kind, r.key) r.kind, r.key, left(r.error, ${errorMax}) AS error
        FROM unnest(
          ${texts(said.map((result) => result.kind))}, ${texts(said.map((result) => result.key))},
          ${bigints(said.map((result) => result.revision))}, ${texts(said.map((result) => result.error ?? ''))}
        ) AS r (kind, key, revision, error)
        CROSS JOIN LATERAL (
          SELECT FROM edge_document d JOIN node_line_group l ON l.line_group_id = d.line_group_id
          WHERE l.node_id = ${nodeId} AND d.kind = r.kind AND d.key = r.key AND d.revision >= r.revision
          LIMIT 1) d
        WHERE NOT EXISTS (
          SELECT FROM node_document n WHERE n.node_id = ${nodeId} AND n.kind = r.kind AND n.key = r.key
            AND (n.seen_revision > r.revision OR (n.seen_revision = r.revision AND n.status = 'refused')))
        ORDER BY r.kind, r.key, r.revision DESC`,
  );
}

async function ofSites(tx: Transaction, refused: readonly Refusal[]) {
  const errors = new Map(
    refused.flatMap(({ kind, key, error }) => {
      const id = kind === 'site' ? idText.safeParse(key) : undefined;
      return id?.success ? [[id.data, error] as const] : [];
    }),
  );
  if (errors.size === 0) return [];
  const rows = await tx
    .select({ id: site.id, name: sql<string | null>`${site.config}->'domains'->>0` })
    .from(site)
    .where(inArray(site.id, [...errors.keys()]));
  return rows.map(({ id, name }) => ({ id, name: name ?? '', error: errors.get(id) ?? '' }));
}
