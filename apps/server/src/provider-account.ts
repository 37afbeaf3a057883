import {
  hideSecrets,
  isGiven,
  issueText,
  secretPlaces,
  type Language,
  type ProviderDescription,
} from '@breakwater/contract';
import { and, asc, eq, isNull, or, sql, type SQL } from 'drizzle-orm';
import { ApiError, mapConstraints, notFound, type FieldIssue } from './api-error.ts';
import type { Db, Transaction } from './db/database.ts';
import { among, contains, iso, isoOrNull } from './db/page.ts';
import type { captchaAccount, dnsAccount } from './db/schema.ts';
import { ProviderProblem } from './providers/define-provider.ts';
import { owned, ownerOfNew, type Scope } from './scope.ts';
import { assertSealed, keepSecrets, sealValue } from './secret-values.ts';
import type { Secrets } from './secrets.ts';

/**
 * Accounts at providers of one family (`packages/contract/src/provider-account.ts`): what is kept of them, and their test. What
 * names an account, and what follows from a change, is of its own module.
 */

/** With the columns of `accountColumns`. */
type AccountTable = typeof captchaAccount | typeof dnsAccount;

interface Input<Code extends string> {
  name: string;
  provider: Code;
  params: object;
}

interface Filter<Code extends string> {
  ids?: number[] | undefined;
  name?: string | undefined;
  provider?: Code | undefined;
  client_id?: number | undefined;
  usable_by?: number | 'platform' | undefined;
}

/** One owner has so many. */
const accountsMax = 100;

type RowOf<Table extends AccountTable> = Table['$inferSelect'];
type CodeOf<Table extends AccountTable> = RowOf<Table>['provider'];

export class ProviderAccounts<Table extends AccountTable> {
  // All of these tables have the same columns, which their union does not tell drizzle.
  readonly #table: typeof dnsAccount;
  readonly #providers: Record<string, ProviderDescription>;
  readonly #unique: string;

  /** `unique`: the constraint that an owner has each name once. */
  constructor(table: Table, providers: Record<CodeOf<Table>, ProviderDescription>, unique: string) {
    this.#table = table as typeof dnsAccount;
    this.#providers = providers;
    this.#unique = unique;
  }

