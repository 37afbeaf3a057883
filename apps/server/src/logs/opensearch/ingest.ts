import { countLines, waitingBytesMax, wholeLines } from '../batch-lines.ts';
import type { Coverage } from '../coverage.ts';
import {
  type IngestResult,
  type LogBatch,
  type LogClaim,
  LogGapError,
  LogStoreBusyError,
  LogStoreFullError,
  type Places,
} from '../log-store.ts';
import { type Item, storeOnce } from './bulk.ts';
import type { Cluster } from './cluster.ts';
import { wholeAnswers } from './question.ts';
import type { Days } from './days.ts';
import { documentOf, type LogDocument, parseLine } from './line.ts';
import { dayOf } from './names.ts';
import type { StateDocuments } from './state.ts';

interface PositionBody {
  kind: 'position';
  position: number;
  broken_lines: number;
  updated_at: string;
}

/** A line, and what makes it one of its kind. */
interface Line {
  id: string;
  document: LogDocument;
}

const idsPerQuestion = 10_000;
/** Beyond this, addresses are looked up anew. */
const knownPlacesMax = 200_000;
const nowhere = { country: '', province: '', carrier: '', asn: 0 };

const positionId = (nodeId: number, file: string) => `position-${nodeId}-${file}`;
const noPosition = (): PositionBody => ({
  kind: 'position',
  position: 0,
  broken_lines: 0,
  updated_at: new Date().toISOString(),
});

export async function readPosition(state: StateDocuments, nodeId: number, file: string): Promise<number> {
  return (await state.read(positionId(nodeId, file), noPosition())).body.position;
}

/** Those that are the node's to tell. */
async function withoutForeign(lines: Line[], findForeign: NonNullable<LogBatch['foreign']>): Promise<Line[]> {
  const nameOf = ({ site_id, client_id, order_id }: LogClaim) => `${site_id} ${client_id} ${order_id}`;
  const claimOf = ({ document }: Line): LogClaim => ({
    site_id: Number(document.site_id),
    client_id: Number(document.client_id),
    order_id: Number(document.order_id),
  });
  const claims = new Map(lines.map((line) => [nameOf(claimOf(line)), claimOf(line)]));
  const foreign = new Set((await findForeign([...claims.values()])).map(nameOf));
  return foreign.size === 0 ? lines : lines.filter((line) => !foreign.has(nameOf(claimOf(line))));
}

/**
 * Stores a batch in two steps: each line under an identity of its own, then the file's new position. When the first step was
 * done in part, the lines come again, and those that are there are passed over.
 */
export class Ingester {
  readonly #cluster: Cluster;
  readonly #state: StateDocuments;
  readonly #days: Days;
  readonly #coverage: Coverage;
  readonly #places: Places | undefined;
  readonly #ready: () => Promise<void>;
  readonly #known = new Map<string, typeof nowhere>();
  readonly #lastOfFile = new Map<string, Promise<unknown>>();
  #waitingBytes = 0;
  /** Written since searches last knew of all that is there; perhaps before this process began. */
  isDirty = true;

  constructor(
    cluster: Cluster,
    state: StateDocuments,
    days: Days,
    coverage: Coverage,
    places: Places | undefined,
    ready: () => Promise<void>,
  ) {
    this.#cluster = cluster;
    this.#state = state;
    this.#days = days;
    this.#coverage = coverage;
    this.#places = places;
    this.#ready = ready;
  }

