import { readFile } from 'node:fs/promises';
import type { DocumentResult, GuardShare, LiveWatch, NodeEvent } from '@breakwater/contract';
import type { Logger } from 'pino';
import * as z from 'zod';
import { documentName, type DocumentStore } from './apply.ts';
import { Backoff, pause } from '../backoff.ts';
import type { ControlPlane } from './control-plane.ts';
import { replaceFile } from '../durable-file.ts';
import { Wake } from './wake.ts';

export interface PullerOptions {
  controlPlane: ControlPlane;
  documents: DocumentStore;
  /** Where the position is kept: the revision up to which everything is applied and acknowledged. */
  cursorPath: string;
  /** A position belongs to one node of one control plane; for another one it starts from nothing. */
  owner: string;
  /** Hears of what the control plane asks at once; does not fail. */
  onCommand?: (command: CommandEvent) => Promise<void>;
  /** Hears of traffic that somebody watches. */
  onWatch?: (watches: readonly LiveWatch[]) => void;
  /** Hears of visitors whom other nodes counted, too. */
  onShares?: (shares: readonly GuardShare[]) => void;
  /** What was told before may not have come to where it is needed. */
  onReturn?: () => void;
  logger: Logger;
  /** From 0 to 1, and a wait that ends early when the signal aborts: chance and the clock, but for tests. */
  random?: () => number;
  wait?: typeof pause;
}

export type CommandEvent = Extract<NodeEvent, { type: 'command' }>;

const cursorFile = z.object({ owner: z.string(), since: z.int(), generation: z.int() });
type Cursor = Pick<z.infer<typeof cursorFile>, 'since' | 'generation'>;
const fromNothing: Cursor = { since: 0, generation: 0 };
/** The most that one acknowledgement holds. */
const resultsPerCall = 500;

type News = Extract<NodeEvent, { type: 'revision' }>;
/** What came with events and is not acknowledged yet. */
interface Taken extends Cursor {
  results: DocumentResult[];
}

/**
 * Follows the control plane: holds the event line open and pulls when told that something changed. What comes with the news itself is applied
 * at once, whatever else is under way, if nothing lies between it and what was applied before; else it is pulled with the rest. It is
 * acknowledged behind that, and the position that is kept follows when the control plane agrees. Until then a pull starts before it.
 */
export class Puller {
  readonly #options: PullerOptions;
  readonly #wake = new Wake();
  #cursor: Cursor = fromNothing;
  /** Up to where everything is applied: the position, or further by what came with events. Nothing while a list from nothing comes. */
  #applied: Cursor | undefined;
  #taking: Promise<void> = Promise.resolve();
  #taken: Taken | undefined;
  readonly #takenWake = new Wake();
  #storing: Promise<void> = Promise.resolve();
  #isStartingOver = false;
  /** Over which nodes that are told the same spread what they do, as the control plane says. */
  #spreadMilliseconds = 0;
  #isLater = false;
  readonly #random: () => number;
  readonly #wait: typeof pause;

  constructor(options: PullerOptions) {
    this.#options = options;
    this.#random = options.random ?? Math.random;
    this.#wait = options.wait ?? pause;
  }

