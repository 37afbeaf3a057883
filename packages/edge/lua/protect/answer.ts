import { answerPage } from './matchers.ts';
import type { Protection } from './protect.ts';

/**
 * Whether rules withhold the answer whose header is on its way out. Then nothing of it is left: nginx gives up what it has, stores
 * nothing of it, and goes to the place that stands for the status.
 */
export function withholdsAnswer(protection: Protection | undefined, status: number): boolean {
  // Renewals of what is stored have no visitor.
  if (protection === undefined || !protection.asksAnswers || ngx.is_subrequest) return false;
  const page = answerPage(protection);
  if (page === undefined) return false;
  // What is said of the connection is nginx's own.
  for (const name in ngx.resp.get_headers(0)) if (name !== 'connection') ngx.header[name] = undefined;
  // With what stood in an answer's place nginx ends a connection of HTTP/1.1.
  ngx.var.edge_stage = '@page_and_close';
  ngx.var.edge_page = page;
  ngx.exit(status);
  return true;
}
