import { detect } from '@breakwater/policy/detect/detect';
import type { DetectRequest } from '@breakwater/policy/detect/types';
import { isHarmlessLine, isHarmlessTarget } from '@breakwater/policy/detect/harmless';
export function run(request: DetectRequest): string {
  const v = detect(request, { modes: {}, exceptions: [], fields: [] });
  return v.action;
}
export function pre(request: DetectRequest): boolean {
  let ok = true;
  for (const { name, value } of request.headers) if (!isHarmlessLine(name, value)) ok = false;
  return ok && isHarmlessTarget(request.target);
}