  /** `whole`: all documents up to the position are on disk; otherwise everything is pulled again. */
  async load(whole: boolean): Promise<void> {
    if (!whole) return;
    const text = await readFile(this.#options.cursorPath, 'utf8').catch(() => '{}');
    const { data } = cursorFile.safeParse(parseJson(text));
    if (data?.owner === this.#options.owner)
      this.#applied = this.#cursor = { since: data.since, generation: data.generation };
  }

  /** Runs until the signal aborts. */
  async run(signal: AbortSignal): Promise<void> {
    await Promise.all([this.#listen(signal), this.#pullWhenWoken(signal), this.#acknowledgeTaken(signal)]);
  }

  /** Pulls now: a pull that failed for want of nginx need not wait any longer. */
  pullSoon(): void {
    this.#wake.call();
  }

  /** Pulls everything anew. */
  startOver(): void {
    this.#isStartingOver = true;
    this.#wake.call();
  }

  async #listen(signal: AbortSignal): Promise<void> {
    const { controlPlane, logger } = this.#options;
    const backoff = new Backoff();
    while (!signal.aborted) {
      try {
        for await (const event of controlPlane.events()) {
          backoff.reset();
          if (event.type === 'hello')
            logger.info({ revision: event.revision }, 'connected to the control plane');
          if (event.type === 'resync' || event.type === 'hello') {
            this.#goBack(event);
            this.#options.onReturn?.();
          }
          if (event.type === 'command') void this.#options.onCommand?.(event);
          else if (event.type === 'watch') this.#options.onWatch?.(event.watches);
          else if (event.type === 'guard') this.#options.onShares?.(event.shares);
          else if (event.type === 'pace') this.#spreadMilliseconds = event.spread_milliseconds;
          else if (event.type === 'hello' && this.#concerns(event)) this.#wake.call();
          else if (event.type === 'revision' && event.page) this.#takeInTurn(event, signal);
          else if (this.#concerns(event)) this.#wakeLater(signal);
        }
        if (!signal.aborted) logger.warn('the control plane closed the event line; connecting again');
      } catch (error) {
        if (!signal.aborted)
          logger.warn({ err: error }, 'no event line to the control plane; sites are served on');
      }
      await this.#wait(backoff.nextMilliseconds(this.#random), signal);
      // A restart of the control plane ends all lines at once.
      await this.#wait(2 * this.#atRandom(), signal);
    }
  }

  #atRandom(): number {
    return this.#random() * this.#spreadMilliseconds;
  }

  /** All nodes of a line group hear of a change at once. */
  #wakeLater(signal: AbortSignal): void {
    if (this.#isLater) return;
    this.#isLater = true;
    void this.#wait(this.#atRandom(), signal).then(() => {
      this.#isLater = false;
      this.#wake.call();
    });
  }

  /** What came with events may have been of a database that was replaced by an older one: what is pulled is not. */
  #goBack(event: Extract<NodeEvent, { type: 'hello' | 'resync' }>): void {
    const isBehind = event.type === 'resync' || event.revision < (this.#applied?.since ?? 0);
    if (this.#applied && isBehind) this.#applied = this.#cursor;
  }

  #takeInTurn(news: News, signal: AbortSignal): void {
    this.#taking = this.#taking.then(async () => {
      if (!this.#concerns(news)) return;
      if (!this.#follows(news)) return this.#wakeLater(signal);
      try {
        await this.#take(news);
      } catch (error) {
        this.#options.logger.warn({ err: error }, 'what came with an event was not applied; pulling it');
        this.#wake.call();
      }
    });
  }

  /** Whether nothing lies between what is applied and what came. */
  #follows({ page }: News): boolean {
    const { generation, since } = this.#applied ?? fromNothing;
    return page !== undefined && page.generation === generation && page.since <= since;
  }

  async #take(news: News): Promise<void> {
    const { revision, page } = news;
    const { generation, documents } = page!;
    const results = await this.#options.documents.applyPushed(documents);
    // A list from nothing may have begun meanwhile.
    if (!this.#follows(news)) return this.#wake.call();
    this.#applied = { generation, since: Math.max(revision, this.#applied!.since) };
    const former = this.#taken?.generation === generation ? this.#taken.results : [];
    this.#taken = { generation, since: revision, results: [...former, ...results] };
    this.#takenWake.call();
  }

  /** All nodes are told the same at once: what is done with the answer has time. Where it fails, a pull brings it again. */
  async #acknowledgeTaken(signal: AbortSignal): Promise<void> {
    const { documents, logger } = this.#options;
    for (;;) {
      await this.#takenWake.wait(signal);
      await this.#wait(this.#atRandom(), signal);
      if (signal.aborted) return;
      const taken = this.#taken;
      this.#taken = undefined;
      if (!taken) continue;
      try {
        await documents.settle();
        const { generation, since } = taken;
        if (!(await this.acknowledge(taken.results, { generation, until: since }))) this.#wake.call();
        else if (this.#cursor.generation === generation && this.#cursor.since < since)
          await this.#store({ generation, since });
      } catch (error) {
        if (!signal.aborted) logger.warn({ err: error }, 'not acknowledged; pulling it');
        this.#wake.call();
      }
    }
  }

  #concerns(event: Exclude<NodeEvent, { type: 'watch' | 'guard' | 'command' | 'pace' }>): boolean {
    const { since, generation } = this.#applied ?? this.#cursor;
    if (event.type === 'ping') return false;
    if (event.type === 'hello') return event.revision !== since || event.generation !== generation;
    return event.type === 'resync' || event.revision > since;
  }

