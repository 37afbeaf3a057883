import type { ServerResponse } from 'node:http';
import type { NodeEvent } from '@breakwater/contract';
import type { Logger } from 'pino';
import { readCommand } from './commands.ts';
import { deliveryPosition, type Position } from './documents.ts';
import { GuardShares } from './guard-shares.ts';
import { deliveryChannel, parseNotification, type AskedWatch, type Notification } from './notifications.ts';
import { PgListener } from './pg-listener.ts';
import { pushedBytesMax, pushedDocuments, type PushedDocument } from './pushed.ts';
import type { Queryable } from './queryable.ts';

export interface EventHubOptions {
  databaseUrl: string;
  database: Queryable;
  logger: Pick<Logger, 'info' | 'warn'>;
  pingSeconds?: number;
}

interface Line {
  nodeId: number;
  stream: ServerResponse;
  generation: number;
  /** What it was last told to spread what it does over. */
  spreadMilliseconds: number;
  /** Unknown until the hello is sent: then everything concerns it. */
  lineGroupIds: ReadonlySet<number> | undefined;
}

/** For each open line; what so few do that it comes to less than the least is done at once. */
const spreadPerLineMilliseconds = 2;
const spreadMillisecondsMin = 40;
const spreadMillisecondsMax = 30_000;

/** News that are read together. Of more, as after a refresh of many sites, nodes get a page sooner than one by one. */
const pushedMax = 20;

type RevisionNews = Extract<Notification, { type: 'revision' }>;

const concerns = ({ lineGroupIds }: RevisionNews, { lineGroupIds: known }: Line): boolean =>
  known === undefined || lineGroupIds.some((id) => known.has(id));

/** What a node gets with the news; nothing where its line groups are not known, or what was sent before is not read yet. */
function pageOf({ generation, lineGroupIds, stream }: Line, { document, since }: PushedDocument) {
  if (!lineGroupIds || stream.writableLength > pushedBytesMax) return undefined;
  const former = [...lineGroupIds].map((id) => since.get(id));
  if (!former.every((revision) => revision !== undefined)) return undefined;
  return { generation, since: Math.max(0, ...former), documents: [document] };
}

/** So long what nodes counted is gathered before it is told. */
const sharesMilliseconds = 200;

/** An agent that reads slower than this many bytes behind is cut off; it comes back and pulls. */
const unreadBytesMax = 64 * 1024;

/**
 * The open lines of agents at this server process. It listens on a PostgreSQL connection of its own, so that a change
 * made by any process reaches every line; after the connection broke everyone is told to pull, since notifications of
 * that time are lost.
 */
export class EventHub {
  readonly #options: EventHubOptions;
  readonly #lines = new Set<Line>();
  readonly #pinger: NodeJS.Timeout;
  #listener: PgListener | undefined;
  #closed = false;
  /** Not told yet. */
  #news: RevisionNews[] = [];
  #isTelling = false;
  readonly #shares = new GuardShares();
  #sharesTimer: NodeJS.Timeout | undefined;

  private constructor(options: EventHubOptions) {
    this.#options = options;
    this.#pinger = setInterval(() => this.#ping(), (options.pingSeconds ?? 15) * 1000);
  }

