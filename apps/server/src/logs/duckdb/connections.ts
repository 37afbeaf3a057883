import { rm } from 'node:fs/promises';
import { type DuckDBConnection, DuckDBInstance, type DuckDBPreparedStatement } from '@duckdb/node-api';
import { LogStoreLockedError } from '../log-store.ts';
import { Readers } from './readers.ts';

export interface ConnectionOptions {
  path: string;
  /** What DuckDB may use before it spills to disk, such as `1GB`. */
  memoryLimit: string;
  threads: number;
}

/** The open file, with the connection that writes and those that read. */
export interface Connections {
  instance: DuckDBInstance;
  writer: DuckDBConnection;
  readers: Readers;
}

/** A running query holds one of the four threads that Node has for files and names too. */
const readersMax = 2;

/** Small shipments would otherwise rewrite the last, half-full block of rows again and again. */
export const checkpointBytes = '64MB';

/**
 * Opens the file and has `prepare` make it what it should be before anybody reads. Where there is no room for a checkpoint
 * none is made by itself: it would fail, and nothing could be read.
 */
export async function connect(
  { path, memoryLimit, threads }: ConnectionOptions,
  hasRoom: boolean,
  prepare: (writer: DuckDBConnection) => Promise<void>,
): Promise<Connections> {
  const instance = await createInstance(path, {
    memory_limit: memoryLimit,
    threads: String(threads),
    checkpoint_threshold: hasRoom ? checkpointBytes : '1TB',
    // Nothing is fetched from outside, and no statement reaches another file.
    autoinstall_known_extensions: 'false',
    autoload_known_extensions: 'false',
    enable_external_access: 'false',
  });
  try {
    // What a statement had put aside when the process was killed.
    await rm(`${path}.tmp`, { recursive: true, force: true });
    const writer = await instance.connect();
    await prepare(writer);
    const readers = await Promise.all(
      Array.from({ length: readersMax }, async () => ({
        connection: await instance.connect(),
        prepared: new Map<string, DuckDBPreparedStatement>(),
      })),
    );
    return { instance, writer, readers: new Readers(readers) };
  } catch (error) {
    instance.closeSync();
    throw error;
  }
}

/** Lets go of the file once nobody reads any more. */
export async function disconnect({ instance, writer, readers }: Connections): Promise<void> {
  for (const { connection, prepared } of await readers.rest()) {
    // Each of them holds the file as well.
    for (const statement of prepared.values()) statement.destroySync();
    connection.closeSync();
  }
  writer.closeSync();
  instance.closeSync();
}

async function createInstance(path: string, options: Record<string, string>): Promise<DuckDBInstance> {
  try {
    return await DuckDBInstance.create(path, options);
  } catch (error) {
    if (error instanceof Error && /lock on file/i.test(error.message))
      throw new LogStoreLockedError(path, error);
    throw error;
  }
}
