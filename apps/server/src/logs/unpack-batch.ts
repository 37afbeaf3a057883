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

/** Below this a piece is not worth its trip to another thread. */
const pieceBytesMin = 64 * 1024;
/** No log shrinks to a smaller part: a body that claims more is unpacked in pieces, so that no memory is taken on its word. */
const shrinksMost = 64;

/**
 * The lines of a shipped gzip batch. Fails with `LogBatchError`. Unpacked in one piece, of the size that stands at the end
 * of a gzip stream (RFC 1952, ISIZE): smaller ones are trips between threads, and joining them doubles the memory outside
 * the heap, which makes V8 collect all of it once a batch.
 */
export async function unpackBatch(body: Buffer): Promise<Buffer> {
  const claimed = body.length < 4 ? 0 : body.readUInt32LE(body.length - 4);
  const believed = Math.min(claimed, body.length * shrinksMost, batchLinesBytesMax);
  // One more, so that the end is met before the piece is full.
  const chunkSize = Math.max(believed + 1, pieceBytesMin);
  try {
    return await gunzipAsync(body, { maxOutputLength: batchLinesBytesMax, chunkSize });
  } catch (error) {
    throw new LogBatchError(error);
  }
}
