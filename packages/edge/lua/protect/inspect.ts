import type { EffectiveSite } from '@breakwater/contract/edge-document';
import { systemRulesOf } from '@breakwater/policy/detect/settings';
import { detect } from '@breakwater/policy/detect/detect';
import { isHarmlessLine, isHarmlessTarget } from '@breakwater/policy/detect/harmless';
import type { DetectSettings, HeaderLine, Verdict } from '@breakwater/policy/detect/types';

/** The detectors of a site, made ready. */
export interface Inspection {
  settings: DetectSettings;
  /** How much of a request's content is judged; 0: none. */
  bodyBytes: number;
}

export function inspectionOf({ used_system_rule: rule }: EffectiveSite): Inspection | undefined {
  if (rule === undefined) return undefined;
  const settings = systemRulesOf(rule);
  return settings === undefined ? undefined : { settings, bodyBytes: rule.body_bytes };
}

/** What the detectors say of the head of the request under way; nothing: it was seen before, and found harmless. */
export function verdictOfHead({ settings }: Inspection): Verdict | undefined {
  const target = ngx.var.request_uri!;
  const lines = unknownLines();
  if (lines.length === 0 && isHarmlessTarget(target)) return undefined;
  return detect({ method: '', target, headers: lines, body: '', time: ngx.time() }, settings);
}

/** The lines of the header that were not found harmless before. */
function unknownLines(): HeaderLine[] {
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
