import { mkdir, realpath, stat } from 'node:fs/promises';
import { join } from 'node:path';
import {
  type DuckDBConnection,
  type DuckDBMaterializedResult,
  type DuckDBPreparedStatement,
  DuckDBTimestampValue,
  type DuckDBValue,
} from '@duckdb/node-api';
import { LogStoreFullError, LogStoreLockedError } from '../log-store.ts';
import {
  checkpointBytes,
  connect,
  type ConnectionOptions,
  type Connections,
  disconnect,
} from './connections.ts';
import type { Asker, Reader } from './readers.ts';
import { schema, takeOver } from './schema.ts';

export interface DatabaseOptions extends Omit<ConnectionOptions, 'path'> {
  /** Created when absent. */
  folder: string;
}

export type Values = Record<string, DuckDBValue>;
export type Row = Record<string, string | number | boolean>;

/** Parsing and planning take as long as a small statement itself; charts ask few different ones. */
const preparedMax = 32;

const interruptMilliseconds = 50;
/** A file that DuckDB gave up is opened again after so long at the earliest: that reads what was written last. */
const reopenMilliseconds = 2000;

/** DuckDB's lock on its file keeps other processes out, but not a second opening by this one, which would spoil it. */
const openPaths = new Set<string>();

/** The DuckDB file: one connection that writes, one transaction after another, and a few that read beside it. */
export class Database {
  readonly #options: ConnectionOptions;
  /** Absent while it cannot be opened again. */
  #connections: Connections | undefined;
  #lastWrite: Promise<unknown> = Promise.resolve();
  /** After this error DuckDB answers nothing until the file is opened anew. */
  #fatal: unknown;
  #reopenAt = 0;
  #hasRoom = true;

  private constructor(options: ConnectionOptions, connections: Connections) {
    this.#options = options;
    this.#connections = connections;
  }

  static async open({ folder, ...rest }: DatabaseOptions): Promise<Database> {
    await mkdir(folder, { recursive: true });
    const options = { ...rest, path: join(await realpath(folder), 'logs.duckdb') };
    if (openPaths.has(options.path)) throw new LogStoreLockedError(options.path);
    openPaths.add(options.path);
    try {
      return new Database(options, await connect(options, true, bringUpToDate));
    } catch (error) {
      openPaths.delete(options.path);
      throw error;
    }
  }

  get path(): string {
    return this.#options.path;
  }

  /** Runs `work` in a transaction of its own, after all writes asked for before. */
  write<Result>(work: (run: Run) => Promise<Result>): Promise<Result> {
    return this.#inTurn(({ writer }) => transaction(writer, work));
  }

  /** Runs `work` on one consistent state, beside the writes. */
  read<Result>(work: (run: Run) => Promise<Result>, asker: Asker = {}): Promise<Result> {
    return this.#ask(asker, ({ connection }) => transaction(connection, work, asker.signal));
  }

