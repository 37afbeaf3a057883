import { normalizePath, splitTarget } from '../http/path.ts';
import { lowerAscii } from '../lib/text.ts';
import type {
  DetectException,
  DetectSettings,
  Detector,
  FieldType,
  Finder,
  Group,
  Hit,
  Mode,
  Part,
  Subject,
} from './types.ts';

/** From which score on a finding is worth a line in the log, and a request is blocked. */
export const logScore = 4;
const blockScore = 5;
const strictScore = 4;

export function modeOf(settings: DetectSettings, group: Group): Mode {
  return settings.modes[group] ?? 'default';
}

export function blocks(mode: Mode, score: number): boolean {
  if (mode === 'strict') return score >= strictScore;
  return mode === 'default' && score >= blockScore;
}

const certain: Record<string, number> = {
  sql: 8,
  html: 8,
  js: 9,
  shell: 8,
  path: 7,
  nosql: 9,
  ldap: 9,
  template: 8,
  ssrf: 9,
  php: 8,
};
const inPath: Record<string, number> = { sql: 7, js: 7, shell: 7, nosql: 9, ldap: 7, ssrf: 9 };
const inName: Record<string, number> = { sql: 7, js: 7, shell: 7, ssrf: 9 };
const inCookie: Record<string, number> = { js: 6, ssrf: 7 };

/** What remains of a hit where the part or what is around it makes it less likely; 0: nothing. */
export function weighed(detector: Detector, hit: Hit, { part, isPasted, text }: Subject): number {
  const { name } = detector;
  let least = 0;
  if (part.place === 'header') least = certain[name] ?? 0;
  else if (part.place === 'path') least = inPath[name] ?? 0;
  else if (part.isName) least = inName[name] ?? 0;
  else if (part.place === 'cookie') least = inCookie[name] ?? 0;
  if (hit.score < least) return 0;
  const isWeakened =
    name === 'sql' || name === 'js' || name === 'template' || name === 'nosql' || name === 'ldap';
  // Pasted code and prose: what breaks out of a field does so near its beginning.
  if (isPasted && isWeakened && (hit.offset > 60 || hit.score < 8)) return hit.score - 3;
  if (text.length > 4000 && isWeakened && hit.offset > 200) return hit.score - 1;
  return hit.score;
}

/** Whether exceptions of the site, or what a field is for, take a detector out here. */
export function isExcepted(
  settings: DetectSettings,
  { target, time }: { target: string; time: number },
  part: Part,
  detector: Finder,
): boolean {
  if (hasException(settings.exceptions, { target, time }, part, detector)) return true;
  for (const field of settings.fields)
    if (field.parameter === part.name && !suits(field, detector)) return true;
  return false;
}

/** `part`: of leaks the kind in the place of a parameter. */
export function hasException(
  exceptions: DetectException[],
  { target, time }: { target: string; time: number },
  part: Pick<Part, 'name'>,
  detector: Finder,
): boolean {
  if (exceptions.length === 0) return false;
  const path = normalizePath(splitTarget(target).path);
  for (const exception of exceptions)
    if ((exception.until ?? time + 1) > time && excepts(exception, path, part, detector)) return true;
  return false;
}

function excepts(
  exception: DetectException,
  path: string,
  part: Pick<Part, 'name'>,
  { name }: Finder,
): boolean {
  if (exception.detector !== undefined && exception.detector !== name) return false;
  if (exception.parameter !== undefined && exception.parameter !== part.name) return false;
  if (exception.path === undefined)
    return exception.detector !== undefined || exception.parameter !== undefined;
  const wanted = lowerAscii(exception.path);
  if (!wanted.endsWith('*')) return wanted === lowerAscii(path);
  return lowerAscii(path).startsWith(wanted.substring(0, wanted.length - 1));
}

const ofCode = ' sql shell js template html nosql ldap ';

function suits({ type }: FieldType, { name }: Finder): boolean {
  if (type === 'opaque') return false;
  if (type === 'code') return ofCode.indexOf(` ${name} `) < 0;
  if (type === 'rich_text') return name !== 'sql' && name !== 'shell' && name !== 'js' && name !== 'template';
  return true;
}

/** The least score that a field's purpose leaves: search takes whole statements, rich text all but what runs. */
export function leastOf(settings: DetectSettings, part: Part): number {
  for (const { parameter, type } of settings.fields) {
    if (parameter !== part.name) continue;
    if (type === 'search') return 6;
    if (type === 'rich_text') return 8;
  }
  return 0;
}
