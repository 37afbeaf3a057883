import type { ServerResponse } from 'node:http';
import type { NodeEvent } from '@breakwater/contract';
import pg from 'pg';
import type { Logger } from 'pino';
import { readCommand } from './commands.ts';
import { deliveryPosition, type Position } from './documents.ts';
import { deliveryChannel, parseNotification, type Notification } from './notifications.ts';
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
  /** Unknown until the hello is sent: then everything concerns it. */
  lineGroupIds: ReadonlySet<number> | undefined;
}

/** An agent that reads slower than this many bytes behind is cut off; it comes back and pulls. */
const unreadBytesMax = 64 * 1024;
const retryMilliseconds = 500;
const answerMilliseconds = 10_000;

/**
 * The open lines of agents at this server process. It listens on a PostgreSQL connection of its own, so that a change
 * made by any process reaches every line; after the connection broke everyone is told to pull, since notifications of
 * that time are lost.
 */
export class EventHub {
  readonly #options: EventHubOptions;
  readonly #lines = new Set<Line>();
  readonly #pinger: NodeJS.Timeout;
  #client: pg.Client | undefined;
  #retry: NodeJS.Timeout | undefined;
  #closed = false;

  private constructor(options: EventHubOptions) {
    this.#options = options;
    this.#pinger = setInterval(() => this.#ping(), (options.pingSeconds ?? 15) * 1000);
  }

  /** Resolves when it listens. */
  static async open(options: EventHubOptions): Promise<EventHub> {
    const hub = new EventHub(options);
    await hub.#listen().catch(async (error: unknown) => {
      await hub.close();
      throw error;
    });
    return hub;
  }

  /** Takes over the answer of an agent: sends the hello, then what concerns the node, until either side ends it. */
  async attach(nodeId: number, stream: ServerResponse): Promise<void> {
    const line: Line = { nodeId, stream, generation: 0, lineGroupIds: undefined };
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
    else await this.#tell(line, ({ revision, generation }) => ({ type: 'hello', revision, generation }));
  }

  async close(): Promise<void> {
    this.#closed = true;
    clearInterval(this.#pinger);
    clearTimeout(this.#retry);
    for (const line of this.#lines) line.stream.end();
    this.#lines.clear();
    await this.#client?.end().catch(() => undefined);
  }

  async #listen(): Promise<void> {
    const client = new pg.Client({
      connectionString: this.#options.databaseUrl,
      keepAlive: true,
      connectionTimeoutMillis: answerMilliseconds,
      query_timeout: answerMilliseconds,
    });
    client.on('notification', ({ payload }) => void this.#receive(parseNotification(payload ?? '')));
    client.on('error', (error) => this.#lost(client, error));
    client.on('end', () => this.#lost(client, new Error('the connection ended')));
    try {
      await client.connect();
      await client.query(`LISTEN ${deliveryChannel}`);
    } catch (error) {
      client.end().catch(() => undefined);
      throw error;
    }
    if (this.#closed) await client.end();
    else this.#client = client;
  }

  /** Only the connection in use can be lost: one that never listened has told its caller already. */
  #lost(client: pg.Client, error: unknown): void {
    if (this.#closed || this.#client !== client) return;
    this.#client = undefined;
    client.end().catch(() => undefined);
    this.#options.logger.warn({ err: error }, 'delivery: lost the connection that listens for changes');
    this.#relisten();
  }

  #relisten(): void {
    this.#retry = setTimeout(() => {
      this.#listen()
        .then(() => this.#tellAll())
        .catch((error: unknown) => {
          this.#options.logger.warn({ err: error }, 'delivery: cannot listen for changes yet');
          if (!this.#closed) this.#relisten();
        });
    }, retryMilliseconds);
  }

  async #receive(notification: Notification): Promise<void> {
    if (notification.type === 'revision') {
      const { revision, lineGroupIds } = notification;
      for (const line of this.#lines) {
        const known = line.lineGroupIds;
        if (!known || lineGroupIds.some((id) => known.has(id)))
          this.#send(line, { type: 'revision', revision });
      }
      return;
    }
    const lines = [...this.#lines].filter((line) => notification.nodeIds.includes(line.nodeId));
    if (notification.type === 'drop') for (const line of lines) line.stream.end();
    else if (notification.type === 'command') await this.#command(lines, notification.id);
    else await this.#resync(lines);
  }

  async #tellAll(): Promise<void> {
    this.#options.logger.info('delivery: listening for changes again');
    await this.#resync([...this.#lines]);
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
    for (const line of this.#lines) this.#send(line, { type: 'ping' });
    // A peer that vanished without a word is found out by this query's failure.
    const client = this.#client;
    client?.query('SELECT 1').catch((error: unknown) => this.#lost(client, error));
  }

  #send(line: Line, event: NodeEvent): void {
    if (line.stream.writableLength > unreadBytesMax) line.stream.destroy();
    else line.stream.write(`data: ${JSON.stringify(event)}\n\n`);
  }
}
