import { detect } from '../detect/detect.ts';
import type { DetectRequest, HeaderLine } from '../detect/types.ts';

interface DetectCase {
  target?: string;
  headers?: HeaderLine[];
  body?: string;
}

/** What the detectors find in a request: the worst of it. */
export function runDetectVector(input: DetectCase): unknown {
  const body = input.body ?? '';
  const method = body === '' ? 'GET' : 'POST';
  const request: DetectRequest = { method, target: input.target ?? '/', headers: input.headers ?? [], body };
  const { action, score, findings } = detect(request, { modes: {}, exceptions: [], fields: [] });
  if (score === 0) return { action, score };
  for (const finding of findings) {
    if (finding.score < score) continue;
    const { detector, place, part, offset, why, steps } = finding;
    return { action, score, detector, place, part, offset, why, steps: steps.join(' ') };
  }
  return { action, score };
}
