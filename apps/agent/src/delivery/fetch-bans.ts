import type { Logger } from 'pino';
import { pause } from '../backoff.ts';
import { documentName, type DocumentStore } from './apply.ts';
import type { ControlPlane } from './control-plane.ts';

/** How long a start waits for the control plane. */
const waitMilliseconds = 3000;

/**
 * Before nginx starts: a node that was away refuses whom the others refuse from its first answer on; without the control plane
 * whom it knew.
 */
export async function fetchBans(
  controlPlane: ControlPlane,
  documents: DocumentStore,
  logger: Logger,
): Promise<void> {
  const given = new AbortController();
  const late = pause(waitMilliseconds, given.signal).then(() => {
    if (!given.signal.aborted) throw new Error('the control plane took too long');
  });
  try {
    await Promise.race([fetchAll(controlPlane, documents, given.signal), late]);
  } catch (error) {
    logger.warn({ err: error }, 'bans of the time away come later');
  } finally {
    given.abort();
  }
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
