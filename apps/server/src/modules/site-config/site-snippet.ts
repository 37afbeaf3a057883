import type { SiteFile } from '@breakwater/contract';
import { and, eq } from 'drizzle-orm';
import { ApiError } from '../../api-error.ts';
import { site, siteRevision } from '../../db/schema.ts';
import { askNode, onlineNode } from '../../delivery/commands.ts';
import type { Scope } from '../../scope.ts';
import type { Services } from '../../services.ts';
import { siteWithin } from '../site-publish/site-publish.service.ts';
import { checkSnippet } from '../site-section/site-section.service.ts';
import { readConfig } from './site-config.store.ts';

/** A site's own directives for nginx are read here as strictly as on the node, then tried on one. */

/**
 * Lets one node of the site's line group try directives that are new, and refuses what its nginx refuses. Answers with
 * the node's name, or null when none was asked: nothing is new, or no node answers.
 */
export async function trySnippet(
  services: Services,
  scope: Scope,
  siteId: number,
  snippet: string,
  path: string,
): Promise<string | null> {
  const { config, lineGroupId } = await readConfig(services.db, scope, siteId);
  if (snippet === '' || snippet === config.advanced_config.snippet) return null;
  return tryIn(services, lineGroupId, siteId, snippet, path);
}

/** The same in a line group, whatever the site has. */
export async function tryIn(
  { db }: Services,
  lineGroupId: number,
  siteId: number,
  snippet: string,
  path: string,
): Promise<string | null> {
  checkSnippet(snippet, path);
  const node = await onlineNode(db, lineGroupId);
  if (!node) return null;
  const answer = await askNode(db, node.id, 'try_snippet', { site_id: siteId, snippet });
  if (answer?.refused !== undefined)
    throw new ApiError('invalid_input', [{ path, issue: 'snippet_refused', detail: answer.refused }]);
  return answer === undefined ? null : node.name;
}

/** Before a rollback: what it would bring back. */
export async function trySnippetOfRevision(
  services: Services,
  scope: Scope,
  siteId: number,
  input: { revision_id: number; section?: string | undefined },
): Promise<void> {
  if (input.section !== undefined && input.section !== 'advanced_config') return;
  const [revision] = await services.db
    .select({ snapshot: siteRevision.snapshot })
    .from(siteRevision)
    .innerJoin(site, eq(site.id, siteRevision.siteId))
    .where(and(siteWithin(scope, siteId), eq(siteRevision.id, input.revision_id)));
  const snippet = revision?.snapshot.advanced_config.snippet ?? '';
  await trySnippet(services, scope, siteId, snippet, 'revision_id');
}

/** Where a file has them. */
export const snippetInFile = 'file.sections.advanced_config.snippet';

/** Before a file is taken into a site. */
export async function trySnippetOfFile(
  services: Services,
  scope: Scope,
  siteId: number,
  { file, parts }: { file: SiteFile; parts: readonly string[] },
): Promise<void> {
  if (parts.includes('advanced_config'))
    await trySnippet(services, scope, siteId, snippetOf(file.sections['advanced_config']), snippetInFile);
}

/** What is no text is told by whoever reads the section. */
export function snippetOf(section: unknown): string {
  const snippet = (section as { snippet?: unknown } | null | undefined)?.snippet;
  return typeof snippet === 'string' ? snippet : '';
}
