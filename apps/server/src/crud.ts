import {
  hideSecrets,
  secretPlaces,
  type EventSubject,
  type IssueMessage,
  type RouteInput,
  type RouteResult,
  type RouteSpec,
} from '@breakwater/contract';
import { and, eq, getTableColumns, isNull, type SQL } from 'drizzle-orm';
import type { PgColumn, PgTable, SelectedFields } from 'drizzle-orm/pg-core';
import type * as z from 'zod';
import { ApiError, invalid, mapConstraints, notFound } from './api-error.ts';
import type { Computed, Converted } from './crud-fit.ts';
import type { Db, Transaction } from './db/database.ts';
import { among, listPage, nameOf, pageOf } from './db/page.ts';
import { client } from './db/schema.ts';
import { changesOf, recordEvent } from './events/record-event.ts';
import type { Job } from './jobs/define-job.ts';
import { addItems, createOperation } from './jobs/operation.store.ts';
import type { Handlers } from './plugins/implement.ts';
import type { Session } from './plugins/session.ts';
import { owned, ownerOfNew, type Scope } from './scope.ts';
import { keepSecrets, sealValue } from './secret-values.ts';
import type { Services } from './services.ts';

type CrudTable = PgTable & { id: PgColumn; name: PgColumn; version: PgColumn; clientId?: PgColumn };
type CrudName<One extends string, Many extends string> =
  | `list${Many}`
  | `${'get' | 'create' | 'update' | 'remove'}${One}`;

/** What was done to a row, in the transaction that did it. */
export type Change<Row> =
  | { kind: 'created'; before?: undefined; after: Row }
  | { kind: 'updated'; before: Row; after: Row }
  | { kind: 'removed'; before: Row; after?: undefined };

interface Caller {
  services: Services;
  session: Session;
}

interface CommonOptions<Query, Row, Table> {
  /** With `id`, `name`, `version`, and `clientId` where its rows belong to customers. */
  table: Table;
  /** What events call it. */
  subject: EventSubject;
  orderBy: (SQL | PgColumn)[];
  filter?: (query: Query) => SQL | undefined;
  /** Fields that a broken constraint is about, by its name. */
  constraints?: Record<string, [path: string, issue: IssueMessage]>;
  /** How many one owner can have. */
  most?: number;
  /** What follows from a change, in its transaction. */
  follow?: (tx: Transaction, change: Change<Row>, caller: Caller) => Promise<unknown>;
}
/** Fields of an answer that stand in no column: needed where there are any. */
type FieldsOption<Fields> = keyof Fields extends never ? { fields?: never } : { fields: Fields };
/** The columns of an input: needed where they are not its fields. */
type ColumnsOption<Fields, Input, Insert> = keyof Fields extends never
  ? { columns?: never }
  : { columns: (input: Input) => Promise<Partial<Insert>> };
type Options<Query, Create, Update, Item, Table extends CrudTable> = CommonOptions<
  Query,
  Table['$inferSelect'],
  Table
> &
  FieldsOption<Computed<Item, Table['$inferSelect']>> &
  ColumnsOption<
    Converted<Create & Update, Table['$inferInsert']>,
    Create | Omit<Update, 'version'>,
    Table['$inferInsert']
  >;

/** What the handlers are called with; `implement` has checked it against the contract. */
interface CrudContext extends Caller {
  scope: Scope;
  params: { id: number };
  query: { current_page: number; page_size: number; ids?: number[] | undefined };
  body: Record<string, unknown>;
}

/**
 * Handlers for the routes of `crudRoutes`. Fields of input and answer go by their names into and out of the columns of the
 * table; secrets are sealed; rows of customers are those of the caller's scope; what was done is an event. A handler that does
 * something else is written out beside it: `implement(routes, { ...crud(…), updateX })`.
 *
 * Errors: `not_found` for what is not there or is another's, `stale_version` for a change built on an older version,
 * `in_use` for the removal of what a foreign key points at, `too_many`, and `invalid_input` by `constraints`.
 */
export function crud<
  const One extends string,
  const Many extends string,
  Routes extends Record<CrudName<One, Many>, RouteSpec>,
  Table extends CrudTable,
