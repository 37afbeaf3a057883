import { readFileSync, type Stats } from 'node:fs';
import { readdir, realpath, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import type { Answered, Client } from './trial-clients.ts';
import { Wrong } from './trial-streams.ts';

/** Visits of files, whose answers are compared with the files. */

export interface ServedFile {
  path: string;
  /** As a URL has it. */
  target: string;
  bytes: number;
  /** As nginx says it. */
  modified: string;
}

/** All files below the folder, also where links lead within it. */
export async function filesBelow(root: string): Promise<ServedFile[]> {
  const files: ServedFile[] = [];
  const seen = new Set<string>();
  const walk = async (folder: string, target: string): Promise<void> => {
    const real = await realpath(folder);
    if (seen.has(real)) return;
    seen.add(real);
    for (const name of await readdir(folder)) {
      const path = join(folder, name);
      const found: Stats | undefined = await stat(path).catch(() => undefined);
      const at = `${target}/${encodeURIComponent(name)}`;
      if (found?.isDirectory() === true) await walk(path, at);
      else if (found?.isFile() === true)
        files.push({ path, target: at, bytes: found.size, modified: found.mtime.toUTCString() });
    }
  };
  await walk(root, '');
  return files;
}

export interface FileVisitor {
  client: Client;
  host: string;
  files: ServedFile[];
  /** What every answer has to say at least in `X-Trial`, and since when (ms) all has been fetched anew. */
  known(): { saved: number; refreshed: number };
}

/** Some are asked for often, and most now and then. */
const pickFile = (files: ServedFile[]): ServedFile => files[Math.floor(Math.random() ** 4 * files.length)]!;
const codings = ['identity', 'gzip', 'br', 'gzip, br'];
const anyOf = <Item>(items: readonly Item[]): Item => items[Math.floor(Math.random() * items.length)]!;

async function ask(
  { client, host, known }: FileVisitor,
  file: ServedFile,
  headers: Record<string, string> = {},
  method = 'GET',
  isSlow = false,
): Promise<Answered> {
  const before = known();
  const asked = { host, path: file.target, method, headers };
  const answer = await client.ask(asked, isSlow ? () => delay(30) : undefined);
  const { status } = answer;
  if (status >= 500) throw new Wrong(`${status} for ${file.target}`, { cause: status });
  const saved = Number(answer.headers['x-trial']);
  if (!(saved >= before.saved))
    throw new Wrong(`${file.target} ${status} is of save ${saved}, after ${before.saved} was in service`);
  const sinceRefresh = (Date.now() - before.refreshed) / 1000;
  if (Number(answer.headers['age'] ?? 0) > sinceRefresh + 2)
    throw new Wrong(
      `${file.target} is ${String(answer.headers['age'])} s old, and all was refreshed ${sinceRefresh} s before`,
    );
  return answer;
}

const nameOf = (answer: Answered, file: ServedFile): string =>
  `${file.target}: ${answer.status} ${String(answer.headers['x-cache'])} ${String(answer.headers['content-encoding'] ?? 'plain')}`;

function decoded({ headers, body }: Answered): Buffer {
  if (headers['content-encoding'] === 'gzip') return gunzipSync(body);
  if (headers['content-encoding'] === 'br') return brotliDecompressSync(body);
  return body;
}

function compareWhole(answer: Answered, file: ServedFile): void {
  if (answer.status !== 200) throw new Wrong(`${nameOf(answer, file)} for all of it`);
  if (!decoded(answer).equals(readFileSync(file.path)))
    throw new Wrong(`${nameOf(answer, file)}: other bytes (${answer.body.length} of ${file.bytes})`);
}

export async function read(visitor: FileVisitor): Promise<void> {
  const file = pickFile(visitor.files);
  compareWhole(await ask(visitor, file, { 'accept-encoding': anyOf(codings) }), file);
}

/** One of the largest, at the pace of a bad connection. */
export async function download(visitor: FileVisitor): Promise<void> {
  const file = anyOf(visitor.files.toSorted((one, other) => other.bytes - one.bytes).slice(0, 12));
  compareWhole(await ask(visitor, file, {}, 'GET', true), file);
}

export async function readHead(visitor: FileVisitor): Promise<void> {
  const file = pickFile(visitor.files);
  const answer = await ask(visitor, file, { 'accept-encoding': anyOf(codings) }, 'HEAD');
  const { status, headers, body } = answer;
  if (status !== 200 || body.length > 0) throw new Wrong(`${nameOf(answer, file)} for HEAD`);
  const isPlain = headers['content-encoding'] === undefined;
  const length = headers['content-length'];
  if (isPlain && length !== undefined && length !== String(file.bytes))
    throw new Wrong(`${nameOf(answer, file)}: HEAD says ${String(length)} of ${file.bytes} bytes`);
}

export async function readPart(visitor: FileVisitor): Promise<void> {
  const file = anyOf(visitor.files.filter(({ bytes }) => bytes > 10));
  const [one, other] = [Math.floor(Math.random() * file.bytes), Math.floor(Math.random() * file.bytes)];
  const [from, to] = [Math.min(one, other), Math.max(one, other)];
  const last = 1 + Math.floor(Math.random() * file.bytes);
  const form = anyOf(['part', 'open', 'end', 'several'] as const);
  const ranges = {
    part: `bytes=${from}-${to}`,
    open: `bytes=${from}-`,
    end: `bytes=-${last}`,
    several: `bytes=0-4,${from}-${to}`,
  };
  const headers: Record<string, string> = { range: ranges[form] };
  if (Math.random() < 0.2) headers['if-range'] = file.modified;
  if (Math.random() < 0.2) headers['accept-encoding'] = 'gzip';
  const answer = await ask(visitor, file, headers);
  if (answer.status === 200) {
    compareWhole(answer, file);
    return;
  }
  const bytes = readFileSync(file.path);
  const parts = {
    part: [bytes.subarray(from, to + 1)],
    open: [bytes.subarray(from)],
    end: [bytes.subarray(-last)],
    several: [bytes.subarray(0, 5), bytes.subarray(from, to + 1)],
  };
  if (answer.status !== 206 || !holds(answer, parts[form]))
    throw new Wrong(`${nameOf(answer, file)}: not ${ranges[form]} of ${file.bytes}`);
}

/** A single part is the content; of several each stands between its head and the next boundary (RFC 9110 §14.6). */
function holds({ headers, body }: Answered, parts: Buffer[]): boolean {
  const boundary = /boundary=(\S+)/.exec(String(headers['content-type']))?.[1];
  if (boundary === undefined) return parts.length === 1 && body.equals(parts[0]!);
  let at = 0;
  for (const part of parts) {
    const head = body.indexOf('\r\n\r\n', at);
    if (head < 0 || !body.subarray(head + 4, head + 4 + part.length).equals(part)) return false;
    at = head + 4 + part.length;
  }
  return body.subarray(at).toString() === `\r\n--${boundary}--\r\n`;
}

/** As a browser that has it, and as one that has something else. */
export async function revalidate(visitor: FileVisitor): Promise<void> {
  const file = pickFile(visitor.files);
  const first = await ask(visitor, file);
  compareWhole(first, file);
  const tag = String(first.headers['etag']);
  const fresh: Record<string, string> = anyOf([
    { 'if-none-match': tag },
    { 'if-none-match': `"other", ${tag}` },
    { 'if-modified-since': file.modified },
  ]);
  const again = await ask(visitor, file, fresh);
  if (again.status !== 304 || again.body.length > 0)
    throw new Wrong(`${nameOf(again, file)} for ${JSON.stringify(fresh)}, which it has`);
  const stale: Record<string, string> = anyOf([
    { 'if-none-match': '"other"' },
    { 'if-modified-since': 'Mon, 01 Jan 1990 00:00:00 GMT' },
  ]);
  compareWhole(await ask(visitor, file, stale), file);
  const failing = await ask(visitor, file, { 'if-match': '"other"' });
  if (failing.status !== 412) throw new Wrong(`${nameOf(failing, file)} for another If-Match`);
}

export async function miss(visitor: FileVisitor): Promise<void> {
  const file = { path: '', target: '/not/there.html', bytes: 0, modified: '' };
  const answer = await ask(visitor, file);
  if (answer.status !== 404) throw new Wrong(`${nameOf(answer, file)} for what is not there`);
}
