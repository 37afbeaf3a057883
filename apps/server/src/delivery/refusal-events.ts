import { idText, type DocumentResult } from '@breakwater/contract';
import { inArray, sql } from 'drizzle-orm';
import type { Transaction } from '../db/database.ts';
import { site } from '../db/schema.ts';
import { recordEvents, type NewEvent } from '../events/record-event.ts';
import { newestOf, takenResults } from './acknowledge.ts';

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

async function newRefusals(
  tx: Transaction,
  nodeId: number,
  said: readonly DocumentResult[],
): Promise<Refusal[]> {
  const taken = await takenResults(tx, nodeId, newestOf(said));
  return taken
    .filter((one) => one.stored_status !== 'refused' || one.stored_revision !== one.revision)
    .map(({ kind, key, error }) => ({ kind, key, error: (error ?? '').slice(0, errorMax) }));
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