>(
  routes: Routes,
  one: One,
  many: Many,
  options: Options<
    RouteInput<Routes[`list${Many}`]>['query'],
    RouteInput<Routes[`create${One}`]>['body'],
    RouteInput<Routes[`update${One}`]>['body'],
    RouteResult<Routes[`get${One}`]>,
    Table
  >,
): Pick<Handlers<Routes>, CrudName<One, Many>> {
  const specs: Record<string, RouteSpec> = routes;
  const item = specs[`get${one}`]!.response as z.ZodObject;
  const input = specs[`update${one}`]!.body as z.ZodObject;
  // The types of this function have checked them against contract and table.
  const known = options as unknown as AnyOptions;
  const handlers = { ...readersOf(known, item, input), ...writersOf(known, input) };
  const named = Object.entries(handlers).map(([kind, handler]) => [
    kind === 'list' ? `list${many}` : `${kind}${one}`,
    handler,
  ]);
  return Object.fromEntries(named) as Pick<Handlers<Routes>, CrudName<One, Many>>;
}

type AnyRow = Record<string, unknown> & {
  id: number;
  name: string;
  version: number;
  clientId?: number | null;
};
type AnyOptions = CommonOptions<unknown, AnyRow, CrudTable> & {
  fields?: Record<string, SQL>;
  columns?: (input: Record<string, unknown>) => Promise<Record<string, unknown>>;
};

const camel = (name: string): string =>
  name.replaceAll(/_(\w)/g, (_, letter: string) => letter.toUpperCase());

/** The rows of a table that are the caller's, or one of them. */
const rowsOf = (table: CrudTable, scope: Scope, id?: number) =>
  and(
    id === undefined ? undefined : eq(table.id, id),
    table.clientId ? owned(table as CrudTable & { clientId: PgColumn }, scope) : undefined,
  );

function readersOf(options: AnyOptions, item: z.ZodObject, input: z.ZodObject) {
  const { table, orderBy, filter } = options;
  const { selection, present } = answerOf(options, item, input);
  const select = (db: Db) => db.select(selection).from(table as PgTable);
  return {
    list: async ({ services: { db }, scope, query }: CrudContext) => {
      const where = and(rowsOf(table, scope), among(table.id, query.ids), filter?.(query));
      const { limit, offset } = pageOf(query);
      const page = select(db)
        .where(where)
        .orderBy(...orderBy)
        .limit(limit)
        .offset(offset);
      const [rows, total] = await Promise.all([page, db.$count(table, where)]);
      return listPage(query, rows.map(present), total);
    },
    get: async ({ services: { db }, scope, params }: CrudContext) => {
      const [row] = await select(db).where(rowsOf(table, scope, params.id));
      if (!row) throw notFound();
      return present(row);
    },
  };
}

function writersOf(options: AnyOptions, input: z.ZodObject) {
  const { table, constraints = {} } = options;
  const valuesOf = columnsOf(options, input);
  const follow = followerOf(options, input);
  return {
    create: async (context: CrudContext) => {
      const values = await valuesOf(context);
      return context.services.db.transaction(async (tx) => {
        if (table.clientId) values['clientId'] = await ownerOf(tx, options, context);
        const insert = tx.insert(table).values(values as never);
        const [after] = (await mapConstraints(constraints, () => insert.returning())) as [AnyRow];
        await follow(tx, { kind: 'created', after }, context);
        return { id: after.id };
      });
    },
    update: async (context: CrudContext) => {
      const { services, scope, params, body } = context;
      await services.db.transaction(async (tx) => {
        const where = rowsOf(table, scope, params.id);
        const found = tx
          .select()
          .from(table as PgTable)
          .where(where)
          .for('update');
        const [before] = (await found) as AnyRow[];
        if (!before) throw notFound();
        if (before.version !== body['version']) throw new ApiError('stale_version');
        const values = { ...(await valuesOf(context, before)), version: before.version + 1 };
        const update = tx
          .update(table)
          .set(values as never)
          .where(where);
        const [after] = (await mapConstraints(constraints, () => update.returning())) as [AnyRow];
        await follow(tx, { kind: 'updated', before, after }, context);
      });
      return {};
    },
    remove: async (context: CrudContext) => {
      const { services, scope, params } = context;
      await services.db.transaction(async (tx) => {
        const removal = tx.delete(table).where(rowsOf(table, scope, params.id));
        const [before] = (await mapConstraints({}, () => removal.returning())) as AnyRow[];
        if (!before) throw notFound();
        await follow(tx, { kind: 'removed', before }, context);
      });
      return {};
    },
  };
}