  /** One statement, which sees one state by itself: without the two trips that a transaction takes. */
  query(sql: string, values: Values, asker: Asker = {}): Promise<Row[]> {
    return this.#ask(asker, async (reader) => {
      const statement = await prepare(reader, sql);
      statement.bind(values);
      return rowsOf(await interruptible(reader.connection, asker.signal, () => statement.run()));
    });
  }

  /** Moves what was written into the main file, and gives the room of deleted rows back to new ones. */
  async checkpoint(): Promise<void> {
    await this.#inTurn(async ({ writer }) => {
      await writer.run('CHECKPOINT');
      if (!this.#hasRoom) await writer.run(`SET checkpoint_threshold = '${checkpointBytes}'`);
      this.#hasRoom = true;
    });
  }

  async #ask<Result>(asker: Asker, work: (reader: Reader) => Promise<Result>): Promise<Result> {
    if (this.#fatal !== undefined) await this.#inTurn(() => Promise.resolve());
    const { readers } = this.#connections!;
    const reader = await readers.take(asker);
    try {
      return await work(reader);
    } catch (error) {
      asker.signal?.throwIfAborted();
      throw this.#known(error);
    } finally {
      readers.giveBack(reader, asker);
    }
  }

  #inTurn<Result>(work: (connections: Connections) => Promise<Result>): Promise<Result> {
    const result = this.#lastWrite
      .then(async () => work(await this.#whole()))
      .catch((error: unknown) => {
        throw this.#known(error);
      });
    this.#lastWrite = result.catch(() => {});
    return result;
  }

  /** The connections. They are made anew where DuckDB gave the file up, as it does when a checkpoint finds no room. */
  async #whole(): Promise<Connections> {
    if (this.#connections && this.#fatal === undefined) return this.#connections;
    if (performance.now() < this.#reopenAt) throw this.#fatal;
    this.#reopenAt = performance.now() + reopenMilliseconds;
    if (this.#connections) await disconnect(this.#connections);
    this.#connections = undefined;
    this.#connections = await connect(this.#options, false, bringUpToDate);
    this.#hasRoom = false;
    this.#fatal = undefined;
    return this.#connections;
  }

  #known(error: unknown): unknown {
    const known = isNoRoom(error) ? new LogStoreFullError(error) : error;
    if (isFatal(error)) this.#fatal ??= known;
    return known;
  }

  async bytesOnDisk(): Promise<number> {
    const sizes = [this.path, `${this.path}.wal`].map((file) =>
      stat(file).then(
        ({ size }) => size,
        () => 0,
      ),
    );
    return (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0);
  }

  async close(): Promise<void> {
    await this.#lastWrite;
    if (this.#connections) await disconnect(this.#connections);
    openPaths.delete(this.path);
  }
}

async function bringUpToDate(writer: DuckDBConnection): Promise<void> {
  for (const statement of schema) await writer.run(statement);
  await transaction(writer, takeOverOld);
}

async function prepare({ connection, prepared }: Reader, sql: string): Promise<DuckDBPreparedStatement> {
  const statement = prepared.get(sql) ?? (await connection.prepare(sql));
  prepared.delete(sql);
  prepared.set(sql, statement);
  if (prepared.size > preparedMax) {
    const [oldest] = prepared;
    prepared.delete(oldest![0]);
    oldest![1].destroySync();
  }
  return statement;
}

/** Runs one statement with named values; the rows come back with plain numbers. */
export type Run = (sql: string, values?: Values) => Promise<Row[]>;

/** As the system says it: the disk is full, a quota is reached, or a file may not grow. */
const isNoRoom = (error: unknown): boolean =>
  error instanceof Error && /No space left|quota exceeded|File too large/i.test(error.message);

const isFatal = (error: unknown): boolean =>
  error instanceof Error && /^FATAL Error|has been invalidated/.test(error.message);

function runOn(connection: DuckDBConnection, signal?: AbortSignal): Run {
  return async (sql, values) =>
    rowsOf(await interruptible(connection, signal, () => connection.run(sql, values)));
}

/** A signal that aborts ends the statement, again and again: it may be on its way to the store still. */
async function interruptible<Result>(
  connection: DuckDBConnection,
  signal: AbortSignal | undefined,
  run: () => Promise<Result>,
): Promise<Result> {
  if (!signal) return run();
  signal.throwIfAborted();
  let interrupting: NodeJS.Timeout | undefined;
  const stop = () => {
    connection.interrupt();
    interrupting = setInterval(() => connection.interrupt(), interruptMilliseconds);
  };
  signal.addEventListener('abort', stop);
  try {
    return await run();
  } finally {
    clearInterval(interrupting);
    signal.removeEventListener('abort', stop);
  }
}

async function takeOverOld(run: Run): Promise<void> {
  const tables = await run('SELECT table_name FROM duckdb_tables()');
  for (const { table_name } of tables)
    for (const statement of takeOver[String(table_name)] ?? []) await run(statement);
}

async function transaction<Result>(
  connection: DuckDBConnection,
  work: (run: Run) => Promise<Result>,
  signal?: AbortSignal,
): Promise<Result> {
  await connection.run('BEGIN');
  try {
    const result = await work(runOn(connection, signal));
    await connection.run('COMMIT');
    return result;
  } catch (error) {
    // A failed COMMIT has already rolled back; the first error is the one to tell of.
    await connection.run('ROLLBACK').catch(() => {});
    throw error;
  }
}

/** NULL is left out. A column at a time, without a trip between threads for each block of rows: charts read hundreds. */
function rowsOf(result: DuckDBMaterializedResult): Row[] {
  const names = result.columnNames();
  const rows: Row[] = [];
  for (let index = 0; index < result.chunkCount; index++) {
    const chunk = result.getChunk(index);
    const first = rows.length;
    for (let row = 0; row < chunk.rowCount; row++) rows.push({});
    for (const [column, name] of names.entries())
      for (const [row, value] of chunk.getColumnValues(column).entries())
        if (value !== null) rows[first + row]![name] = plainValue(name, value);
  }
  return rows;
}

/** BIGINT becomes a number, refused where that would lose digits; timestamps become ISO 8601. */
function plainValue(name: string, value: DuckDBValue): string | number | boolean {
  if (typeof value === 'bigint') {
    const number = Number(value);
    if (!Number.isSafeInteger(number)) throw new RangeError(`${name} is too big for a number: ${value}`);
    return number;
  }
  if (value instanceof DuckDBTimestampValue) return new Date(Number(value.micros / 1000n)).toISOString();
  if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean') return value;
  throw new TypeError(`${name} has a type this store does not read`);
}

/** A time as DuckDB takes it. */
export function timestamp(time: Date | number): DuckDBTimestampValue {
  return new DuckDBTimestampValue(BigInt(Number(time)) * 1000n);
}