  async #pullWhenWoken(signal: AbortSignal): Promise<void> {
    const backoff = new Backoff();
    await this.#wake.wait(signal);
    while (!signal.aborted) {
      try {
        await this.#pull();
        backoff.reset();
        await this.#wake.wait(signal);
      } catch (error) {
        if (!signal.aborted) this.#options.logger.warn({ err: error }, 'pull failed; trying again');
        await this.#wake.wait(signal, backoff.nextMilliseconds());
      }
    }
  }

  /**
   * Pulls page after page until there is none. The position moves on only after the pages before it are applied and
   * acknowledged; in a list that starts from nothing, only at its end, when what it did not name is removed.
   */
  async #pull(): Promise<void> {
    const { controlPlane, documents, logger } = this.#options;
    let isFresh = false;
    let position = this.#isStartingOver ? fromNothing : this.#cursor;
    this.#isStartingOver = false;
    let named: Set<string> | undefined;
    for (;;) {
      const page = await controlPlane.documents(position);
      if (this.#cursor.since < page.refreshes_gone && !isFresh) {
        logger.info('refreshes of the cache may have been missed: nothing stored is served any more');
        await documents.refreshEverything();
        isFresh = true;
      }
      if (page.reset) {
        named = new Set();
        this.#applied = undefined;
      }
      const results = await documents.apply(page.documents);
      for (const document of page.documents)
        if (document.deleted) named?.delete(documentName(document));
        else named?.add(documentName(document));
      position = { since: page.next_since, generation: page.generation };
      if (!named) this.#advance(position);
      await this.acknowledge(results);
      if (!page.has_more && named) {
        await documents.removeUnnamed(named);
        this.#advance(position);
      }
      if (!page.has_more || !named) await this.#store(position);
      if (page.has_more) continue;
      // Asking on says that what the list did not name is gone.
      if (!named || position.since === 0) return;
      named = undefined;
    }
  }

  /** Everything up to there is applied; what came with events may be further. */
  #advance({ generation, since }: Cursor): void {
    const further = this.#applied?.generation === generation ? this.#applied.since : 0;
    this.#applied = { generation, since: Math.max(since, further) };
  }

  /** Whether the control plane agrees that all is judged up to what came with events. */
  async acknowledge(
    results: DocumentResult[],
    pushed?: { generation: number; until: number },
  ): Promise<boolean> {
    let reached = false;
    for (let start = 0; start < results.length; start += resultsPerCall) {
      const end = start + resultsPerCall;
      const part = results.slice(start, end);
      const told = end < results.length ? undefined : pushed;
      reached = (await this.#options.controlPlane.acknowledge(part, told)).reached ?? false;
    }
    return reached;
  }

  #store(cursor: Cursor): Promise<void> {
    const { cursorPath, owner } = this.#options;
    this.#cursor = cursor;
    this.#storing = this.#storing
      .catch(() => undefined)
      .then(() => replaceFile(cursorPath, JSON.stringify({ owner, ...this.#cursor })));
    return this.#storing;
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
