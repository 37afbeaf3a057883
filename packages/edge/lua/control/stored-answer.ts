import { cacheFileOf, statusOf } from '../lib/cache-file.ts';

/** What lies in nginx's cache under a key, for who wants to know; no request of a visitor comes here. */
export interface StoredAnswer {
  /** Seconds since 1970: when it was made, and until when it is given without asking. */
  bornAt: number;
  freshUntil: number;
  status: number;
  /** Field names by which it is kept apart, as the origin said them; '' for none. */
  vary: string;
}

/** `none`: nothing is stored; nothing at all: the file is not as this nginx should write it. */
export function storedUnder(key: string): StoredAnswer | 'none' | undefined {
  const file = cacheFileOf(key);
  if (file === undefined || file === 'none') return file;
  const [born] = string.match(file.fields, '\nX%-Breakwater: (%d+)');
  return {
    bornAt: tonumber(string.sub(born ?? '', 1, 10)) ?? file.storedAt,
    freshUntil: file.freshUntil,
    status: statusOf(file.fields),
    vary: file.vary,
  };
}
