import type { Logger } from 'pino';
import { documentName, type DocumentStore } from './apply.ts';
import { askBeforeStart } from './before-start.ts';
import type { ControlPlane } from './control-plane.ts';

/**
 * Before nginx starts: a node that was away refuses whom the others refuse from its first answer on; without the control plane
 * whom it knew.
 */
export function fetchBans(
  controlPlane: ControlPlane,
  documents: DocumentStore,
  logger: Logger,
): Promise<void> {
  const ask = (signal: AbortSignal) => fetchAll(controlPlane, documents, signal);
  return askBeforeStart('bans of the time away come later', ask, logger);
}

async function fetchAll(controlPlane: ControlPlane, documents: DocumentStore, signal: AbortSignal) {
  for (let after = '', isLast = false; !isLast;) {
    const page = await controlPlane.banDocuments(after);
    if (signal.aborted) return;
    await documents.layOut(page.documents);
    const last = page.documents.at(-1);
    isLast = !page.has_more || last === undefined;
    if (last) after = documentName(last);
  }
}
