import type { EffectiveSite } from '@breakwater/contract/edge-document';
import type { UsedSystemRule } from '@breakwater/contract/site-config/used-system-rule';
import { detect, worstOf } from '@breakwater/policy/detect/detect';
import {
  isHarmlessHeader,
  isHarmlessLine,
  isHarmlessTarget,
  keepHeader,
} from '@breakwater/policy/detect/harmless';
import { isTelling, mayBeKnown } from '@breakwater/policy/detect/known';
import type { PreparedKnown } from '@breakwater/policy/detect/known-rules';
import { systemRulesOf } from '@breakwater/policy/detect/settings';
import type { DetectSettings, HeaderLine, Verdict } from '@breakwater/policy/detect/types';
import { partOfRequest } from '@breakwater/policy/protect/note';
import { knownRules } from '../documents/known-vulnerabilities.ts';
import { headerText } from '../lib/header-text.ts';
import { noteProtection, noteRefusal } from './note.ts';
import type { Protection } from './protect.ts';

/** The detectors of attacks, on the head of a request; on its content: `content.ts`. */

export const section = 'used_system_rule';

/** The detectors of a site, made ready. */
export interface Inspection {
  settings: DetectSettings;
  /** Whether the rules for known vulnerabilities are asked. */
  asksKnown: boolean;
  bodyBytes: number;
  largeBodies: UsedSystemRule['large_bodies'];
}

export function inspectionOf({ used_system_rule: rule }: EffectiveSite): Inspection | undefined {
  const settings = rule && systemRulesOf(rule);
  if (settings === undefined) return undefined;
  const asksKnown = settings.modes.known_vulnerability !== 'off';
  return { settings, asksKnown, bodyBytes: rule!.body_bytes, largeBodies: rule!.large_bodies };
}

/** Whether the request that was asked last goes through the place where content is judged. */
let wantsContent = false;

/** Asked once after the stages of a request, and forgotten with that. */
export function takeWantsContent(): boolean {
  const wanted = wantsContent;
  wantsContent = false;
  return wanted;
}

export function inspectedPage({ inspection }: Protection): string | undefined {
  if (inspection === undefined) return undefined;
  const verdict = verdictOfHead(inspection);
  if (verdict !== undefined && noted(verdict)) return 'blocked';
  wantsContent = inspection.bodyBytes > 0 && mayHaveContent();
  if (wantsContent) ngx.var.edge_judges = '1';
  return undefined;
}

/** What the detectors say of path, query and header; nothing: all of it was found harmless before. */
function verdictOfHead({ settings, asksKnown }: Inspection): Verdict | undefined {
  const target = ngx.var.request_uri!;
  const known = knownRules();
  const unknown = unknownLines(known);
  const isKnown =
    known !== undefined && asksKnown && (hasTelling(known, unknown) || mayBeKnown(known, target));
  if (!isKnown && unknown.length === 0 && isHarmlessTarget(target)) return undefined;
  settings.known = isKnown ? known : undefined;
  // A rule for a known vulnerability may ask for any line.
  const headers = isKnown ? allLines() : unknown;
  return detect({ method: methodOf(), target, headers, body: '', time: ngx.time() }, settings);
}

const methodOf = (): string => ngx.var.request_method!;

function hasTelling(known: PreparedKnown, lines: HeaderLine[]): boolean {
  for (const { name } of lines) if (isTelling(known, name)) return true;
  return false;
}

/** With the rules for known vulnerabilities that ask for what a request carries, where one may be for it. */
export function settingsForContent({ settings, asksKnown }: Inspection, target: string): DetectSettings {
  const known = knownRules();
  const isKnown = known !== undefined && asksKnown && mayBeKnown(known, target);
  settings.known = isKnown ? known : undefined;
  return settings;
}

/** Lines of the header that were not found harmless before. */
function unknownLines(known: PreparedKnown | undefined): HeaderLine[] {
  const header = headerText();
  if (header !== undefined && isHarmlessHeader(header)) return [];
  const unknown = linesOneByOne((name, value) => !isHarmlessLine(name, value) || isTellingLine(known, name));
  // Not before: a line that is another with each request would push out what comes again.
  if (header !== undefined && unknown.length === 0) keepHeader(header);
  return unknown;
}

const isTellingLine = (known: PreparedKnown | undefined, name: string): boolean =>
  known !== undefined && isTelling(known, name);

export const allLines = (): HeaderLine[] => linesOneByOne(() => true);

function linesOneByOne(isWanted: (this: void, name: string, value: string) => boolean): HeaderLine[] {
  const wanted: HeaderLine[] = [];
  const add = (name: string, value: string): void => {
    if (isWanted(name, value)) wanted[wanted.length] = { name, value };
  };
  const headers = ngx.req.get_headers(0);
  for (const name in headers) {
    const value = headers[name]!;
    if (type(value) === 'string') add(name, value as string);
    else if (type(value) === 'table')
      for (const each of value as (string | boolean)[])
        if (type(each) === 'string') add(name, each as string);
  }
  return wanted;
}

/** For the log, each rule once; whether it is blocked. */
export function noted(verdict: Verdict): boolean {
  const worst = worstOf(verdict);
  if (worst === undefined) return false;
  const part = partOfRequest(worst.place, worst.part, worst.excerpt);
  const note = worst.blocks ? noteRefusal : noteProtection;
  note(section, worst.detector, worst.blocks ? 'block' : 'observe', part);
  const seen: Record<string, boolean> = { [worst.detector]: true };
  for (const { detector, blocks } of verdict.findings) {
    if (seen[detector] !== true) noteProtection(section, detector, blocks ? 'block' : 'observe');
    seen[detector] = true;
  }
  return worst.blocks;
}

/** Over HTTP/2 and later content need not be announced; a GET of these that has some is taken for one without. */
export function mayHaveContent(): boolean {
  const variables = ngx.var;
  const length = variables.http_content_length;
  if (length !== undefined) return length !== '0';
  if (variables.http_transfer_encoding !== undefined) return true;
  if (string.byte(variables.server_protocol!, 6) === one) return false;
  const method = variables.request_method;
  return method !== 'GET' && method !== 'HEAD';
}
const one = 49;
