import type { FileType } from '@breakwater/contract';
import type { FileHandle } from 'node:fs/promises';

const headBytes = 512;
/** A MaxMind DB ends with its metadata, which are at most so long (https://maxmind.github.io/MaxMind-DB/). */
const metadataBytes = 128 * 1024;
const metadataMark = Buffer.from('\xab\xcd\xefMaxMind.com', 'latin1');

/** What a file is by what it holds; undefined: none of what is taken anywhere. */
export async function fileTypeOf(handle: FileHandle, bytes: number): Promise<FileType | undefined> {
  const head = await readAt(handle, 0, Math.min(bytes, headBytes));
  // RFC 1952, section 2.3.1.
  if (head[0] === 0x1f && head[1] === 0x8b && head[2] === 8) return 'gzip';
  if (/^(?:\xef\xbb\xbf)?[\t\n\r ]*[[{]/.test(head.toString('latin1'))) return 'json';
  const from = Math.max(0, bytes - metadataBytes);
  const tail = await readAt(handle, from, bytes - from);
  return tail.includes(metadataMark) ? 'mmdb' : undefined;
}

async function readAt(handle: FileHandle, position: number, length: number): Promise<Buffer> {
  const { buffer, bytesRead } = await handle.read(Buffer.alloc(length), 0, length, position);
  return buffer.subarray(0, bytesRead);
}
