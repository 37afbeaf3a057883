import {
  liveFigures,
  liveWatchesMax,
  liveWatchSeconds,
  nodeSilentSeconds,
  noLiveFigures,
  type LiveEvent,
  type LiveFigures,
  type LiveReport,
} from '@breakwater/contract';
import { sql } from 'drizzle-orm';
import type { Logger } from 'pino';
import { ApiError } from '../api-error.ts';
import { notifyWatches, type AskedWatch } from '../delivery/notifications.ts';
import { PgListener } from '../delivery/pg-listener.ts';
import { rowsOf, type Queryable } from '../delivery/queryable.ts';

const channel = 'breakwater_live';
/** A notification carries less than 8000 bytes. */
const keysPerNotification = 25;
const renewMilliseconds = (liveWatchSeconds * 1000) / 3;
const lookMilliseconds = 250;
/** So long a second is waited for: a node tells of it once it is over, each second once. */
const patienceSeconds = 4;
/** Further from now than this, the next second is one of a clock that was set since. */
const astraySeconds = 60;

type Second = Extract<LiveEvent, { type: 'second' }>;
type Told = Pick<LiveReport['seconds'][number], 'connections'> & { figures: LiveFigures };
type Message = LiveReport['seconds'][number] & { node: number };

export interface LiveHubOptions {
  databaseUrl: string;
  database: Queryable;
  logger: Pick<Logger, 'info' | 'warn'>;
  /** The clock of the server, in milliseconds. */
  now?: () => number;
}

interface Watched {
  watch: AskedWatch;
  listeners: Set<(second: Second) => void>;
  /** Nodes that should tell. */
  expected: ReadonlySet<number>;
  seconds: Map<number, Map<number, Told>>;
  /** The next second to be passed on. */
  next: number;
}

/** What a node counted reaches every server process, whichever it told. */
export async function passOn(database: Queryable, nodeId: number, { seconds }: LiveReport): Promise<void> {
  for (const { time, connections, figures } of seconds) {
    const entries = Object.entries(figures);
    for (let start = 0; start < entries.length; start += keysPerNotification) {
      const part = Object.fromEntries(entries.slice(start, start + keysPerNotification));
      const message: Message = { node: nodeId, time, connections, figures: part };
      await database.execute(sql`SELECT pg_notify(${channel}, ${JSON.stringify(message)})`);
    }
  }
}

/**
 * Who watches which traffic at this server process. While anybody does, the nodes are asked again and again; what they tell
 * is added up by the second and passed on.
 */
export class LiveHub {
  readonly #database: Queryable;
  readonly #logger: Pick<Logger, 'warn'>;
  readonly #now: () => number;
  readonly #watched = new Map<string, Watched>();
  readonly #timers: NodeJS.Timeout[];
  #listener: PgListener | undefined;

  private constructor({ database, logger, now = Date.now }: LiveHubOptions) {
    this.#database = database;
    this.#logger = logger;
    this.#now = now;
    this.#timers = [
      setInterval(() => this.#renew(), renewMilliseconds),
      setInterval(() => this.#passOn(this.#now()), lookMilliseconds),
    ];
  }

  static async open(options: LiveHubOptions): Promise<LiveHub> {
    const hub = new LiveHub(options);
    try {
      hub.#listener = await PgListener.open({
        ...options,
        channel,
        about: 'live figures',
        onMessage: (payload) => hub.#receive(JSON.parse(payload) as Message),
      });
      return hub;
    } catch (error) {
      await hub.close();
      throw error;
    }
  }

  /** Throws `too_many_streams` where there is no room for one more traffic. */
  admit({ key }: AskedWatch): void {
    if (!this.#watched.has(key) && this.#watched.size >= liveWatchesMax)
      throw new ApiError('too_many_streams');
  }

  /** Tells of each second until the signal aborts. */
  watch(watch: AskedWatch, listener: (second: Second) => void, signal: AbortSignal): void {
    const { key } = watch;
    const watched = this.#watched.get(key) ?? {
      watch,
      listeners: new Set(),
      expected: new Set<number>(),
      seconds: new Map(),
      next: Math.floor(this.#now() / 1000) + 1,
    };
    watched.listeners.add(listener);
    signal.addEventListener('abort', () => {
      watched.listeners.delete(listener);
      if (watched.listeners.size === 0) this.#watched.delete(key);
    });
    if (this.#watched.has(key)) return;
    this.#watched.set(key, watched);
    this.#ask([watched]);
  }

  async close(): Promise<void> {
    for (const timer of this.#timers) clearInterval(timer);
    this.#watched.clear();
    await this.#listener?.close();
  }

  #renew(): void {
    this.#listener?.ping();
    if (this.#watched.size > 0) this.#ask([...this.#watched.values()]);
  }

  #ask(all: Watched[]): void {
    const asked = async () => {
      const rows = await rowsOf<{ id: number }>(
        this.#database,
        sql`SELECT id FROM node WHERE enabled
              AND status_time > now() - make_interval(secs => ${nodeSilentSeconds})`,
      );
      const online = rows.map(({ id }) => id);
      for (const each of all) {
        const wanted = each.watch.node_id;
        each.expected = new Set(wanted === undefined ? online : online.filter((id) => id === wanted));
      }
      await notifyWatches(
        this.#database,
        all.map(({ watch }) => watch),
      );
    };
    asked().catch((error: unknown) =>
      this.#logger.warn({ err: error }, 'live figures: nodes were not asked'),
    );
  }

  #receive({ node, time, connections, figures }: Message): void {
    for (const [key, told] of Object.entries(figures)) {
      const watched = this.#watched.get(key);
      if (!watched || time < watched.next || (watched.watch.node_id ?? node) !== node) continue;
      const second = watched.seconds.get(time) ?? new Map<number, Told>();
      second.set(node, { connections, figures: told });
      watched.seconds.set(time, second);
    }
  }

  /** A second goes out when all have told of it, or when it was waited for long enough. */
  #passOn(now: number): void {
    for (const watched of this.#watched.values()) {
      const { seconds, expected, listeners } = watched;
      if (Math.abs(now / 1000 - watched.next) > astraySeconds) {
        seconds.clear();
        watched.next = Math.floor(now / 1000) + 1;
      }
      for (;;) {
        const told = seconds.get(watched.next);
        const whole = expected.size > 0 && [...expected].every((node) => told?.has(node));
        if (!whole && now < (watched.next + 1 + patienceSeconds) * 1000) break;
        const second = sumOf(watched.next, [...(told?.values() ?? [])], expected.size);
        seconds.delete(watched.next);
        watched.next += 1;
        for (const listener of listeners) listener(second);
      }
    }
  }
}

function sumOf(time: number, told: readonly Told[], expected: number): Second {
  const sum = { ...noLiveFigures };
  for (const { figures } of told)
    for (const name of Object.keys(liveFigures.shape) as (keyof LiveFigures)[]) sum[name] += figures[name];
  return {
    type: 'second',
    time,
    figures: told.length === 0 ? null : sum,
    connections: told.reduce((all, { connections }) => all + connections, 0),
    nodes: told.length,
    nodes_expected: Math.max(expected, told.length),
  };
}
