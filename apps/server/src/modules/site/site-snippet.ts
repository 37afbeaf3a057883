import { toByteString } from '@breakwater/policy';
import { parseSnippet } from '@breakwater/policy/nginx-snippet';
import { ApiError, invalid } from '../../api-error.ts';
import { askNode, onlineNode } from '../../delivery/commands.ts';
import type { Scope } from '../../scope.ts';
import type { Services } from '../../services.ts';
import { getSite, readConfig } from './site.store.ts';

/** A site's own directives for nginx are read here as strictly as on the node, then tried on one. */

/** Refuses what is not on the list, by its line. */
export function checkSnippet(snippet: string, path: string): void {
  const { problem } = parseSnippet(toByteString(snippet));
  if (problem) throw invalid(path, `${problem.reason as 'snippet_syntax'}:${problem.line}`);
}

/**
 * Lets one node of the site's line group try directives that are new, and refuses what its nginx refuses. Answers with
 * the node's name, or null when none was asked: nothing is new, or no node answers.
 */
export async function trySnippet(
  { db }: Services,
  scope: Scope,
  siteId: number,
  snippet: string,
  path: string,
): Promise<string | null> {
  const { config } = await readConfig(db, scope, siteId);
  if (snippet === '' || snippet === config.advanced_config.snippet) return null;
  checkSnippet(snippet, path);
  const { line_group_id: lineGroupId } = await getSite(db, scope, siteId);
  const node = await onlineNode(db, lineGroupId);
  if (!node) return null;
  const answer = await askNode(db, node.id, 'try_snippet', { site_id: siteId, snippet });
  if (answer?.refused !== undefined)
    throw new ApiError('invalid_input', [{ path, issue: 'snippet_refused', detail: answer.refused }]);
  return answer === undefined ? null : node.name;
}