/** A handler that begins work on one row of the caller's: a task of one item, whose key is the row's id. */
export const begins =
  (table: CrudTable, subject: EventSubject, job: Job) =>
  ({ services, session, scope, params }: Omit<CrudContext, 'query' | 'body'>): Promise<{ task_id: number }> =>
    services.db.transaction(async (tx) => {
      const found = tx.select().from(table as PgTable);
      const [row] = (await found.where(rowsOf(table, scope, params.id))) as AnyRow[];
      if (!row) throw notFound();
      const { id, name: title, clientId } = row;
      const about = { subjectKind: subject, subjectId: id, clientId: clientId ?? undefined };
      const task = await createOperation(tx, { kind: job.kind, title, ...about, createdBy: session.name });
      await addItems(tx, task, [{ kind: subject, key: String(id) }]);
      const event = { kind: 'started', subject: { kind: subject, id, name: title } } as const;
      await recordEvent(tx, { ...event, clientId, actor: session, data: { facts: { task } } });
      return { task_id: task };
    });

/** What is read of a row, by the names of the answer, and how it is answered. */
function answerOf({ table, fields = {} }: AnyOptions, item: z.ZodObject, input: z.ZodObject) {
  const columns: Record<string, PgColumn> = getTableColumns(table);
  const selection: Record<string, PgColumn | SQL> = { ...fields };
  // Secrets are read to say whether there are any.
  for (const name of [...Object.keys(item.shape), ...Object.keys(secretPlaces(input))]) {
    const column = columns[camel(name)];
    if (column) selection[name] ??= column;
  }
  if ('client_name' in item.shape && table.clientId)
    selection['client_name'] ??= nameOf(client, table.clientId);
  const present = (row: Record<string, unknown>) =>
    hideSecrets(
      input,
      Object.fromEntries(
        Object.entries(row).map(([name, value]) => [
          name,
          value instanceof Date ? value.toISOString() : value,
        ]),
      ),
    );
  return { selection: selection as SelectedFields, present };
}

/** What was sent, by columns. Its secrets are sealed; those that it does not name stay. */
function columnsOf({ table, columns: convert }: AnyOptions, input: z.ZodObject) {
  const columns = getTableColumns(table);
  const places = secretPlaces(input);
  const secretNames = Object.keys(places);
  return async ({ services: { secrets }, body }: CrudContext, before?: AnyRow) => {
    const { client_id: _, version: __, ...sent } = body;
    if ('description' in input.shape) sent['description'] ??= sent['name'];
    const former = before && Object.fromEntries(secretNames.map((name) => [name, before[camel(name)]]));
    const kept = keepSecrets(sealValue(sent, places, secrets), former, places);
    const values: Record<string, unknown> = convert ? { ...(await convert(kept)) } : {};
    const names = convert ? secretNames : [...secretNames, ...Object.keys(kept)];
    for (const name of names) if (camel(name) in columns) values[camel(name)] = kept[name] ?? null;
    return values;
  };
}

/** Records what was done, and does what follows from it. */
function followerOf({ subject: kind, follow }: AnyOptions, input: z.ZodObject) {
  const names = Object.keys(input.shape).filter((name) => name !== 'version');
  const sentOf = (row: AnyRow | undefined) =>
    row && Object.fromEntries(names.map((name) => [name, row[camel(name)]]));
  return async (tx: Transaction, change: Change<AnyRow>, caller: Caller) => {
    const { id, name, clientId } = change.after ?? change.before;
    const changes = change.kind === 'removed' ? [] : changesOf(sentOf(change.before), sentOf(change.after));
    const event = { kind: change.kind, subject: { kind, id, name }, clientId, actor: caller.session };
    if (change.kind !== 'updated' || changes.length > 0)
      await recordEvent(tx, { ...event, data: { changes } });
    await follow?.(tx, change, caller);
  };
}

/** Whose a new row is, if there is room for one more. */
async function ownerOf(tx: Transaction, { table, most }: AnyOptions, { scope, body }: CrudContext) {
  const clientId = table.clientId!;
  const owner = ownerOfNew(scope, body['client_id'] as number | undefined);
  if (owner === null && clientId.notNull) throw invalid('client_id', 'required');
  const theirs = owner === null ? isNull(clientId) : eq(clientId, owner);
  if (most !== undefined && (await tx.$count(table, theirs)) >= most) throw new ApiError('too_many');
  return owner;
}
