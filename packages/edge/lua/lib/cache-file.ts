import { toHex } from './digest.ts';

/**
 * What lies in nginx's cache, read from the files that nginx keeps it in: nothing else tells what is stored without asking for
 * it. No hit of a visitor's comes here.
 */

export interface CacheFile {
  path: string;
  /** Seconds since 1970: when it was stored, and until when it is given without asking. */
  storedAt: number;
  freshUntil: number;
  /** For how long after that it may be given in place of an error (`stale-if-error`). */
  errorSeconds: number;
  /** Field names by which it is kept apart, as the origin said them; '' for none. The digest is of what this request said of them. */
  vary: string;
  variant: string;
  /** The answer's first line and its fields, as they were written, and where they stand in the file; the content follows. */
  fields: string;
  fieldsStart: number;
  contentStart: number;
}

/** `ngx_http_file_cache_header_t` of version 5, nginx 1.11.10 and later, on a machine of 64 bits. */
const version = 5;
const headBytes = 336;

let folders: string[] = [];

/** To be called in the master, before there are workers. */
export function setCacheFolders(given: string[]): void {
  folders = given;
}

/**
 * What is stored under a key; `digest`: of a variant of it. `none`: nothing is; nothing at all: the file is not as this nginx
 * should write it.
 */
export function cacheFileOf(key: string, digest = ngx.md5_bin(key)): CacheFile | 'none' | undefined {
  const name = toHex(digest);
  // On which of several disks it would be only nginx knows.
  for (const folder of folders) {
    const path = `${folder}/${string.sub(name, -1)}/${string.sub(name, -3, -2)}/${name}`;
    const [file] = io.open(path, 'rb');
    if (file === undefined) continue;
    const found = read(file, path, key);
    file.close();
    return found;
  }
  return 'none';
}

function read(file: LuaFile, path: string, key: string): CacheFile | undefined {
  const head = file.read(headBytes) ?? '';
  if (head.length < headBytes || numberAt(head, 0, 8) !== version) return undefined;
  const fieldsStart = numberAt(head, 54, 2);
  const contentStart = numberAt(head, 56, 2);
  const rest = file.read(contentStart - headBytes) ?? '';
  if (rest.length !== contentStart - headBytes) return undefined;
  if (string.sub(rest, 1, 7 + key.length) !== `\nKEY: ${key}\n`) return undefined;
  return {
    path,
    storedAt: numberAt(head, 40, 8),
    freshUntil: numberAt(head, 8, 8),
    errorSeconds: numberAt(head, 24, 8),
    vary: string.sub(head, 189, 188 + numberAt(head, 187, 1)),
    variant: string.sub(head, 317, 332),
    fields: string.sub(rest, fieldsStart - headBytes + 1),
    fieldsStart,
    contentStart,
  };
}

/** The content, unless the file was replaced or removed since it was looked at. */
export function contentOf(known: CacheFile, key: string): string | undefined {
  const [file] = io.open(known.path, 'rb');
  if (file === undefined) return undefined;
  const now = read(file, known.path, key);
  const content = now !== undefined && now.fields === known.fields ? file.read('*a') : undefined;
  file.close();
  return content;
}

export function contentBytesOf({ path, contentStart }: CacheFile): number {
  const [file] = io.open(path, 'rb');
  if (file === undefined) return 0;
  const [size] = file.seek('end');
  file.close();
  return (size ?? 0) - contentStart;
}

export interface Renewed {
  /** As long as they were. */
  fields: string;
  now: number;
  freshSeconds: number;
  /** For how long after that it may be given while it is asked for again, and while its origin fails. */
  updatingSeconds: number;
  errorSeconds: number;
}

/**
 * Makes a file fresh again where it lies, as nginx itself does it after a 304, and writes its fields anew. False: it was replaced or
 * removed since it was looked at.
 */
export function renewFile(known: CacheFile, key: string, renewed: Renewed): boolean {
  const [file] = io.open(known.path, 'r+b');
  if (file === undefined) return false;
  const now = read(file, known.path, key);
  const isSame = now !== undefined && now.fields === known.fields;
  if (isSame) {
    file.seek('set', known.fieldsStart);
    file.write(renewed.fields);
    // What the fields say has to stand there before they count as fresh.
    file.flush();
    file.seek('set', 8);
    const { freshSeconds, updatingSeconds, errorSeconds } = renewed;
    file.write(bytesOf(renewed.now + freshSeconds) + bytesOf(updatingSeconds) + bytesOf(errorSeconds));
    file.seek('set', 40);
    file.write(bytesOf(renewed.now));
  }
  file.close();
  return isSame;
}

/** Little-endian, from a place counted from 0. */
function numberAt(bytes: string, start: number, length: number): number {
  let value = 0;
  for (let index = length; index >= 1; index--) value = value * 256 + string.byte(bytes, start + index);
  return value;
}

/** Eight of them. */
function bytesOf(value: number): string {
  let bytes = '';
  let left = value;
  for (let index = 0; index < 8; index++) {
    bytes += string.char(left % 256);
    left = Math.floor(left / 256);
  }
  return bytes;
}

export function statusOf(fields: string): number {
  const [status] = string.match(fields, '^HTTP/%d%.%d (%d+)');
  return tonumber(status) ?? 0;
}

/** A field as it was written, all lines of it. */
export interface StoredField {
  name: string;
  values: string[];
}

/** By name in lower case. */
export function fieldsOf(fields: string): Record<string, StoredField> {
  const found: Record<string, StoredField> = {};
  for (const [name, text] of string.gmatch(fields, '\n([^:\r\n]+):[ \t]*([^\r\n]*)')) {
    const [value] = string.match(text!, '^(.-)[ \t]*$');
    const key = string.lower(name!);
    found[key] ??= { name: name!, values: [] };
    found[key].values.push(value!);
  }
  return found;
}
