import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';

const gunzipAsync = promisify(gunzip);

/** A body is at most 8 MiB, access logs shrink about tenfold: what grows far beyond is no log. */
const batchLinesBytesMax = 128 * 1024 * 1024;

export class LogBatchError extends Error {
  constructor(cause: unknown) {
    super('The log batch is not a gzip stream, or unpacks to too much', { cause });
    this.name = 'LogBatchError';
  }
}

/** Each piece of output is a trip to another thread: at Node's own 16 kB this took four times as long. */
const chunkSize = 256 * 1024;

/** The lines of a shipped gzip batch. Fails with `LogBatchError`. */
export async function unpackBatch(body: Buffer): Promise<Buffer> {
  try {
    return await gunzipAsync(body, { maxOutputLength: batchLinesBytesMax, chunkSize });
  } catch (error) {
    throw new LogBatchError(error);
  }
}
