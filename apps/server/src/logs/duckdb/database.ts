import { mkdir, realpath, stat } from 'node:fs/promises';
import { join } from 'node:path';
import {
  type DuckDBConnection,
  DuckDBInstance,
  type DuckDBMaterializedResult,
  type DuckDBPreparedStatement,
  DuckDBTimestampValue,
  type DuckDBValue,
} from '@duckdb/node-api';
import { LogStoreFullError, LogStoreLockedError } from '../log-store.ts';
import { schema, takeOver } from './schema.ts';

export interface DatabaseOptions {
  /** Created when absent. */
  folder: string;
  /** What DuckDB may use before it spills to disk, such as `1GB`. */
  memoryLimit: string;
  threads: number;
}

export type Values = Record<string, DuckDBValue>;
export type Row = Record<string, string | number | boolean>;

/** One that reads, and the statements it has prepared, the one used last at the end. */
interface Reader {
  connection: DuckDBConnection;
  prepared: Map<string, DuckDBPreparedStatement>;
}

/** Parsing and planning take as long as a small statement itself; charts ask few different ones. */
const preparedMax = 32;

/** A running query holds one of the four threads that Node has for files and names too. */
const readersMax = 2;

/** DuckDB's lock on its file keeps other processes out, but not a second opening by this one, which would spoil it. */
const openPaths = new Set<string>();

/** The DuckDB file: one connection that writes, one transaction after another, and a few that read beside it. */
export class Database {
  readonly #instance: DuckDBInstance;
  readonly #writer: DuckDBConnection;
  readonly path: string;
  readonly #idleReaders: Reader[];
  readonly #waitingReaders: ((reader: Reader) => void)[] = [];
  #lastWrite: Promise<unknown> = Promise.resolve();

  private constructor(instance: DuckDBInstance, path: string, writer: DuckDBConnection, readers: Reader[]) {
    this.#instance = instance;
    this.path = path;
    this.#writer = writer;
    this.#idleReaders = readers;
  }

  static async open({ folder, memoryLimit, threads }: DatabaseOptions): Promise<Database> {
    await mkdir(folder, { recursive: true });
    const path = join(await realpath(folder), 'logs.duckdb');
    if (openPaths.has(path)) throw new LogStoreLockedError(path);
    openPaths.add(path);
    try {
      return await Database.#connect(path, { memoryLimit, threads });
    } catch (error) {
      openPaths.delete(path);
      throw error;
    }
  }

  static async #connect(
    path: string,
    { memoryLimit, threads }: Omit<DatabaseOptions, 'folder'>,
  ): Promise<Database> {
    const instance = await createInstance(path, {
      memory_limit: memoryLimit,
      threads: String(threads),
      // Small shipments would otherwise rewrite the last, half-full block of rows again and again.
      checkpoint_threshold: '64MB',
      // Nothing is fetched from outside, and no statement reaches another file.
      autoinstall_known_extensions: 'false',
      autoload_known_extensions: 'false',
      enable_external_access: 'false',
    });
    const writer = await instance.connect();
    for (const statement of schema) await writer.run(statement);
    await transaction(writer, takeOverOld);
    const readers = await Promise.all(
      Array.from({ length: readersMax }, async () => ({
        connection: await instance.connect(),
        prepared: new Map<string, DuckDBPreparedStatement>(),
      })),
    );
    return new Database(instance, path, writer, readers);
  }

  /** Runs `work` in a transaction of its own, after all writes asked for before. */
  write<Result>(work: (run: Run) => Promise<Result>): Promise<Result> {
    const result = this.#lastWrite
      .then(() => transaction(this.#writer, work))
      .catch((error: unknown) => {
        throw isNoRoom(error) ? new LogStoreFullError(error) : error;
      });
    this.#lastWrite = result.catch(() => {});
    return result;
  }

  /** Runs `work` on one consistent state, beside the writes. A signal that aborts ends the statement that runs. */
  async read<Result>(work: (run: Run) => Promise<Result>, signal?: AbortSignal): Promise<Result> {
    const reader = await this.#takeReader();
    const stop = () => reader.connection.interrupt();
    signal?.addEventListener('abort', stop);
    try {
      signal?.throwIfAborted();
      return await transaction(reader.connection, work);
    } catch (error) {
      signal?.throwIfAborted();
      throw error;
    } finally {
      signal?.removeEventListener('abort', stop);
      this.#giveBack(reader);
    }
  }

  /** One statement, which sees one state by itself: without the two trips that a transaction takes. */
  async query(sql: string, values: Values): Promise<Row[]> {
    const reader = await this.#takeReader();
    try {
      const statement = await prepare(reader, sql);
      statement.bind(values);
      return rowsOf(await statement.run());
    } finally {
      this.#giveBack(reader);
    }
  }

  /** Moves what was written into the main file, and gives the room of deleted rows back to new ones. */
  checkpoint(): Promise<void> {
    const done = this.#lastWrite.then(() => this.#writer.run('CHECKPOINT')).then(() => {});
    this.#lastWrite = done.catch(() => {});
    return done;
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
    for (let reader = 0; reader < readersMax; reader++) (await this.#takeReader()).connection.closeSync();
    this.#writer.closeSync();
    this.#instance.closeSync();
    openPaths.delete(this.path);
  }

  #takeReader(): Promise<Reader> {
    const idle = this.#idleReaders.pop();
    if (idle) return Promise.resolve(idle);
    return new Promise((resolve) => this.#waitingReaders.push(resolve));
  }

  #giveBack(reader: Reader): void {
    const next = this.#waitingReaders.shift();
    if (next) next(reader);
    else this.#idleReaders.push(reader);
  }
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

async function createInstance(path: string, options: Record<string, string>): Promise<DuckDBInstance> {
  try {
    return await DuckDBInstance.create(path, options);
  } catch (error) {
    if (error instanceof Error && /lock on file/i.test(error.message))
      throw new LogStoreLockedError(path, error);
    throw error;
  }
}

/** As the system says it: the disk is full, a quota is reached, or a file may not grow. */
const isNoRoom = (error: unknown): boolean =>
  error instanceof Error && /No space left|quota exceeded|File too large/i.test(error.message);

function runOn(connection: DuckDBConnection): Run {
  return async (sql, values) => rowsOf(await connection.run(sql, values));
}

async function takeOverOld(run: Run): Promise<void> {
  const tables = await run('SELECT table_name FROM duckdb_tables()');
  for (const { table_name } of tables)
    for (const statement of takeOver[String(table_name)] ?? []) await run(statement);
}

async function transaction<Result>(
  connection: DuckDBConnection,
  work: (run: Run) => Promise<Result>,
): Promise<Result> {
  await connection.run('BEGIN');
  try {
    const result = await work(runOn(connection));
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
