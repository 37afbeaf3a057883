import type { ServedProblem } from '@breakwater/contract';
import { sql } from 'drizzle-orm';
import type { Db, Transaction } from '../../db/database.ts';
import { iso } from '../../db/page.ts';
import { integers, rowsOf } from '../../delivery/queryable.ts';
import { recordEvents, systemActor } from '../../events/record-event.ts';
import type { CheckedSite } from './served-site.ts';

/** What a check found, as it is kept; and when the next one is. */

export interface DueSite {
  id: number;
  /** As the database writes it: a change in the meantime makes it another. */
  due_at: string;
}

export interface FoundFault {
  node_id: number;
  domain: string;
  problem: ServedProblem;
  expected_serial: string;
  served_serial: string;
  served_issuer: string;
  served_not_after: string | null;
  error: string;
  staple_from: string | null;
  staple_until: string | null;
}

export interface Found {
  faults: readonly FoundFault[];
  /** Of these nothing is said: what was found before stays. */
  silent: readonly number[];
  /** Of the good OCSP answers, when the first of them ends. */
  stapleUntil: Date | null;
}

/** Nodes that have not confirmed a change are asked when they have had time to. */
const laterSeconds = 20;
/** Nodes ask a responder that failed again after five minutes. */
const stapleSeconds = 600;
/** Some time of the next night, so that not all are at once. */
const nextNight = sql`date_trunc('day', now(), 'UTC') + interval '1 day' + random() * interval '4 hours'`;

export async function postpone(db: Db, { id, due_at: at }: DueSite): Promise<void> {
  await db.execute(
    sql`UPDATE served_check SET due_at = now() + make_interval(secs => ${laterSeconds})
        WHERE site_id = ${id} AND due_at = ${at}::timestamptz`,
  );
}

/** A site without certificates is not looked at, until it has one again. */
export async function forget(db: Db, { id, due_at: at }: DueSite): Promise<void> {
  await db.transaction(async (tx) => {
    await tx.execute(sql`DELETE FROM served_check WHERE site_id = ${id} AND due_at = ${at}::timestamptz`);
    await tx.execute(sql`DELETE FROM served_fault WHERE site_id = ${id}`);
  });
}

/** What is new of it is an event of the site. */
export async function storeFaults(
  tx: Transaction,
  { id, name, client_id: clientId }: CheckedSite,
  { due_at: at }: DueSite,
  { faults, silent, stapleUntil }: Found,
): Promise<void> {
  const { rowCount } = await tx.execute(
    sql`UPDATE served_check SET checked_at = now(), due_at = ${nextNight}, staple_until = ${stapleUntil && iso(stapleUntil)} WHERE site_id = ${id} AND due_at = ${at}::timestamptz`,
  );
  // Changed since: what was seen may be of before or after, and it is looked at again.
  if (rowCount === 0) return;
  const found = sql`jsonb_to_recordset(${JSON.stringify(faults)}::jsonb) AS f (node_id integer, domain text, problem text,
    expected_serial text, served_serial text, served_issuer text, served_not_after timestamptz, error text, staple_from timestamptz, staple_until timestamptz)`;
  await tx.execute(
    sql`DELETE FROM served_fault o WHERE o.site_id = ${id} AND o.node_id <> ALL(${integers(silent)})
          AND NOT EXISTS (SELECT FROM ${found} WHERE f.node_id = o.node_id AND f.domain = o.domain)`,
  );
  const stored = await rowsOf<{ domain: string; problem: ServedProblem; is_new: boolean }>(
    tx,
    sql`INSERT INTO served_fault (site_id, node_id, domain, problem, expected_serial, served_serial, served_issuer, served_not_after, error,
          staple_from, staple_until)
        SELECT ${id}, f.* FROM ${found} WHERE EXISTS (SELECT FROM node n WHERE n.id = f.node_id)
        ON CONFLICT ON CONSTRAINT served_fault_name_unique DO UPDATE SET problem = excluded.problem,
          expected_serial = excluded.expected_serial, served_serial = excluded.served_serial,
          served_issuer = excluded.served_issuer, served_not_after = excluded.served_not_after, error = excluded.error,
          staple_from = excluded.staple_from, staple_until = excluded.staple_until
        RETURNING domain, problem, (xmax = 0) AS is_new`,
  );
  const added = stored.filter((row) => row.is_new);
  // An answer of the authority comes after the certificate: what is missing at first is there soon, and no event.
  if (added.some(({ problem }) => problem === 'staple'))
    await tx.execute(
      sql`UPDATE served_check SET due_at = now() + make_interval(secs => ${stapleSeconds}) WHERE site_id = ${id}`,
    );
  const domains = new Set(added.flatMap(({ domain, problem }) => (problem === 'staple' ? [] : [domain])));
  if (domains.size === 0) return;
  await recordEvents(tx, [
    {
      kind: 'served_differently',
      subject: { kind: 'site', id, name },
      clientId,
      actor: systemActor,
      data: { facts: { domains: [...domains].slice(0, namedMax).join(', '), count: domains.size } },
    },
  ]);
}

/** An event names no more than somebody reads. */
const namedMax = 20;
