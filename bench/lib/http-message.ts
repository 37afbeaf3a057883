import type { DetectRequest, HeaderLine } from '../../packages/policy/src/detect/types.ts';

/** A request as it stands in a file, its lines ended by CRLF or LF, as the detectors take it. */
export function parseMessage(message: string): DetectRequest {
  const crlf = message.indexOf('\r\n\r\n');
  const lf = message.indexOf('\n\n');
  const isLf = crlf < 0 || (lf >= 0 && lf < crlf);
  const stop = isLf ? (lf < 0 ? message.length : lf) : crlf;
  const lines = message.slice(0, stop).split('\n');
  const [method = 'GET', ...rest] = (lines[0] ?? '').trimEnd().split(' ');
  const headers: HeaderLine[] = [];
  for (const line of lines.slice(1)) {
    const colon = line.indexOf(':');
    if (colon > 0) headers.push({ name: line.slice(0, colon).trim(), value: line.slice(colon + 1).trim() });
  }
  const hasVersion = rest.length > 1 && rest.at(-1)!.startsWith('HTTP/');
  const target = (hasVersion ? rest.slice(0, -1) : rest).join(' ') || '/';
  return { method, target, headers, body: message.slice(stop + (isLf ? 2 : 4)) };
}
