import { isForAll, type StorageDecision } from '@breakwater/policy/cache/storage';
import {
  cacheFileOf,
  contentBytesOf,
  contentOf,
  fieldsOf,
  renewFile,
  statusOf,
  type CacheFile,
  type StoredField,
} from '../lib/cache-file.ts';
import type { Attempt } from './ask.ts';
import { keyBefore } from '../front/cache-key.ts';
import { askedOfTarget, generationOfTarget } from '../site/host.ts';
import { comeAgain, isForItself, placeToReturn } from './collapse.ts';
import { fetchRequest, type FetchRequest } from './fetch-request.ts';
import { requestEntry } from './stale.ts';

/**
 * Revalidation (RFC 9111 §4.3): what is stored and too old is asked for by its validators. After a 304 what is small goes to the
 * cache once more as if the origin had sent it, under the fields of the 304; what is large is made fresh where it lies. nginx's own
 * revalidation keeps the old fields, and with them the old `Date` and `Age`.
 */
export interface StoredCopy {
  key: string;
  file: CacheFile;
  fields: Record<string, StoredField>;
  bytes: number;
  /** Its content is not read into memory. */
  isLarge: boolean;
  /** The 304 said what the stored fields do not, or it is to be stored under another key. */
  isChanged: boolean;
  /** A refresh had it asked about: it lies under the key of before. */
  isFormer: boolean;
}

export const contentBytesMax = 1_048_576;
/** Of large ones that a 304 could not make fresh: the next who asks gets all of it. */
const notes = ngx.shared.edge_stale;
const noteSeconds = 600;

/** Of a renewal behind a visitor's back, which has nowhere to go back to, and needs nowhere. */
const renewal = '@renewed';

/** In the fetch server, before an origin is asked; nothing: there is nothing to ask about. */
export function askWithValidators(request: FetchRequest): StoredCopy | undefined {
  const copy = storedCopy(request);
  if (copy === undefined) return undefined;
  const tag = copy.fields['x-breakwater-changed'] ?? copy.fields.etag;
  const modified = copy.fields['last-modified'];
  if (tag === undefined && modified === undefined) return undefined;
  if (tag !== undefined) ngx.req.set_header('If-None-Match', tag.values[0]!);
  // Of a part there is a tag (RFC 9111 §4.3.1).
  if (modified !== undefined && request.slice === undefined)
    ngx.req.set_header('If-Modified-Since', modified.values[0]!);
  return copy;
}

/**
 * What is not to be kept need not be asked for whole: the visitor's own conditions go on, and an answer to them comes back as it
 * is. A part of it is not asked for, since the answer may turn out to be one that is kept.
 */
export function askAsVisitor(request: FetchRequest): void {
  if (request.cached !== 'MISS' || request.slice !== undefined || !isForItself(request)) return;
  const variables = ngx.var;
  const tags = variables.http_x_breakwater_if_none_match;
  const since = variables.http_x_breakwater_if_modified_since;
  if (tags !== undefined) ngx.req.set_header('If-None-Match', tags);
  else if (since !== undefined) ngx.req.set_header('If-Modified-Since', since);
}

function storedCopy(request: FetchRequest): StoredCopy | undefined {
  const { key: given, cached } = request;
  if (given !== undefined && cached === 'MISS') return formerCopy(request, given);
  if (given === undefined || cached !== 'EXPIRED') return undefined;
  // A first part has nothing behind the space, which a field does not end with.
  const key = request.slice === undefined || request.isLaterPart ? given : `${given} `;
  const file = fileOf(key);
  if (file === undefined) return undefined;
  const bytes = contentBytesOf(file);
  const isLarge = bytes > contentBytesMax;
  if (isLarge && (notes.get(`whole/${key}`) !== undefined || !mayReturn(request))) return undefined;
  const fields = fieldsOf(file.fields);
  if (file.freshUntil <= neverFresh && isPersonal(request) && !isForAll(ofOrigin(fields))) return undefined;
  return { key, file, fields, bytes, isLarge, isChanged: false, isFormer: false };
}

/** Of refreshes in mode `revalidate` that came since an answer was stored, so many are looked through. */
const refreshesMax = 8;

/**
 * What a refresh had asked about (mode `revalidate`), under the key that it had before: the cache has nothing under the new one. What is
 * large, or kept in parts, could not be put there without fetching it: that is fetched anew.
 */
function formerCopy(request: FetchRequest, given: string): StoredCopy | undefined {
  const entry = requestEntry(request);
  if (entry === undefined || request.slice !== undefined || isForItself(request)) return undefined;
  const { target } = request;
  const asked = askedOfTarget(entry, target);
  if (asked === 0) return undefined;
  const generation = generationOfTarget(entry, target);
  for (let times = 1; times <= math.min(asked, refreshesMax); times++) {
    const key = keyBefore(given, generation, asked, times);
    if (key === undefined) return undefined;
    const file = fileOf(key);
    if (file === undefined) continue;
    const bytes = contentBytesOf(file);
    const fields = fieldsOf(file.fields);
    const isOthers = file.freshUntil <= neverFresh && isPersonal(request) && !isForAll(ofOrigin(fields));
    if (bytes > contentBytesMax || isOthers) return undefined;
    return { key, file, fields, bytes, isLarge: false, isChanged: true, isFormer: true };
  }
  return undefined;
}

