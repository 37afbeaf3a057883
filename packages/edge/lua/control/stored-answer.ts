import { md5Hex } from '../lib/digest.ts';

/**
 * What lies in nginx's cache under a key, read from the file that nginx keeps it in: nothing else tells without asking for
 * it. Only for who wants to know; no request of a visitor comes here.
 */

export interface StoredAnswer {
  /** Seconds since 1970: when it was made, and until when it is given without asking. */
  bornAt: number;
  freshUntil: number;
  status: number;
  /** Field names by which it is kept apart, as the origin said them; '' for none. */
  vary: string;
}

/** `ngx_http_file_cache_header_t` of version 5, nginx 1.11.10 and later, on a machine of 64 bits. */
const version = 5;
const headBytes = 336;
const readBytes = 32_768;

let folders: string[] = [];

/** To be called in the master, before there are workers. */
export function setCacheFolders(given: string[]): void {
  folders = given;
}

/** `none`: nothing is stored; nothing at all: the file is not as this nginx should write it. */
export function storedUnder(key: string): StoredAnswer | 'none' | undefined {
  const name = md5Hex(key);
  const path = `${string.sub(name, -1)}/${string.sub(name, -3, -2)}/${name}`;
  let file: LuaFile | undefined;
  // On which of several disks it would be only nginx knows.
  for (const folder of folders) if (file === undefined) [file] = io.open(`${folder}/${path}`, 'rb');
  if (file === undefined) return 'none';
  const head = file.read(readBytes) ?? '';
  file.close();
  const isAsExpected =
    head.length > headBytes &&
    numberAt(head, 0, 8) === version &&
    string.sub(head, headBytes + 1, headBytes + 7 + key.length) === `\nKEY: ${key}\n`;
  if (!isAsExpected) return undefined;
  const fields = string.sub(head, numberAt(head, 54, 2) + 1, numberAt(head, 56, 2));
  const [born] = string.match(fields, '\nX%-Breakwater: (%d+)');
  const [status] = string.match(fields, '^HTTP/%d%.%d (%d+)');
  return {
    bornAt: tonumber(string.sub(born ?? '', 1, 10)) ?? numberAt(head, 40, 8),
    freshUntil: numberAt(head, 8, 8),
    status: tonumber(status) ?? 0,
    vary: string.sub(head, 189, 188 + numberAt(head, 187, 1)),
  };
}

/** Little-endian, from a place counted from 0. */
function numberAt(bytes: string, start: number, length: number): number {
  let value = 0;
  for (let index = length; index >= 1; index--) value = value * 256 + string.byte(bytes, start + index);
  return value;
}