  /** Batches of one file are stored one after another. */
  async ingest(batch: LogBatch): Promise<IngestResult> {
    if (this.#waitingBytes + batch.lines.length > waitingBytesMax) throw new LogStoreBusyError();
    this.#waitingBytes += batch.lines.length;
    const file = positionId(batch.nodeId, batch.file);
    const before = this.#lastOfFile.get(file) ?? Promise.resolve();
    const result = before.then(() => this.#store(batch));
    const settled = result.catch(() => {});
    this.#lastOfFile.set(file, settled);
    try {
      return await result;
    } finally {
      this.#waitingBytes -= batch.lines.length;
      if (this.#lastOfFile.get(file) === settled) this.#lastOfFile.delete(file);
    }
  }

  async #store({ nodeId, file, offset, lines, foreign: findForeign }: LogBatch): Promise<IngestResult> {
    await this.#ready();
    const { position } = (await this.#state.read(positionId(nodeId, file), noPosition())).body;
    if (offset > position) throw new LogGapError(position, offset);
    const fresh = wholeLines(lines.subarray(position - offset));
    if (fresh.length === 0) return { offset: position, stored: 0, broken: 0, foreign: 0 };

    if (await this.#places?.refresh(Date.now())) this.#known.clear();
    const whole = this.#read(fresh, { nodeId, file, position });
    const read = findForeign ? await withoutForeign(whole, findForeign) : whole;
    const foreign = whole.length - read.length;
    await this.#days.load();
    const refused = await this.#write(read);
    this.isDirty = true;
    const stored = read.length - refused.length;
    const broken = countLines(fresh) - stored - foreign;
    const next = position + fresh.length;
    await this.#state.change(positionId(nodeId, file), noPosition(), (body) => {
      // Another server was sent the same.
      if (body.position >= next) return undefined;
      return {
        ...body,
        position: next,
        broken_lines: body.broken_lines + broken,
        updated_at: new Date().toISOString(),
      };
    });
    await this.#tell(nodeId, read);
    return {
      offset: next,
      stored,
      broken,
      foreign,
      ...(refused[0] === undefined ? {} : { reason: refused[0] }),
    };
  }

  #read(bytes: Buffer, from: { nodeId: number; file: string; position: number }): Line[] {
    const now = Date.now();
    const lines: Line[] = [];
    for (let start = 0; start < bytes.length;) {
      const found = bytes.indexOf(10, start);
      const end = found === -1 ? bytes.length : found;
      // What is not UTF-8 (a visitor may send any byte) becomes U+FFFD, so that it cannot hide its line.
      const line = parseLine(bytes.toString('utf8', start, end), now);
      if (line) {
        const place = this.#placeOf(line.remote_addr);
        // The request's number alone would do, were it not that an edge could write it twice.
        const id = `${line.request_id.slice(0, 64)}-${from.nodeId}-${from.file}-${from.position + start}`;
        lines.push({ id, document: documentOf(line, from.nodeId, place) });
      }
      start = end + 1;
    }
    return lines;
  }

  #placeOf(address: string): typeof nowhere {
    if (!this.#places) return nowhere;
    const known = this.#known.get(address);
    if (known) return known;
    if (this.#known.size > knownPlacesMax) this.#known.clear();
    const place = this.#places.placeOf(address);
    this.#known.set(address, place);
    return place;
  }

  /** Returns what the store said to each line that it will never take. */
  async #write(lines: readonly Line[]): Promise<string[]> {
    const items = await this.#itemsOf(lines);
    const { blocked, refused, reason } = await storeOnce(this.#cluster, items);
    if (blocked.length === 0) return refused;
    // Their day was summed up in the meantime: they go to its next index.
    await this.#days.load();
    const again = blocked.map((item) => ({ ...item, index: this.#indexOf(item.document as LogDocument) }));
    const moved = again.filter((item, at) => item.index !== blocked[at]!.index);
    const second = await storeOnce(this.#cluster, moved);
    if (moved.length < blocked.length || second.blocked.length > 0)
      throw new LogStoreFullError(
        new Error(`${blocked[0]!.index} takes no more lines: ${second.reason ?? reason}`),
      );
    return [...refused, ...second.refused];
  }

  #indexOf({ time }: LogDocument): string {
    return this.#days.openIndex(dayOf(Date.parse(time)));
  }

  /** Lines without those that stand in an index of their day that is closed. */
  async #itemsOf(lines: readonly Line[]): Promise<Item[]> {
    const items: Item[] = [];
    for (const [day, group] of Map.groupBy(lines, ({ document }) => document.time.slice(0, 10))) {
      const name = day.replaceAll('-', '.');
      const closed = this.#days.closedIndices(name);
      const there = closed.length === 0 ? new Set<string>() : await this.#findIds(name, closed, group);
      const index = this.#days.openIndex(name);
      for (const { id, document } of group) if (!there.has(id)) items.push({ index, id, document });
    }
    return items;
  }

  async #findIds(day: string, indices: readonly string[], lines: readonly Line[]): Promise<Set<string>> {
    const path = `/${this.#days.allIndices(day)}`;
    await this.#cluster.call('POST', `${path}/_refresh?ignore_unavailable=true`);
    const found = new Set<string>();
    for (let at = 0; at < lines.length; at += idsPerQuestion) {
      const values = lines.slice(at, at + idsPerQuestion).map(({ id }) => id);
      const { hits } = await this.#cluster.call<{ hits: { hits: { _id: string }[] } }>(
        'POST',
        `${path}/_search?${wholeAnswers}`,
        {
          size: idsPerQuestion,
          _source: false,
          query: { bool: { filter: [{ ids: { values } }, { terms: { _index: indices } }] } },
        },
      );
      for (const { _id } of hits.hits) found.add(_id);
    }
    return found;
  }

  async #tell(nodeId: number, lines: readonly Line[]): Promise<void> {
    if (lines.length === 0) return;
    const times = lines.map(({ document }) => Date.parse(document.time));
    const [first, last] = times.reduce(
      ([least, most], time) => [Math.min(least!, time), Math.max(most!, time)],
      [Infinity, -Infinity],
    );
    await this.#coverage.tell(nodeId, first!, last!);
  }
}
