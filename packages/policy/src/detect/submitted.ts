import { blank, byteAt, isKind, skip, tableOf } from './bytes.ts';
import { addFields, type Collected } from './extract-form.ts';
import { addJson } from './extract-json.ts';
import { addMultipart } from './extract-multipart.ts';
import { addXml } from './extract-xml.ts';
import { isSecretName, withoutSecrets, type ListedNames } from './secret-name.ts';
import type { Part } from './types.ts';

/**
 * What a visitor wrote into what is sent to a site, for violation monitoring (docs/violations.md): the values of fields and the names
 * of files, never what files have in them, nor fields whose name says that their value is a secret.
 */

export interface SubmittedContent {
  /** The field `Content-Type`. */
  type: string;
  body: string;
  /** Names of fields, in lower case, that are secrets besides those that are known. */
  secretNames: readonly string[];
}

/** Of all texts together, and of the content that they are read from where it is not in parts. */
const submittedBytesMax = 65_536;

type Kind = 'form' | 'multipart' | 'json' | 'xml' | 'text';

export function submittedKind(contentType: string): Kind | undefined {
  const type = contentType.toLowerCase();
  if (type.startsWith('multipart/form-data')) return 'multipart';
  if (type.startsWith('application/x-www-form-urlencoded')) return 'form';
  const stop = type.indexOf(';');
  const name = stop < 0 ? type : type.substring(0, stop);
  if (name.indexOf('json') >= 0) return 'json';
  if (name.indexOf('xml') >= 0) return 'xml';
  return name.startsWith('text/plain') ? 'text' : undefined;
}

export function submittedTexts({ type, body, secretNames }: SubmittedContent): string[] {
  const kind = submittedKind(type);
  if (kind === undefined) return [];
  const isCut = kind !== 'multipart' && body.length > submittedBytesMax;
  const parts = partsOf(kind, type, isCut ? body.substring(0, submittedBytesMax) : body, isCut);
  const listed = tableOf(1, secretNames.join(' '), {});
  const texts: string[] = [];
  let left = submittedBytesMax;
  for (let index = 0; index < parts.length && left > 0; index++) {
    const part = parts[index]!;
    if (!isWritten(part) || isSecretName(part.name, listed)) continue;
    if (isNamedBeside(parts, index, listed)) continue;
    // What stands for a secret may be longer than it.
    const text = withoutSecrets(part.value.substring(0, left)).substring(0, left);
    texts.push(text);
    left -= text.length;
  }
  return texts;
}

function partsOf(kind: Kind, type: string, body: string, isCut: boolean): Part[] {
  const into: Collected = { parts: [], capped: [] };
  if (kind === 'multipart') addMultipart(into, body, type);
  else if (kind === 'form') addFields(into, 'form', body);
  else if (kind === 'xml') addXmlTexts(into, body);
  else addData(into, body, kind === 'json', isCut);
  return into.parts;
}

/** In calls of XML-RPC names and passwords are told by their order alone: nothing is taken of them. */
function addXmlTexts(into: Collected, body: string): void {
  if (body.indexOf('<methodCall') < 0) addXml(into, body);
}

/** Scripts send JSON as plain text, too. What cannot be read as such is a text. */
function addData(into: Collected, body: string, isJson: boolean, isCut: boolean): void {
  // Many readers of JSON pass over the mark with which some editors begin UTF-8.
  const isMarked = byteAt(body, 0) === 239 && byteAt(body, 1) === 187 && byteAt(body, 2) === 191;
  const text = isMarked ? body.substring(3) : body;
  const first = byteAt(text, skip(text, 0, blank));
  if ((isJson || first === 123 || first === 91) && addJson(into, 'json', text, '', [], isCut)) return;
  into.parts.push({ place: 'body', name: '', value: text, isName: false, steps: [] });
}

/** Values, not names; each once; and neither a document as a whole, nor what is in a file. */
function isWritten({ place, name, value, isName, steps }: Part): boolean {
  if (isName || place === 'file' || (place === 'xml' && steps.length === 0)) return false;
  // Of a call by JSON-RPC whose arguments have no names.
  if (place === 'json' && name === 'params') return false;
  if (steps.length > 0 && steps[steps.length - 1] === 'joined') return false;
  return skip(value, 0, blank) < value.length && value.indexOf('\0') < 0 && !isFile(value);
}

const codedBytesMin = 512;

/** A file in base64. */
function isFile(value: string): boolean {
  if (value.startsWith('data:') && value.substring(0, 128).indexOf(';base64,') >= 0) return true;
  if (value.length < codedBytesMin) return false;
  for (let at = 0; at < value.length; at++) {
    const code = value.charCodeAt(at);
    const isCoded = (code >= 47 && code <= 57) || code === 43 || code === 61 || isLetter(code);
    if (!isCoded) return false;
  }
  return true;
}

const isLetter = (code: number): boolean => (code >= 65 && code <= 90) || (code >= 97 && code <= 122);

const namingNames: Record<string, true> = { name: true, key: true, field: true, id: true, label: true };
const nameMax = 64;

/** The value that a name is given to as a value beside it: `{"name": "password", "value": "…"}`, `<field name="password">…`. */
function isNamedBeside(parts: readonly Part[], index: number, listed: ListedNames): boolean {
  const before = parts[index - 1];
  const after = parts[index + 1];
  // Not what merely stands beside somebody who calls himself `token`.
  const isValue = parts[index]!.name.toLowerCase().indexOf('val') >= 0;
  if (before !== undefined && (isValue || before.name.indexOf('@') >= 0) && isNaming(before, listed))
    return true;
  return after !== undefined && isValue && isNaming(after, listed);
}

function isNaming({ place, name, value }: Part, listed: ListedNames): boolean {
  if ((place !== 'json' && place !== 'xml') || value.length > nameMax) return false;
  if (namingNames[lastName(name)] !== true) return false;
  for (let at = 0; at < value.length; at++) if (isKind(value.charCodeAt(at), blank)) return false;
  return isSecretName(value, listed);
}

/** Of a path as `list.name` or `field@name`. */
function lastName(name: string): string {
  let start = 0;
  for (let at = 0; at < name.length; at++) {
    const code = name.charCodeAt(at);
    if (code === 46 || code === 64) start = at + 1;
  }
  return name.substring(start).toLowerCase();
}