/** When no origin answers: what a refresh had asked about, where its origin allowed that it is given in place of an error. */
export function formerInPlaceOfError(): StoredCopy | undefined {
  const request = fetchRequest();
  if (request.key === undefined || request.cached !== 'MISS') return undefined;
  const copy = formerCopy(request, request.key);
  return copy !== undefined && mayStandForError(copy) ? copy : undefined;
}

const mayStandForError = ({ file: { freshUntil, errorSeconds } }: StoredCopy): boolean =>
  errorSeconds > 0 && freshUntil + errorSeconds >= ngx.time();

/** An origin said that it failed: the answer is now what is stored, and is not kept again. */
export function takeInPlaceOfError(attempt: Attempt): boolean {
  const copy = attempt.stored;
  if (copy === undefined || !copy.isFormer || !mayStandForError(copy)) return false;
  const content = contentOf(copy.file, copy.key);
  if (content === undefined) return false;
  attempt.replacement = content;
  showStored(copy);
  return true;
}

/** The same in answer to a request that nobody else answers. */
export function sendStored(copy: StoredCopy): boolean {
  const content = contentOf(copy.file, copy.key);
  if (content === undefined) return false;
  showStored(copy);
  // The conditions were for the origin.
  ngx.req.clear_header('If-None-Match');
  ngx.req.clear_header('If-Modified-Since');
  ngx.print(content);
  return true;
}

/** Fields and status, in place of those that are there. */
function showStored(copy: StoredCopy): void {
  const header = ngx.header;
  // That it is not to be kept stays said.
  for (const name in ngx.resp.get_headers(0)) if (isCarried(name)) header[name] = undefined;
  layOverStored(copy);
  ngx.status = statusOf(copy.file.fields);
  stateLength(copy);
}

/** Only where it was stated before. What was compressed here has none, so that nobody is given a part of it. */
function stateLength({ fields, bytes }: StoredCopy): void {
  const isStated = fields['content-length'] !== undefined && ngx.status !== 204;
  ngx.header['Content-Length'] = isStated ? bytes : undefined;
}

/** What is kept to be asked for each time says so in place of a time. */
const neverFresh = 1;

const isPersonal = ({ hasCookie, hasAuthorization }: FetchRequest): boolean => hasCookie || hasAuthorization;

const mayReturn = (request: FetchRequest): boolean =>
  placeToReturn(request) !== undefined || (request.place ?? '').endsWith(renewal);

/** Of the variant that this request asks for. */
function fileOf(key: string): CacheFile | undefined {
  const file = cacheFileOf(key);
  if (file === undefined || file === 'none') return undefined;
  if (file.vary === '') return file;
  const variant = variantOf(key, file.vary);
  if (variant === file.variant) return file;
  const other = cacheFileOf(key, variant);
  return other === undefined || other === 'none' || other.variant !== variant ? undefined : other;
}

/** Fields in whose values spaces say nothing to nginx. */
const spaced: Record<string, boolean> = {
  'accept-charset': true,
  'accept-encoding': true,
  'accept-language': true,
};

/** As `ngx_http_file_cache_vary` has it, which saw the same fields. */
function variantOf(key: string, vary: string): string {
  const headers = ngx.req.get_headers(0);
  // Parts are asked for without.
  headers['accept-encoding'] = ngx.var.http_x_breakwater_encoding ?? headers['accept-encoding'];
  let text = ngx.md5_bin(key);
  for (const [name] of string.gmatch(string.lower(vary), '[^ ,]+')) {
    const value = headers[name!];
    const lines: string[] = [];
    for (const line of type(value) === 'table' ? (value as string[]) : [value]) {
      if (line === undefined) continue;
      // A field without a value comes as true.
      const given = type(line) === 'string' ? (line as string) : '';
      if (spaced[name!] !== true) lines.push(given);
      else for (const [word] of string.gmatch(given, '[^ ,]+')) lines.push(word!);
    }
    text += `${name!}:${table.concat(lines, ',')}\r\n`;
  }
  return ngx.md5_bin(text);
}

/** The edge's own, those of the connection, and those that say when it was made: they are of the new answer, or of none. */
const notCarried: Record<string, boolean> = {
  date: true,
  age: true,
  server: true,
  connection: true,
  'keep-alive': true,
  'transfer-encoding': true,
  'content-length': true,
  'x-accel-expires': true,
  'x-accel-buffering': true,
};
/** What the stored content is: it may have been compressed here, and its tag made weak (RFC 9111 §3.2). */
const ofContent: Record<string, boolean> = {
  etag: true,
  'content-type': true,
  'content-encoding': true,
  'content-range': true,
};

const isCarried = (name: string): boolean => notCarried[name] !== true && !name.startsWith('x-breakwater');

