import type { KnownRule } from '@breakwater/contract/known-vulnerability';
import { detect } from '../detect/detect.ts';
import { prepareKnown } from '../detect/known-rules.ts';
import type { DetectRequest, HeaderLine } from '../detect/types.ts';

interface DetectCase {
  target?: string;
  headers?: HeaderLine[];
  body?: string;
  method?: string;
  /** Rules for known vulnerabilities. */
  known?: KnownRule[];
}

/** What the detectors find in a request: the worst of it. */
export function runDetectVector(input: DetectCase): unknown {
  const body = input.body ?? '';
  const method = input.method ?? (body === '' ? 'GET' : 'POST');
  const known = input.known === undefined ? undefined : prepareKnown(input.known);
  const request: DetectRequest = { method, target: input.target ?? '/', headers: input.headers ?? [], body };
  const { action, score, findings } = detect(request, { modes: {}, exceptions: [], fields: [], known });
  if (score === 0) return { action, score };
  for (const finding of findings) {
    if (finding.score < score) continue;
    const { detector, place, part, offset, why, steps } = finding;
    return { action, score, detector, place, part, offset, why, steps: steps.join(' ') };
  }
  return { action, score };
}
