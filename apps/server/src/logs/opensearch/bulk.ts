import { LogStoreBusyError, LogStoreDownError } from '../log-store.ts';
import { type Cluster, isBlocked } from './cluster.ts';

/** One document on its way, and where it goes. */
export interface Item {
  index: string;
  id: string;
  document: object;
}

interface Outcome {
  status: number;
  error?: { type: string; reason: string; caused_by?: { reason?: string } };
}

const requestBytesMax = 8 * 1024 * 1024;
const requestItemsMax = 10_000;
const conflict = 409;
const busy = 429;

export interface BulkResult {
  /** Those whose index takes no more lines: it was closed, or the store is full. `reason` is what it said. */
  blocked: Item[];
  reason?: string;
  /** What the store said to each that it will never take. */
  refused: string[];
}

/**
 * Stores documents that have their identity, so that one that is there already is passed over. Once this returns, what was
 * taken is on disk. Fails when the store could take some of them only later.
 */
export async function storeOnce(cluster: Cluster, items: readonly Item[]): Promise<BulkResult> {
  const result: BulkResult = { blocked: [], refused: [] };
  for (const part of partsOf(items)) {
    const outcomes = await send(cluster, part.lines);
    part.items.forEach((item, at) => sort(result, item, outcomes[at]!));
  }
  return result;
}

async function send(cluster: Cluster, lines: string): Promise<Outcome[]> {
  const answer = await cluster.call<{ items: { create: Outcome }[] }>('POST', '/_bulk', lines);
  return answer.items.map(({ create }) => create);
}

function sort(result: BulkResult, item: Item, { status, error }: Outcome): void {
  if (!error || status === conflict) return;
  const reason = `${error.type}: ${error.caused_by?.reason ?? error.reason}`;
  if (isBlocked(error.type, status)) {
    result.blocked.push(item);
    result.reason ??= reason;
  } else if (status === busy) throw new LogStoreBusyError(new Error(reason));
  else if (status === 400) result.refused.push(reason);
  else throw new LogStoreDownError(new Error(reason));
}

function* partsOf(items: readonly Item[]) {
  let part: { items: Item[]; lines: string } = { items: [], lines: '' };
  for (const item of items) {
    part.items.push(item);
    part.lines += `${JSON.stringify({ create: { _index: item.index, _id: item.id } })}\n${JSON.stringify(item.document)}\n`;
    if (part.lines.length < requestBytesMax && part.items.length < requestItemsMax) continue;
    yield part;
    part = { items: [], lines: '' };
  }
  if (part.items.length > 0) yield part;
}