/** A 304 has come. True: the answer is now what is stored, with the new fields over its own; else it is at its end. */
export function takeStored(attempt: Attempt): boolean {
  const copy = attempt.stored!;
  if (!copy.isLarge) {
    const content = contentOf(copy.file, copy.key);
    if (content === undefined) {
      if (!comeAgain()) ngx.exit(ngx.ERROR);
      return false;
    }
    attempt.replacement = content;
  }
  copy.isChanged = copy.isFormer || saysMore(copy);
  layOverStored(copy);
  ngx.status = statusOf(copy.file.fields);
  stateLength(copy);
  return true;
}

/** Whether the 304 says of anything but time what is not stored. */
function saysMore({ fields }: StoredCopy): boolean {
  const given = ngx.resp.get_headers(0);
  for (const name in given) {
    if (!isCarried(name) || ofContent[name] === true || name === 'expires') continue;
    const stored = fields[name === 'cache-control' ? cacheControlOf(fields) : name];
    const value = given[name]!;
    const lines = type(value) === 'table' ? (value as string[]) : [value as string];
    if (stored === undefined || table.concat(stored.values, ', ') !== table.concat(lines, ', ')) return true;
  }
  return false;
}

/** Where the origin's `Cache-Control` stands: ours may have taken its place. */
function cacheControlOf(fields: Record<string, StoredField>): string {
  return isInstructed(fields) ? 'x-breakwater-cache-control' : 'cache-control';
}

/** Its `Cache-Control`. */
const ofOrigin = (fields: Record<string, StoredField>): string | undefined =>
  fields[cacheControlOf(fields)]?.values.join(', ');

const isInstructed = (fields: Record<string, StoredField>): boolean =>
  string.sub(fields['x-breakwater']?.values[0] ?? '', 11, 11) === '*';

function layOverStored({ fields }: StoredCopy): void {
  const header = ngx.header;
  const changed = fields['x-breakwater-changed'];
  if (changed !== undefined) {
    // These are of the content before it was changed here.
    for (const name of ['Last-Modified', 'Content-MD5', 'Content-Digest', 'Repr-Digest', 'Digest'])
      header[name] = undefined;
    header['X-Breakwater-Changed'] = changed.values[0];
  }
  for (const key in fields) {
    if (!isCarried(key)) continue;
    const { name } = fields[key]!;
    if (ofContent[key] !== true && header[name] !== undefined) continue;
    const stored = fields[key === 'cache-control' ? cacheControlOf(fields) : key];
    header[name] = stored && (stored.values.length === 1 ? stored.values[0] : stored.values);
  }
}

/** Of a large answer after a 304: it is made fresh where it lies, and the request goes to the cache once more. */
export function renewInPlace(
  { stored }: Attempt,
  storage: StorageDecision,
  isReplaced: boolean,
  now: number,
): void {
  const { file, key, fields } = stored!;
  const born = string.format('%010d', math.max(3, now - storage.age));
  const note = fields['x-breakwater']?.values[0] ?? '';
  const text =
    storage.ttl > 0 && isReplaced === isInstructed(fields)
      ? refit(file.fields, fieldsWanted(fields, `${born}${string.sub(note, 11)}`, now))
      : undefined;
  const isRenewed =
    text !== undefined &&
    renewFile(file, key, {
      fields: text,
      now,
      freshSeconds: storage.ttl,
      updatingSeconds: storage.staleWhileRevalidate ?? 0,
      errorSeconds: storage.staleIfError ?? 0,
    });
  if (!isRenewed) notes.set(`whole/${key}`, 1, noteSeconds);
  if (!comeAgain()) ngx.status = 204;
}

/** What the stored fields have to say from now on, by name in lower case. */
function fieldsWanted(
  stored: Record<string, StoredField>,
  note: string,
  now: number,
): Record<string, string[]> {
  const wanted: Record<string, string[]> = {
    date: [(ngx.header.Date as string | undefined) ?? ngx.http_time(now)],
    'x-breakwater': [note],
  };
  const given = ngx.resp.get_headers(0);
  for (const name in given) {
    if (!isCarried(name) || ofContent[name] === true) continue;
    const value = given[name]!;
    wanted[name === 'cache-control' ? cacheControlOf(stored) : name] =
      type(value) === 'table' ? (value as string[]) : [value as string];
  }
  return wanted;
}

/** The same fields with other values, as long as they were: spaces behind a value say nothing. Nothing: they do not fit. */
function refit(fields: string, wanted: Record<string, string[]>): string | undefined {
  const taken: Record<string, number> = {};
  let fits = true;
  const [text] = string.gsub(
    fields,
    '(\n([^:\r\n]+):[ \t]*)([^\r\n]*)',
    (before: string, name: string, value: string) => {
      const key = string.lower(name);
      const values = wanted[key];
      if (values === undefined) return `${before}${value}`;
      const index = taken[key] ?? 0;
      taken[key] = index + 1;
      const next = values[index];
      if (next === undefined || next.length > value.length) {
        fits = false;
        return `${before}${value}`;
      }
      return `${before}${next}${string.rep(' ', value.length - next.length)}`;
    },
  );
  for (const name in wanted) if ((taken[name] ?? 0) !== wanted[name]!.length) fits = false;
  return fits ? text : undefined;
}
