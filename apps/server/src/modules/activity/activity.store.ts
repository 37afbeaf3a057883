import type { Activity, EventSubject } from '@breakwater/contract';
import { and, desc, eq, inArray, lt, type SQL } from 'drizzle-orm';
import { notFound } from '../../api-error.ts';
import type { Db } from '../../db/database.ts';
import { iso } from '../../db/page.ts';
import { addressList, certificate, event, member, order, site, tag } from '../../db/schema.ts';
import { owned, seesAll, type Scope } from '../../scope.ts';

export interface ActivityQuery {
  subject_kind?: EventSubject | undefined;
  subject_id?: number | undefined;
  before?: number | undefined;
  page_size: number;
}

/** Events themselves are read, not a copy: what was saved is there when its answer arrives. */
export async function listActivity(
  db: Db,
  scope: Scope,
  query: ActivityQuery,
  readable: readonly EventSubject[],
) {
  const { subject_kind: kind, subject_id: id, before, page_size: size } = query;
  const rows = await db
    .select()
    .from(event)
    .where(
      and(
        owned(event, scope),
        kind === undefined ? inArray(event.subjectKind, [...readable]) : eq(event.subjectKind, kind),
        id === undefined ? undefined : eq(event.subjectId, id),
        before === undefined ? undefined : lt(event.id, before),
      ),
    )
    .orderBy(desc(event.id))
    .limit(size + 1);
  // Something that is there may have no events: they are kept for a while. Of another's nothing is said.
  const isOne = kind !== undefined && id !== undefined;
  if (rows.length === 0 && isOne && !seesAll(scope) && !(await isThere(db, scope, kind, id)))
    throw notFound();
  const list = rows.slice(0, size);
  return {
    list: list.map((row) => present(row, seesAll(scope))),
    next: rows.length > size ? list.at(-1)!.id : null,
  };
}

/** What customers have. */
const ownedTables = { site, order, certificate, address_list: addressList, tag, member };

async function isThere(db: Db, scope: Scope, kind: EventSubject, id: number): Promise<boolean> {
  if (!Object.hasOwn(ownedTables, kind)) return false;
  const table = ownedTables[kind as keyof typeof ownedTables];
  const where: SQL | undefined = and(owned(table, scope), eq(table.id, id));
  return (await db.$count(table, where)) > 0;
}

/** Customers are told that it was the platform, or a node, not who or which. */
function present(row: typeof event.$inferSelect, isOperator: boolean): Activity {
  const { section, changes = [], more = 0, facts = {} } = row.data;
  const isNamed = isOperator || row.actorType === 'client' || row.actorType === 'member';
  return {
    id: row.id,
    at: iso(row.at),
    kind: row.kind,
    subject_kind: row.subjectKind,
    subject_id: row.subjectId,
    subject_name: row.subjectName,
    actor_type: row.actorType,
    actor_name: isNamed ? row.actorName : '',
    program: isNamed ? row.program : '',
    ...(section === undefined ? {} : { section }),
    about: Object.entries(facts).map(([name, value]) => ({ name, value: String(value) })),
    changes,
    more,
  };
}
