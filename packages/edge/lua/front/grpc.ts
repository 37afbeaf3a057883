import type { Site } from '../site/site.ts';

/** Calls of gRPC: requests over HTTP/2 whose answer ends in trailers. */

interface FailurePage {
  status: number;
  en: string;
}

/** Where the request goes as a call; nothing: it is none, or the site takes none. */
export function callPlace({ callLocation }: Site): string | undefined {
  if (callLocation === undefined) return undefined;
  const variables = ngx.var;
  if (variables.server_protocol !== 'HTTP/2.0' || variables.request_method !== 'POST') return undefined;
  // gRPC-Web has its trailers in the content, and needs none of this.
  const [after] = string.match(variables.http_content_type ?? '', '^application/grpc(.?)');
  return after === '' || after === '+' || after === ';' ? callLocation : undefined;
}

const unavailable = 14;
/** What clients make of these statuses by themselves: gRPC's mapping of HTTP; the others are as if it were away. */
const codes: Record<string, number> = { '403': 7, '411': 13, '413': 8 };

/** An answer without content, whose header says all; its status is the page's, so that the log tells of it. */
export function sendCallFailure({ status, en }: FailurePage): void {
  const header = ngx.header;
  ngx.status = status;
  header['Content-Type'] = 'application/grpc';
  header['Content-Length'] = 0;
  header['grpc-status'] = `${codes[`${status}`] ?? unavailable}`;
  header['grpc-message'] = en;
}
