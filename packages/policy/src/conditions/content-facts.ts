import type { ConditionFieldName } from '@breakwater/contract/condition-fields';
import { blank, byteAt, skip } from '../detect/bytes.ts';
import { addJson, looksLikeJson } from '../detect/extract-json.ts';
import { addMultipart } from '../detect/extract-multipart.ts';
import type { Collected } from '../detect/extract-form.ts';
import { extensionOf } from '../http/path.ts';
import { decodeArgument } from '../http/request-parts.ts';
import { lowerAscii, trimOws } from '../lib/text.ts';

/**
 * What conditions ask of a request's content, which is read as the detectors of attacks read it. What cannot be read for certain
 * is not known (`false`), so a rule that blocks fits: else a body made to be misread would get by.
 */

export interface Content {
  /** The field `Content-Type`, as it was sent. */
  type: string;
  body: string;
}

/** `none`: the request has none; `unread`: it is too large, compressed, of a length that nobody knows, or not described. */
export type ContentOfRequest = Content | 'none' | 'unread';

const contentFields: Partial<Record<ConditionFieldName, true>> = {
  form: true,
  form_names: true,
  json: true,
  file_name: true,
  file_extension: true,
};
export const isContentField = (field: ConditionFieldName): boolean => contentFields[field] === true;

/** Values by name, in their order; absent: not known. */
type Values = Record<string, string[]> | undefined;

interface ReadContent {
  form: Values;
  /** Of a form's fields. */
  names: string[];
  json: Values;
  files: string[];
}

const nothing: ReadContent = { form: {}, names: [], json: {}, files: [] };
const unknown: ReadContent = { form: undefined, names: [], json: undefined, files: [] };

let last: ContentOfRequest = 'none';
let lastRead: ReadContent = nothing;

/** The values of a field; of those that are empty nothing is said, as if they were not there. False: not known. */
export function contentFact(
  field: ConditionFieldName,
  name: string,
  content: ContentOfRequest,
): string[] | false | undefined {
  // Many tests of a site ask the same content one after the other.
  if (content !== last) {
    lastRead = read(content);
    last = content;
  }
  if (field === 'json') return valuesOf(lastRead.json, name);
  if (field === 'form') return valuesOf(lastRead.form, name);
  if (lastRead.form === undefined) return false;
  if (field === 'form_names') return bounded(lastRead.names);
  if (lastRead.files.length === 0) return undefined;
  return bounded(field === 'file_name' ? lastRead.files : extensionsOf(lastRead.files));
}

function valuesOf(values: Values, name: string): string[] | false | undefined {
  if (values === undefined) return false;
  const found = values[keyOf(name)];
  return found && bounded(found);
}

/** Of one field, in bytes: no test decodes or searches more, so that none holds up other requests. */
const factBytesMax = 65_536;

function bounded(texts: string[]): string[] | false {
  let bytes = 0;
  for (const text of texts) bytes += text.length;
  return bytes > factBytesMax ? false : texts;
}

/** No name of an object's own. */
const keyOf = (name: string): string => `=${name}`;

function read(content: ContentOfRequest): ReadContent {
  if (content === 'none') return nothing;
  if (content === 'unread') return unknown;
  const { body } = content;
  const type = lowerAscii(content.type);
  if (body === '') return nothing;
  if (isOddlyWritten(type)) return unknown;
  const isMultipart = type.indexOf('multipart/') >= 0;
  const isForm = type.indexOf('x-www-form-urlencoded') >= 0;
  const json = readJson(withoutMark(body), type.indexOf('json') >= 0, isMultipart || isForm);
  if (isMultipart) return { ...readMultipart(content), json };
  if (isForm) return { ...readForm(body), json };
  // Written out: what is spread in Lua is not replaced by what is not known.
  return { form: {}, names: [], json, files: [] };
}

/** Charsets in which letters have other bytes than in ASCII; some servers heed what is said here. */
function isOddlyWritten(type: string): boolean {
  const at = type.indexOf('charset=');
  if (at < 0) return false;
  let charset = type.substring(at + 8).split(';')[0]!;
  charset = trimOws(charset.split('"').join('').split("'").join(''));
  return plainCharsets[charset] !== true;
}
const plainCharsets: Record<string, true> = {
  'utf-8': true,
  utf8: true,
  'us-ascii': true,
  ascii: true,
  'iso-8859-1': true,
  latin1: true,
  'windows-1252': true,
  gbk: true,
  gb2312: true,
  gb18030: true,
  big5: true,
};

/** Many readers of JSON pass over the mark with which some editors begin UTF-8. */
const withoutMark = (body: string): string =>
  body.charCodeAt(0) === 239 && body.charCodeAt(1) === 187 && body.charCodeAt(2) === 191
    ? body.substring(3)
    : body;

/** An object or a list is JSON whatever its type says. Where it cannot be read nobody knows what another reader makes of it, but of a form. */
function readJson(body: string, isSaid: boolean, isForm: boolean): Values {
  const first = byteAt(body, skip(body, 0, blank));
  const hasNames = first === 123 || first === 91;
  if (!hasNames && !isSaid) return {};
  const into: Collected = { parts: [], capped: [], withLiterals: true };
  const isRead = (looksLikeJson(body) || !hasNames) && addJson(into, 'json', body, '', []);
  if (!isRead || into.capped.length > 0) return isForm ? {} : undefined;
  const values: Record<string, string[]> = {};
  for (const part of into.parts) if (!part.isName) addValue(values, part.name, part.value);
  return values;
}

function readMultipart({ type, body }: Content): Omit<ReadContent, 'json'> {
  const into: Collected = { parts: [], capped: [] };
  if (!addMultipart(into, body, type) || into.capped.length > 0) return unknown;
  const form: Record<string, string[]> = {};
  const names: string[] = [];
  const files: string[] = [];
  for (const { place, name, value, isName } of into.parts) {
    if (place === 'file_name') files.push(value);
    else if (place === 'form' && isName) names.push(name);
    else if (place === 'form') addValue(form, name, value);
  }
  return { form, names, files };
}

const fieldsMax = 2000;

function readForm(body: string): Omit<ReadContent, 'json'> {
  const form: Record<string, string[]> = {};
  const names: string[] = [];
  let start = 0;
  while (start < body.length) {
    let stop = body.indexOf('&', start);
    if (stop < 0) stop = body.length;
    const field = body.substring(start, stop);
    start = stop + 1;
    if (field === '') continue;
    if (names.length >= fieldsMax) return unknown;
    const equals = field.indexOf('=');
    const name = decodeArgument(equals < 0 ? field : field.substring(0, equals));
    names.push(name);
    addValue(form, name, equals < 0 ? '' : decodeArgument(field.substring(equals + 1)));
  }
  return { form, names, files: [] };
}

function addValue(values: Record<string, string[]>, name: string, value: string): void {
  if (value === '') return;
  const key = keyOf(name);
  const known = values[key];
  if (known === undefined) values[key] = [value];
  else known.push(value);
}

/** Without what file systems leave out at a name's end, and what ends it for software written in C. */
function extensionsOf(files: readonly string[]): string[] {
  const extensions: string[] = [];
  for (const file of files) {
    const nul = file.indexOf('\0');
    let name = (nul < 0 ? file : file.substring(0, nul)).split('\\').join('/');
    while (name.endsWith('.') || name.endsWith(' ')) name = name.substring(0, name.length - 1);
    extensions.push(extensionOf(name));
  }
  return extensions;
}