  /** Resolves when it listens. */
  static async open(options: EventHubOptions): Promise<EventHub> {
    const hub = new EventHub(options);
    try {
      hub.#listener = await PgListener.open({
        ...options,
        channel: deliveryChannel,
        about: 'delivery',
        onMessage: (payload) => void hub.#receive(parseNotification(payload)),
        onReturn: () => hub.#resync([...hub.#lines]),
      });
      return hub;
    } catch (error) {
      await hub.close();
      throw error;
    }
  }

  /** Takes over the answer of an agent: sends the hello, then what concerns the node, until either side ends it. */
  async attach(nodeId: number, stream: ServerResponse): Promise<void> {
    const line: Line = { nodeId, stream, generation: 0, spreadMilliseconds: 0, lineGroupIds: undefined };
    // Before the position is read, so that nothing falls between the two.
    this.#lines.add(line);
    stream.on('close', () => this.#lines.delete(line));
    stream.on('error', () => this.#lines.delete(line));
    stream.writeHead(200, {
      'content-type': 'text/event-stream',
      'cache-control': 'no-store',
      'x-accel-buffering': 'no',
    });
    if (this.#closed) stream.end();
    else {
      await this.#tell(line, ({ revision, generation }) => ({ type: 'hello', revision, generation }));
      for (const shares of this.#shares.heldFor(nodeId, line.lineGroupIds ?? []))
        this.#send(line, { type: 'guard', shares });
      this.#pace(line);
    }
  }

  async close(): Promise<void> {
    this.#closed = true;
    clearInterval(this.#pinger);
    clearTimeout(this.#sharesTimer);
    for (const line of this.#lines) line.stream.end();
    this.#lines.clear();
    await this.#listener?.close();
  }

  async #receive(notification: Notification): Promise<void> {
    if (notification.type === 'revision') return this.#hear(notification);
    if (notification.type === 'watch') return this.#askFor(notification.watches);
    if (notification.type === 'guard') {
      this.#shares.add(notification);
      this.#sharesTimer ??= setTimeout(() => this.#tellShares(), sharesMilliseconds);
      return;
    }
    const lines = [...this.#lines].filter((line) => notification.nodeIds.includes(line.nodeId));
    if (notification.type === 'drop') for (const line of lines) line.stream.end();
    else if (notification.type === 'command') await this.#command(lines, notification.id);
    else await this.#resync(lines);
  }

  /** In the order of revisions, for each says what came before it. What comes while one is read is read together. */
  async #hear(news: RevisionNews): Promise<void> {
    this.#news.push(news);
    if (this.#isTelling) return;
    this.#isTelling = true;
    while (this.#news.length > 0) {
      const heard = this.#news;
      this.#news = [];
      const pushed = await this.#pushedOf(heard);
      for (const one of heard) this.#tellNews(one, pushed.get(one.revision));
    }
    this.#isTelling = false;
  }

  async #pushedOf(heard: readonly RevisionNews[]): Promise<ReadonlyMap<number, PushedDocument>> {
    const pushed = heard.filter((news) => news.pushed === true);
    const concerned = [...this.#lines].filter((line) => pushed.some((news) => concerns(news, line)));
    if (concerned.length === 0 || pushed.length > pushedMax) return new Map();
    const revisions = pushed.map(({ revision }) => revision);
    const groups = new Set(concerned.flatMap(({ lineGroupIds }) => [...(lineGroupIds ?? [])]));
    const { database, logger } = this.#options;
    return pushedDocuments(database, revisions, [...groups]).catch((error: unknown) => {
      logger.warn({ err: error }, 'delivery: cannot read what to send with an event; nodes pull it');
      return new Map<number, PushedDocument>();
    });
  }

  #tellNews(news: RevisionNews, pushed: PushedDocument | undefined): void {
    const { revision } = news;
    for (const line of this.#lines) {
      if (!concerns(news, line)) continue;
      const page = pushed && pageOf(line, pushed);
      this.#send(line, { type: 'revision', revision, ...(page ? { page } : {}) });
    }
  }

  /** What nodes say meanwhile goes together. A node that does not read is told later, or never: it has its own count. */
  #tellShares(): void {
    this.#sharesTimer = undefined;
    if (this.#closed) return;
    for (const [lineGroupId, changed] of this.#shares.takeChanged())
      for (const line of this.#lines) {
        if (line.lineGroupIds?.has(lineGroupId) !== true || line.stream.writableLength > pushedBytesMax)
          continue;
        const shares = changed.flatMap((each) => each.toldTo(line.nodeId));
        if (shares.length > 0) this.#send(line, { type: 'guard', shares });
      }
    if (this.#shares.hasChanged) this.#sharesTimer = setTimeout(() => this.#tellShares(), sharesMilliseconds);
  }

  /** Each node is asked for what concerns it. */
  #askFor(watches: readonly AskedWatch[]): void {
    for (const line of this.#lines) {
      const asked = watches
        .filter(({ node_id }) => node_id === undefined || node_id === line.nodeId)
        .map((watch) => {
          const own: AskedWatch = { ...watch };
          delete own.node_id;
          return own;
        });
      if (asked.length > 0) this.#send(line, { type: 'watch', watches: asked });
    }
  }

  /** The generation in the event says whether what the node serves has changed. */
  async #resync(lines: Line[]): Promise<void> {
    for (const line of lines) await this.#tell(line, ({ generation }) => ({ type: 'resync', generation }));
  }

  /** Hands a command to the node's line, if it is here. One that is lost ends in its timeout. */
  async #command([line]: Line[], id: string): Promise<void> {
    if (!line) return;
    const command = await readCommand(this.#options.database, id).catch((error: unknown) => {
      this.#options.logger.warn({ err: error, id }, 'delivery: cannot read a command');
      return undefined;
    });
    if (command) this.#send(line, { type: 'command', ...command });
  }

  /** Reads what a node serves now and sends it an event made of that. */
  async #tell(line: Line, eventOf: (position: Position) => NodeEvent): Promise<void> {
    try {
      const position = await deliveryPosition(this.#options.database, line.nodeId);
      // Two of these can overtake each other: the newer generation is right.
      if (position.generation >= line.generation) {
        line.generation = position.generation;
        line.lineGroupIds = new Set(position.lineGroupIds);
      }
      if (position.enabled) this.#send(line, eventOf(position));
      else line.stream.end();
    } catch (error) {
      // The agent comes back by itself and is told then.
      this.#options.logger.warn(
        { err: error, nodeId: line.nodeId },
        'delivery: cannot read what a node serves',
      );
      line.stream.end();
    }
  }

  #ping(): void {
    for (const line of this.#lines) {
      this.#send(line, { type: 'ping' });
      this.#pace(line);
    }
    this.#listener?.ping();
  }

  /** What all nodes are told at once, they are not to do at once: a save, and to come back after a restart. */
  #pace(line: Line): void {
    const spread = Math.min(spreadMillisecondsMax, this.#lines.size * spreadPerLineMilliseconds);
    const differs = Math.abs(spread - line.spreadMilliseconds);
    if (spread < spreadMillisecondsMin || differs <= spread / 5) return;
    line.spreadMilliseconds = spread;
    this.#send(line, { type: 'pace', spread_milliseconds: spread });
  }

  #send(line: Line, event: NodeEvent): void {
    if (line.stream.writableLength > unreadBytesMax) line.stream.destroy();
    else line.stream.write(`data: ${JSON.stringify(event)}\n\n`);
  }
}
