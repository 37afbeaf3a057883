import { judgeLeaks } from '@breakwater/policy/detect/leak';
import { isBinary, leakTypeOf, type LeakType } from '@breakwater/policy/detect/leak-text';
import type { LeakSettings } from '@breakwater/policy/detect/types';
import { pathOfTarget } from '@breakwater/policy/http/request-path';
import { askedPart, partOfRequest, withEntry, withPart } from '@breakwater/policy/protect/note';
import { inflated } from '../lib/inflate.ts';
import { section } from '../protect/inspect.ts';
import { field } from './answer.ts';
import type { Site } from '../site/site.ts';
import type { Attempt } from './ask.ts';
import { collapsedInto } from './collapse.ts';
import { fetchRequest } from './fetch-request.ts';

/** The beginning of an answer, read for leaks as it passes on its way to who holds it (`hold-answer.ts`). */
export interface LeakReading {
  settings: LeakSettings;
  /** By which the verdict is found. */
  token: string;
  type: LeakType;
  coding: string | undefined;
  pieces: string[];
  bytes: number;
}

const verdicts = ngx.shared.edge_leaks;
const verdictSeconds = 60;
/** In the place of a verdict, as long as an origin may take for what is read. */
const free = 'free';
const freeSeconds = 3600;
/** As much is read of an answer. */
const readBytes = 32_768;
/** Of what was withheld: for so long those who ask for it do not wait for each other. */
const withheldSeconds = 60;

export interface HeldVerdict {
  isBlocked: boolean;
  note: string;
}

/** What was found, once. */
export function takeVerdict(token: string): HeldVerdict | undefined {
  const said = verdicts.get(token) as string | undefined;
  if (said === undefined) return undefined;
  verdicts.delete(token);
  return { isBlocked: string.sub(said, 1, 1) === '1', note: string.sub(said, 2) };
}

/** Nothing was found in time, and nobody waits for it any longer. False: something was, meanwhile. */
export function letGo(token: string): boolean {
  const [isFirst] = verdicts.add(token, free, freeSeconds);
  return isFirst;
}

/** As it travels to the front: entries, the decision, the part. */
const noteOf = (entries: string, decision: string, part: string): string =>
  [entries, decision, part].map((text) => ngx.encode_base64(text)).join(',');

const unread = 'leak_unread';
export const noteOfUnread = (): string => noteOf(withEntry('', section, unread, 'observe'), '', '');

/** In the fetch server, of a request whose answer is held: it is asked for in no packing that is not read here. */
export function askForReadable({ leaks }: Site): void {
  const variables = ngx.var;
  if (leaks === undefined || variables.http_x_breakwater_holding === undefined) return;
  const [gzip] = string.find(variables.origin_accept_encoding ?? '', 'gzip', 1, true);
  if (variables.origin_accept_encoding !== 'identity')
    variables.origin_accept_encoding = gzip === undefined ? 'identity' : 'gzip';
}

/** With the answer's header: whether its content is read; it says so to who holds it. */
export function beginLeaks(attempt: Attempt): void {
  const { leaks } = attempt.entry.site;
  const token = leaks && ngx.var.http_x_breakwater_holding;
  if (token === undefined || leaks === undefined || !hasNewContent(attempt)) return;
  const type = leakTypeOf(field('Content-Type'), pathOfTarget(ngx.var.request_uri!));
  if (type === undefined) return;
  const coding = codingOf();
  if (coding === 'unknown') {
    ngx.header['X-Breakwater-Leaks'] = noteOfUnread();
    return;
  }
  ngx.header['X-Breakwater-Holding'] = 'on';
  attempt.leaks = { settings: leaks, token, type, coding, pieces: [], bytes: 0 };
}

/** Not the site's own page, nor what the cache has, of which the origin says that it is as it was. */
function hasNewContent({ replacement, stored }: Attempt): boolean {
  const status = ngx.status;
  return (
    replacement === undefined && stored === undefined && status >= 200 && status !== 204 && status !== 304
  );
}

function codingOf(): 'gzip' | 'deflate' | 'unknown' | undefined {
  const coding = string.lower(field('Content-Encoding') ?? '');
  if (coding === '' || coding === 'identity') return undefined;
  if (coding === 'gzip' || coding === 'x-gzip') return 'gzip';
  return coding === 'deflate' ? 'deflate' : 'unknown';
}

/** A piece of it, on its way. True: it goes no further, and neither does the rest. */
export function readPiece(attempt: Attempt): boolean {
  const reading = attempt.leaks!;
  const piece = (ngx.arg.get(1) as string | undefined) ?? '';
  const isLast = ngx.arg.get(2) === true;
  const { pieces, bytes } = reading;
  if (piece !== '') pieces.push(string.sub(piece, 1, readBytes - bytes));
  reading.bytes = bytes + piece.length;
  const isFile = reading.type === 'file' && reading.coding === undefined;
  const isEnough = isLast || reading.bytes >= readBytes || (isFile && isBinary(piece));
  if (!isEnough) return false;
  attempt.leaks = undefined;
  return conclude(reading, isLast && reading.bytes <= readBytes);
}

/** Says what it found; whether the answer is withheld. Whoever did not wait for that has passed it on, and gets the rest. */
function conclude(reading: LeakReading, isAll: boolean): boolean {
  const { isBlocked, note } = judged(reading, isAll);
  const [isInTime] = verdicts.add(reading.token, `${isBlocked ? '1' : '0'}${note}`, verdictSeconds);
  if (!isBlocked || !isInTime) return false;
  // It is not kept, and nobody waits for that.
  collapsedInto(fetchRequest(), 'each', withheldSeconds);
  return true;
}

function judged({ type, coding, settings, pieces }: LeakReading, isAll: boolean): HeldVerdict {
  const content = table.concat(pieces);
  const unpacked = coding === undefined ? undefined : inflated(content, coding, readBytes);
  if (coding !== undefined && (unpacked === undefined || (unpacked.text === '' && content !== '')))
    return { isBlocked: false, note: noteOfUnread() };
  const target = ngx.var.request_uri!;
  const path = pathOfTarget(target);
  const { worst, blocks } = judgeLeaks(
    {
      type,
      status: ngx.status,
      path,
      text: unpacked?.text ?? content,
      isWhole: isAll && unpacked?.isWhole !== false,
    },
    settings,
    { target, time: ngx.time() },
  );
  if (worst === undefined) return { isBlocked: false, note: '' };
  const entry = withEntry('', section, 'leak', blocks ? 'block' : 'observe');
  const decision = blocks ? `${section} leak` : '';
  const part = withPart(partOfRequest('response', worst.kind, worst.shown), askedPart(path));
  return { isBlocked: blocks, note: noteOf(entry, decision, part) };
}
