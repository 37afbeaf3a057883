import type { EffectiveSite } from '@breakwater/contract/edge-document';
import type { UsedSystemRule } from '@breakwater/contract/site-config/used-system-rule';
import { detect, worstOf } from '@breakwater/policy/detect/detect';
import {
  isHarmlessHeader,
  isHarmlessLine,
  isHarmlessTarget,
  keepHeader,
} from '@breakwater/policy/detect/harmless';
import { systemRulesOf } from '@breakwater/policy/detect/settings';
import type { DetectSettings, HeaderLine, Verdict } from '@breakwater/policy/detect/types';
import { partOfRequest } from '@breakwater/policy/protect/note';
import { headerText } from '../lib/header-text.ts';
import { noteProtection, noteRefusal } from './note.ts';
import type { Protection } from './protect.ts';

/** The detectors of attacks, on the head of a request; on its content: `content.ts`. */

export const section = 'used_system_rule';

/** The detectors of a site, made ready. */
export interface Inspection {
  settings: DetectSettings;
  bodyBytes: number;
  largeBodies: UsedSystemRule['large_bodies'];
}

export function inspectionOf({ used_system_rule: rule }: EffectiveSite): Inspection | undefined {
  const settings = rule && systemRulesOf(rule);
  if (settings === undefined) return undefined;
  return { settings, bodyBytes: rule!.body_bytes, largeBodies: rule!.large_bodies };
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
function verdictOfHead({ settings }: Inspection): Verdict | undefined {
  const target = ngx.var.request_uri!;
  const headers = unknownLines();
  if (headers.length === 0 && isHarmlessTarget(target)) return undefined;
  return detect({ method: '', target, headers, body: '', time: ngx.time() }, settings);
}

/** Lines of the header that were not found harmless before. */
function unknownLines(): HeaderLine[] {
  const header = headerText();
  if (header !== undefined && isHarmlessHeader(header)) return [];
  const unknown = linesOneByOne();
  // Not before: a line that is another with each request would push out what comes again.
  if (header !== undefined && unknown.length === 0) keepHeader(header);
  return unknown;
}

function linesOneByOne(): HeaderLine[] {
  const unknown: HeaderLine[] = [];
  const headers = ngx.req.get_headers(0);
  for (const name in headers) {
    const value = headers[name]!;
    if (type(value) === 'string') addLine(unknown, name, value as string);
    else if (type(value) === 'table')
      for (const each of value as (string | boolean)[])
        if (type(each) === 'string') addLine(unknown, name, each as string);
  }
  return unknown;
}

function addLine(unknown: HeaderLine[], name: string, value: string): void {
  if (!isHarmlessLine(name, value)) unknown[unknown.length] = { name, value };
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