  one(scope: Scope, id: number): SQL | undefined {
    return and(eq(this.#table.id, id), owned(this.#table, scope));
  }

  found(scope: Scope, query: Filter<CodeOf<Table>>): SQL | undefined {
    const table = this.#table;
    return and(
      owned(table, scope),
      among(table.id, query.ids),
      contains(table.name, query.name),
      query.provider && eq(table.provider, query.provider as never),
      query.client_id ? eq(table.clientId, query.client_id) : undefined,
      this.#usableBy(query.usable_by),
    );
  }

  #usableBy(owner: number | 'platform' | undefined): SQL | undefined {
    if (owner === undefined) return undefined;
    const platforms = isNull(this.#table.clientId);
    return owner === 'platform' ? platforms : or(eq(this.#table.clientId, owner), platforms);
  }

  /** The platform's before those of customers. */
  get order(): SQL[] {
    return [sql`${this.#table.clientId} NULLS FIRST`, asc(this.#table.name)];
  }

  /** With its secrets, sealed. */
  async read(db: Pick<Db, 'select'>, scope: Scope, id: number): Promise<RowOf<Table>> {
    const [row] = await db.select().from(this.#table).where(this.one(scope, id));
    if (!row) throw notFound();
    return row;
  }

  /** Nobody else changes it until the transaction ends. */
  async lock(tx: Transaction, scope: Scope, id: number): Promise<RowOf<Table>> {
    const [row] = await tx.select().from(this.#table).where(this.one(scope, id)).for('update');
    if (!row) throw notFound();
    return row;
  }

  async create(
    tx: Transaction,
    scope: Scope,
    secrets: Secrets,
    input: Input<CodeOf<Table>>,
  ): Promise<number> {
    const table = this.#table;
    const clientId = ownerOfNew(scope);
    const own = clientId === null ? isNull(table.clientId) : eq(table.clientId, clientId);
    if ((await tx.$count(table, own)) >= accountsMax) throw new ApiError('too_many');
    const values = { clientId, ...this.#sent(input, secrets, undefined, '') };
    const [row] = await mapConstraints(this.#nameAt('name'), () =>
      tx.insert(table).values(values).returning({ id: table.id }),
    );
    return row!.id;
  }

  /** Answers the row as it is now. What was found out about the account before is forgotten. */
  async update(
    tx: Transaction,
    scope: Scope,
    secrets: Secrets,
    { id, version, value }: { id: number; version: number; value: Input<CodeOf<Table>> },
  ): Promise<RowOf<Table>> {
    const before = await this.lock(tx, scope, id);
    if (before.version !== version) throw new ApiError('stale_version');
    const sent = this.#sent(value, secrets, before, 'value.');
    const next = { ...sent, version: version + 1, checkedAt: null, lastError: '' };
    const [after] = await mapConstraints(this.#nameAt('value.name'), () =>
      tx.update(this.#table).set(next).where(this.one(scope, id)).returning(),
    );
    return after!;
  }

  /** Asks the provider, and keeps what came of it; of an account that was changed meanwhile that says nothing. */
  async test<Found extends object>(
    db: Db,
    scope: Scope,
    { id, language, nothing }: { id: number; language: Language; nothing: Found },
    ask: (row: RowOf<Table>) => Promise<Found>,
  ) {
    const row = await this.read(db, scope, id);
    const started = performance.now();
    let message = '';
    let found = nothing;
    try {
      found = await ask(row);
    } catch (error) {
      if (!(error instanceof ProviderProblem)) throw error;
      message = said(error, language);
    }
    await db
      .update(this.#table)
      .set({ checkedAt: new Date(), lastError: message, updatedAt: sql`${this.#table.updatedAt}` })
      .where(and(this.one(scope, id), eq(this.#table.version, row.version)));
    const milliseconds = Math.round(performance.now() - started);
    return { ok: message === '', message, milliseconds, ...found };
  }

  /** As it is answered, but for what names it. */
  present(row: RowOf<Table>, clientName: string | null) {
    return {
      id: row.id,
      name: row.name,
      client_id: row.clientId,
      client_name: clientName,
      provider: row.provider,
      params: hideSecrets(this.#providers[row.provider]!.params, row.params),
      version: row.version,
      checked_at: isoOrNull(row.checkedAt),
      last_error: row.lastError,
      created_at: iso(row.createdAt),
      updated_at: iso(row.updatedAt),
    };
  }

  #nameAt(path: string): Record<string, [path: string, issue: 'name_taken']> {
    return { [this.#unique]: [path, 'name_taken'] };
  }

  #sent(input: Input<CodeOf<Table>>, secrets: Secrets, before: Stored | undefined, path: string) {
    const { name, provider } = input;
    const params = sealedParams(this.#providers[provider]!, input, secrets, before, path);
    return { name, provider: provider as never, params };
  }
}

type Stored = { provider: string; params: Record<string, unknown> };

/**
 * With the secrets of what stood there where none are sent, but not for another server: a kept secret would be told to whom it
 * was not entered for. Each secret of a provider is needed.
 */
function sealedParams(
  { params: schema, target }: ProviderDescription,
  { provider, params }: Input<string>,
  secrets: Secrets,
  before: Stored | undefined,
  path: string,
): Record<string, unknown> {
  const places = secretPlaces(schema);
  const sent = params as Record<string, unknown>;
  const isSame = before?.provider === provider && target.every((name) => before.params[name] === sent[name]);
  const sealed = keepSecrets(sealValue(sent, places, secrets), isSame ? before.params : undefined, places);
  const issue = before?.provider === provider && !isSame ? 'secret_again' : 'required';
  const lacking = Object.keys(places).flatMap((name): FieldIssue[] =>
    isGiven(sealed[name]) ? [] : [{ path: `${path}params.${name}`, issue }],
  );
  if (lacking.length > 0) throw new ApiError('invalid_input', lacking);
  assertSealed(sealed, places);
  return sealed;
}

const said = ({ issue, detail }: ProviderProblem, language: Language): string =>
  (issueText(issue, language) ?? issue) +
  (detail === '' ? '' : language === 'zh' ? `（${detail}）` : ` (${detail})`);
