import { heldOf, holding, keep, type Holding } from '../lib/holding.ts';
import { isTypeName } from './deserialisation.ts';
import type { Source } from './extract.ts';
import { byteBits } from './marks.ts';
import type { Part } from './types.ts';

/**
 * What was found harmless, by every detector and whatever a site's settings: most of it comes again. The name of an agent, a
 * language or a session comes with each request of a visitor, the query of a page with each visitor.
 */

/** The lines of a header: those that differ from one request of a visitor to the next, and all others as one text. */
export interface HeaderText {
  shared: string;
  cookie: string | undefined;
  referer: string | undefined;
}

const sourceBytes = 512;
const valueBytes = 256;
/** As many as a busy site is asked for in some minutes: what is forgotten before it comes again is judged anew. 16 MB of each at most. */
const sourcesMax = 16_000;
const linesMax = 4000;
/** Each up to 4 KiB. */
const sharedMax = 2000;
const valuesMax = 5000;
const jsonTextsMax = 20_000;

/** Whole targets, path and query. */
const targets = holding<boolean>(sourcesMax);
const paths = holding<boolean>(sourcesMax);
const queries = holding<boolean>(sourcesMax);
const cookies = holding<boolean>(sourcesMax);
const referers = holding<boolean>(sourcesMax);
const agents = holding<boolean>(linesMax);
const headers = holding<boolean>(linesMax);
/** What a visitor sends alike with each request, as one text. */
const sharedLines = holding<boolean>(sharedMax);
const values = holding<boolean>(valuesMax);
/** `name=value` as they came, with the name as it is read, behind `=`. */
const fields = holding<string>(valuesMax);

/** Where a source is remembered: by its place, and where the name of a header decides by that. */
export function heldSources({ place, name, text }: Source): Holding<boolean> | undefined {
  if (text.length > sourceBytes) return undefined;
  if (place === 'header') return name === 'user-agent' ? agents : headers;
  if (place === 'cookie') return cookies;
  if (place === 'referer') return referers;
  return place === 'path' ? paths : queries;
}

/** Nothing where the name decides, too. */
export function heldValues({ place, isName, value }: Part): Holding<boolean> | undefined {
  return !isName && value.length <= valueBytes && (place === 'query' || place === 'form')
    ? values
    : undefined;
}

/** Whether a line of a header, its name in lower case, was found harmless before. */
export function isHarmlessLine(name: string, text: string): boolean {
  if (name === 'cookie') return heldOf(cookies, text) === true;
  if (name === 'referer') return heldOf(referers, text) === true;
  return heldOf(name === 'user-agent' ? agents : headers, text) === true;
}

/** The same of all lines of a header at once. */
export const isHarmlessHeader = ({ shared, cookie, referer }: HeaderText): boolean =>
  heldOf(sharedLines, shared) === true &&
  (cookie === undefined || heldOf(cookies, cookie) === true) &&
  (referer === undefined || heldOf(referers, referer) === true);

/** Of one whose lines were all found harmless, each by itself. */
export const keepHeader = ({ shared }: HeaderText): void => keep(sharedLines, shared, true);

/** What tells a known vulnerability by its name is no longer what it was. */
export function forgetHeaders(): void {
  sharedLines.younger = {};
  sharedLines.older = {};
  sharedLines.count = 0;
}

export const isHarmlessTarget = (target: string): boolean => heldOf(targets, target) === true;

export function keepTarget(target: string): void {
  if (target.length <= sourceBytes) keep(targets, target, true);
}

export const isHeld = (held: Holding<boolean> | undefined, text: string): boolean =>
  held !== undefined && heldOf(held, text) === true;

export function nameOfField(field: string): string | undefined {
  const name: unknown = field.length <= valueBytes ? heldOf(fields, field) : undefined;
  return typeof name === 'string' ? name : undefined;
}

export function keepField(field: string, name: string): void {
  if (field.length <= valueBytes) keep(fields, field, name);
}

/** Bytes with which some detector finds something, or some decoding. Without them, and without their words, all find nothing. */
const loud =
  byteBits.quote |
  byteBits.angle |
  byteBits.paren |
  byteBits.semicolon |
  byteBits.pipe |
  byteBits.ampersand |
  byteBits.dollar |
  byteBits.backslash |
  byteBits.percent |
  byteBits.equals |
  byteBits.brace |
  byteBits.high |
  byteBits.nul |
  byteBits.colon |
  byteBits.line |
  byteBits.plus |
  byteBits.backtick;

/** Texts of JSON as they stand between their quotes, of any name but `@type` and its like. */
const jsonTexts = holding<boolean>(jsonTextsMax);
/** Names that say what they are as they stand, and are no type's. */
const jsonNames = holding<boolean>(valuesMax);
const jsonTextBytes = 160;

export const isHarmlessJsonText = (raw: string): boolean =>
  raw.length <= jsonTextBytes && heldOf(jsonTexts, raw) === true;

export const isHarmlessJsonName = (raw: string): boolean =>
  raw.length <= jsonTextBytes && heldOf(jsonNames, raw) === true;

export function keepJson(raw: string, isName: boolean): void {
  if (raw.length > jsonTextBytes) return;
  if (!isName) keep(jsonTexts, raw, true);
  else if (raw.indexOf('\\') < 0 && !raw.endsWith('type')) keep(jsonNames, raw, true);
}

/** Whether all detectors find nothing in a text of such bytes that has no word of theirs and is no base64. */
export function isQuiet(part: Part, bytes: number): boolean {
  const { place, name } = part;
  if ((bytes & loud) !== 0) return false;
  if (place === 'path' || place === 'file_name') return false;
  return name !== 'user-agent' && !isTypeName(part);
}
