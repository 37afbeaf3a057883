import { extensionOf } from './path.ts';
import { readPath } from './request-path.ts';
import { lowerAscii } from '../lib/text.ts';
import { matchWildcard, starsOnly } from '../conditions/text-match.ts';

/**
 * The readings of a path for rules of access, which must hold for all of them: what is closed stays closed however it is
 * written, and what is opened is open only where every reading leads there.
 */
export interface PathForms {
  /** As nginx reads it. */
  plain: string;
  /** All readings in lower case, as some origins do not mind it; none where there is but the plain one. */
  folded: string[];
}

const slash = 47;

/** Of a path as it was sent. */
export function pathForms(path: string): PathForms {
  const { plain, others } = readPath(path);
  const lower = lowerAscii(plain);
  const folded: string[] = [];
  if (lower !== plain || others.length > 0) folded.push(lower);
  for (const reading of others) folded.push(lowerAscii(reading));
  return { plain, folded };
}

/** Whether any reading of a path is among those; a folder without its slash is the folder. */
export function mayBeAmong(paths: string[], { plain, folded }: PathForms): boolean {
  for (const path of paths) {
    const lower = lowerAscii(path);
    if (isAtOrBelow(path, plain) || isAtOrBelow(lower, plain)) return true;
    for (const form of folded) if (isAtOrBelow(lower, form)) return true;
  }
  return false;
}

/** Behind a name with a suffix stands what a program is told besides (`PATH_INFO`, RFC 3875 §4.1.5), and no other file. */
function isAtOrBelow(path: string, form: string): boolean {
  if (fitsPath(path, form) || (form.length + 1 === path.length && path === `${form}/`)) return true;
  if (!form.startsWith(path) || form.charCodeAt(path.length) !== slash) return false;
  return form.length === path.length + 1 || extensionOf(path) !== '';
}

/** Whether every reading of a path is among those, letter case too where it is plain. */
export function isSurelyAmong(paths: string[], forms: PathForms): boolean {
  if (!isOneOf(paths, forms.plain, false)) return false;
  for (const form of forms.folded) if (!isOneOf(paths, form, true)) return false;
  return true;
}

function isOneOf(paths: string[], form: string, isLower: boolean): boolean {
  for (const path of paths) if (fitsPath(isLower ? lowerAscii(path) : path, form)) return true;
  return false;
}

/** A path, all below one that ends with a slash, or a pattern with `*`. */
function fitsPath(path: string, form: string): boolean {
  if (path.indexOf('*') >= 0) return matchWildcard(form, starsOnly(path));
  if (path === form) return true;
  return path.charCodeAt(path.length - 1) === slash && form.startsWith(path);
}
